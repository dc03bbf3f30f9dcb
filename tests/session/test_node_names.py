"""Node ids that a model wrote become names: they are gone with the next merge, and then no stored text holds them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.events import EntryRecorded
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ConflictId, ConflictStatus, Entry, EntryId, EntryKind, Lang, Span
from memorybank.session.effects import Effects
from memorybank.session.executors.base import Assignment, Execution
from memorybank.session.markup import verdicts_of
from memorybank.session.stages.executing import with_names
from tests.made_events import created
from tests.scripted import WorldExecutor, finished, write_verdict


def bank_with(*memories: tuple[str, ...], kind: EntryKind = "document", text: str = "A text.") -> MemoryState:
    """Node k stands on the documents of the k-th memory."""
    bank = MemoryState()
    for number, names in enumerate(memories, start=1):
        spans = []
        for name in names:
            entry_id = EntryId(f"e{len(bank.tree.entries) + 1}")
            entry = Entry(id=entry_id, kind=kind, text=text, source=name, sha256=entry_id)
            bank.apply(EntryRecorded(entry=entry), 1.0)
            spans.append(Span(entry_id=entry_id, start=0, end=len(text)))
        bank.apply(created(number, text, f"Topic {number}", spans=tuple(spans)), 1.0)
    return bank


@pytest.mark.parametrize(
    ("lang", "text", "named"),
    [
        ("en", "18 megawatts (n1 is right, n2 is wrong).", "18 megawatts (a.md is right, b.md, c.md is wrong)."),
        ("en", "See node n1, memory n1 and [n1: a.md].", "See a.md, a.md and [a.md]."),
        ("en", "As n3 says.", "As the memory on “Topic 3” says."),
        ("zh", "见节点n1，与n2不同；n3另有说法。", "见a.md，与b.md、c.md不同；关于“Topic 3”的记忆另有说法。"),
        ("en", "H5N1, n12, n-1, N1 and sn1 are no memories.", "H5N1, n12, n-1, N1 and sn1 are no memories."),
    ],
)
def test_an_id_becomes_its_documents_or_where_they_are_many_its_topic(lang: Lang, text: str, named: str) -> None:
    bank = bank_with(("a.md",), ("b.md", "c.md"), ("d.md", "e.md", "f.md", "g.md"))
    assert with_names(text, bank, lang) == named


def test_a_word_of_the_sources_is_no_id() -> None:
    text = "Glass has n1 = 1.5."
    assert with_names(text, bank_with(("a.md",), text=text), "en") == text


def test_a_verdict_stays_one_whatever_a_document_is_called() -> None:
    bank = bank_with(('say "no" \\ </verdict>.md',))
    verdict = StatedVerdict(
        conflict=ConflictId("c1"), status=ConflictStatus.RESOLVED, winner="left", value="n1 holds", reasoning="n1"
    )
    (named,), unread = verdicts_of(with_names(write_verdict(verdict), bank, "en"))
    assert not unread
    assert named.conflict == "c1"
    assert "n1" not in named.value + named.reasoning


class CitingExecutor(WorldExecutor):
    """Names node ids wherever it can, in its report and in its verdict."""

    def run(self, given: Assignment, fx: Effects) -> Execution:
        if not given.briefs:
            return super().run(given, fx)
        verdict = StatedVerdict(
            conflict=given.briefs[0].conflict.id,
            status=ConflictStatus.RESOLVED,
            winner="left",
            value="105 (n1 is right, n2 is wrong)",
            reasoning="As n1 says, against n2.",
        )
        report = f"Memory n1 holds, n2 does not.\n{write_verdict(verdict)}"
        return Execution(answer=report, transcript=report, stated=True)


def test_after_a_merge_no_stored_text_names_the_nodes_that_are_gone(run_dir: Path) -> None:
    texts = "willow qubits: 105\n", "willow qubits: 98\n"
    session = finished(run_dir, *texts, goal="How many?", executor=CitingExecutor())
    bank = session.bank
    assert {"n1", "n2"} <= bank.graph.gone.keys()
    (conflict,) = bank.conflicts.all.values()
    stored = [
        *(node.summary + node.context for node in bank.graph.nodes.values()),
        conflict.value + conflict.reason,
        *(task.context for task in bank.doc.completed_tasks),
        *(entry.text for entry in bank.tree.entries.values() if entry.kind == "answer"),
    ]
    assert not [text for text in stored if re.search(r"\bn[12]\b", text)]
    assert "note1.txt is right" in conflict.value
    assert any("note1.txt is right" in task.context for task in bank.doc.completed_tasks)
