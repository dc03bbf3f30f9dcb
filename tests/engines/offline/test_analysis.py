"""`OfflineAnalysis`: conflict before merge before related, each candidate by itself; rewriting that settles."""

from __future__ import annotations

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.analysis import OfflineAnalysis
from memorybank.memory.contracts import AnalysisInput, NodeInfo, Relationship
from memorybank.memory.types import Lang, Relation
from memorybank_lab.evaluation.planted import variant
from tests.tables import tables

TABLES = tables(__file__)

OSPREY, DISPUTE, SAME, SISTER, BREAD = (NodeInfo(**told) for told in TABLES["nodes"].values())


def saying(text: str) -> NodeInfo:
    return NodeInfo(summary=text, context="", keywords=())


def judge(new: NodeInfo, *old: NodeInfo, relations: tuple[Relation, ...] = (), lang: Lang = "en") -> list[Relationship]:
    given = AnalysisInput(new=new, candidates=old, lang=lang)
    if relations:
        given = given.model_copy(update={"relations": relations})
    return list(OfflineAnalysis(HashedNgrams(), HashedNgrams().parse).run(given).relationships)


def test_each_candidate_is_judged_by_itself() -> None:
    found = judge(OSPREY, DISPUTE, SAME, SISTER, BREAD)
    assert [one.relationship for one in found] == [
        Relation.CONFLICT,
        Relation.MERGE,
        Relation.RELATED,
        Relation.UNRELATED,
    ]
    assert [one.existing for one in found] == [0, 1, 2, 3]
    conflict, merge, related, _ = found
    (contradiction,) = conflict.contradictions
    assert (contradiction.left.value, contradiction.right.value) == ("412", "433")
    assert contradiction.left.text in DISPUTE.summary
    assert "412 qubits" in conflict.conflict_description
    assert merge.merge_strategy
    assert "Varley Labs" in related.reasoning


def test_what_a_summary_leaves_out_is_compared_too() -> None:
    """The sentence in dispute stands in the raw texts alone; by their summaries the two would be the same."""
    raw = "The Osprey chip was built by Varley Labs in Dresden. It holds {} qubits."
    old, new = (OSPREY.model_copy(update={"summary": raw[:52], "text": raw.format(count)}) for count in (433, 412))
    (judged,) = judge(new, old)
    assert [(pair.left.value, pair.right.value) for pair in judged.contradictions] == [("433", "412")]


def test_memories_that_mostly_state_something_of_two_things_are_about_two_subjects() -> None:
    merlin = "The Merlin chip holds 127 qubits. It is older. It is cheaper. The Osprey chip holds 412 qubits."
    (conflict,) = judge(OSPREY, saying(merlin))
    assert (conflict.relationship, conflict.same_subject) == (Relation.CONFLICT, False)
    (conflict,) = judge(OSPREY, DISPUTE)
    assert conflict.same_subject


@pytest.mark.parametrize(("left", "right"), TABLES["apart"])
def test_what_has_another_name_or_another_value_does_not_merge(left: str, right: str) -> None:
    (found,) = judge(saying(left), saying(right))
    assert found.relationship is not Relation.MERGE


def test_what_one_speaker_said_at_two_times_is_an_update_and_no_conflict() -> None:
    earlier = "Odile (2024-01-10): The Tarn ferry carries 12 cars."
    later = "Odile (2024-06-02): The Tarn ferry carries 14 cars."
    (found,) = judge(saying(later), saying(earlier))
    assert found.relationship is Relation.RELATED
    assert "12 cars" in found.reasoning
    assert "14 cars" in found.reasoning


def test_a_correction_says_which_side_corrects() -> None:
    right, wrong = "Correction: Harnby bridge has 14 arches, not 12.", "Harnby bridge has 12 arches."
    (found,) = judge(saying(right), saying(wrong))
    assert [pair.newer for pair in found.contradictions] == ["right"]


def test_a_word_of_the_field_links_nothing_and_a_shared_name_does() -> None:
    text = "The glass chip was built by students in Ostrava. It holds 36 qubits. It was shown last spring."
    other_maker = NodeInfo(summary=text, context="A chip of glass", keywords=("Ostrava", "qubits", "glass"))
    apart, linked = judge(OSPREY, other_maker, SISTER, relations=(Relation.RELATED,))
    assert (apart.relationship, linked.relationship) == (Relation.UNRELATED, Relation.RELATED)


def test_only_the_relations_asked_for_are_answered() -> None:
    assert judge(OSPREY) == []
    (found,) = judge(OSPREY, DISPUTE, relations=(Relation.MERGE, Relation.RELATED))
    assert found.relationship is Relation.RELATED
    (found,) = judge(OSPREY, SAME, relations=(Relation.CONFLICT, Relation.RELATED))
    assert found.relationship is Relation.RELATED
    (found,) = judge(OSPREY, DISPUTE, relations=(Relation.RELATED,))
    assert not found.contradictions


def test_rewriting_settles() -> None:
    (first,) = judge(OSPREY, SISTER)
    new = OSPREY.model_copy(update={"keywords": first.keywords_update_new})
    old = SISTER.model_copy(update={"keywords": first.keywords_update_existing})
    (second,) = judge(new, old)
    assert second.keywords_update_new == new.keywords
    assert second.keywords_update_existing == old.keywords
    assert (second.context_update_new, second.context_update_existing) == ("", ""), "the names stay"


def test_chinese_reasons_for_a_chinese_session() -> None:
    new, old = saying("青鸾处理器有433个量子比特，由瓦利实验室研制。"), saying("青鸾处理器共有412个量子比特。")
    (found,) = judge(new, old, lang="zh")
    assert found.relationship is Relation.CONFLICT
    assert "412个量子比特" in found.conflict_description


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_near_misses_are_neither_in_conflict_nor_merged(lang: Lang) -> None:
    for seed in range(4):
        planted = variant(seed, lang)
        for pair in (pair for item in planted.truth.of("near_miss") for pair in item.pairs):
            (found,) = judge(*(saying(planted.documents[name]) for name in pair), lang=lang)
            assert found.relationship in (Relation.RELATED, Relation.UNRELATED), pair
