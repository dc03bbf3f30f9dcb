"""A real index against a brute-force search: rank_bm25 and numpy over the live nodes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from memorybank.embedding.base import CosineScale
from memorybank.errors import InputError
from memorybank.language.tokens import query_tokens
from memorybank.memory.types import Hit, Node, NodeId
from memorybank.retrieval.index import COMMON_NAME, NodeIndex, Query, document_tokens
from memorybank.retrieval.names import name_of, shared_name
from memorybank.retrieval.recall import expand, most_neighbors, newest_first
from memorybank.retrieval.vector import decode
from tests import made_events
from tests.tables import tables

TABLES = tables(__file__)

SCALE = CosineScale(lo=0.1, hi=0.9)
DIM = 8


def vector(seed: int) -> bytes:
    numbers = np.random.default_rng(seed).standard_normal(DIM)
    return (numbers / np.linalg.norm(numbers)).astype("<f2").tobytes()


def node(number: int, summary: str, *, links: tuple[int, ...] = (), seed: int | None = None) -> Node:
    return made_events.node(number, summary, links, vector=vector(number if seed is None else seed))


def indexed(*nodes: Node) -> tuple[NodeIndex, dict[NodeId, Node]]:
    index, graph = NodeIndex(SCALE), {node.id: node for node in nodes}
    index.sync(graph)
    return index, graph


def asked(text: str, seed: int = 0) -> Query:
    return Query(query_tokens(text), decode(vector(seed)))


def ids(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.node_id for hit in hits]


def brute_force(
    nodes: Collection[Node], query: Query, alpha: float, exclude: Collection[NodeId]
) -> dict[NodeId, float]:
    """Score by node id, in the order of a ranking."""
    live = list(nodes)
    corpus = [document_tokens(node) for node in live]
    raw = BM25Okapi(corpus).get_scores(query.tokens) if any(corpus) else np.zeros(len(live))
    kept = [at for at, node in enumerate(live) if node.id not in exclude]
    best = max((raw[at] for at in kept), default=0)
    scores = {}
    for at in kept:
        stored = decode(live[at].vector).astype(np.float64)
        lengths = np.linalg.norm(stored) * np.linalg.norm(query.vector)
        cosine = float(stored @ query.vector) / lengths if lengths else 0.0
        keyword = max(0.0, raw[at] / best) if best > 0 else 0.0
        scores[live[at].id] = alpha * keyword + (1 - alpha) * min(
            1, max(0, (cosine - SCALE.lo) / (SCALE.hi - SCALE.lo))
        )
    return scores


WORDS = ["quantum", "qubit", "error", "ibm", "1,121", "量子比特", "纠错", "water"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
STEPS = st.lists(
    st.tuples(st.sampled_from(["put", "put", "change", "relink", "discard"]), TEXTS, st.integers(0, 1_000)), max_size=30
)


@settings(max_examples=120, deadline=None)
@given(
    STEPS,
    st.lists(st.sampled_from([*WORDS, "unheard"]), max_size=5).map(" ".join),
    st.integers(0, 12),
    st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    st.sets(st.integers(1, 30).map(lambda number: NodeId(f"n{number}")), max_size=6),
    st.sampled_from([0.0, 0.5, 1.0]),
)
def test_ranks_as_by_hand_after_any_changes(
    steps: list[tuple[str, str, int]], text: str, k: int, alpha: float, exclude: set[NodeId], share: float
) -> None:
    """And what it ranks is what a new index ranks, to the last digit."""
    index = NodeIndex(SCALE)
    graph, gone = dict[NodeId, Node](), set[NodeId]()
    for op, summary, pick in steps:
        if op == "put" or not graph:
            new = node(len(graph) + len(gone) + 1, summary)
            graph[new.id] = new
            touched = new.id
        else:
            touched = list(graph)[pick % len(graph)]
            other = list(graph)[(pick // 7) % len(graph)]
            if op == "change":
                graph[touched] = replace(graph[touched], summary=summary, vector=vector(pick))
            elif op == "relink":
                graph[touched] = replace(graph[touched], links=(*graph[touched].links, other))
            else:
                del graph[touched]
                gone.add(touched)
        index.sync(graph, [touched])
    query = asked(text, seed=len(steps))
    ranking = index.rank(query, k=k, alpha=alpha, exclude=exclude, below=5)
    expected = brute_force(graph.values(), query, alpha, exclude)

    assert len(index) == len(graph)
    assert len(ranking.hits) == min(k, len(expected))
    assert len(ranking.below) == min(5, len(expected) - len(ranking.hits))
    listed = ranking.hits + ranking.below
    assert [hit.rank for hit in listed] == list(range(1, len(listed) + 1))
    by_score = sorted(expected.values(), reverse=True)
    for hit, score in zip(listed, by_score, strict=False):
        assert hit.score == pytest.approx(expected[hit.node_id], abs=1e-5)
        assert hit.score == pytest.approx(score, abs=1e-5)
        assert hit.score == pytest.approx(alpha * hit.keyword + (1 - alpha) * hit.vector, abs=2e-6)
    order = [(-hit.score, graph[hit.node_id].seq) for hit in listed]
    assert order == sorted(order)

    expansion = expand(ranking, graph, exclude, share=share)
    hits, left_out = expansion.hits, expansion.left_out
    found = ids(hits)
    assert len(found) == len(set(found))
    assert not set(found) & (gone | exclude)
    assert set(found) <= set(graph)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert all(hit.node_id in graph[hit.via].links for hit in hits if hit.via)
    near = {link for hit in ranking.hits for link in graph[hit.node_id].links}
    near &= graph.keys() - exclude - set(ids(ranking.hits))
    assert {hit.node_id for hit in (*hits, *left_out) if hit.via} == near, "each neighbour comes, or is told of"
    if share == 0:
        assert left_out == ()
    elif len(left_out) < len(near) and len(near) <= most_neighbors(len(ranking.hits)):
        least = share * ranking.hits[-1].score
        assert all(hit.score < least for hit in left_out)
        assert all(hit.score >= least for hit in hits if hit.via)

    rebuilt = NodeIndex(SCALE)
    rebuilt.sync(dict(reversed(graph.items())))
    again = rebuilt.rank(query, k=k, alpha=alpha, exclude=exclude, below=5)
    assert again == ranking
    assert expand(again, graph, exclude, share=share) == expansion


def test_a_question_finds_its_node_in_both_languages() -> None:
    index, _ = indexed(
        node(1, "IBM's Condor processor has 1,121 qubits and was announced in December 2023."),
        node(2, "Google's Willow chip has 105 qubits and shows error correction below the threshold."),
        node(3, "谷歌的 Willow 处理器有 105 个量子比特，量子纠错低于阈值。"),
        node(4, "Quantum annealers by D-Wave solve optimisation problems."),
        node(5, "中国科学院研制了祖冲之三号超导量子处理器。"),
    )
    assert ids(index.rank(asked("How many qubits does Condor have?"), k=1, alpha=1).hits) == ["n1"]
    assert ids(index.rank(asked("祖冲之三号是谁研制的？"), k=1, alpha=1).hits) == ["n5"]
    assert ids(index.rank(asked("1121"), k=1, alpha=0.5).hits) == ["n1"]
    ranking = index.rank(asked("", seed=4), k=2, alpha=0.5)
    assert ids(ranking.hits)[0] == "n4"
    assert len(ranking.below) == 3
    best = ranking.hits[0]
    assert (best.keyword, best.keyword_raw, best.vector, best.score) == (0, 0, 1, 0.5)
    assert best.cosine == pytest.approx(1, abs=1e-3)


def test_a_node_as_the_query() -> None:
    first = replace(node(1, "Willow has 105 qubits"), keywords=("error correction",), context="Google's chip")
    index, _ = indexed(first, node(2, "Error correction on a chip"), node(3, "The river Rhine"))
    query = Query.of_node(first)
    assert query.tokens == ("error", "correct", "googl", "chip", "willow", "105", "qubit")
    assert ids(index.rank(query, k=5, alpha=1).hits)[0] == "n1"
    others = index.rank(query, k=5, alpha=1, exclude={first.id}).hits
    assert ids(others)[0] == "n2"
    assert others[0].keyword == 1, "the best of those that may be shown"


def test_edges_of_the_arguments() -> None:
    empty = NodeIndex(SCALE)
    assert empty.rank(asked("quantum"), k=5, alpha=0.5).hits == ()
    assert empty.rank(asked("quantum"), k=0, alpha=0.5).below == ()

    one, graph = indexed(node(1, "quantum error"))
    (hit,) = one.rank(asked("quantum", seed=1), k=5, alpha=0.5).hits
    assert hit.keyword_raw <= 0, "in a corpus of one document every word is common"
    assert (hit.keyword, hit.score, hit.rank, hit.via) == (0, 0.5, 1, None)
    assert ids(one.rank(asked("quantum"), k=0, alpha=0.5).below) == ["n1"]
    assert one.rank(asked("quantum"), k=3, alpha=0.5, exclude=graph).hits == ()
    assert ids(one.rank(asked("quantum"), k=3, alpha=0.5, exclude=[NodeId("n99")]).hits) == ["n1"]

    index, _ = indexed(*(node(number, "same text", seed=1) for number in (10, 9, 2, 1)))
    assert ids(index.rank(asked("unheard of", seed=2), k=9, alpha=1).hits) == ["n1", "n2", "n9", "n10"]
    assert ids(index.rank(asked("same", seed=1), k=2, alpha=0).hits) == ["n1", "n2"]

    for k, alpha, message in ((-1, 0.5, "k is -1"), (1, 2.0, "alpha is 2.0")):
        with pytest.raises(InputError, match=message):
            index.rank(asked("same"), k=k, alpha=alpha)
    with pytest.raises(InputError, match="shape"):
        index.rank(Query(("same",), np.ones(3, np.float32)), k=1, alpha=0.5)
    with pytest.raises(InputError, match="cosine scale"):
        NodeIndex(CosineScale(lo=0.5, hi=0.5))


def test_nodes_without_vectors_are_found_by_keyword() -> None:
    index, _ = indexed(replace(node(1, "the river Rhine"), vector=b""), replace(node(2, "quantum error"), vector=b""))
    (hit, _) = index.rank(Query(query_tokens("Rhine"), np.zeros(0, np.float32)), k=2, alpha=0.5).hits
    assert (hit.node_id, hit.cosine, hit.vector) == ("n1", 0, 0)


def test_a_bad_vector_leaves_the_index_as_it_was() -> None:
    index, graph = indexed(node(1, "quantum error"), node(2, "the river Rhine"))
    before = index.rank(asked("quantum"), k=5, alpha=0.5)
    with pytest.raises(InputError, match="node n2: a vector of shape \\(3,\\)"):
        index.put(replace(graph[NodeId("n2")], vector=np.ones(3, "<f2").tobytes()))
    with pytest.raises(InputError, match="node n3: a vector holds"):
        index.put(replace(node(3, "new"), vector=np.full(DIM, np.nan, "<f2").tobytes()))
    assert index.rank(asked("quantum"), k=5, alpha=0.5) == before
    assert len(index) == 2
    index.put(node(3, "quantum error again"))
    assert len(index.rank(asked("quantum"), k=5, alpha=0.5).hits) == 3


def test_neighbours_come_once_after_the_direct_hits() -> None:
    index, graph = indexed(
        node(1, "Condor qubits qubits", links=(3, 4)),
        node(2, "Condor chip", links=(1, 4, 5, 6, 7)),
        node(3, "error rates"),
        node(4, "Condor was announced late in a year"),
        node(5, "error rates of chips"),
        node(6, "error rates of rivers"),
        node(8, "nothing"),
        node(9, "nothing at all"),
    )
    del graph[NodeId("n5")]  # merged away since
    ranking = index.rank(asked("Condor qubits chip"), k=2, alpha=1, exclude=[NodeId("n6")])
    assert ids(ranking.hits) == ["n1", "n2"]
    hits = expand(ranking, graph, share=0).hits
    assert [(hit.node_id, hit.via, hit.rank) for hit in hits[2:]] == [("n4", "n1", 3), ("n3", "n1", 4)]
    assert hits[:2] == ranking.hits
    assert hits[2].keyword > 0, "a neighbour carries its own scores"
    assert ids(expand(ranking, graph, exclude=[NodeId("n4")], share=0).hits) == ["n1", "n2", "n3"]
    assert ids(newest_first(hits, graph)) == ["n4", "n3", "n2", "n1"]

    index.discard(NodeId("n9"))
    with pytest.raises(RuntimeError, match="rank again"):
        expand(ranking, graph, share=0)


def test_neighbours_by_name_come_first_and_those_that_do_not_fit_a_question_stay_out() -> None:
    index, graph = indexed(
        node(1, "The long film was made by Ada Byron", links=(2, 3, 4)),
        node(2, "film reels and long nights"),
        node(3, "film of a river"),
        node(4, "nothing of that"),
        node(5, "a film"),
    )
    graph[NodeId("n3")] = replace(graph[NodeId("n3")], context="Ada Byron: she was born in a mill")
    index.sync(graph)
    ranking = index.rank(asked("long film made"), k=1, alpha=1)
    assert ids(expand(ranking, graph, share=0).hits) == ["n1", "n3", "n2", "n4"], "n2 scores more, but n1 names n3"
    expansion = expand(ranking, graph, share=0.3)
    assert ids(expansion.hits) == ["n1", "n2"]
    assert [(hit.node_id, hit.via, hit.rank) for hit in expansion.left_out] == [("n3", "n1", 3), ("n4", "n1", 4)]
    assert all(hit.score < 0.3 * ranking.hits[-1].score for hit in expansion.left_out)
    for share in (-0.1, 1.1, float("nan")):
        with pytest.raises(InputError, match="neighbor share"):
            expand(ranking, graph, share=share)


def test_without_a_share_every_neighbour_comes_and_with_one_a_dense_graph_is_bounded() -> None:
    index, graph = indexed(
        node(1, "quantum error", links=tuple(range(2, 42))), *(node(number, "quantum") for number in range(2, 42))
    )
    ranking = index.rank(asked("quantum error"), k=1, alpha=1)
    assert len(expand(ranking, graph, share=0).hits) == 41
    bounded = expand(ranking, graph, share=0.01)
    assert len(bounded.hits) + len(bounded.left_out) == 41
    assert len(bounded.hits) - 1 <= most_neighbors(1)


def test_links_are_not_indexed_and_a_whole_other_graph_takes_the_place_of_the_first() -> None:
    index, graph = indexed(node(1, "quantum error"), node(2, "the river Rhine"))
    version = index.version
    graph[NodeId("n1")] = replace(graph[NodeId("n1")], links=(NodeId("n2"),), timestamp=5.0)
    index.sync(graph, [NodeId("n1"), NodeId("n77")])
    assert index.version == version
    index.sync({NodeId("n5"): node(5, "water again")})
    assert ids(index.rank(asked("quantum"), k=9, alpha=0.5).hits) == ["n5"]
    index.discard(NodeId("n1"))
    assert (len(index), NodeId("n1") in index) == (1, False)


def test_compacts_what_many_changes_leave_behind() -> None:
    nodes = [node(number, f"text {number} of {WORDS[number % 8]}") for number in range(1, 301)]
    index, graph = indexed(*nodes)
    for turn in range(3):
        for each in nodes[turn::3]:
            graph[each.id] = replace(each, summary=f"{each.summary} turn {turn}")
            index.put(graph[each.id])
    for each in nodes[10:]:
        del graph[each.id]
        index.discard(each.id)
    assert index.keyword.rows == index.vector.rows < 300
    query = asked("text of water qubit 7", seed=3)
    fresh, _ = indexed(*graph.values())
    assert index.rank(query, k=4, alpha=0.5) == fresh.rank(query, k=4, alpha=0.5)
    assert index.rank(query, k=4, alpha=0.5, below=0).below == ()


def test_level_scores_over_many_nodes() -> None:
    graph: dict[NodeId, Node] = {
        each.id: each for each in (node(number, "same", seed=1) for number in range(5_000, 0, -1))
    }
    index = NodeIndex(SCALE)
    index.sync(graph)
    assert ids(index.rank(asked("other", seed=2), k=3, alpha=0.5).hits) == ["n1", "n2", "n3"]


# -- names: what a topic line is on, and which memories name each other ------------------------------------------------


def named(number: int, context: str, summary: str) -> Node:
    return replace(node(number, summary), context=context)


@pytest.mark.parametrize(
    ("context", "summary", "name"), TABLES["the_name_of_a_topic_is_before_its_colon_or_the_heading_of_the_summary"]
)
def test_the_name_of_a_topic_is_before_its_colon_or_the_heading_of_the_summary(
    context: str, summary: str, name: str
) -> None:
    assert name_of(context, summary) == name


def test_a_name_stands_word_by_word() -> None:
    def shared(context: str, text: str) -> str:
        return shared_name(named(1, context, "It is so."), named(2, "", text))

    assert shared("Ada Byron: a mathematician", "The program was written by Ada Byron in 1843.") == "Ada Byron"
    assert not shared("Ada Byron: a mathematician", "Byron met Ada.")
    assert not shared("Mill: a building", "The millionaire came.")
    assert shared("南仁东：天文学家", "项目由南仁东主持。") == "南仁东"
    assert not shared("南仁东：天文学家", "南仁和东方都来了。")


def test_both_directions_and_a_common_name() -> None:
    index = NodeIndex(SCALE)
    film = named(1, "The Long Mill: A film of 1931.", "The Long Mill was directed by Ada Byron.")
    person = named(2, "Ada Byron: She was born in Leeds.", "Ada Byron was born in Leeds.")
    other = named(3, "Bridges: Some are long.", "Bridges are of stone.")
    for one in (film, other):
        index.put(one)
    assert index.naming(person) == ["n1"]
    index.put(person)
    assert index.naming(film) == ["n2"]
    assert index.naming(other) == []
    index.discard(NodeId("n2"))
    assert index.naming(film) == []

    index.put(person)
    for number in range(4, 4 + COMMON_NAME):
        index.put(named(number, "", f"In text {number} Ada Byron is mentioned."))
    assert index.naming(film) == [], "a name that stands everywhere is no link"

    index = NodeIndex(SCALE)
    index.put(named(1, "Old Name: text", "text"))
    index.put(named(1, "New Name: text", "text of another kind"))
    assert index.naming(named(9, "", "Both Old Name and New Name stand here.")) == ["n1"]
    assert index.naming(named(9, "", "Old Name stands here.")) == [], "a changed topic changes the name"
    index.sync({})
    assert index.naming(named(9, "", "New Name stands here.")) == []
