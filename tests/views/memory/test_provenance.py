"""Where nodes and entries come from and where they were used, the doc of each moment, and what a search finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memorybank.memory.events import (
    AnswerGiven,
    EntryRecorded,
    NodesMerged,
    PlanUpdated,
    PromptEnhanced,
    StageFinished,
    TaskExecuted,
)
from memorybank.memory.types import EntryId, Lang, Node, NodeId, Task, TaskType
from memorybank.runs.run_folder import load, state_at
from memorybank.views.boxes.state import states_of
from memorybank.views.graph.style import EdgeKind, NodeState
from memorybank.views.memory.edges import edges_of, search
from memorybank.views.memory.provenance import provenance
from memorybank.views.run.playback import Playback
from tests import made_events
from tests.made_events import recorded
from tests.recorded import recorded_run


def test_everything_has_a_beginning_and_its_uses(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    found, bank = provenance(records), state_at(records)
    assert found.recorded.keys() == bank.tree.entries.keys()
    for entry_id, place in found.recorded.items():
        event = records[place.seq - 1].event
        assert isinstance(event, EntryRecorded)
        assert event.entry.id == entry_id
        assert place.at == bank.tree.entries[entry_id].timestamp
    assert found.born.keys() == bank.graph.nodes.keys() | bank.graph.gone.keys()
    for node_id, birth in found.born.items():
        event = records[birth.place.seq - 1].event
        made = event.new_node_id if isinstance(event, NodesMerged) else event.node_id
        assert made == node_id
        assert birth.merge == (event.event_id if isinstance(event, NodesMerged) else None)
    held = {
        (record.seq, part.node_id)
        for record in records
        if isinstance(record.event, PromptEnhanced)
        for part in record.event.parts
        if part.node_id
    }
    assert held == {(use.place.seq, node_id) for node_id, uses in found.prompts.items() for use in uses}


def test_answers_and_rounds(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    found, bank = provenance(records), state_at(records)
    final = {node_id for node_id, uses in found.answers.items() for use in uses if use.final}
    assert final == {node_id for node_id in bank.graph.nodes if f"[{node_id}:" in bank.progress.answer}
    assert final
    given = next(record for record in records if isinstance(record.event, AnswerGiven))
    for node_id in final:
        use = found.answers[node_id][-1]
        assert (use.place.seq, use.transcript) == (given.seq, given.event.entry_id)
    for record in records:
        if isinstance(record.event, TaskExecuted):
            round_ = found.records[record.event.transcript]
            assert round_.executor == record.event.executor
            assert isinstance(records[round_.prompt - 1].event, PromptEnhanced)
            assert round_.prompt < record.seq
            for entry_id in record.event.materials:
                assert record.seq in [one.place.seq for one in found.read[entry_id]]


def test_citations_are_read_as_prompts_write_them() -> None:
    answer = "- One. [n1: a.md, b.md]\n- 二。[n2：甲.md] [n1: a.md] [n3] [n4 or so] [x: n5]"
    events = [
        PlanUpdated(next_task=Task(type=TaskType.NORMAL, description="look"), reasoning=""),
        TaskExecuted(executor="e", answer=answer, transcript=EntryId("e1")),
        StageFinished(stage="execute", round=1),
    ]
    found = provenance(recorded(*events))
    assert found.answers.keys() == {NodeId("n1"), NodeId("n2"), NodeId("n3")}
    assert [use.task and use.task.description for use in found.answers[NodeId("n1")]] == ["look"]


# -- a search finds every word in any form and says the best first -----------------------------------------------------


def node(number: int, context: str, *keywords: str, summary: str = "", links: tuple[str, ...] = ()) -> Node:
    return made_events.node(number, summary, links, context=context, keywords=keywords)


NODES = {
    one.id: one
    for one in (
        node(1, "Hubble's mirror", "Hubble", "mirror", summary="Its mirror measures 2.4 metres.", links=("n2", "n12")),
        node(2, "Webb's launch", "Webb", "KOUROU", summary="Hubble flew earlier.", links=("n1",)),
        node(12, "中国天眼 FAST", "射电望远镜", summary="位于贵州省，口径500米。", links=("n1",)),
    )
}


def test_a_search_finds_every_word_anywhere_best_first() -> None:
    nodes = list(NODES.values())
    assert search(nodes, "hubble") == ["n1", "n2"]  # in the topic before in the summary
    assert search(nodes, "HUBBLE mirror") == ["n1"]
    assert search(nodes, "mirror webb") == []
    assert search(nodes, "n1") == ["n1", "n12"]  # its own id before another one that begins so
    assert search(nodes, "天眼") == search(nodes, "ｆａｓｔ 贵州") == ["n12"]
    assert search(nodes, "  ") == search(nodes, "") == search([], "hubble") == []
    assert search(nodes, "2.4 metres") == ["n1"]
    assert search(nodes, ".*") == search(nodes, "<script>") == []


@given(words=st.text(max_size=30))
def test_a_search_takes_any_words(words: str) -> None:
    found = search(NODES.values(), words)
    assert len(found) == len(set(found))
    assert set(found) <= NODES.keys()


def test_the_states_of_a_run_are_those_of_its_memory(lang: Lang) -> None:
    records, playback = load(recorded_run(lang).path), Playback()
    seen = set[NodeState]()
    for k in range(0, len(records) + 1, 11):
        moment = playback.at(records, k)
        bank = moment.bank
        states = states_of(bank, new=moment.new, merged=moment.merged)
        assert states.keys() == bank.graph.nodes.keys()
        contested = {end for edge in edges_of(bank).values() if edge.kind is EdgeKind.CONFLICT for end in edge.ends}
        assert {node_id for node_id, one in states.items() if NodeState.CONFLICT in one} == contested
        assert {node_id for node_id, one in states.items() if NodeState.MERGED in one} == moment.merged & states.keys()
        assert all(one for one in states.values())
        seen.update(*states.values())
    assert seen >= {NodeState.CONFLICT, NodeState.MERGED, NodeState.NEW, NodeState.NORMAL}
