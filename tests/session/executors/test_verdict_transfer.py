"""What is settled in one pair of memories settles another only when it is the same matter."""

from __future__ import annotations

from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import Claim, Conflict, ConflictId, ConflictStatus, Contradiction, Evidence, NodeId
from memorybank.session.executors.verdict_transfer import on_one_matter, transfer_verdicts


def claim(subject: str, value: str) -> Claim:
    return Claim(text=f"{subject} was built in {value}.", subject=subject, attribute="built", value=value, kind="date")


def conflict(number: int, subject: str, left: str, right: str) -> Conflict:
    pair = Contradiction(left=claim(subject, left), right=claim(subject, right), reason="differs", confidence=0.9)
    nodes = (NodeId(f"n{number}"), NodeId(f"n{number + 10}"))
    return Conflict(id=ConflictId(f"c{number}"), node_ids=nodes, description="d", contradictions=(pair,))


def verdict(number: int, status: ConflictStatus, value: str = "", winner: str = "", **more: object) -> StatedVerdict:
    return StatedVerdict.model_validate(
        {"conflict": f"c{number}", "status": status, "value": value, "winner": winner, **more}
    )


def said(source: str, supports: str, independent: bool) -> Evidence:
    return Evidence(source=source, quote="q", supports=supports, independent=independent)  # type: ignore[arg-type]


OPEN = ConflictStatus.INCONCLUSIVE
RESOLVED = ConflictStatus.RESOLVED


def test_the_same_two_values_of_one_thing_are_settled_together_whichever_side_they_stand_on() -> None:
    conflicts = [conflict(1, "The mill", "1912", "1931"), conflict(2, "The mill", "1931", "1912")]
    first = verdict(1, RESOLVED, "1912", "left", evidence=(said("a", "left", False), said("x", "left", True)))
    second = verdict(2, OPEN, evidence=(said("c", "left", False), said("d", "right", False)))
    _, taken = transfer_verdicts(conflicts, [first, second])
    assert (taken.conflict, taken.status, taken.value, taken.winner) == ("c2", RESOLVED, "1912", "right")
    voices = [(one.source, one.supports, one.independent) for one in taken.evidence]
    assert voices == [("c", "left", False), ("d", "right", False), ("a", "right", True), ("x", "right", True)]


def test_the_same_years_of_another_thing_stay_open() -> None:
    conflicts = [conflict(1, "The mill", "1912", "1931"), conflict(2, "The barn", "1912", "1931")]
    assert not on_one_matter(*conflicts)
    found = transfer_verdicts(conflicts, [verdict(1, RESOLVED, "1912", "left"), verdict(2, OPEN)])
    assert found[1].status is OPEN


def test_verdicts_that_disagree_settle_nothing_else() -> None:
    conflicts = [conflict(number, "The mill", "1912", "1931") for number in (1, 2, 3)]
    verdicts = [verdict(1, RESOLVED, "1912", "left"), verdict(2, RESOLVED, "1931", "right"), verdict(3, OPEN)]
    assert [one.status for one in transfer_verdicts(conflicts, verdicts)] == [RESOLVED, RESOLVED, OPEN]


def test_a_conflict_in_two_matters_has_none() -> None:
    one, other = conflict(1, "The mill", "1912", "1931"), conflict(2, "The barn", "5", "6")
    both = Conflict(
        id=one.id, node_ids=one.node_ids, description="d", contradictions=(*one.contradictions, *other.contradictions)
    )
    assert not on_one_matter(both, one)
    assert on_one_matter(one, one)


def test_a_value_that_another_conflict_leaves_tied_has_not_won() -> None:
    conflicts = [conflict(1, "The mill", "1936", "1942"), conflict(2, "The mill", "1936", "1950")]
    parties = (said("deed", "left", False), said("gazette", "right", False))
    voices = (*parties, said("register", "left", True), said("memoir", "right", True))
    two_to_two = verdict(1, OPEN, reasoning="two to two", evidence=voices)
    won = verdict(2, RESOLVED, "1936", "left", reasoning="two to one", evidence=(said("register", "left", True),))
    tied, lost = transfer_verdicts(conflicts, [two_to_two, won])
    assert tied == two_to_two
    assert (lost.conflict, lost.status, lost.winner, lost.value) == ("c2", OPEN, "", "")
    assert (lost.reasoning, lost.evidence) == ("two to two", won.evidence)


def test_a_value_that_is_ahead_in_the_open_conflict_still_wins_the_other() -> None:
    conflicts = [conflict(1, "The mill", "1936", "1942"), conflict(2, "The mill", "1936", "1950")]
    ahead = verdict(1, OPEN, evidence=(said("register", "left", True),))  # open for a vote that may be missing
    won = verdict(2, RESOLVED, "1936", "left")
    assert transfer_verdicts(conflicts, [ahead, won])[1] == won
    of_another = [conflict(1, "The barn", "1936", "1942"), conflicts[1]]
    assert transfer_verdicts(of_another, [verdict(1, OPEN), won])[1] == won
    third_is_weighed = [conflict(1, "The mill", "1936", "1950"), conflicts[1]]
    assert transfer_verdicts(third_is_weighed, [verdict(1, OPEN), won])[1] == won
