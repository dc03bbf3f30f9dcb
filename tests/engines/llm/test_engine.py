"""The whole engine in a session: conflicts found, checked, united; calls counted; many threads at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memorybank.embedding.hashed import HashedNgrams
from memorybank.llm.base import ChatRequest
from memorybank.memory.events import NodeDescribed
from memorybank.retrieval.recall import Recall
from memorybank.session.assembly import Parts
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from tests.engines.llm.scripted import Bench, units_in
from tests.scripted import WorldExecutor, source

LINE_RE = re.compile(r"^([\w ]+?): ([\w ]+)\.?$", re.MULTILINE)


def model(request: ChatRequest) -> object:
    """A model that reads lines `subject: value`; what it answers is wrong in nothing but form where that is read."""
    prompt = request.messages[-1].content
    if request.schema_name == "classification":
        topics = [
            {"topic": text, "keywords": [text.split(":")[0]], "ranges": [{"first": number, "last": number}]}
            for number, text in units_in(prompt)
        ]
        return f"```json\n{{'reasoning': 'one a line', 'topics': {topics},}}\n```"
    if request.schema_name == "analysis":
        return {
            "relationships": [_judgement(f"{new}-{old}", shown[old], shown[new]) for new, old, shown in pairs(prompt)]
        }
    if request.schema_name == "integration":
        winner = re.search(r"What holds: (\w+)", prompt)
        subject = LINE_RE.findall(prompt.split("Summary: ")[1])[0][0]
        return {"summary": f"{subject}: {winner[1] if winner else 'same'}", "context": subject, "keywords": [subject]}
    conflict = "[0] group" in prompt
    done = "Just finished" in prompt and "answers the goal" in prompt
    task = {
        "type": "CROSS_VALIDATE" if conflict else "NORMAL",
        "description": "go on",
        "conflicts": [0] * conflict,
        "final": True,
    }
    return {"reasoning": "as told", "finished_context": "It was done.", "next_task": None if done else task}


def pairs(prompt: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """The labels of each pair, with what the labels stand for."""
    shown = dict(re.findall(r'label="(\w+)">.*?Summary: (.*?)\n</memory>', prompt, re.DOTALL))
    for new, old in re.findall(r"([A-Z]+)-(\w+)", prompt.rpartition("Judge th")[2]):
        yield new, old, shown


def _judgement(pair: str, old: str, new: str) -> dict[str, Any]:
    (subject, left), (other, right) = LINE_RE.findall(old)[0], LINE_RE.findall(new)[0]
    if subject != other:
        return {"pair": pair, "reasoning": "another subject", "relationship": "unrelated"}
    point = {"existing_quote": old, "existing_value": left, "new_quote": new, "new_value": right, "attribute": subject}
    return {
        "pair": pair,
        "reasoning": "the same subject",
        "relationship": "conflict" if left != right else "merge",
        "conflict_description": f"{subject}: {left} or {right}",
        "contradictions": [point],
    }


def start(folder: Path, bench: Bench, *texts: str, goal: str = "") -> Session:
    parts = Parts(
        settings=Settings(engine="llm", parallel_calls=4),
        lang="en",
        engine=bench.engine,
        executor=WorldExecutor({"colour": "red"}),
        recall=Recall(HashedNgrams()),
    )
    return Session.start(folder, parts, goal=goal, sources=[source(text, f"{n}.txt") for n, text in enumerate(texts)])


def describing(request: ChatRequest) -> object:
    """The same model, which has something to say on what is beside a memory."""
    answer, prompt = model(request), request.messages[-1].content
    if request.schema_name == "analysis" and isinstance(answer, dict):
        for one, (first, second, shown) in zip(answer["relationships"], pairs(prompt), strict=True):
            new, subject = (LINE_RE.findall(shown[label])[0][0] for label in (first, second))
            if one["relationship"] == "unrelated":
                one |= {"relationship": "related", "context_update_existing": f"{subject}\nbeside  {new}"}
                one |= {"keywords_update_existing": [new, "thing"], "keywords_update_new": []}
    if request.schema_name == "integration" and isinstance(answer, dict):
        shown = re.findall(r"^\[(\d+)\] \(of memory 0\) Topic: (.*?) \| Keywords: (.*)$", prompt, re.MULTILINE)
        answer["neighbor_updates"] = [
            {"neighbor": int(number), "context": f"near {answer['context']}, was {topic}", "keywords": []}
            for number, topic, _ in shown
        ]
    return answer


def test_what_is_related_and_what_is_near_a_merge_is_described_anew(run_dir: Path) -> None:
    bench = Bench(describing)
    session = start(run_dir, bench, "colour: red")
    session.run()
    for text in ("height: 40", "height: 40."):
        session.add(source(text, f"{text}.txt"))
        session.run()
    described = [record.event for record in session.records if isinstance(record.event, NodeDescribed)]
    colour = next(node for node in session.bank.graph.nodes.values() if node.summary == "colour: red")
    assert [(one.node_id, one.context_before, one.context) for one in described] == [
        (colour.id, "colour: red", "colour beside height"),
        (colour.id, "colour beside height", "near height, was colour beside height"),
    ]
    assert [(one.keywords_before, one.keywords) for one in described] == [
        (("colour",), ("height", "thing")),
        (("height", "thing"), ("height", "thing")),
    ], "a list may drop words; an empty one leaves them"
    assert colour.context == described[-1].context
    assert len({one.vector for one in described}) == 2, "embedded as described"
    assert bench.notes == []


def test_as_many_calls_as_promised(run_dir: Path) -> None:
    text = "\n\n".join(f"subject {'abcdefgh'[n]}: value {n}" for n in range(8))
    bench = Bench(model)
    session = start(run_dir, bench, text, goal="")
    session.run()
    roles = [request.schema_name for request in bench.chat.requests]
    assert roles.count("classification") == 1
    assert roles.count("structure") == 0  # each is shorter than 200 characters
    assert roles.count("analysis") <= 8
    assert len(session.bank.graph.nodes) == 8
    assert set(roles) <= {"classification", "analysis"}
