"""What is read from outside is checked once, where it is read: numbers in range, vectors of one length, ids that are
there. So no reader of events has to ask again."""

from __future__ import annotations

import base64
import contextlib
import json
import math
import struct
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from memorybank.errors import InputError, JournalError
from memorybank.memory import contracts
from memorybank.memory.bounds import LATEST, MOST, loads
from memorybank.memory.events import EVENT, Event
from memorybank.memory.layers.query_graph import ends
from memorybank.memory.types import NodeId
from memorybank.runs import memory_file
from memorybank.runs.run_folder import load, state_at
from memorybank.session.session import Session
from tests.scripted import parts, source

GOLDEN = Path(__file__).parents[1] / "data" / "journal-1.jsonl"


# -- every number has its bounds --------------------------------------------------------------------------------------


def unbounded(schema: Any, where: str = "") -> Iterator[str]:
    """The places of a JSON schema that take a number without an upper and a lower bound."""
    if isinstance(schema, dict):
        if schema.get("type") in ("integer", "number") and "const" not in schema:
            lower, upper = ({f"{kind}imum", f"exclusive{kind.title()}imum"} for kind in ("min", "max"))
            if not (schema.keys() & lower and schema.keys() & upper):
                yield where
        for name, part in schema.items():
            yield from unbounded(part, f"{where}.{name}")
    elif isinstance(schema, list):
        for part in schema:
            yield from unbounded(part, where)


def test_no_number_that_a_journal_a_memory_file_or_an_agents_answer_holds_is_unbounded() -> None:
    answers = [
        form
        for form in vars(contracts).values()
        if isinstance(form, type) and issubclass(form, contracts.Message) and form.__name__.endswith("Output")
    ]
    assert len(answers) == 5
    for form in (Event, memory_file.MemoryForm, contracts.StatedVerdict, *answers):
        assert list(unbounded(TypeAdapter(form).json_schema())) == []
    assert len(EVENT.json_schema()["$defs"]) > 50
    assert list(unbounded(TypeAdapter(dict[str, tuple[float, memory_file.Seconds]]).json_schema()))


def test_json_without_numbers_that_are_none() -> None:
    assert loads('{"a": [1, 2.5, -1e-3]}') == {"a": [1, 2.5, -1e-3]}
    for text in ("NaN", "Infinity", "-Infinity", "1e999", "[-1e400]", '{"a": NaN}'):
        with pytest.raises(ValueError, match="is not JSON"):
            loads(text)


# -- a journal that is changed in one place ---------------------------------------------------------------------------


@cache
def golden() -> tuple[str, tuple[str, ...]]:
    header, *lines = GOLDEN.read_text("utf-8").splitlines()
    return header, tuple(lines)


def put(into: Any, path: str, value: Any) -> None:
    """Set `a.0.b` to the value. Raises KeyError or IndexError where there is no such place."""
    *parents, last = [int(part) if part.isdigit() else part for part in path.split(".")]
    for part in parents:
        into = into[part]
    into[last]
    into[last] = value


def changed(kind: str, path: str, value: Any) -> str:
    """The golden journal with one value changed: in the first event of the kind that has such a place."""
    header, lines = golden()
    records = [json.loads(line) for line in lines]
    for event in (one["event"] for one in records if one["event"]["type"] == kind):
        with contextlib.suppress(IndexError, TypeError):
            put(event, path, value)
            return "\n".join([header, *map(json.dumps, records)]) + "\n"
    raise AssertionError(f"no {kind} of the golden journal has {path}: the case tests nothing")


def refusal(act: Callable[[], object], kind: type[Exception]) -> str:
    """The one line of a refusal; empty where it was accepted."""
    try:
        act()
    except kind as error:
        return str(error)
    return ""


def vector(dim: int, number: float = 0.0) -> str:
    return base64.b64encode(struct.pack(f"<{dim}e", *[number] * dim)).decode()


def _disputed(confidence: float) -> dict[str, Any]:
    claim = {"text": "", "kind": "text", "subject": "", "attribute": "", "value": ""}
    return {"left": claim, "right": claim, "reason": "", "confidence": confidence}


