"""The offline researcher's answers, and what a verdict on one pair of memories settles in another."""

from __future__ import annotations

from pathlib import Path

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import Claim, Conflict, ConflictId, ConflictStatus, Contradiction, Evidence, NodeId
from memorybank.prompts import say
from memorybank.session.checks import standing_summary
from memorybank.session.executors.researcher import search_words
from memorybank.session.executors.verdict_transfer import on_one_matter, transfer_verdicts
from tests.contradiction.parsed import contradictions
from tests.engines.offline.outcomes import work

# -- the offline researcher's answers ---------------------------------------------------------------------------------


def test_raw_text_that_the_summary_left_out_is_quoted(tmp_path: Path) -> None:
    said = [f"Merrow Hall has {at + 20} windows of {at + 3} colours on floor {at}." for at in range(14)]
    said.insert(9, "The organ of Merrow Hall is played by nobody now.")
    text = f"# Merrow Hall\n\nMerrow Hall stands in Lund. {' '.join(said)}"
    bank = work(
        tmp_path / "run", {"hall.md": text}, "en", HashedNgrams(), goal="Who plays the organ of Merrow Hall?"
    ).bank
    assert "played by nobody" in bank.progress.answer
    rounds = [entry.text for entry in bank.tree.entries.values() if entry.kind == "transcript"]
    assert say("thought_deep", "en", node="n1") in rounds[0], "the search opens what the summary left out"
    assert "played by nobody" in rounds[0].rpartition("<answer>")[2]


def test_a_value_of_a_part_is_not_told_as_that_of_the_whole(tmp_path: Path) -> None:
    text = "Harlow Mill was built in 1804. Its chimney is 31 metres tall."
    goal = "When was Harlow Mill built, and how tall is its chimney?"
    bank = work(tmp_path / "run", {"mill.md": text}, "en", HashedNgrams(), goal=goal).bank
    assert "chimney: 31 metres" in bank.progress.answer
    assert "Harlow Mill: 31 metres" not in bank.progress.answer


def test_a_verdict_on_one_matter_leaves_the_other_as_it_was(tmp_path: Path) -> None:
    documents = {
        "guide.md": "The Varna tunnel is 4,120 metres long. The Varna tunnel opened in 1987. Lamps light each bend.",
        "leaflet.md": "The Varna tunnel is 4,210 metres long. The Varna tunnel opened in 1989. Dogs must be led.",
        "survey.md": "Surveyors with lasers found that the Varna tunnel is 4,120 metres long, from portal to portal.",
    }
    bank = work(tmp_path / "run", documents, "en", HashedNgrams(), goal="How long is the Varna tunnel?").bank
    by_nodes = {one.node_ids: one for one in bank.conflicts.all.values()}
    first = by_nodes[NodeId("n1"), NodeId("n2")]
    assert first.status is ConflictStatus.RESOLVED
    assert first.value == "4,120 metres"
    assert "not settled, both stay" in first.reason
    summaries = "\n".join(map(standing_summary, bank.graph.nodes.values()))
    assert "4,210" not in summaries
    assert "opened in 1987" in summaries
    assert "opened in 1989" in summaries


def test_words_to_search_for_are_neutral() -> None:
    (found,) = contradictions("Lake Orrin is 148 metres deep.", "Lake Orrin is 184 metres deep.")
    words = search_words(found).split()
    assert {"Lake", "Orrin", "deep"} <= {*words}
    assert not {"148", "184"} & {*words}
    (found,) = contradictions("云顶塔高468米。", "云顶塔高486米。")
    assert "云顶塔" in search_words(found)
    (denied,) = contradictions("The mill was built for oats.", "The mill was not built for oats.")
    assert "built" in search_words(denied), "a statement without a value is searched for by all its words"


# -- what is settled in one pair of memories settles another only when it is the same matter --------------------------


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
