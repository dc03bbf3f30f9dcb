"""The picture that is drawn once out of sight: every look there is, so that the browser has met each of them."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from memorybank.views.graph.items import all_looks
from memorybank.views.graph.packing import graph_look, graph_words

_ROUNDS, _COLUMNS, _GAP = 2, 20, 90


def rehearsal() -> str:
    """A picture as JSON. It shows nobody's memory."""
    drawn = list(all_looks("en"))
    looks = [look for look in drawn if "from" not in look] * _ROUNDS
    nodes: list[dict[str, Any]] = [
        {**look, "id": f"n{i}", "label": f"rehearsal {i}", "x": i % _COLUMNS * _GAP, "y": i // _COLUMNS * _GAP}
        for i, look in enumerate(looks)
    ]
    lines = [look for look in drawn if "from" in look]
    edges = [
        {**lines[i % len(lines)], "id": f"{a['id']}|{b['id']}", "from": a["id"], "to": b["id"]}
        for i, (a, b) in enumerate(pairwise(nodes))
    ]
    still: dict[str, Any] = {"legend": [], "dim": 1, "description": "", "notice": "", "calm": True}
    return json.dumps({"nodes": nodes, "edges": edges, **graph_look(), "words": graph_words("en"), **still})
