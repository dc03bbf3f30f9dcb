from __future__ import annotations

import pytest

from memorybank.language.text import sha256
from memorybank.memory.events import EntryRecorded
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Entry, EntryId, Span
from memorybank_lab.evaluation.verbatim import not_verbatim, unsaid, verbatim_nodes
from tests.made_events import created, merged


def test_a_sentence_cut_in_half_is_found() -> None:
    source = "Willow has 105 qubits and a long name. It was shown in December. It is small"
    assert not_verbatim("Willow has 105 qubits and a long name. It is small", source) == []
    assert not_verbatim("Willow has 105 qubits.", source) == ["Willow has 105 qubits."]
    assert not_verbatim("has 105 qubits and a long name.", source) == ["has 105 qubits and a long name."]
    assert not_verbatim("第二句话，很长。", "第一句话。第二句话，很长。") == []
    assert not_verbatim("很长。", "第一句话。第二句话，很长。") == ["很长。"]
    lines = "First line of a list\nsecond line of a list\nthird line of a list"
    assert not_verbatim("First line of a list\nthird line of a list", lines) == []


def test_what_is_too_long_for_a_sentence_is_parted_between_words_only() -> None:
    endless = "one two three, " * 200
    assert not_verbatim(endless[:1200], endless) == []
    assert not_verbatim(endless[1200:], endless) == []
    assert not_verbatim(endless[:1201], endless) != [], "within a word"
    assert not_verbatim(endless[:1200], f"{endless[:1900]}.") != [], "half a sentence"
    assert not_verbatim("three one two", endless) != []
    assert not_verbatim("9" * 600, "9" * 3_000) != [], "another number"
    assert not_verbatim("第一，" * 300, "第一，" * 1_000) == []


def test_white_space_is_folded_and_clauses_are_not() -> None:
    source = "It opens at five a.m.  Willow (a chip)\nhas 105 qubits, which are cold. It is small."
    assert not_verbatim("Willow (a chip) has 105 qubits, which are cold.", source) == []
    assert not_verbatim("It opens at five a.m. It is small.", source) == [], "the second border is none in the extract"
    assert not_verbatim("Willow has 105 qubits, which are cold.", source) != []
    assert not_verbatim("Willow (a chip) has 105 qubits.", source) != []
    chinese = "悟空芯于2024年上线，是一台超导计算机，有72个比特；它在合肥。"
    assert not_verbatim("悟空芯于2024年上线，有72个比特。", chinese) != []


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ("The mill stands by the weir. It has two wheels.", []),
        ("The mill stands by the weir. It has three wheels.", ["It has three wheels."]),
        ("Checked (c1): The mill was built in 1806.", ["Checked (c1): The mill was built in 1806."]),
        ("磨坊有三个水轮。", ["磨坊有三个水轮。"]),
    ],
    ids=["said", "another value", "a check's words", "another value zh"],
)
def test_a_node_says_what_its_entries_say_and_nothing_that_was_checked(summary: str, expected: list[str]) -> None:
    bank = _bank("It has two wheels.", summary)
    assert [one.sentence for one in unsaid(bank)] == expected
    assert verbatim_nodes(bank) == [float(not expected), 1.0, 1.0]


def _bank(first: str, united: str) -> MemoryState:
    """Two nodes that were merged."""
    texts = {"e1": "The mill stands by the weir. It has two wheels.", "e2": "磨坊在堰边。磨坊有两个水轮。"}
    bank = MemoryState()
    for number, (name, text) in enumerate(texts.items(), start=1):
        entry = Entry(id=EntryId(name), kind="tool", text=text, source=f"{name}.md", sha256=sha256(text))
        bank.apply(EntryRecorded(entry=entry), float(number))
    for node, summary, entries in (("n1", first, ("e1",)), ("n2", "磨坊在堰边。", ("e2",))):
        spans = tuple(Span(entry_id=EntryId(one), start=0, end=len(texts[one])) for one in entries)
        bank.apply(created(node, summary, spans=spans), 4.0)
    bank.apply(merged("m1", (1, 2), 3, summary=united), 5.0)
    return bank
