from __future__ import annotations

from memorybank.settings.config import Settings, VectorStorePlace
from memorybank_lab.bench.retrieval import NodeSource, run
from memorybank_studio.tests.hub.semantic.server import Server
from tests.retrieval.places import chroma

__all__ = ["chroma"]


def test_the_material_is_the_same_each_time() -> None:
    assert list(NodeSource(3).nodes(5)) == list(NodeSource(3).nodes(5))


def test_a_server_is_measured_beside_and_finds_the_same(chroma: Server) -> None:
    parts: list[str] = []
    settings = Settings(vector_store=VectorStorePlace(url=f"http://127.0.0.1:{chroma.port}"))
    rows = run(parts.append, settings, sizes=(60, 30))
    assert [(row["nodes"], row["vectors"]) for row in rows] == [
        ("30", "memory"),
        ("30", "server"),
        ("60", "memory"),
        ("60", "server"),
    ]
    assert len(parts) == 4
    assert {row["same hits"] for row in rows} == {"1.00"}
    assert all(float(row["after a change"]) > 0 for row in rows)
