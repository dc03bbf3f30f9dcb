"""Conflicts on one matter are one dispute: its values, each with its sources, and how it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from memorybank.contradiction.disputes import Said, describe, disputes, label
from memorybank.memory.types import (
    Claim,
    ClaimKind,
    Conflict,
    ConflictId,
    ConflictStatus,
    Contradiction,
    Evidence,
    NodeId,
)

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


APART: list[tuple[str, list[tuple[Claim, Claim]], int]] = [
    (
        "another entity",
        [(qubits("Willow", "105"), qubits("Willow", "98")), (qubits("Heron", "105"), qubits("Heron", "98"))],
        2,
    ),
    (
        "its successor",
        [
            (date("九章", "发布", "2020-12"), date("九章", "发布", "2020年8月")),
            (date("九章二号", "发布", "2020-12"), date("九章二号", "发布", "2020年8月")),
        ],
        2,
    ),
    (
        "another attribute",
        [
            (date("Gaia", "launched", "2013"), date("Gaia", "launched", "2014")),
            (date("Gaia", "retired", "2014"), date("Gaia", "retired", "2025")),
        ],
        2,
    ),
    (
        "no value shared",
        [(qubits("Willow", "105"), qubits("Willow", "98")), (qubits("Willow", "72"), qubits("Willow", "70"))],
        2,
    ),
    (
        "a third value",
        [
            (qubits("Condor", "1,121"), qubits("Condor", "1,211")),
            (qubits("Condor", "1,112"), qubits("Condor", "1,121")),
        ],
        1,
    ),
    (
        "one statement in both, of which the others speak in other words",
        [
            (claim("the main mirror of Hubble", "", "2.4"), claim("Hubble", "diameter", "2.7")),
            (claim("the mirror", "", "2.1"), claim("the main mirror of Hubble", "", "2.4")),
        ],
        1,
    ),
    (
        "one sentence in both, that may say several things",
        [
            (claim("the bridge", "", "built by Ames in 1900", "text"), claim("the bridge", "builder", "Orr", "text")),
            (claim("the bridge", "", "built by Ames in 1900", "text"), claim("the bridge", "year", "1910", "text")),
        ],
        2,
    ),
    (
        "one value written in two ways",
        [
            (date("“九章”", "发布", "2020年8月"), date("“九章”", "问世", "2020-12")),
            (date("光量子计算原型机“九章”", "发布", "二〇二〇年十二月"), date("九章", "发布", "2020年8月")),
        ],
        1,
    ),
    (
        "the same two values in other words",
        [
            (date("Willow", "unveiled", "9 December 2024"), date("Willow", "unveiled", "October 2024")),
            (date("its Willow chip", "presented", "October 2024"), date("Willow", "presented", "December 2024")),
        ],
        1,
    ),
    (
        "a longer attribute",
        [
            (claim("Array", "capacity", "24 MW"), claim("Array", "capacity", "18 MW")),
            (claim("the Array", "rated capacity", "18 MW"), claim("Array", "rated capacity", "24 MW")),
        ],
        1,
    ),
    (
        "nothing to go by, other nodes",
        [(claim("", "", "24"), claim("", "", "18")), (claim("", "", "24"), claim("", "", "18"))],
        2,
    ),
]


@pytest.mark.parametrize(
    ("pairs", "count"), [(pairs, count) for _, pairs, count in APART], ids=[one[0] for one in APART]
)
def test_one_dispute_needs_one_entity_one_attribute_and_a_shared_value(
    pairs: list[tuple[Claim, Claim]], count: int
) -> None:
    conflicts = [conflict(number, *pair) for number, pair in enumerate(pairs, start=1)]
    found = disputes(conflicts)
    assert len(found) == count
    assert sorted(one for each in found for one in each.conflict_ids) == [one.id for one in conflicts]


def pair_of(left: str, right: str) -> tuple[Claim, Claim]:
    return qubits("Willow", left), qubits("Willow", right)


def said_to(way: str) -> Claim:
    return claim("the beetle", "flight", way, "text")


def named(place: str) -> Claim:
    return claim("the machine", "origin", place, "name")


FLIGHTLESS, FLYER = said_to("flightless"), said_to("a good flyer")

VOTES = (heard("a", "left", "105"), heard("b", "left", "105"), heard("c", "right", "98"))
STATES: list[tuple[str, list[Conflict], ConflictStatus, str]] = [
    (
        "open while one is",
        [conflict(1, *pair_of("105", "98"), RESOLVED, value="105", winner="left"), TWICE[1]],
        OPEN,
        "",
    ),
    (
        "settled for all",
        [
            conflict(1, *pair_of("105", "98"), RESOLVED, value="105", winner="left", evidence=VOTES),
            conflict(2, *pair_of("98", "105"), UNDECIDED),
        ],
        RESOLVED,
        "105 qubits",
    ),
    (
        "verdicts that disagree",
        [
            conflict(1, *pair_of("105", "98"), RESOLVED, value="105", winner="left"),
            conflict(2, *pair_of("105", "98"), RESOLVED, value="98", winner="right"),
        ],
        UNDECIDED,
        "",
    ),
    (
        "a third value holds",
        [
            conflict(
                1,
                *pair_of("64", "96"),
                THIRD,
                value="72",
                evidence=(heard("a", "other", "72"), heard("b", "other", "72")),
            )
        ],
        RESOLVED,
        "72",
    ),
    (
        "lost against one that is ahead",
        [
            conflict(
                1,
                *pair_of("72", "64"),
                RESOLVED,
                value="72",
                winner="left",
                evidence=(heard("a", "left", "72"), heard("b", "left", "72"), heard("c", "right", "64")),
            ),
            conflict(2, *pair_of("64", "96"), UNDECIDED, evidence=(heard("d", "right", "96"),)),
        ],
        RESOLVED,
        "72 qubits",
    ),
    (
        "as many for a value never weighed",
        [
            conflict(
                1,
                *pair_of("72", "64"),
                RESOLVED,
                value="72",
                winner="left",
                evidence=(heard("a", "left", "72"), heard("b", "left", "72")),
            ),
            conflict(
                2, *pair_of("64", "96"), UNDECIDED, evidence=(heard("d", "right", "96"), heard("e", "right", "96"))
            ),
        ],
        UNDECIDED,
        "",
    ),
    (
        "verdicts that find the same in other words",
        [
            conflict(1, FLIGHTLESS, FLYER, RESOLVED, value="It cannot fly.", winner="left"),
            conflict(2, FLYER, said_to("incapable of flight"), RESOLVED, value="It has no wings.", winner="right"),
        ],
        RESOLVED,
        "flightless",
    ),
    (
        "verdicts on one thing, one in words and one with a figure",
        [
            conflict(1, claim("the beetle", "flight", "9 m"), FLYER, RESOLVED, value="9 m", winner="left"),
            conflict(2, FLYER, said_to("hardly any"), RESOLVED, value="Hardly any.", winner="right"),
        ],
        RESOLVED,
        "9 m",
    ),
    (
        "verdicts in the same words for names that nothing else makes one",
        [
            conflict(1, named("Karlsund mill"), named("Hallmar"), RESOLVED, value="Of Karlsund.", winner="left"),
            conflict(2, named("Hallmar"), named("mill at Karlsund"), RESOLVED, value="of  Karlsund.", winner="right"),
        ],
        RESOLVED,
        "Karlsund mill",
    ),
    (
        "verdicts for two names against a third",
        [
            conflict(1, named("Karlsund"), named("Hallmar"), RESOLVED, value="Karlsund", winner="left"),
            conflict(2, named("Hallmar"), named("Torvik"), RESOLVED, value="Torvik", winner="right"),
        ],
        UNDECIDED,
        "",
    ),
    (
        "verdicts for words that stand against each other",
        [
            conflict(1, FLIGHTLESS, FLYER, RESOLVED, value="It cannot fly.", winner="left"),
            conflict(2, FLIGHTLESS, said_to("glides"), RESOLVED, value="It glides.", winner="right"),
        ],
        UNDECIDED,
        "",
    ),
    ("false alarm", [conflict(1, *pair_of("32", "56"), ALARM)], ALARM, ""),
    ("undecided", [conflict(1, *pair_of("32", "56"), UNDECIDED)], UNDECIDED, ""),
]


@pytest.mark.parametrize(("conflicts", "status", "holds"), [one[1:] for one in STATES], ids=[one[0] for one in STATES])
def test_how_a_dispute_stands(conflicts: list[Conflict], status: ConflictStatus, holds: str) -> None:
    (found,) = disputes(conflicts)
    assert found.status is status
    assert (found.holds.text if found.holds else "") == holds


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
    for pieces, named_for_it in ((evidence[:1], ("own.md",)), (evidence, ("other.md",))):
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
