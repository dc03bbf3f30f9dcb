"""How answers cite a memory: `[n7]`, `[n7: a.md, b.md]` (prompts/wording.*.yaml)."""

from __future__ import annotations

import re

from memorybank.memory.types import NodeId

CITATION_RE = re.compile(r"\s*\[(?P<node>n\d+)(?:\s*[:：]\s*(?P<sources>[^\]]*))?\]")
"""With the white space before it."""


def cited(answer: str) -> list[NodeId]:
    """The nodes that an answer cites, each once, in the order in which they come."""
    return [NodeId(node_id) for node_id in dict.fromkeys(match["node"] for match in CITATION_RE.finditer(answer))]


def names_of(sources: str) -> list[str]:
    """The documents that a citation names behind its memory."""
    return [name.strip() for name in re.split("[,，、]", sources) if name.strip()]


def without_citations(answer: str) -> str:
    return CITATION_RE.sub("", answer)
