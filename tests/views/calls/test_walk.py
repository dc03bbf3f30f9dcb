"""The way of a value: from a memory to the call, its prompt and the source; every value of a run has one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank.hosting.ready_tasks import recorded_runs
from memorybank.memory.events import EntryRecorded
from memorybank.memory.state import MemoryState
from memorybank.memory.types import NodeId
from memorybank.runs.archive import unpack
from memorybank.runs.run_folder import RunFolder, load, state_at
from memorybank.views.calls.authors import Authors, Phrasing, authors, find, phrasings
from memorybank.views.calls.walk import WalkStep, walk
from memorybank.views.text.stating import statement_at, statements_of
from tests.recorded import recorded_run
from tests.ui.llm_run import llm_run

RECORDED = {run.id: run for run in (*recorded_runs("en"), *recorded_runs("zh"))}


class Opened:
    def __init__(self, folder: RunFolder, change: Callable[[Any], Any] = lambda event: event) -> None:
        self.folder = folder
        self.known: Authors = authors([replace(record, event=change(record.event)) for record in load(folder.path)])
        self.bank: MemoryState = state_at(self.known.records)
        self.phrasings = phrasings(self.known, self.bank.graph.nodes)

    def way(self, phrasing: Phrasing, start: int, end: int, read: Callable[[str], str] | None = None) -> list[WalkStep]:
        statement = statement_at(phrasing.summary, start, end)
        assert statement is not None
        read = read or self.folder.blobs.text
        return list(walk(statement, phrasing.node, phrasing.before, self.known, self.bank, read))

    def found(self, words: str, read: Callable[[str], str] | None = None) -> list[list[WalkStep]]:
        return [self.way(item.phrasing, item.start, item.end, read) for item in find(self.phrasings, words)]


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[str], Opened]:
    def of(name: str) -> Opened:
        folder = RunFolder(tmp_path / name)
        unpack(RECORDED[name].file, folder)
        return Opened(folder)

    return of


def test_a_value_leads_to_its_call_its_prompt_and_its_document(opened: Callable[[str], Opened]) -> None:
    run = opened("en-quantum")
    (card,) = run.found("98")
    assert [(step.kind, step.name) for step in card] == [
        ("memory", ""),
        ("answer", "classification"),
        ("prompt", "user"),
        ("source", "visit"),
    ]
    memory, *_, source = card
    assert (memory.node, memory.topic.startswith("Data card")) == ("n1", True)
    assert source.entry is not None
    assert source.entry.source == "willow_data_card.md"
    for step in card:
        assert step.excerpt is not None
        assert [piece.text for piece in step.excerpt.pieces if piece.differs] == ["98"], "the words are marked"

    # In the merged memory the value that holds stands in the words of the integration, which had the verdict before it.
    merged = next(way for way in run.found("105") if way[0].node == "n13")
    assert [step.kind for step in merged[:5]] == ["memory", "merged", "answer", "prompt", "verdict"]
    assert merged[2].name == "integration"
    assert merged[2].call == merged[3].call
    (before,) = [way for way in run.found("105") if way[0].node == "n2"]
    assert [step.kind for step in merged if step.depth] == [step.kind for step in before], "and on to its source"

    short = next(way for way in run.found("433") if way[0].node == "n11")
    assert [step.kind for step in short] == ["memory", "dropped", "source"], "the model's summary of it was dropped"


def test_a_prompt_that_is_gone_is_said_and_the_source_still_found(opened: Callable[[str], Opened]) -> None:
    def gone(digest: str) -> str:
        raise InputError("store.no_blob", name=digest)

    way = opened("en-quantum").found("9 December 2024", gone)[-1]
    assert [(step.kind, step.name) for step in way[1:3]] == [("answer", "classification"), ("lost", "blob")]
    assert way[-1].kind == "source"


def test_what_was_refuted_is_found_where_it_was_said_and_a_check_leads_to_its_evidence(
    opened: Callable[[str], Opened],
) -> None:
    run = opened("en-webb")
    refuted, *_ = [item for item in find(run.phrasings, "Cape Canaveral") if item.phrasing.node == "n3"]
    assert not refuted.phrasing.ended, "a check marks what a memory says, and changes nothing of it"
    way = run.way(refuted.phrasing, refuted.start, refuted.end)
    assert [step.kind for step in way[:3]] == ["memory", "dropped", "source"], "the model's summary of it was dropped"
    assert [step.kind for step in way[3:6]] == ["verdict", "answer", "prompt"]
    assert way[3].conflicts == ("c1", "c2"), "two conflicts that found the same"
    assert {step.entry.source for step in way[6:] if step.entry is not None} >= {"ariane5.md", "webb_overview.md"}
    stands = next(item for item in find(run.phrasings, "Apollo 11") if item.phrasing.node == "n3")
    assert "verdict" not in {step.kind for step in run.way(stands.phrasing, stands.start, stands.end)}


@pytest.mark.parametrize("name", [*RECORDED, "offline", "llm"])
def test_every_value_of_a_run_has_a_way_that_ends_with_a_source_or_says_why_not(
    name: str, opened: Callable[[str], Opened]
) -> None:
    if name in RECORDED:
        run = opened(name)
    else:
        run = Opened(recorded_run("en") if name == "offline" else llm_run("en").folder)
    followed = with_source = 0
    for phrasing in run.phrasings:
        for start, end, values in statements_of(phrasing.summary):
            for first, last in (*values, (start, end))[:1]:
                way = run.way(phrasing, first, last)
                assert way[0].kind == "memory"
                assert way[0].exact
                assert {step.kind for step in way} & {"source", "verdict", "prompt", "lost"}, (phrasing.id, first)
                followed += 1
                with_source += any(step.kind == "source" for step in way)
                if name == "offline":
                    assert not {step.kind for step in way} & {"answer", "prompt"}, "no model was asked"
    assert followed > 15
    assert with_source / followed > 0.9


def test_what_a_round_concluded_leads_to_its_turn_and_to_a_document_that_it_had_read(
    opened: Callable[[str], Opened],
) -> None:
    def concluded(event: Any) -> Any:
        """As if the experiment were what the executor had concluded from the other documents."""
        if isinstance(event, EntryRecorded) and event.entry.source == "willow_error_correction.md":
            return replace(event, entry=replace(event.entry, kind="answer", source="round 2"))
        return event

    run = Opened(opened("en-quantum").folder, concluded)
    way = next(way for way in run.found("105") if way[0].node == "n17")
    assert [(step.kind, step.name) for step in way] == [
        ("memory", ""),
        ("answer", "classification"),
        ("prompt", "user"),
        ("concluded", ""),
        ("answer", "react"),
        ("prompt", "user"),
        ("source", "visit"),
    ]
    assert way[-1].entry is not None
    assert way[-1].entry.source == "willow_outside.md"


def test_a_call_knows_what_it_wrote(opened: Callable[[str], Opened]) -> None:
    run = opened("en-quantum")
    integration = next(step.call for step in chain(*run.found("105")) if step.name == "integration")
    assert run.known.wrote[integration] == [NodeId("n13")]
