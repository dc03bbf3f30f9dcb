"""Fresh prose: its files are whole, and the scoring counts what it says it counts."""

from __future__ import annotations

from collections import Counter
from typing import Literal

import pytest

from memorybank.lab.evaluation import collections
from memorybank.lab.evaluation.fresh import drafting, reading
from memorybank.lab.evaluation.fresh.drafting import CheckedDraft
from memorybank.lab.evaluation.fresh.earlier import with_earlier
from memorybank.lab.evaluation.fresh.reading import DraftRow, PassageOutcome
from memorybank.lab.evaluation.fresh.stories import LANGS, StoryPassage, StoryStatement, stories
from memorybank.lab.evaluation.report import Score
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import Claim, Conflict, ConflictId, ConflictStatus, Contradiction, Lang, NodeId


@pytest.mark.parametrize("lang", LANGS)
def test_there_is_enough_of_everything(lang: Lang) -> None:
    told = stories(lang)
    passages = [passage for story in told for passage in story.passages]
    drafts = [draft for story in told for draft in story.drafts]
    assert len({passage.text for passage in passages}) >= 60
    assert any(not passage.facts for passage in passages), "some sentences state nothing"
    errors = Counter(draft.error for draft in drafts)
    assert errors[True] >= 20
    assert errors[False] == errors[True]
    kinds = {fact.kind for passage in passages for fact in passage.facts}
    assert kinds >= {"kinship", "possession", "place", "trait", "death", "ability", "promise", "name", "event", "time"}


@pytest.mark.parametrize("lang", LANGS)
def test_labels_speak_of_names_on_record(lang: Lang) -> None:
    for story in stories(lang):
        named = {one["name"] for one in story.names}
        for passage in story.passages:
            assert {fact.subject for fact in passage.facts} <= named, passage.text
        for draft in story.drafts:
            assert draft.sentence in draft.text
            assert bool(draft.against) == draft.error
        assert {fact["subject"] for fact in story.record} <= named


def _outcome(*rows: tuple[str, bool]) -> PassageOutcome:
    passage = StoryPassage(
        chapter=1,
        text="",
        facts=(_told("Ann | OWNS | the key"), _told("Ann | MARRIED_TO | Bo")),
        may=(_told("Ann | HAS_TRAIT | brave"),),
    )
    read = tuple(DraftRow(statement=_told(line), ticked=ticked, reason="") for line, ticked in rows)
    return PassageOutcome(lang="en", passage=passage, rows=read, names=frozenset({"Ann", "Bo", "the key"}))


def _told(line: str) -> StoryStatement:
    subject, predicate, object_ = line.split(" | ")
    return StoryStatement(subject=subject, predicate=predicate, object=object_)


def test_a_row_is_right_when_the_passage_states_it() -> None:
    found = _outcome(("Ann | OWNS | the key", True), ("Bo | OWNS | the key", True), ("Ann | HAS_TRAIT | brave", True))
    assert [found.right(row) for row in found.ticked] == [True, False, True]
    assert reading.counted([found]) == "true/false/missed by kind: kinship 0/0/1; possession 1/1/0; trait 1/0/0"


def test_some_relations_go_both_ways_and_what_is_not_ticked_is_only_offered() -> None:
    found = _outcome(("Bo | MARRIED_TO | Ann", False))
    married = found.passage.facts[1]
    assert (found.is_ticked(married), found.offered(married)) == (False, True)
    assert "kinship 0/0/0 (1 offered unticked)" in reading.counted([found])


def test_a_mark_counts_where_the_error_is() -> None:
    checked: list[CheckedDraft] = [one for one in drafting.checked("en") if one.findings]
    assert checked, "the check marks something"
    for one in checked:
        start = one.draft.text.index(one.draft.sentence)
        inside = [start <= finding.start < start + len(one.draft.sentence) for finding in one.findings]
        assert [one.right(finding) for finding in one.findings] == [one.draft.error and here for here in inside]


def test_earlier_numbers_stand_beside_todays() -> None:
    today = Score(
        data="fresh prose en", measure="recall, all kinds", system="engine", value=1.0, low=1.0, high=1.0, n=29
    )
    both = list(with_earlier("continuity", [today]))
    assert [one.system for one in both] == ["engine", "engine at 331a5bb"]
    assert both[1].value < 0.5


# -- collections ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGS)
def test_what_a_collection_disputes_stands_in_its_documents(lang: Lang) -> None:
    told = collections.collections(lang)
    assert len(told) >= 4
    for one in told:
        texts = " ".join(one.documents.values())
        said = [sentence for dispute in one.disputes for side in dispute.sides for sentence in side.said]
        assert [
            sentence for sentence in (*said, *(each for pair in one.near for each in pair)) if sentence not in texts
        ] == []
        for dispute in one.disputes:
            assert dispute.holds in ("", *(side.value for side in dispute.sides))
            most = max(len(side.said) for side in dispute.sides)
            assert bool(dispute.holds) == ([len(side.said) for side in dispute.sides].count(most) == 1)


def _conflict(left: str, right: str, status: ConflictStatus, winner: Literal["left", "right", ""] = "") -> Conflict:
    claims = [Claim(text=text, kind="number", subject="", attribute="", value="") for text in (left, right)]
    return Conflict(
        id=ConflictId(f"c{left}{right}"),
        node_ids=(NodeId("n1"), NodeId("n2")),
        description="",
        contradictions=(Contradiction(left=claims[0], right=claims[1], reason="", confidence=1.0),),
        status=status,
        winner=winner,
    )


@pytest.mark.parametrize(
    ("status", "winner", "fate"),
    [
        (ConflictStatus.RESOLVED, "right", "right"),
        (ConflictStatus.RESOLVED, "left", "wrong"),
        (ConflictStatus.INCONCLUSIVE, "", "undecided"),
    ],
)
def test_a_dispute_is_settled_right_when_the_supported_value_wins(
    status: ConflictStatus, winner: Literal["left", "right", ""], fate: str
) -> None:
    lighthouse = collections.collections("en")[0]
    (one, *_), (other, *_) = (side.said for side in lighthouse.disputes[0].sides)
    bank = MemoryBank()
    conflict = _conflict(other, one, status, winner)
    bank.conflicts.all[conflict.id] = conflict
    found = collections.judged(lighthouse, bank)
    assert found.fates == (fate, "missed", "missed")
    assert found.false == ()
    assert not any(found.near)


def test_a_near_miss_that_is_raised_is_false() -> None:
    lighthouse = collections.collections("en")[0]
    bank = MemoryBank()
    conflict = _conflict(*lighthouse.near[0], ConflictStatus.OPEN)
    bank.conflicts.all[conflict.id] = conflict
    found = collections.judged(lighthouse, bank)
    assert found.near == (True, False, False)
    assert len(found.false) == 1
