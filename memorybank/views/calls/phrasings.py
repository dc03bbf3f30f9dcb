"""What memories say, and said before: every phrasing of every memory, and where words stand in it.

A phrasing is named by its node, and by the event that ended it where it does not hold any more: `n4`, `n4.117`.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from memorybank.language.text import sentences
from memorybank.memory.types import NodeId
from memorybank.views.calls.authors import Authors
from memorybank.views.memory.node_history import NodeStory

MOST_SHOWN = 30
"""Sentences that a search shows."""
Ended = Literal["", "merged", "undone"]


@dataclass(frozen=True, slots=True)
class Phrasing:
    node: NodeId
    context: str
    summary: str
    before: int
    """The event before which it was said last."""
    ended: Ended = ""
    """Why it is not said any more; empty: it is."""

    @property
    def id(self) -> str:
        return f"{self.node}.{self.before}" if self.ended else self.node


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Words in a sentence of a memory: `phrasing.summary[start:end]`."""

    phrasing: Phrasing
    sentence: str
    start: int
    end: int


def phrasings(known: Authors, live: Container[NodeId]) -> tuple[Phrasing, ...]:
    """Those that hold first, the newest node first; then what was said before."""
    after = len(known.records) + 1
    listed = [
        phrasing for node_id, story in known.stories.items() for phrasing in _of(node_id, story, node_id in live, after)
    ]
    return (*(kept for kept in reversed(listed) if not kept.ended), *(gone for gone in reversed(listed) if gone.ended))


def _of(node_id: NodeId, story: NodeStory, is_live: bool, after: int) -> Iterator[Phrasing]:
    for number, step in enumerate(story.steps):
        following = story.steps[number + 1] if number + 1 < len(story.steps) else None
        wording = step.after
        if step.kind == "gone":
            continue
        if following is None:
            yield Phrasing(node_id, wording.context, wording.summary, after, "" if is_live else "undone")
        elif following.kind == "gone":
            yield Phrasing(node_id, wording.context, wording.summary, following.seq, "merged")


def find(listed: Sequence[Phrasing], words: str) -> list[Occurrence]:
    """Where memories say these words, white space and case aside; of one node each sentence once."""
    parts = words.split()
    pattern = re.compile(r"\s+".join(map(re.escape, parts)), re.IGNORECASE)
    return list(islice(_occurrences(listed, pattern), MOST_SHOWN)) if parts else []


def _occurrences(listed: Sequence[Phrasing], pattern: re.Pattern[str]) -> Iterator[Occurrence]:
    seen: set[tuple[NodeId, str]] = set()
    for phrasing in listed:
        if not pattern.search(phrasing.summary):
            continue
        for start, end in sentences(phrasing.summary):
            sentence = phrasing.summary[start:end].strip()
            match = pattern.search(phrasing.summary, start, end)
            if match and (phrasing.node, sentence) not in seen:
                seen.add((phrasing.node, sentence))
                yield Occurrence(phrasing, sentence, match.start(), match.end())
