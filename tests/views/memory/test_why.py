"""Asking a run's retrievals again: with the settings they had, they find what they found, to the last digit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank.memory.events import CandidatesRetrieved, PromptEnhanced, SessionStarted, SettingsChanged, StageFinished
from memorybank.memory.types import Hit, Lang, NodeId, Relation
from memorybank.retrieval.recall import Recall, Recalled
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load
from memorybank.session.assembly import recall_for
from memorybank.settings.config import Settings
from memorybank.views.memory import why
from memorybank.views.run.playback import Playback
from tests.recorded import recorded_run


def records_of(lang: Lang) -> Sequence[Record[Any]]:
    return load(recorded_run(lang).path)


def recall_of(records: Sequence[Record[Any]]) -> Recall:
    begun = next(record.event for record in records if isinstance(record.event, SessionStarted))
    return recall_for(begun, replace(Settings(), embedding_model="hashed-ngrams"))


def bank_before(playback: Playback, records: Sequence[Record[Any]], question: why.Question) -> Any:
    return playback.at(records, question.seq - 1).bank


def test_every_retrieval_of_a_run_is_found_again(lang: Lang) -> None:
    records = records_of(lang)
    search, playback = why.Search(recall_of(records)), Playback()
    questions = why.questions_in(records)
    recorded = [record for record in records if isinstance(record.event, PromptEnhanced | CandidatesRetrieved)]
    assert [question.seq for question in questions] == [record.seq for record in recorded]
    assert {question.kind for question in questions} == {"prompt", "node"}
    for question in reversed(questions):  # against the order of the run: the index goes back in time, too
        event = records[question.seq - 1].event
        before = bank_before(playback, records, question)
        found = search.again(question, before, k=question.k, alpha=question.alpha, share=question.share)
        assert (found.recalled.hits, found.recalled.below) == (event.hits, event.below), question.seq
        assert all(row.change == "" for row in why.explain(found, question))


@pytest.mark.parametrize(("k", "alpha", "share"), [(1, 0.0, 0.0), (2, 1.0, 0.5), (20, 0.3, 0.9)])
def test_other_settings_are_the_products_own_retrieval_and_say_what_changes(
    lang: Lang, k: int, alpha: float, share: float
) -> None:
    records = records_of(lang)
    search, playback = why.Search(recall_of(records)), Playback()
    for question in why.questions_in(records):
        bank = bank_before(playback, records, question)
        found = search.again(question, bank, k=k, alpha=alpha, share=share)
        rows = why.explain(found, question)
        used, now = ({hit.node_id for hit in one.hits} for one in (question.used, found.recalled))
        assert {row.hit.node_id for row in rows if row.change == "in"} == now - used
        assert {row.hit.node_id for row in rows if row.change == "out"} == used - now
        assert {row.hit.node_id for row in rows if row.place in ("direct", "neighbour")} == now
        aside = [row.hit for row in rows if row.place == "aside"]
        least = share * (why.cut_off(found) or 0.0)
        assert all(hit.via and hit.node_id not in now for hit in aside)
        assert all(hit.score < least for hit in aside) or len(now) >= 10, "beyond the bound, else below the share"
        assert len({row.hit.node_id for row in rows}) == len(rows)
        direct = [row.hit for row in rows if row.place == "direct"]
        own, more = direct[: min(k, len(found.everything))], direct[min(k, len(found.everything)) :]
        assert [hit.rank for hit in own] == list(range(1, len(own) + 1))
        assert sorted(hit.rank for hit in found.recalled.hits) == list(range(1, len(now) + 1)), "no rank stands twice"
        assert question.further or not more
        assert why.cut_off(found) == (own[-1].score if own else None)
        for hit in found.everything.values():
            assert hit.score == pytest.approx(alpha * hit.keyword + (1 - alpha) * hit.vector, abs=2e-6)
        if question.kind == "prompt":  # as the product would, on an index of its own
            fresh = recall_of(records)
            fresh.sync(bank.graph.nodes, hold_back=bank.progress.fresh)
            alone, _ = fresh.for_text(
                question.text,
                bank.graph.nodes,
                k=k,
                alpha=alpha,
                share=share,
                vector=question.vector,
                further=question.further,
            )
            assert found.recalled == alone


def test_a_query_of_words_that_no_memory_has_finds_nothing_and_settings_have_bounds() -> None:
    records = records_of("en")
    search, playback = why.Search(recall_of(records)), Playback()
    question = next(one for one in reversed(why.questions_in(records)) if one.kind == "prompt")
    bank = bank_before(playback, records, question)
    assert not why.finds_nothing(search.again(question, bank, k=3, alpha=0.5, share=0.5))
    nonsense = replace(question, text="xqzv", vector=b"\0" * len(question.vector), further=())
    assert why.finds_nothing(search.again(nonsense, bank, k=3, alpha=0.5, share=0.5))
    empty = search.again(question, playback.at(records, 0).bank, k=3, alpha=0.5, share=0.5)
    assert (empty.recalled.hits, why.cut_off(empty), why.finds_nothing(empty)) == ((), None, True)
    with pytest.raises(InputError, match="alpha"):
        search.again(question, bank, k=3, alpha=1.5, share=0.5)


def test_each_question_keeps_the_settings_that_held_when_it_was_asked() -> None:
    records: list[Record[Any]] = list(records_of("en"))
    first = next(place for place, record in enumerate(records) if isinstance(record.event, PromptEnhanced))
    at = next(place for place in range(first, len(records)) if isinstance(records[place].event, StageFinished)) + 1
    changed = SettingsChanged(k=9, alpha=0.25, neighbor_share=0.0, relations=(Relation.RELATED,), strategy="single")
    commit: list[Record[Any]] = [Record(0, 0.0, changed), Record(0, 0.0, StageFinished(stage="settings", round=1))]
    later = [replace(one, seq=seq) for seq, one in enumerate([*records[:at], *commit, *records[at:]], start=1)]
    begun = next(record.event for record in records if isinstance(record.event, SessionStarted))
    asked = [(question.k, question.alpha, question.share) for question in why.questions_in(later)]
    before = sum(question.seq <= at for question in why.questions_in(records))
    assert asked[:before] == [(begun.k, begun.alpha, begun.neighbor_share)] * before
    assert set(asked[before:]) == {(9, 0.25, 0.0)}


def hit(node_id: str, rank: int, score: float, via: str | None = None) -> Hit:
    return Hit(
        node_id=NodeId(node_id),
        score=score,
        keyword=score,
        vector=score,
        keyword_raw=score,
        cosine=score,
        rank=rank,
        via=NodeId(via) if via else None,
    )


def test_the_table_says_what_the_prompt_had_no_room_for_and_where_a_memory_went() -> None:
    first, second, below = hit("n1", 1, 0.9), hit("n2", 2, 0.5), hit("n4", 3, 0.1)
    used = Recalled(hits=(first, second, hit("n3", 3, 0.4, via="n1")), below=(below,))
    question = why.Question(
        kind="prompt", text="q", seq=7, k=2, alpha=0.5, share=0.5, used=used, left_out=frozenset({NodeId("n2")})
    )
    everything = {one.node_id: one for one in (first, second, below, hit("n3", 4, 0.0))}
    now = Recalled(hits=(first,), below=(second, below))
    rows = why.explain(why.Explanation(k=1, alpha=0.5, share=0.5, recalled=now, everything=everything), question)
    assert [(row.hit.node_id, row.place, row.change) for row in rows] == [
        ("n1", "direct", ""),
        ("n2", "below", "out"),
        ("n4", "below", ""),
        ("n3", "below", "out"),
    ]
    as_used = why.explain(why.Explanation(k=2, alpha=0.5, share=0.5, recalled=used, everything=everything), question)
    assert [row.left_out for row in as_used] == [False, True, False, False]

    gone = {NodeId("n1"): NodeId("n9"), NodeId("n2"): NodeId("n9")}
    trail = why.trail_of(used, [NodeId("n9"), NodeId("n3")], lambda node_id: gone.get(node_id, node_id))
    assert [(one.node_id, one.rank, one.via) for one in trail.hits] == [("n9", 1, None), ("n3", 3, "n9")]
    assert trail.below == ()
