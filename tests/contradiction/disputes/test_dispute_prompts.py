"""Conflicts on one matter stand as one in a prompt: in the list of open ones and in the state of each memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.memory.events import ConflictClosed, ConflictFound, EntryRecorded, NodeCreated
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Claim, ConflictId, ConflictStatus, Contradiction, Entry, EntryId, Lang, NodeId, Span
from memorybank.session.prompt_layout import doubts, open_lines, state_lines


def qubits(value: str) -> Claim:
    text = f"Willow has {value} qubits."
    return Claim(text=text, kind="number", subject="Willow", attribute="qubits", value=value, unit="qubits")


def date(value: str) -> Claim:
    return Claim(text=f"Willow came in {value}.", kind="date", subject="Willow", attribute="announced", value=value)


def raised(number: int, left: int, right: int, pairs: Sequence[tuple[Claim, Claim]]) -> ConflictFound:
    claims = (Contradiction(left=mine, right=other, reason="r", confidence=0.9) for mine, other in pairs)
    nodes = (NodeId(f"n{left}"), NodeId(f"n{right}"))
    return ConflictFound(
        conflict_id=ConflictId(f"c{number}"), node_ids=nodes, description=f"d{number}", contradictions=tuple(claims)
    )


def bank_with(*conflicts: tuple[int, int, list[tuple[Claim, Claim]]], nodes: int = 4) -> MemoryState:
    """Node k stands on `k.md`, which says all that the conflicts say of it."""
    bank = MemoryState()
    for number in range(1, nodes + 1):
        said = {pair[side].text: None for *ends, pairs in conflicts for pair in pairs for side in (0, 1)
                if ends[side] == number}  # fmt: skip
        text = " ".join(said) or "Nothing."
        entry = Entry(
            id=EntryId(f"e{number}"), kind="text", text=text, source=f"{number}.md", sha256=str(number), timestamp=0.0
        )
        span = Span(entry_id=entry.id, start=0, end=len(text))
        bank.apply(EntryRecorded(entry=entry), 1.0)
        bank.apply(
            NodeCreated(
                node_id=NodeId(f"n{number}"), summary=text, context="Willow", keywords=(), vector=b"", spans=(span,)
            ),
            1.0,
        )
    for number, (left, right, pairs) in enumerate(conflicts, start=1):
        bank.apply(raised(number, left, right, pairs), 1.0)
    return bank


TWICE = [(1, 2, [(qubits("105"), qubits("98"))]), (3, 2, [(qubits("105"), qubits("98"))])]


def states(bank: MemoryState, number: int, lang: Lang = "en") -> list[str]:
    node = NodeId(f"n{number}")
    return state_lines(node, doubts(bank).get(node, ()), bank, lang)


def closed(conflict: str, status: ConflictStatus, **more: str) -> ConflictClosed:
    return ConflictClosed(conflict_id=ConflictId(conflict), status=status, reason="r", closed_by="x", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lang", "values"),
    [
        ("en", "Willow: 105 qubits (1.md, 3.md) or 98 qubits (2.md)"),
        ("zh", "Willow：105 qubits（1.md、3.md），或98 qubits（2.md）"),
    ],
)
def test_two_conflicts_on_one_matter_stand_below_it_among_the_open_ones_and_there_alone(
    lang: Lang, values: str
) -> None:
    bank = bank_with(*TWICE)
    assert [states(bank, number, lang) for number in range(1, 5)] == [[], [], [], []]
    assert [values in line for line in open_lines(bank, lang)] == [True, False, False], "in full there, and only there"


def test_what_another_check_settled_is_no_longer_called_disputed() -> None:
    bank = bank_with(*TWICE)
    bank.apply(closed("c1", ConflictStatus.INCONCLUSIVE), 2.0)
    assert states(bank, 1) == [
        "State: disputed, a check did not decide (c1): Willow: 105 qubits (1.md, 3.md) or 98 qubits (2.md)"
    ]
    bank.apply(closed("c2", ConflictStatus.CHECKED, winner="left", value="105"), 2.0)
    assert states(bank, 1) == [
        "State: was disputed (c1), settled by another check; what holds comes first: "
        "Willow: 105 qubits (1.md, 3.md) or 98 qubits (2.md)"
    ]
    assert states(bank, 3) == [], "its own conflict is decided"
    assert open_lines(bank, "en") == []


def test_a_conflict_on_two_matters_stands_once_in_the_list() -> None:
    bank = bank_with((1, 2, [(qubits("105"), qubits("98")), (date("2023"), date("2024"))]))
    assert open_lines(bank, "en") == [
        "- c1: n1 (1.md) against n2 (2.md): d1\n"
        "    [0] Willow, qubits: left “105 qubits”, right “98 qubits”\n"
        "    [1] Willow, announced: left “2023”, right “2024”"
    ]


@pytest.mark.parametrize(
    ("document", "named"),
    [
        ("In 2024 Google announced its Willow chip of 105 qubits.", "105 qubits (1.md, 3.md)"),
        ("In 2024 Google announced its Willow chip.", "105 qubits (1.md)"),
        ("In 2024 Google announced its Willow chip of 98 qubits.", "105 qubits (1.md)"),
        ("A ticket costs 105 crowns.", "105 qubits (1.md)"),
    ],
)
def test_a_value_in_the_words_of_a_model_is_a_document_s_that_has_it_in_a_sentence_like_it(
    document: str, named: str
) -> None:
    """A model writes "Google announced Willow with 105 qubits in 2024.", which stands in no document word for word."""
    summarised = replace(qubits("105"), text="Google announced Willow with 105 qubits in 2024.")
    said = replace(qubits("105"), text=document)
    bank = bank_with((1, 2, [(qubits("105"), qubits("98"))]), (3, 4, [(said, said)]))
    bank.conflicts.all.pop(ConflictId("c2"))
    bank.apply(raised(2, 3, 2, [(summarised, qubits("98"))]), 1.0)
    (found,) = disputes_of(bank)
    assert f"{named} or 98 qubits (2.md)" in "\n".join(open_lines(bank, "en"))
    for value in found.values:
        for one in value.said:
            assert one.quote in bank.tree.entries[EntryId(f"e{one.source[0]}")].text
            assert value.text.split()[0] in one.quote
