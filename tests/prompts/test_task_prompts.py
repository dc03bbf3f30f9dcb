"""The prompts of a task from its first plan to a second goal, as the planner and the executor get them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.embedding.parsing import parse_beside
from memorybank.memory import events
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictId, ConflictStatus, Entry, EntryId, EntryKind, Lang, NodeId, Span
from memorybank.prompts.templates import render_parts
from memorybank.retrieval.recall import Recall, embed_nodes
from memorybank.session.executors.react.protocol import system_prompt
from memorybank.session.stages.planning import enhance, plan
from memorybank.settings.config import Settings
from tests.engines.llm.scripted import Bench
from tests.made_events import created
from tests.prompts.rendered import check
from tests.prompts.world import WORLDS, document, memory

EMBEDDER = HashedNgrams()


def planned(told: Sequence[str]) -> dict[str, object]:
    return {"description": told[0], "query": told[1], "final": False}


class Rounds:
    """A bank that is led through a task by the stages that write prompts; rounds of work are told as facts."""

    def __init__(self, told: Mapping[str, Any], lang: Lang) -> None:
        self.bank = MemoryState()
        learnt = {"finished_context": told["learnt"]}
        self.model = Bench(
            [
                {"reasoning": "r", "finished_context": "", "next_task": planned(told["search"])},
                {"reasoning": "r", **learnt, "next_task": {"description": told["final"], "query": "", "final": True}},
                {"reasoning": "r", "finished_context": "", "next_task": planned(told["second"])},
            ]
        )
        self.fx: Any = SimpleNamespace(
            settings=Settings(),
            lang=lang,
            now=1.0,
            recall=Recall(EMBEDDER),
            embedder=EMBEDDER,
            parse=parse_beside(EMBEDDER),
            tools={},
            context_window=lambda role: None,
            ask=lambda role, given, answer: getattr(self.model.engine, role).run(given),
        )

    def take(self, *facts: events.Fact) -> None:
        for fact in facts:
            self.bank.apply(fact, 1.0)

    def plan(self) -> str:
        """The planner's prompt; empty where it was not asked."""
        before = len(self.model.prompts)
        self.take(*plan(self.bank, self.fx))
        return self.model.prompts[-1] if len(self.model.prompts) > before else ""

    def enhance(self) -> str:
        (enhanced,) = enhance(self.bank, self.fx)
        self.take(enhanced)
        assert self.bank.progress.prompt is not None
        return self.bank.progress.prompt.prompt

    def record(self, text: str, source: str, kind: EntryKind) -> Entry:
        number = len(self.bank.tree.entries) + 1
        entry = Entry(id=EntryId(f"e{number}"), kind=kind, text=text, source=source, sha256=str(number))
        self.take(events.EntryRecorded(entry=entry))
        return entry

    def learn(self, name: str, lang: Lang) -> None:
        told = memory(name, lang)
        entry = self.record(told.summary, document(name, lang), "document")
        number, keywords = len(self.bank.graph.nodes) + 1, told.keywords
        (vector,) = embed_nodes(EMBEDDER, [(told.summary, told.context, keywords)])
        span = Span(entry_id=entry.id, start=0, end=len(told.summary))
        made = created(number, told.summary, told.context, keywords=keywords, vector=vector, spans=(span,))
        self.take(made, events.NodesAnalysed(node_ids=(made.node_id,)))

    def answer(self, answer: str, *facts: events.Fact, final: bool = False) -> None:
        transcript = self.record(answer, "transcript", "transcript")
        self.take(events.TaskExecuted(executor="ReAct agent", answer=answer, transcript=transcript.id))
        if final:
            self.take(events.AnswerGiven(answer=answer, engine="llm", entry_id=transcript.id))
        self.take(events.ContextIntercepted(route="final" if final else "normal"), *facts)


def prompts(lang: Lang) -> Iterator[tuple[str, str]]:
    told = WORLDS[lang]["task"]
    rounds = Rounds(told, lang)
    rounds.take(events.TaskReceived(doc_id="d1", goal=told["goal"]))
    rounds.learn("operator", lang)
    rounds.learn("feature", lang)
    yield "planning-first", rounds.plan()
    yield "executor-first", rounds.enhance()
    conflict_id, sides = ConflictId("c1"), (NodeId("n1"), NodeId("n2"))
    rounds.answer(
        told["answer"],
        events.ConflictFound(conflict_id=conflict_id, node_ids=sides, description=told["dispute"]),
        events.ConflictClosed(conflict_id=conflict_id, status=ConflictStatus.INCONCLUSIVE, reason="r", closed_by="x"),
    )
    rounds.learn("log", lang)
    yield "planning-round", rounds.plan()
    yield "executor-final", rounds.enhance()
    rounds.answer(told["brief"], final=True)
    assert rounds.plan() == "", "what follows an answer is no choice"
    rounds.take(events.TaskReceived(doc_id="d2", goal=told["second_goal"]))
    yield "planning-second-goal", rounds.plan()
    yield "executor-second-goal", rounds.enhance()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_prompts_of_a_task(lang: Lang) -> None:
    for name, prompt in prompts(lang):
        check(f"{name}.{lang}", prompt)
        assert prompt.count(WORLDS[lang]["task"]["goal"]) <= 1, name


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_instructions_that_stand_before_them(lang: Lang) -> None:
    values = {
        "goal": "", "finished": None, "outcome": "", "answer": "", "completed": [], "shortened_tasks": 0,
        "omitted_tasks": 0, "known": {}, "new": [], "states": "", "memory_size": 0,
        "rounds_left": 9, "barren_rounds": 0,
    }  # fmt: skip
    check(f"planning-system.{lang}", render_parts("planning", lang, **values).system)
    check(f"executor-system.{lang}", system_prompt((), lang, native=False, images=()))
    check(f"executor-system-native.{lang}", system_prompt((), lang, native=True, images=()))
