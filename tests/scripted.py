"""A session's parts for tests of the core: a real, deterministic engine whose rules can be read at a glance.

It is an implementation of the contracts, not a mock: paragraphs are topics, a paragraph is its own summary, and two
nodes are compared by the lines `subject: value` they hold. The same subject with another value is a conflict, the same
line is a merge, a shared subject word is a relation. The world (what a cross-validation finds) is a dict.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from memorybank.embedding.base import CosineScale, Matrix
from memorybank.errors import AgentError
from memorybank.memory import contracts
from memorybank.memory.types import Claim, ConflictStatus, Contradiction, Lang, Relation, TaskType
from memorybank.retrieval.recall import Recall
from memorybank.session.assembly import Parts
from memorybank.session.effects import Effects
from memorybank.session.executors.base import Assignment, Execution
from memorybank.session.markup import write_image
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings

LINE_RE = re.compile(r"^(?P<subject>[\w -]+?): (?P<value>.+)$", re.MULTILINE)


def write_verdict(verdict: contracts.StatedVerdict) -> str:
    """A verdict as an agent writes it: JSON inside a `<verdict>` block, its brackets as escapes."""
    stated = verdict.model_dump_json(exclude_defaults=True).replace("<", "\\u003c")
    return f"<verdict>{stated}</verdict>"


class LetterEmbedder:
    """Letter pairs hashed into 64 dimensions: texts with the same words are near."""

    name = "letters"
    dim = 64
    scale = CosineScale(lo=0.2, hi=0.95)

    def documents(self, texts: Sequence[str]) -> Matrix:
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for pair in zip(text.lower(), text.lower()[1:], strict=False):
                row[
                    int.from_bytes(hashlib.blake2b("".join(pair).encode(), digest_size=2).digest(), "big") % self.dim
                ] += 1
            norm = np.linalg.norm(row)
            if norm:
                row /= norm
        return rows

    queries = documents

    def count_tokens(self, text: str) -> int:
        return len(text.split()) + len(re.findall(r"[\u4e00-\u9fff]", text))


def facts(text: str) -> dict[str, str]:
    return {match["subject"].strip().lower(): match["value"].strip() for match in LINE_RE.finditer(text)}


class Classification:
    def run(self, given: contracts.ClassificationInput) -> contracts.ClassificationOutput:
        clusters = []
        for number, text in enumerate(each.text for each in given.texts):
            if "classification fails" in text:
                raise AgentError("the classification agent gave no usable answer")
            start = 0
            for part in re.split(r"(?<=\n)\n+", text):
                end = text.index(part, start) + len(part)
                if part.strip():
                    topic, words = part.strip().splitlines()[0][:60], tuple(facts(part))[:4]
                    spans = ((start, end),)
                    clusters.append(contracts.ClusterDraft(number=number, context=topic, keywords=words, spans=spans))
                start = end
        return contracts.ClassificationOutput(should_cluster=len(clusters) > len(given.texts), clusters=tuple(clusters))


class Structure:
    def run(self, given: contracts.StructureInput) -> contracts.StructureOutput:
        return contracts.StructureOutput(summary=given.content.strip())


class Analysis:
    def run(self, given: contracts.AnalysisInput) -> contracts.AnalysisOutput:
        found = []
        for number, comparison in enumerate(given.comparisons):
            new = facts(comparison.new.summary)
            for ref, other in enumerate(comparison.candidates):
                relation = _relation(facts(other.summary), new)
                if relation not in given.relations:
                    continue
                shared = ", ".join(sorted(set(facts(other.summary)) & set(new)))
                found.append(
                    contracts.Relationship(
                        new=number,
                        existing=ref,
                        reasoning=f"{relation.value} on {shared or 'a shared word'}",
                        relationship=relation,
                        conflict_description=f"{shared} differs" if relation is Relation.CONFLICT else "",
                    )
                )
        return contracts.AnalysisOutput(relationships=tuple(found))


class QuotingAnalysis(Analysis):
    """Takes claims apart, as an engine that can quote does."""

    def run(self, given: contracts.AnalysisInput) -> contracts.AnalysisOutput:
        found = []
        for one in super().run(given).relationships:
            comparison = given.comparisons[one.new]
            new, old = facts(comparison.new.summary), facts(comparison.candidates[one.existing].summary)
            points = tuple(
                Contradiction(left=_claim(key, old[key]), right=_claim(key, new[key]), reason=key, confidence=1.0)
                for key in old
                if one.relationship is Relation.CONFLICT and key in new and old[key] != new[key]
            )
            found.append(one.model_copy(update={"contradictions": points}))
        return contracts.AnalysisOutput(relationships=tuple(found))


def _claim(key: str, value: str) -> Claim:
    subject, _, attribute = key.partition(" ")
    return Claim(text=f"{key}: {value}", kind="number", subject=subject, attribute=attribute, value=value)


def _relation(old: dict[str, str], new: dict[str, str]) -> Relation:
    shared = set(old) & set(new)
    if any(old[subject] != new[subject] for subject in shared):
        return Relation.CONFLICT
    if shared:
        return Relation.MERGE
    words = {word for subject in old for word in subject.split()} & {
        word for subject in new for word in subject.split()
    }
    return Relation.RELATED if words else Relation.UNRELATED


class Integration:
    def run(self, given: contracts.IntegrationInput) -> contracts.IntegrationOutput:
        if given.sizes:
            ends = accumulate(given.sizes)
            spans = [(end - size, end) for size, end in zip(given.sizes, ends, strict=True)]
            first, *others = (self.run(_part(given, *span)) for span in spans)
            return first.model_copy(update={"further": tuple(others)})
        lines: dict[str, str] = {}
        for node in given.nodes:
            lines.update(facts(node.summary))
        for verdict in given.verdicts:
            for subject in lines:
                values = [facts(given.nodes[ref].summary).get(subject) for ref in (verdict.left, verdict.right)]
                if verdict.value and None not in values and values[0] != values[1]:
                    lines[subject] = verdict.value
        summary = "\n".join(f"{subject}: {value}" for subject, value in lines.items())
        return contracts.IntegrationOutput(
            summary=summary,
            context=given.nodes[-1].context,
            keywords=tuple(dict.fromkeys(word for node in given.nodes for word in node.keywords)),
            interaction_tree_description=f"{len(given.nodes)} nodes united by {given.trigger}",
        )


def _part(given: contracts.IntegrationInput, start: int, end: int) -> contracts.IntegrationInput:
    """One of several unions that are asked for together, asked for by itself."""
    own = (verdict for verdict in given.verdicts if start <= verdict.left < end)
    moved = (one.model_copy(update={"left": one.left - start, "right": one.right - start}) for one in own)
    return given.model_copy(update={"nodes": given.nodes[start:end], "sizes": (), "verdicts": tuple(moved)})


class Planning:
    def run(self, given: contracts.PlanningInput) -> contracts.PlanningOutput:
        context = given.finished.answer[:80] if given.finished else ""
        return contracts.PlanningOutput(reasoning="by rule", finished_context=context, next_task=self._next(given))

    def _next(self, given: contracts.PlanningInput) -> contracts.TaskDraft | None:
        if given.finished and given.finished.final:
            return None
        if given.barren_rounds < 1 and len(given.completed_tasks) < 1 and not given.finished:
            return contracts.TaskDraft(type=TaskType.NORMAL, description="look it up", query=given.task_goal)
        return contracts.TaskDraft(type=TaskType.NORMAL, description="answer", final=True)


class ScriptedEngine:
    name = "scripted"

    def __init__(self) -> None:
        self.classification = Classification()
        self.structure = Structure()
        self.analysis = Analysis()
        self.integration = Integration()
        self.planning = Planning()


class Failing:
    """An agent that gives no usable answer to what `when` picks, and keeps what it was asked."""

    def __init__(self, agent: Any, when: Callable[[Any], bool], reason: str = "no JSON in two tries") -> None:
        self.asked: list[Any] = []
        self.when = when
        self._agent, self._reason = agent, reason

    def run(self, given: Any) -> Any:
        self.asked.append(given)
        if self.when(given):
            raise AgentError(self._reason)
        return self._agent.run(given)


@dataclass
class WorldExecutor:
    """Knows the truth: `world[subject]` is what a check finds; a subject it does not know stays open."""

    world: dict[str, str] = field(default_factory=dict)
    say: Callable[[Assignment], str | None] = lambda _: None
    name: str = "world"

    def run(self, given: Assignment, fx: Effects) -> Execution:
        said = self.say(given)
        if said is not None:
            return Execution(answer=said, transcript=f"asked: {given.task.description}\n{said}")
        for name in ("search", "visit"):
            if name in fx.tools and given.task.query:
                found = fx.use("search", query=given.task.query)
                for source in dict.fromkeys(material.source for material in found.materials):
                    fx.use("visit", url=source)
                break
        verdicts = [write_verdict(self._rule(brief.conflict.id, brief)) for brief in given.briefs]
        answer = "\n".join([f"Done: {given.task.description}", *verdicts])
        return Execution(
            answer=f"<answer>{answer}</answer>", transcript=f"{given.prompt}\n{answer}", quotes_only=True, stated=True
        )

    def _rule(self, conflict_id: str, brief: object) -> contracts.StatedVerdict:
        left = facts("\n".join(one.text for one in brief.left))  # type: ignore[attr-defined]
        right = facts("\n".join(one.text for one in brief.right))  # type: ignore[attr-defined]
        for subject in left:
            if subject in right and left[subject] != right[subject] and subject in self.world:
                value = self.world[subject]
                if value not in (left[subject], right[subject]):
                    status, winner = ConflictStatus.BOTH_WRONG, ""
                else:
                    status, winner = ConflictStatus.RESOLVED, "left" if value == left[subject] else "right"
                return contracts.StatedVerdict(
                    conflict=conflict_id, status=status, winner=winner, value=value, reasoning=f"{subject} is {value}"
                )
        return contracts.StatedVerdict(
            conflict=conflict_id, status=ConflictStatus.INCONCLUSIVE, reasoning="nothing known"
        )


@dataclass
class Reader:
    """Searches, visits what it is told to, and says of each image what it is told; else that it cannot be read."""

    visits: tuple[str, ...] = ()
    reads: dict[str, str] = field(default_factory=dict)
    """Texts by the images' names; of one that is not there nothing is readable."""
    when: Callable[[Assignment], bool] = lambda given: bool(given.task.query) and not given.task.final
    name: str = "reader"
    given: list[Assignment] = field(default_factory=list)

    def run(self, given: Assignment, fx: Effects) -> Execution:
        self.given.append(given)
        if self.when(given):
            fx.use("search", query=given.goal)
            for one in self.visits:
                fx.use("visit", url=one)
        texts = [(one.id, self.reads.get(one.name, "")) for one in given.images]
        said = "\n".join(["Done.", *(write_image(id_, text or "nothing", readable=bool(text)) for id_, text in texts)])
        return Execution(answer=f"<answer>{said}</answer>", transcript=said, quotes_only=True)


