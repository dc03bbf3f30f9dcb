from __future__ import annotations

from memorybank.settings.config import Settings
from memorybank_lab.bench.retrieval import NodeSource, run


def test_the_material_is_the_same_each_time() -> None:
    assert list(NodeSource(3).nodes(5)) == list(NodeSource(3).nodes(5))


def test_every_size_is_measured() -> None:
    parts: list[str] = []
    rows = run(parts.append, Settings(), sizes=(60, 30))
    assert [row["nodes"] for row in rows] == ["30", "60"]
    assert len(parts) == 2
    assert all(float(row["after a change"]) > 0 for row in rows)
