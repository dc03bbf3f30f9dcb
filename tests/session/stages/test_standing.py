"""When a verdict stands for another conflict: the value that holds, against one that it knew or on its attribute."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memorybank.memory.types import Claim, Conflict, ConflictId, ConflictStatus, Contradiction, Evidence, NodeId
from memorybank.session.stages.standing_verdicts import standing


def claim(value: str, text: str = "", attribute: str = "capacity of the array", subject: str = "") -> Claim:
    return Claim(
        text=text or f"It has {value}.", kind="number", subject=subject, attribute=attribute, value=value, unit=""
    )


def conflict(left: Claim, right: Claim, **verdict: object) -> Conflict:
    pair = Contradiction(left=left, right=right, reason="", confidence=0.9)
    return Conflict(
        id=ConflictId("c1"),
        node_ids=(NodeId("n1"), NodeId("n2")),
        description="",
        contradictions=(pair,),
        **verdict,  # type: ignore[arg-type]
    )


def side(raised: Conflict, decided: Conflict, *, of_one_memory: bool = True) -> str:
    return next((point.side for point in standing(raised, decided, of_one_memory=of_one_memory)), "")


DECIDED = conflict(
    claim("18 MW"),
    claim("24 MW"),
    status=ConflictStatus.RESOLVED,
    winner="left",
    value="18 MW",
    evidence=(Evidence(source="leaflet", quote="The farm gives 30 MW.", supports="other", value="30 MW"),),
)


@pytest.mark.parametrize(
    ("left", "right", "holds"),
    [
        pytest.param(claim("18,000 kW", attribute=""), claim("24 MW", attribute=""), "left", id="both values"),
        pytest.param(claim("24 MW"), claim("18 MW"), "right", id="sides exchanged"),
        pytest.param(claim("18 MW"), claim("21 MW", attribute="capacity"), "left", id="third value of the attribute"),
        pytest.param(
            claim("18 MW", attribute="a"),
            claim("30 MW", "The farm gives 30 MW.", "b"),
            "left",
            id="weighed as evidence",
        ),
        pytest.param(claim("18 MW", attribute="a"), claim("21 MW", attribute="b"), "", id="another attribute"),
        pytest.param(claim("21 MW"), claim("24 MW"), "", id="neither is what holds"),
    ],
)
def test_a_verdict_stands_for_a_conflict_with_the_memory_it_made(left: Claim, right: Claim, holds: str) -> None:
    assert side(conflict(left, right), DECIDED) == holds


def test_between_other_memories_it_stands_for_the_same_thing_alone() -> None:
    names = ("the Kelda array", "the Orla array")
    same, other = (conflict(claim("18 MW", "a", subject=name), claim("24 MW", "b", subject=name)) for name in names)
    decided = conflict(
        claim("18 MW", subject=names[0]),
        claim("24 MW", subject=names[0]),
        status=ConflictStatus.RESOLVED,
        winner="left",
    )
    assert side(same, decided, of_one_memory=False) == "left"
    assert side(other, decided, of_one_memory=False) == ""


def test_a_conflict_with_a_point_of_its_own_is_checked() -> None:
    both = conflict(claim("18 MW"), claim("24 MW"))
    dates = Contradiction(
        left=claim("2019", attribute="opening"), right=claim("2021", attribute="opening"), reason="", confidence=0.9
    )
    several = Conflict(id=both.id, node_ids=both.node_ids, description="", contradictions=(*both.contradictions, dates))
    assert side(several, DECIDED) == ""


def test_it_says_which_point_was_decided_there_and_how() -> None:
    opened, extent = claim("2019", attribute="opening"), claim("3 km2", attribute="area")
    several = replace(
        DECIDED,
        contradictions=(
            Contradiction(left=opened, right=extent, reason="", confidence=0.9),
            *(replace(pair, left=pair.right, right=pair.left) for pair in DECIDED.contradictions),
        ),
        winner="",
    )
    (point,) = standing(conflict(claim("18 MW"), claim("24 MW")), several, of_one_memory=True)
    assert (point.side, point.contradiction, point.held_there) == ("left", 1, "right")