def parts(
    *,
    world: dict[str, str] | None = None,
    settings: Settings | None = None,
    corpus: object = None,
    executor: object = None,
    lang: Lang = "en",
    analysis: Analysis | None = None,
    failing: Mapping[str, Callable[[Any], bool]] = MappingProxyType({}),
) -> Parts:
    """`failing`: which calls of which agents give no usable answer."""
    engine = ScriptedEngine()
    engine.analysis = analysis or engine.analysis
    for role, when in failing.items():
        setattr(engine, role, Failing(getattr(engine, role), when))
    return Parts(
        settings=settings or Settings(engine="scripted", parallel_calls=1),
        lang=lang,
        engine=engine,
        executor=executor or WorldExecutor(world or {}),  # type: ignore[arg-type]
        recall=Recall(LetterEmbedder()),
        corpus=corpus,  # type: ignore[arg-type]
    )


def source(text: str, name: str = "note.txt") -> Source:
    return Source(name=name, text=text, kind="text")


def start(folder: Path, *texts: str, goal: str = "", **options: object) -> Session:
    return Session.start(folder, parts(**options), goal=goal, sources=numbered(*texts))  # type: ignore[arg-type]


def opened(folder: Path) -> Session:
    """The run in a folder, opened again with parts of the tests."""
    return Session.open(folder, lambda _: parts())


def numbered(*texts: str) -> list[Source]:
    return [source(text, f"note{number}.txt") for number, text in enumerate(texts, start=1)]


def finished(folder: Path, *texts: str, goal: str = "", **options: object) -> Session:
    """A session that ran to its end and was closed: what it holds can be read."""
    with start(folder, *texts, goal=goal, **options) as session:
        session.run()
    return session