HUGE = 10**24
NUMBERS = [math.nan, math.inf, -math.inf, 1e308, -1, HUGE]
REFUSED: list[tuple[str, str, list[Any]]] = [
    ("StageFinished", "ms", NUMBERS),
    ("StageFinished", "round", NUMBERS),
    ("AgentCalled", "ms", NUMBERS),
    ("AgentCalled", "input_tokens", NUMBERS),
    ("ConflictFound", "contradictions", [[_disputed(one)] for one in [*NUMBERS, 1.5]]),
    ("RelationsJudged", "relations.0.confidence", [*NUMBERS, 1.5]),
    ("CandidatesRetrieved", "hits.0.score", [math.nan, math.inf, 1e308]),
    ("EntryRecorded", "entry.timestamp", [*NUMBERS, LATEST]),
    ("SessionStarted", "embedding_dim", [*NUMBERS, 0]),
    ("SessionStarted", "alpha", [*NUMBERS, 1.1]),
    ("PromptEnhanced", "parts.0.tokens", [*NUMBERS, MOST + 1]),
    ("NodeCreated", "vector", ["", "AAAA", "AA==", "!", vector(3), vector(4096), vector(8, math.nan)]),
    ("NodesMerged", "vector", ["", vector(3)]),
    ("PromptEnhanced", "query_vector", ["", vector(3)]),
    ("NodeCreated", "node_id", ["", "n", "x1", "n1.5", "n٣", "n²", "e1", "n2"]),
    ("NodeCreated", "spans.0.entry_id", ["", "e99"]),
    ("NodeCreated", "spans.0.end", [10**6]),
    ("EntryRecorded", "entry.id", ["", "n1", "e", "e2"]),
    ("EntryRecorded", "entry.attachments", [["a1"]]),
    ("FilingQueued", "spans.0.entry_id", ["e99"]),
    ("ClustersFound", "clusters.0.spans.0.end", [10**6]),
    ("ConflictFound", "conflict_id", ["", "c", "c²", "n1"]),
    ("ConflictFound", "node_ids", [["n1", "n1"], ["n1", "n99"]]),
    ("ConflictClosed", "conflict_id", ["c99"]),
    ("ConflictClosed", "status", ["open"]),
    ("ConflictClosed", "evidence", [[{"source": "", "quote": "", "supports": "left", "entry_id": "e99"}]]),
    ("NodesLinked", "right", ["n99"]),
    ("CandidatesRetrieved", "hits.0.node_id", ["", "n99"]),
    ("CandidatesRetrieved", "node_id", ["n99"]),
    ("RelationsJudged", "relations.0.node_id", ["", "n99"]),
    ("NodesAnalysed", "node_ids", [["n99"]]),
    ("PromptEnhanced", "parts.4.node_id", ["", "n99"]),
    ("PromptEnhanced", "hits.0.node_id", ["n99"]),
    ("PromptEnhanced", "hits.0.via", ["n99"]),
    ("NodesMerged", "merged_node_ids", [[], ["n1"], ["n1", "n1"], ["n1", "n99"]]),
    ("NodesMerged", "event_id", ["", "m", "n1"]),
    ("MergeUndone", "event_id", ["m99"]),
    ("MergeUndone", "new_node_id", ["n1"]),
    ("MergeUndone", "restored", [[], ["n1"]]),
    ("TaskExecuted", "transcript", ["", "e99"]),
    ("TaskExecuted", "materials", [["e99"]]),
    ("AnswerGiven", "entry_id", ["", "e99"]),
    ("PlanUpdated", "next_task.conflict_ids", [["c99"]]),
    ("ValidationApplied", "conflict_ids", [["c99"]]),
]


def test_a_journal_with_a_value_that_cannot_be_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    wrong = []
    for kind, field, values in REFUSED:
        for value in values:
            path.write_text(changed(kind, field, value), "utf-8")
            words = refusal(lambda: state_at(load(path)), JournalError)
            if not words or "\n" in words or len(words) > 700:
                wrong.append((kind, field, value, words))
    assert wrong == []


def test_what_a_fold_may_not_see_twice(tmp_path: Path) -> None:
    header, lines = golden()
    path = tmp_path / "journal.jsonl"
    for kind in ("SessionStarted", "EntryRecorded", "NodeCreated", "ConflictFound", "NodesMerged"):
        records = [json.loads(line) for line in lines]
        place = next(at for at, one in enumerate(records) if one["event"]["type"] == kind)
        records.insert(place + 1, {**records[place]})
        numbered = [json.dumps({**one, "seq": seq}) for seq, one in enumerate(records, start=1)]
        path.write_text("\n".join([header, *numbered]) + "\n", "utf-8")
        with pytest.raises(JournalError):
            state_at(load(path))


@pytest.mark.parametrize("seq", ["true", "1.0", '"1"', "null"])
def test_a_line_number_is_a_whole_number(tmp_path: Path, seq: str) -> None:
    header, (first, *rest) = golden()
    path = tmp_path / "journal.jsonl"
    path.write_text("\n".join([header, first.replace('"seq": 1,', f'"seq": {seq},'), *rest]) + "\n", "utf-8")
    with pytest.raises(JournalError):
        load(path)


