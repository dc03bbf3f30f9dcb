"""Merges before and after: texts as they stood, who judged the pair, what stands on what, what an undo leads to."""

from __future__ import annotations

from dataclasses import replace

from memorybank.language.text import fold_space
from memorybank.memory.events import (
    JudgedRelation,
    MergeRestored,
    MergeUndone,
    NodesLinked,
    NodesMerged,
    RelationsJudged,
    StageFinished,
)
from memorybank.memory.types import Lang, MergeEventId, Relation
from memorybank.runs.run_folder import load, state_at
from memorybank.session.checks import marks_of
from memorybank.views.boxes.merge_story import cause
from memorybank.views.memory.conflict_life import lives, settled_by
from memorybank.views.memory.edges import reasons_in
from memorybank.views.memory.lineage import kept_and_dropped, merge_stories, old_and_new, undo_of
from tests.boxes_read import chosen_in, words_of
from tests.made_events import created, described, merged, n, recorded
from tests.recorded import recorded_run

M1, M2 = (MergeEventId(f"m{number}") for number in (1, 2))


def test_stories_of_a_recorded_run(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    stories, bank = merge_stories(records), state_at(records)
    assert stories.keys() == bank.tree.merge_events.keys()
    assert stories
    merges = [record.event for record in records if isinstance(record.event, NodesMerged)]
    summaries = {event.new_node_id: event.summary for event in merges}  # as it began: a later verdict may rewrite it
    every = [*bank.graph.nodes.values(), *(one for merge in bank.graph.merges.values() for one in merge.sources)]
    assert not any(story.dropped for story in stories.values()), "without a model no sentence is lost"
    for story in stories.values():
        standing = bank.graph.merges[story.id]
        assert [(one.id, one.summary, one.context, one.keywords) for one in story.sources] == [
            (one.id, one.summary, one.context, one.keywords) for one in standing.sources
        ]
        assert summaries[story.result.id] == story.result.summary
        assert records[story.call - 1].event.role == "integration"
        if story.trigger == "conflict" or any(source.marks for source in story.sources):
            result = next(node for node in every if node.id == story.result.id)
            assert marks_of(result), "a conflict's loser is marked in the merged text"
        marked = [piece for source in story.sources for piece in kept_and_dropped(source.summary, story.dropped)]
        assert {fold_space(piece.text) for piece in marked if piece.apart} == set(story.dropped)
        for source in story.sources:
            pieces = kept_and_dropped(source.summary, story.dropped)
            assert "".join(piece.text for piece in pieces) == source.summary
        after = old_and_new(story.result.summary, [source.summary for source in story.sources])
        assert "".join(piece.text for piece in after) == story.result.summary
        assert not all(piece.apart for piece in after)


def finished(stage: str = "analyse") -> StageFinished:
    return StageFinished(stage=stage, round=1)  # type: ignore[arg-type]


def test_a_split_and_a_merge_that_stands_again_are_told_so() -> None:
    head = [created(1), created(2), created(3), finished("file"), merged(M1, (1, 2, 3), 4), finished()]
    split = MergeUndone(event_id=M1, new_node_id=n(4), restored=(n(1), n(2), n(3)), split=(n(2),))
    facts = [*head, split, replace(merged(M2, (1, 3), 5), rest_of=M1), finished("undo")]
    stories = merge_stories(recorded(*facts))
    assert stories[M1].undone is not None
    assert (stories[M1].split, stories[M2].rest_of, stories[M2].undone) == ((n(2),), M1, None)
    again = MergeRestored(event_id=M1, new_node_id=n(4), merged_node_ids=(n(1), n(2), n(3)), rest=M2, rest_node_id=n(5))
    stories = merge_stories(recorded(*facts, again, finished("undo")))
    assert (stories[M1].undone, stories[M1].split) == (None, ())
    assert stories[M2].undone is not None, "it has gone with its node"


def test_sources_are_shown_as_they_stood_at_the_merge() -> None:
    """A rewrite before the merge shows, also one that an earlier undo took back."""
    rewritten = described(4, "rewritten", 3, context_before="topic n4")
    head = [created(1), created(2), created(4), finished("file"), merged(M1, (1, 2), 3), rewritten, finished()]
    # ids are counters of the graph: n3 is the merged one
    facts = [*head, merged(M2, (3, 4), 5), finished()]
    assert merge_stories(recorded(*facts))[M2].sources[1].context == "rewritten"
    back = MergeUndone(event_id=M1, new_node_id=n(3), restored=(n(1), n(2)))
    facts = [*head, back, finished("undo"), merged(M2, (1, 4), 6), finished()]
    assert merge_stories(recorded(*facts))[M2].sources[1].context == "topic n4"


def test_what_is_said_before_an_undo_is_what_happens() -> None:
    rewritten = described(4, "rewritten", 3, context_before="topic n4")
    facts = [
        created(1),
        created(2),
        created(4),
        created(6),
        NodesLinked(left=n(1), right=n(4), reason=""),
        finished("file"),
        merged(M1, (1, 2), 3),
        rewritten,
        NodesLinked(left=n(3), right=n(6), reason="learnt later"),
        finished(),
    ]
    records = recorded(*facts)
    bank = state_at(records)
    said = undo_of(bank, M1)
    assert said is not None
    assert (said.restored, said.leaves) == ((n(1), n(2)), n(3))
    assert said.blocked_by is None
    bank.graph.apply(MergeUndone(event_id=M1, new_node_id=n(3), restored=said.restored), 0.0)
    assert n(3) not in bank.graph.nodes
    assert set(said.restored) <= bank.graph.nodes.keys()
    assert all(n(6) in bank.graph.nodes[one].links for one in said.restored)
    assert bank.graph.nodes[n(4)].context == "topic n4"


def test_conflicts_that_an_undo_opens_to_doubt(lang: Lang) -> None:
    bank = state_at(load(recorded_run(lang).path))
    for merge in bank.graph.merges.values():
        said = undo_of(bank, merge.event_id)
        assert said is not None
        copy = bank.copy()
        copy.conflicts.apply(MergeUndone(event_id=merge.event_id, new_node_id=said.leaves, restored=said.restored))
        changed = [one for one in bank.conflicts.all if copy.conflicts.all[one] != bank.conflicts.all[one]]
        assert changed == list(said.disputed)
        assert bool(changed) == (bank.tree.merge_events[merge.event_id].trigger == "conflict")


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
    records = recorded(*facts)
    stories, known = merge_stories(records), reasons_in(records)
    for merge, said, other in ((M1, "merge 1", "related 4"), (M2, "merge 4", "merge 1")):
        words = " ".join(
            words_of(box, " ") for box in cause(stories[merge], known, (), state_at(records), records, "en")
        )
        assert said in words
        assert other not in words


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
            # What only sets the two statements beside each other is said once, by these themselves.
            assert all("".join(part.split()) in "".join(words.split()) for part in pair.words.split(" ≠ "))
        for each in conflicts:
            for point in bank.conflicts.all[each].contradictions:
                assert point.left.text in words.replace("  ", " ") or point.left.value in words
