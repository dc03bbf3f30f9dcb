"""What holds by a check is the verdict's sentence where the passage beside it bears it out, else a passage."""

from __future__ import annotations

import pytest

from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import Claim, Conflict, ConflictId, ConflictStatus, Contradiction, Evidence, NodeId
from memorybank.session.checks import ruled_points

LABEL = "Loc.: Lapa Funda, third pool, 310 m from the entrance"
MONTH, DAY = (
    "Google announced Willow in December 2024, to much applause.",
    "On 9 December 2024 Google announced Willow.",
)
ROOMS = "All rooms can be seen again."


@pytest.mark.parametrize(
    ("value", "claimed", "quotes", "holds"),
    [
        pytest.param(
            "1847", "in 1847", ["It was built in 1847, they say.", "Built in 1847."], "Built in 1847.", id="value"
        ),
        pytest.param("It was found at Lapa Funda.", "a cave", [LABEL], "It was found at Lapa Funda.", id="name"),
        pytest.param("It lies 310 m deep.", "deep", [LABEL], "It lies 310 m deep.", id="figure"),
        pytest.param("Willow was announced on 9 December 2024.", "9 December 2024", [MONTH, DAY], DAY, id="a day more"),
        pytest.param("Intel announced it in 2024.", "in spring", [MONTH, DAY], MONTH, id="another name"),
        pytest.param("The wing is open.", "open", [ROOMS], ROOMS, id="neither a name nor a figure"),
        pytest.param("The wing is open.", "open", [], "The wing is open.", id="no passage"),
    ],
)
def test_a_sentence_that_the_passage_beside_it_does_not_bear_out_gives_way_to_a_passage(
    value: str, claimed: str, quotes: list[str], holds: str
) -> None:
    left, right = (
        Claim(text=f"So {each}.", kind="text", subject="", attribute="", value=each) for each in (claimed, "no")
    )
    conflict = Conflict(
        id=ConflictId("c1"),
        node_ids=(NodeId("n1"), NodeId("n2")),
        description="",
        contradictions=(Contradiction(left=left, right=right, reason="", confidence=1.0),),
    )
    evidence = tuple(
        Evidence(source=f"{number}.md", quote=quote, supports="left", independent=not number)
        for number, quote in enumerate(quotes)
    )
    verdict = StatedVerdict(
        conflict=conflict.id, status=ConflictStatus.RESOLVED, winner="left", value=value, evidence=evidence
    )
    (point,) = ruled_points(conflict, verdict, apart=False)
    assert point.check.holds == holds
