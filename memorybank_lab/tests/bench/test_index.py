from __future__ import annotations

import json

from memorybank.settings.config import VectorStorePlace
from memorybank_lab.bench.index import QUICK, EmbeddingRow, IndexRow, as_json, as_table, run
from memorybank_studio.tests.hub.semantic.server import Server
from tests.retrieval.places import chroma

__all__ = ["chroma"]


def test_an_index_in_memory_and_on_a_server_side_by_side(chroma: Server) -> None:
    parts: list[str] = []
    rows = run(parts.append, VectorStorePlace(url=f"http://127.0.0.1:{chroma.port}"), **QUICK)
    embedding, memory, server = rows
    assert isinstance(embedding, EmbeddingRow)
    assert embedding.nodes_a_second > 0
    for row, where in ((memory, "memory"), (server, "server")):
        assert isinstance(row, IndexRow)
        assert (row.where, row.size, row.same) == (where, 300, 1.0)
        assert 0 < row.p50_ms <= row.p95_ms
        assert row.build_s > 0
    assert len(parts) == 3
    assert [row["kind"] for row in json.loads(as_json(rows))] == ["EmbeddingRow", "IndexRow", "IndexRow"]
    assert "same hits" in as_table(rows)
