"""A search finds every word in any form and says the best first; the states of nodes are those of their memory."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.memory.types import Lang, Node, NodeId
from memorybank.runs.run_folder import load
from memorybank.views.boxes.state import states_of
from memorybank.views.graph.style import EdgeKind, NodeState
from memorybank.views.memory.edges import edges_of, search
from memorybank.views.run.playback import Playback
from tests.recorded import recorded_run


def node(number: int, context: str, *keywords: str, summary: str = "", links: tuple[str, ...] = ()) -> Node:
    return Node(
        id=NodeId(f"n{number}"),
        context=context,
        keywords=keywords,
        summary=summary,
        seq=number,
        links=tuple(map(NodeId, links)),
    )


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


@pytest.mark.parametrize("lang", ["en", "zh"])
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