def test_a_refusal_is_one_short_line_whatever_it_quotes(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    for id_ in ("e1\ne2\r\n\u2028e3\x1b[31m", "e" * 50_000):
        path.write_text(changed("AnswerGiven", "entry_id", id_), "utf-8")
        words = refusal(lambda: state_at(load(path)), JournalError)
        assert words
        assert len(words) <= 1_001
        assert words.splitlines() == [words]
        assert words.isprintable()
        assert refusal(partial(memory_file.read, json.dumps({id_: 1, "version": id_})), InputError).count("\n") == 0


# -- chains of merges -------------------------------------------------------------------------------------------------


def test_where_merges_lead() -> None:
    n = [NodeId(f"n{number}") for number in range(6)]
    assert ends({n[0]: n[1], n[1]: n[2], n[3]: n[2]}) == {n[0]: n[2], n[1]: n[2], n[3]: n[2]}
    long = {NodeId(f"n{number}"): NodeId(f"n{number + 1}") for number in range(200_000)}
    assert set(ends(long).values()) == {"n200000"}
    for circle in ({n[0]: n[0]}, {n[0]: n[1], n[1]: n[2], n[2]: n[1]}):
        with pytest.raises(ValueError, match="circle"):
            ends(circle)


# -- memory.json ------------------------------------------------------------------------------------------------------


CHECK = {"type": "CROSS_VALIDATE", "description": "check it"}


def memory() -> dict[str, Any]:
    node = {"summary": "s", "context": "c", "keywords": [], "timestamp": 1.0, "links": []}
    return {
        "version": 1,
        "insight_doc": {"pending_tasks": []},
        "query_graph": {"nodes": [{**node, "id": "n2"}, {**node, "id": "n3"}], "edges": []},
        "interaction_tree": {
            "entries": [{"entry_id": "e1", "text": "text", "timestamp": 1.0}],
            "node_to_entries": {"n2": ["e1"]},
            "merge_events": [
                {"event_id": "m1", "merged_node_ids": ["n1", "n4"], "new_node_id": "n2", "timestamp": 2.0,
                 "description": "d"}
            ],
        },
        "conflicts": [
            {"id": "c1", "status": "inconclusive", "node_ids": ["n2", "n3"], "description": "d", "contradictions": []}
        ],
    }  # fmt: skip


def test_a_memory_file_with_a_value_that_cannot_be_is_refused_in_one_line() -> None:
    memory_file.read(json.dumps(memory()))
    cases: list[tuple[str, list[Any]]] = [
        ("version", [0, -1, 9, HUGE]),
        ("query_graph.nodes.0.timestamp", [*NUMBERS, LATEST]),
        ("query_graph.nodes.0.id", ["n٣", "n3", "n"]),
        ("interaction_tree.entries.0.timestamp", NUMBERS),
        ("interaction_tree.merge_events.0.timestamp", [*NUMBERS, LATEST]),
        ("interaction_tree.merge_events.0.new_node_id", ["n1", "n9"]),
        ("conflicts.0.node_ids", [["n2", "n2"], ["n2", "n9"]]),
        ("conflicts.0.contradictions", [[{"left": {}}]]),
        ("query_graph.nodes.0.links", [["n9"], ["n2"]]),
        ("query_graph.nodes.0.summary", [None]),
        ("query_graph.edges", [[["n2", "n9"]], [["n2", "n2"]]]),
        ("interaction_tree.node_to_entries", [{"n2": ["e9"]}, {"n9": ["e1"]}]),
        ("interaction_tree.merge_events.0.merged_node_ids", [["n2"], ["n3"]]),
        ("insight_doc.pending_tasks", [[{**CHECK, "conflict_id": id_}] for id_ in ("c9", None)]),
    ]
    wrong = []
    for path, values in cases:
        for value in values:
            given = memory()
            put(given, path, value)
            words = refusal(partial(memory_file.read, json.dumps(given)), InputError)
            if not words or "\n" in words:
                wrong.append((path, value, words))
    for twice in ("conflicts", "interaction_tree.merge_events", "interaction_tree.entries"):
        given = memory()
        held: Any = given
        for part in twice.split("."):
            held = held[part]
        held.append(held[0])
        with pytest.raises(InputError, match="twice"):
            memory_file.read(json.dumps(given))
    assert wrong == []


def test_ids_of_an_import_that_counts_otherwise_are_never_given_twice(tmp_path: Path) -> None:
    given = memory()
    given["interaction_tree"]["entries"][0]["entry_id"] = "e2"
    given["interaction_tree"]["node_to_entries"] = {"n2": ["e2"]}
    given["interaction_tree"]["merge_events"][0]["event_id"] = "m2"
    given["conflicts"][0]["id"] = "c2"
    with Session.start(tmp_path / "run", parts(), memory=json.dumps(given)) as session:
        session.add(source("willow qubits: 105\n\nwillow maker: Google\n", "a.txt"))
        session.add(source("willow qubits: 98\n\nwillow maker: Google\n", "b.txt"))
        session.run()
        bank = session.bank
    assert list(bank.tree.entries)[:2] == ["e2", "e3"]
    assert list(bank.conflicts.all)[:2] == ["c2", "c3"]
    assert list(bank.tree.merge_events)[:2] == ["m2", "m3"]
    assert state_at(load(tmp_path / "run")).tree.entries.keys() == bank.tree.entries.keys()
