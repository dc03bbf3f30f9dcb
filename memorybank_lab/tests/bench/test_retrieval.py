from __future__ import annotations

from memorybank.retrieval.index import document_tokens
from memorybank.retrieval.vector import decode
from memorybank.settings.config import Settings, VectorStorePlace
from memorybank_lab.bench.retrieval import ServerRow, Subject, on_server, ranked, rebuilt_query, run, specified_query
from memorybank_lab.bench.table import MemoryRow, TimingRow
from memorybank_studio.tests.hub.semantic.server import Server
from tests.retrieval.places import chroma

__all__ = ["chroma"]


def test_every_operation_at_every_size() -> None:
    parts: list[str] = []
    rows = run(parts.append, Settings(), sizes=(60, 30))
    timed = [row for row in rows if isinstance(row, TimingRow)]
    ops = ["add", "update", "remove", "query after a change", "steady query", "steady query"]
    assert [(row.op, row.size) for row in timed] == [(op, size) for size in (30, 60) for op in ops]
    assert all(0 < row.p50_ms <= row.p95_ms for row in timed)
    assert [row.op for row in timed if row.ratio is None] == ["add", "update", "remove"]
    assert [row.size for row in timed if row.extrapolated] == [60]
    memory = [row for row in rows if isinstance(row, MemoryRow)]
    assert {row.size for row in memory} == {30, 60}
    assert all(row.bytes > 0 for row in memory if row.op != "index")
    assert len(parts) == 6


def test_what_is_compared_finds_the_same_nodes() -> None:
    import numpy as np
    from rank_bm25 import BM25Okapi

    subject = Subject(200, seed=3)
    corpus = [document_tokens(node) for node in subject.nodes]
    matrix = np.stack([decode(node.vector) for node in subject.nodes])
    for query in subject.queries(5):
        ours = ranked(subject.index, query)
        assert ours == [subject.nodes[row].id for row in rebuilt_query(corpus, matrix, query)]
    assert specified_query(BM25Okapi(corpus), matrix, query)[0] == int(ours[0][1:]) - 1
    assert [node.id for node in Subject(5, seed=3).nodes] == ["n1", "n2", "n3", "n4", "n5"]
    assert Subject(5, seed=3).nodes == Subject(5, seed=3).nodes


def test_a_server_finds_the_same_beside(chroma: Server) -> None:
    steady, changed, whole = on_server(Subject(300, seed=0), VectorStorePlace(url=f"http://127.0.0.1:{chroma.port}"))
    for row in (steady, changed):
        assert isinstance(row, TimingRow)
        assert row.baseline == "in memory"
    assert isinstance(whole, ServerRow)
    assert (whole.size, whole.same) == (300, 1.0)
