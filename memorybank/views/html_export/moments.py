"""What the graph shows after each stage of a run, and the sentence on what the stage did.

    {"at": 3, "moments": [{"seq": 17, "tone": "conflict", "words": …, "changes": [[part, name, content], …]}, …], …}

The memory changes where a stage ends; each moment has what differs from the one before it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

from memorybank.memory.types import Lang
from memorybank.runs.stages import ends_stage
from memorybank.views.graph.model import changes_between, parts_of
from memorybank.views.graph.moment_view import view_of
from memorybank.views.i18n import sentences_under, t
from memorybank.views.run.commits import Records
from memorybank.views.run.feed import say
from memorybank.views.run.feed_item import FeedItem
from memorybank.views.run.playback import Playback
from memorybank.views.text.display import plain

_RANK = ("quiet", "plain", "new", "task", "failure", "merge", "verdict", "conflict", "answer")
"""Tones of what happened: of one stage, what comes last here is told."""


def moments_of(records: Records, lang: Lang, *, at: int | None, since: int) -> dict[str, Any]:
    """Return all moments from `since` on, which of them is shown first, and what the page says."""
    playback, parts = Playback(), dict[str, dict[str, Any]]()
    done: FeedItem | None = None
    moments: list[dict[str, Any]] = []
    seqs = [since, *(record.seq for record in records[since:] if ends_stage(record))]
    items = playback.at(records).feed
    for before, seq in zip([seq - 1 for seq in seqs[:1]] + seqs, seqs, strict=False):
        shown = parts_of(view_of(playback.at(records[:seq]), None, lang))
        done = _most_telling(item for item in items if before < item.seq <= seq) or done
        moments.append(
            {
                "seq": seq,
                "tone": done.tone if done else "quiet",
                "head": _head(done, lang) if done else "",
                "words": plain(say(done, lang)) if done else t("export.begin", lang),
                "changes": changes_between(parts, shown),
            }
        )
        parts = shown
    return {
        "at": len(seqs) - 1 if at is None else max(0, bisect_right(seqs, at) - 1),
        "moments": moments,
        "gone": playback.at(records).bank.graph.gone,
        "words": sentences_under("export.page.", lang),
    }


def _most_telling(items: Iterable[FeedItem]) -> FeedItem | None:
    """The last of what matters most."""
    return max(items, key=lambda item: (_RANK.index(item.tone), item.seq), default=None)


def _head(item: FeedItem, lang: Lang) -> str:
    stage = t(f"stage.{item.stage}", lang)
    return t("export.round", lang, round=item.round, stage=stage) if item.round else stage
