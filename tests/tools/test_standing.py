"""What a search says of a source that memory knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.language.text import source_key
from memorybank.session.effects import Effects
from memorybank.session.executors.base import Assignment, Execution
from memorybank.tools.base import Material, Tool, ToolResult
from memorybank.tools.standing import standing
from tests.scripted import WorldExecutor, finished

PAGE, SNIPPET = "https://www.example.org/willow/", "https://example.org/other"


class ReadingExecutor(WorldExecutor):
    """Reads one page and sees an excerpt of another, in the first round."""

    def run(self, given: Assignment, fx: Effects) -> Execution:
        done = super().run(given, fx)
        if given.task.query:
            fx.tools["look"] = Tool(_looked, "look")
            fx.use("look")
        return done


def _looked() -> ToolResult:
    read = Material(source=PAGE, text="willow cooling: helium")
    seen = Material(source=SNIPPET, text="sycamore qubits: 53", excerpt=True)
    return ToolResult(text="", materials=(read, seen))


@pytest.fixture
def marks(run_dir: Path) -> dict[str, str]:
    texts = ("willow qubits: 105", "willow qubits: 105\nwillow year: 2024")
    session = finished(run_dir, *texts, goal="What is known of willow?", executor=ReadingExecutor())
    assert session.bank.graph.successor("n1") == "n3", "the two notes were merged"  # type: ignore[arg-type]
    return dict(standing(session.bank, "en"))


def test_the_live_node_is_named_and_an_excerpt_is_told_from_the_whole(marks: dict[str, str]) -> None:
    assert marks["note1.txt"] == marks["note2.txt"] == "(already in memory: n3)"
    assert marks[source_key(PAGE)].startswith("(already in memory: n")
    assert source_key(SNIPPET) not in marks, "a hit that nobody read or named is not in memory"
    assert len(marks) == 3, "transcripts and conclusions are no sources"


@pytest.mark.parametrize("same", ["http://example.org/willow", "https://example.org/willow#facts", PAGE])
def test_an_address_is_known_in_each_of_its_spellings(same: str, marks: dict[str, str]) -> None:
    assert source_key(same) in marks


def test_what_was_read_and_not_filed_is_said_to_be_so(run_dir: Path) -> None:
    refused = {"structure": lambda given: "helium" in str(given)}
    bank = finished(run_dir, "willow qubits: 105", goal="?", executor=ReadingExecutor(), failing=refused).bank
    assert standing(bank, "zh")[source_key(PAGE)] == "（本任务已读过，尚未进入记忆）"
