"""Conflicts on one matter are one dispute: its values, each with its sources, and how it stands."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from memorybank.contradiction.disputes.dispute import Said, describe, label
from memorybank.contradiction.disputes.gathering import disputes, disputes_of, is_one_dispute, points_of
from memorybank.memory.events import ConflictClosed, ConflictFound, EntryRecorded
from memorybank.memory.state import MemoryState
from memorybank.memory.types import (
    Claim,
    ClaimKind,
    Conflict,
    ConflictId,
    ConflictStatus,
    Contradiction,
    Entry,
    EntryId,
    Evidence,
    Lang,
    NodeId,
    Span,
)
from memorybank.session.prompt_layout import doubts, matter_lines, state_lines
from tests.made_events import created

OPEN, RESOLVED, UNDECIDED = ConflictStatus.OPEN, ConflictStatus.RESOLVED, ConflictStatus.INCONCLUSIVE
ALARM, THIRD = ConflictStatus.FALSE_ALARM, ConflictStatus.BOTH_WRONG


def claim(subject: str, attribute: str, value: str, kind: ClaimKind = "number", unit: str = "") -> Claim:
    text = f"{subject} {attribute} {value} {unit}.".replace("  ", " ")
    return Claim(text=text, kind=kind, subject=subject, attribute=attribute, value=value, unit=unit)


def conflict(number: int, left: Claim, right: Claim, status: ConflictStatus = OPEN, **more: object) -> Conflict:
    pair = Contradiction(left=left, right=right, reason="r", confidence=0.9)
    nodes = (NodeId(f"n{2 * number}"), NodeId(f"n{2 * number + 1}"))
    return Conflict(
        id=ConflictId(f"c{number}"), node_ids=nodes, description="d", contradictions=(pair,), status=status,
        **more,  # type: ignore[arg-type]
    )  # fmt: skip


def qubits(subject: str, value: str) -> Claim:
    return claim(subject, "qubits", value, unit="qubits")


def heard(source: str, supports: str, value: str = "", *, independent: bool = True, quote: str = "") -> Evidence:
    return Evidence(
        source=source, quote=quote or f"It has {value} or so.", supports=supports, value=value, independent=independent
    )  # type: ignore[arg-type]


TWICE = [
    conflict(1, qubits("Willow", "105"), qubits("the Willow processor", "98")),
    conflict(2, qubits("Willow", "105"), qubits("Willow", "98")),
    conflict(3, qubits("its Willow chip", "98"), qubits("Willow", "105")),
]


def test_two_values_twice_and_once_the_other_way_round_are_one_dispute() -> None:
    (found,) = disputes(TWICE, lambda node, claim: [Said(source=f"{node}.md", quote=claim.text)])
    assert found.conflict_ids == ("c1", "c2", "c3")
    assert [(one.text, one.sources) for one in found.values] == [
        ("105 qubits", ("n2.md", "n4.md", "n7.md")),
        ("98 qubits", ("n3.md", "n5.md", "n6.md")),
    ]
    assert describe(found, "en") == "Willow: 105 qubits (n2.md, n4.md, n7.md) or 98 qubits (n3.md, n5.md, n6.md)"
    assert describe(found, "zh") == "Willow：105 qubits（n2.md、n4.md、n7.md），或98 qubits（n3.md、n5.md、n6.md）"


def date(subject: str, verb: str, value: str) -> Claim:
    return claim(subject, verb, value, "date")


def pair_of(left: str, right: str, subject: str = "Willow") -> tuple[Claim, Claim]:
    return qubits(subject, left), qubits(subject, right)


APART: dict[str, tuple[int, list[tuple[Claim, Claim]]]] = {
    "another entity": (2, [pair_of("105", "98"), pair_of("105", "98", "Heron")]),
    "its successor": (2, [
        (date("九章", "发布", "2020-12"), date("九章", "发布", "2020年8月")),
        (date("九章二号", "发布", "2020-12"), date("九章二号", "发布", "2020年8月")),
    ]),
    "another attribute": (2, [
        (date("Gaia", "launched", "2013"), date("Gaia", "launched", "2014")),
        (date("Gaia", "retired", "2014"), date("Gaia", "retired", "2025")),
    ]),
    "no value shared": (2, [pair_of("105", "98"), pair_of("72", "70")]),
    "a third value": (1, [pair_of("1,121", "1,211"), pair_of("1,112", "1,121")]),
    "one statement in both, of which the others speak in other words": (1, [
        (claim("the main mirror of Hubble", "", "2.4"), claim("Hubble", "diameter", "2.7")),
        (claim("the mirror", "", "2.1"), claim("the main mirror of Hubble", "", "2.4")),
    ]),
    "one statement in both, whose subject is no name": (1, [
        (claim("the", "", "24"), claim("", "", "18")), (claim("", "", "9"), claim("the", "", "24")),
    ]),
    "one sentence in both, that may say several things": (2, [
        (claim("the bridge", "", "built by Ames in 1900", "text"), claim("the bridge", "builder", "Orr", "text")),
        (claim("the bridge", "", "built by Ames in 1900", "text"), claim("the bridge", "year", "1910", "text")),
    ]),
    "one value written in two ways": (1, [
        (date("“九章”", "发布", "2020年8月"), date("“九章”", "问世", "2020-12")),
        (date("光量子计算原型机“九章”", "发布", "二〇二〇年十二月"), date("九章", "发布", "2020年8月")),
    ]),
    "the same two values in other words": (1, [
        (date("Willow", "unveiled", "9 December 2024"), date("Willow", "unveiled", "October 2024")),
        (date("its Willow chip", "presented", "October 2024"), date("Willow", "presented", "December 2024")),
    ]),
    "a longer attribute": (1, [
        (claim("Array", "capacity", "24 MW"), claim("Array", "capacity", "18 MW")),
        (claim("the Array", "rated capacity", "18 MW"), claim("Array", "rated capacity", "24 MW")),
    ]),
    "nothing to go by, other nodes": (2, 2 * [(claim("", "", "24"), claim("", "", "18"))]),
}  # fmt: skip


@pytest.mark.parametrize(("count", "pairs"), APART.values(), ids=APART)
def test_one_dispute_needs_one_entity_one_attribute_and_a_shared_value(
    count: int, pairs: list[tuple[Claim, Claim]]
) -> None:
    conflicts = [conflict(number, *pair) for number, pair in enumerate(pairs, start=1)]
    disputed = disputes(conflicts)
    assert len(disputed) == count
    assert sorted(id_ for each in disputed for id_ in each.conflict_ids) == [each.id for each in conflicts]


SUBJECTS = (
    "Willow|its Willow chip|Willow 2|IBM's Willow|willow|the castle of Brenn|Brenn Castle|Brenn|the castle|castle|the|"
    "|九章|“九章”|九章二号|原型机“九章”|“Willow”芯片|Willow芯片|塔"
).split("|")


@pytest.mark.parametrize("seed", range(3))
def test_the_index_of_subjects_leaves_out_no_pair_that_is_one_dispute(seed: int) -> None:
    chance, kinds = random.Random(seed), tuple[ClaimKind, ...](("number", "text"))

    def made() -> Claim:
        subject, attribute = chance.choice(SUBJECTS), chance.choice(["qubits", "towers", ""])
        return claim(subject, attribute, chance.choice(["24", "18", "二十四", "9"]), chance.choice(kinds))

    conflicts = [conflict(number, made(), made()) for number in range(1, 41)]
    points = [point for each in conflicts for point in points_of(each)]
    alone = {point.name: {point.name} for point in points}
    for left, right in itertools.combinations(points, 2):
        if is_one_dispute(left, right) and (both := alone[left.name] | alone[right.name]):
            alone |= dict.fromkeys(both, both)
    disputed = disputes(conflicts)
    assert [set(each.points) for each in disputed] == list({id(group): group for group in alone.values()}.values())
    wanted = {ConflictId("c7"), ConflictId("c9")}
    assert disputes(conflicts, about=wanted) == tuple(each for each in disputed if wanted & {*each.points})


def said_to(way: str) -> Claim:
    return claim("the beetle", "flight", way, "text")


def named(place: str) -> Claim:
    return claim("the machine", "origin", place, "name")


FLIGHTLESS, FLYER = said_to("flightless"), said_to("a good flyer")


def won(number: int, left: Claim, right: Claim, value: str, winner: str = "left", votes: str = "") -> Conflict:
    """A conflict that a verdict closed. `votes`: the sides of the sources that it heard, by their first letters."""
    values = {"left": left.value, "right": right.value, "other": value}
    sides = [side for letter in votes for side in values if side[0] == letter]
    evidence = tuple(heard(f"{number}{at}", side, values[side]) for at, side in enumerate(sides))
    status = RESOLVED if winner else THIRD
    return conflict(number, left, right, status, value=value, winner=winner, evidence=evidence)


def undecided(number: int, left: Claim, right: Claim, votes: int = 0) -> Conflict:
    evidence = tuple(heard(f"{number}{at}", "right", right.value) for at in range(votes))
    return conflict(number, left, right, UNDECIDED, evidence=evidence)


STATES: dict[str, tuple[ConflictStatus, str, list[Conflict]]] = {
    "open while one is": (OPEN, "", [won(1, *pair_of("105", "98"), "105"), TWICE[1]]),
    "settled for all": (RESOLVED, "105 qubits", [
        won(1, *pair_of("105", "98"), "105", votes="llr"), undecided(2, *pair_of("98", "105")),
    ]),
    "verdicts that disagree": (UNDECIDED, "", [
        won(1, *pair_of("105", "98"), "105"), won(2, *pair_of("105", "98"), "98", "right"),
    ]),
    "a third value holds": (RESOLVED, "72", [won(1, *pair_of("64", "96"), "72", "", votes="oo")]),
    "lost against one that is ahead": (RESOLVED, "72 qubits", [
        won(1, *pair_of("72", "64"), "72", votes="llr"), undecided(2, *pair_of("64", "96"), votes=1),
    ]),
    "as many for a value never weighed": (UNDECIDED, "", [
        won(1, *pair_of("72", "64"), "72", votes="ll"), undecided(2, *pair_of("64", "96"), votes=2),
    ]),
    "verdicts in other words": (RESOLVED, "flightless", [
        won(1, FLIGHTLESS, FLYER, "It cannot fly."),
        won(2, FLYER, said_to("incapable of flight"), "It has no wings.", "right"),
    ]),
    "verdicts in the same words for names that nothing else makes one": (RESOLVED, "Karlsund mill", [
        won(1, named("Karlsund mill"), named("Hallmar"), "Of Karlsund."),
        won(2, named("Hallmar"), named("mill at Karlsund"), "of  Karlsund.", "right"),
    ]),
    "verdicts for one name in two sentences": (RESOLVED, "taken down at the Karlsund mill", [
        won(1, named("taken down at the Karlsund mill"), named("Hallmar"), "Karlsund mill"),
        won(2, named("Hallmar"), named("stood in the Karlsund mill"), "Karlsund mill", "right"),
    ]),
    "verdicts for two names against a third": (UNDECIDED, "", [
        won(1, named("Karlsund"), named("Hallmar"), "Karlsund"),
        won(2, named("Hallmar"), named("Torvik"), "Torvik", "right"),
    ]),
    "verdicts for words that stand against each other": (UNDECIDED, "", [
        won(1, FLIGHTLESS, FLYER, "It cannot fly."), won(2, FLIGHTLESS, said_to("glides"), "It glides.", "right"),
    ]),
    "false alarm": (ALARM, "", [conflict(1, *pair_of("32", "56"), ALARM)]),
    "undecided": (UNDECIDED, "", [undecided(1, *pair_of("32", "56"))]),
}  # fmt: skip


@pytest.mark.parametrize(("status", "holds", "conflicts"), STATES.values(), ids=STATES)
def test_how_a_dispute_stands(status: ConflictStatus, holds: str, conflicts: list[Conflict]) -> None:
    (dispute,) = disputes(conflicts)
    assert dispute.status is status
    assert (dispute.holds.text if dispute.holds else "") == holds


def test_only_sources_that_count_are_named_and_a_copy_is_not() -> None:
    left, right = pair_of("105", "98")
    evidence = (
        replace(heard("wrong.md", "left", independent=False, quote=left.text), refused="not_there"),
        heard("party.md", "left", independent=False, quote=left.text),
        heard("copy.md", "left", "105", independent=False),
        heard("voice.md", "left", "105"),
        heard("wrong_side.md", "left", quote="It has 98 qubits."),
        heard("silent.md", "neither"),
    )
    (found,) = disputes([conflict(1, left, right, RESOLVED, winner="left", value="105", evidence=evidence)], nobody)
    assert [(one.text, one.sources) for one in found.values] == [
        ("105 qubits", ("party.md", "voice.md")),
        ("98 qubits", ()),
    ]


def test_who_says_a_value_in_other_words_stands_with_these_and_is_not_named_for_it() -> None:
    party = Said(source="own.md", quote="The beetle is flightless.")
    evidence = (
        heard("voice.md", "left", quote="It has no wings."),
        heard("other.md", "left", quote="It is flightless."),
    )
    for pieces, named_for_it in ((evidence[:1], ("own.md",)), (evidence, ("other.md", "own.md"))):
        one = conflict(1, FLIGHTLESS, FLYER, RESOLVED, winner="left", value="It cannot fly.", evidence=pieces)
        (found,) = disputes([one], lambda node, claim: [party] if claim is FLIGHTLESS else [])
        assert found.values[0].sources == named_for_it
        assert next((each.source, each.quote) for each in found.values[0].said) == ("voice.md", "It has no wings.")


def nobody(_node: NodeId, _claim: Claim) -> Iterable[Said]:
    return ()


def test_a_conflict_in_two_matters_is_part_of_both_disputes_and_each_keeps_its_own_outcome() -> None:
    long, opened = pair_of("105", "98"), (date("Willow", "announced", "2023"), date("Willow", "announced", "2024"))
    pairs = tuple(Contradiction(left=one, right=other, reason="r", confidence=0.9) for one, other in (long, opened))
    votes = (heard("a", "left", "105"), heard("b", "left", "105"), heard("c", "right", "98"))
    both = Conflict(
        id=ConflictId("c1"), node_ids=(NodeId("n1"), NodeId("n2")), description="d", contradictions=pairs,
        status=RESOLVED, winner="left", value="105",
        evidence=(*votes, heard("a", "left", "2023"), heard("c", "right", "2024")),
    )  # fmt: skip
    first, second = disputes([both])
    assert (first.status, first.conflict_ids, second.conflict_ids) == (RESOLVED, ("c1",), ("c1",))
    assert (first.id, second.id) == ("c1", "c1.2"), "each has a name of its own"
    assert (second.status, label(second)) == (UNDECIDED, "Willow, announced")


def test_a_conflict_without_claims_is_told_by_its_description() -> None:
    plain = Conflict(id=ConflictId("c1"), node_ids=(NodeId("n1"), NodeId("n2")), description="They disagree.")
    (found,) = disputes([plain])
    assert (found.values, describe(found, "en")) == ((), "They disagree.")


# -- In a prompt they stand as one: in the list of open ones and in the state of each memory ---------------------------


def raised(number: int, left: int, right: int, pairs: Sequence[tuple[Claim, Claim]]) -> ConflictFound:
    claims = tuple(Contradiction(left=mine, right=other, reason="r", confidence=0.9) for mine, other in pairs)
    named, nodes = ConflictId(f"c{number}"), (NodeId(f"n{left}"), NodeId(f"n{right}"))
    return ConflictFound(conflict_id=named, node_ids=nodes, description=f"d{number}", contradictions=claims)


def bank_with(*conflicts: tuple[int, int, list[tuple[Claim, Claim]]], nodes: int = 4) -> MemoryState:
    """Node k stands on `k.md`, which says all that the conflicts say of it."""
    bank = MemoryState()
    for number in range(1, nodes + 1):
        said = {pair[side].text: None for *ends, pairs in conflicts for pair in pairs for side in (0, 1)
                if ends[side] == number}  # fmt: skip
        text = " ".join(said) or "Nothing."
        named, digest = EntryId(f"e{number}"), str(number)
        entry = Entry(id=named, kind="text", text=text, source=f"{number}.md", sha256=digest, timestamp=0.0)
        bank.apply(EntryRecorded(entry=entry), 1.0)
        bank.apply(created(number, text, spans=(Span(entry_id=named, start=0, end=len(text)),)), 1.0)
    for number, (left, right, pairs) in enumerate(conflicts, start=1):
        bank.apply(raised(number, left, right, pairs), 1.0)
    return bank


TWO_PAIRS = [
    (1, 2, [(qubits("Willow", "105"), qubits("Willow", "98"))]),
    (3, 2, [(qubits("Willow", "105"), qubits("Willow", "98"))]),
]


def states(bank: MemoryState, number: int, lang: Lang = "en") -> list[str]:
    node = NodeId(f"n{number}")
    return state_lines(node, doubts(bank).get(node, ()), bank, lang)


def closed(conflict: str, status: ConflictStatus, **more: str) -> ConflictClosed:
    return ConflictClosed(conflict_id=ConflictId(conflict), status=status, reason="r", closed_by="x", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        (
            "en",
            "- m1: Willow (conflicts: c1, c2)\n"
            "    [A] “105 qubits”: n1 (1.md), n3 (3.md)\n"
            "    [B] “98 qubits”: n2 (2.md)",
        ),
        (
            "zh",
            "- m1：Willow（冲突：c1、c2）\n    [A]“105 qubits”：n1（1.md）、n3（3.md）\n    [B]“98 qubits”：n2（2.md）",
        ),
    ],
)
def test_two_conflicts_on_one_matter_stand_among_the_open_ones_once_and_there_alone(lang: Lang, told: str) -> None:
    bank = bank_with(*TWO_PAIRS)
    assert [states(bank, number, lang) for number in range(1, 5)] == [[], [], [], []]
    assert list(matter_lines(bank, lang)) == [told]


@pytest.mark.parametrize(("value", "told"), [("105", ""), ("many", ": d1")])
def test_an_open_conflict_is_described_where_the_values_do_not_say_what_it_is_on(value: str, told: str) -> None:
    left = replace(qubits("Willow", value), kind="number" if value == "105" else "text")
    (line,) = matter_lines(bank_with((1, 2, [(left, qubits("Willow", "98"))])), "en")
    assert line.startswith(f"- m1: Willow{told} (conflicts: c1)\n")


def test_what_another_check_settled_is_no_longer_called_disputed() -> None:
    bank = bank_with(*TWO_PAIRS)
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
    assert not list(matter_lines(bank, "en"))


def test_a_conflict_on_two_matters_stands_under_each() -> None:
    bank = bank_with(
        (
            1,
            2,
            [
                (qubits("Willow", "105"), qubits("Willow", "98")),
                (date("Willow", "announced", "2023"), date("Willow", "announced", "2024")),
            ],
        )
    )
    assert list(matter_lines(bank, "en")) == [
        "- m1: Willow (conflicts: c1)\n    [A] “105 qubits”: n1 (1.md)\n    [B] “98 qubits”: n2 (2.md)",
        "- m1.2: Willow, announced (conflicts: c1)\n    [A] “2023”: n1 (1.md)\n    [B] “2024”: n2 (2.md)",
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
    summarised = replace(qubits("Willow", "105"), text="Google announced Willow with 105 qubits in 2024.")
    said = replace(qubits("Willow", "105"), text=document)
    bank = bank_with((1, 2, [(qubits("Willow", "105"), qubits("Willow", "98"))]), (3, 4, [(said, said)]))
    bank.conflicts.all.pop(ConflictId("c2"))
    bank.apply(raised(2, 3, 2, [(summarised, qubits("Willow", "98"))]), 1.0)
    (found,) = disputes_of(bank)
    assert f"{named} or 98 qubits (2.md)" in describe(found, "en")
    for value in found.values:
        for one in value.said:
            assert one.quote in bank.tree.entries[EntryId(f"e{one.source[0]}")].text
            assert value.text.split()[0] in one.quote
