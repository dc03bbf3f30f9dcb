"""What a merge rests on: who judged the pair, in which call and in what words."""

from __future__ import annotations

import pytest

from memorybank.memory.events import JudgedRelation, RelationsJudged
from memorybank.memory.types import Lang, Relation
from memorybank.runs.run_folder import load, state_at
from memorybank.views.boxes.merge_story import cause
from memorybank.views.memory.conflict_life import lives, settled_by
from memorybank.views.memory.edges import reasons_in
from memorybank.views.memory.lineage import merge_stories
from tests.boxes_read import chosen_in, words_of
from tests.made_events import created, merged, n
from tests.recorded import recorded_run
from tests.views.memory.test_lineage import M1, M2, finished, records_of


def judged(node: int, *relations: tuple[int, Relation]) -> RelationsJudged:
    return RelationsJudged(
        node_id=n(node),
        relations=tuple(
            JudgedRelation(node_id=n(other), relation=relation, confidence=0.8, reasoning=f"{relation} {other}")
            for other, relation in relations
        ),
    )


def test_of_a_direct_merge_the_pairs_that_say_the_same() -> None:
    facts = [
        *map(created, (1, 2, 4)),
        finished("file"),
        judged(2, (1, Relation.MERGE), (4, Relation.RELATED)),
        merged(M1, (1, 2), 5),
        finished(),
        judged(5, (4, Relation.MERGE)),
        merged(M2, (4, 5), 7),
        finished(),
    ]
    records = records_of(*facts)
    stories, known = merge_stories(records), reasons_in(records)
    for merge, said, other in ((M1, "merge 1", "related 4"), (M2, "merge 4", "merge 1")):
        words = " ".join(
            words_of(box, " ") for box in cause(stories[merge], known, (), state_at(records), records, "en")
        )
        assert said in words
        assert other not in words


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_merge_of_a_recorded_run_leads_to_the_call_on_its_sentences(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    bank, known = state_at(records), reasons_in(records)
    settled = settled_by(lives(records))
    for story in merge_stories(records).values():
        conflicts = settled.get(story.id, [])
        drawn = cause(story, known, conflicts, bank, records, lang)
        chosen = {target for block in drawn for target in chosen_in(block)}
        words = " ".join(words_of(block, " ") for block in drawn)
        ends = [bank.conflicts.all[each].node_ids for each in conflicts] or [[one.id for one in story.sources]]
        pairs = [known[frozenset(pair)][-1] for pair in ends]
        for pair in pairs:
            call = records[pair.call - 1].event
            assert call.role == "analysis"
            said = [(one["relationship"], one["reasoning"]) for one in call.answer["relationships"]]
            assert (pair.relation, pair.words) in said
            assert f"call:{pair.call}" in chosen
            assert pair.words in words
        for each in conflicts:
            for point in bank.conflicts.all[each].contradictions:
                assert point.left.text in words.replace("  ", " ") or point.left.value in words
