"""The live feed: what happened, the newest on top, searched by words; every line is a link."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from itertools import groupby

from memorybank.memory.events import AgentCalled
from memorybank.memory.types import Lang
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import draw_search
from memorybank.ui.shell.widgets import FEED_TEXT
from memorybank.views.box import Box, box, muted
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.feed import FeedItem, say

WINDOW = 30
"""The number of lines shown at once."""


def draw_feed(items: Sequence[FeedItem], lang: Lang) -> None:
    """Draw the newest lines of those that are asked for."""
    matches = matching(items, draw_search(t("session.feed.search", lang), FEED_TEXT.key), lang)
    limit = page_end("feed", WINDOW)
    draw(feed_box(matches, lang, limit=limit), key="feed")
    draw_more("feed", WINDOW, len(matches), lang)


def matching(items: Sequence[FeedItem], text: str, lang: Lang) -> list[FeedItem]:
    """Return the lines with all of these words, oldest first; without words all but the calls, which drown the rest."""
    words = text.casefold().split()
    if not words:
        return [item for item in items if not (isinstance(item.record.event, AgentCalled) and item.tone == "quiet")]
    return [item for item in items if all(word in say(item, lang).casefold() for word in words)]


def feed_box(items: Sequence[FeedItem], lang: Lang, *, limit: int = WINDOW) -> Box:
    """Return the lines under the stage in which they happened; what is not shown is counted."""
    shown = items[: -limit - 1 : -1]
    lines: list[Box] = []
    for (round_, stage), group in groupby(shown, key=lambda item: (item.round, item.stage)):
        lines.append(box("li", "head", _head(round_, stage, lang)))
        lines.extend(feed_line(item, lang) for item in group)
    if not lines:
        return muted(t("feed.empty", lang))
    rest = len(items) - len(shown)
    return box("ol", "feed", *lines, box("li", "head", t("feed.earlier", lang, count=rest)) if rest else None)


@functools.lru_cache(maxsize=4096)
def feed_line(item: FeedItem, lang: Lang) -> Box:
    """Return a line that leads to what it is about, else to its moment."""
    target = link(*item.targets[0]) if item.targets else link("moment", item.seq)
    return box(
        "li", item.tone, box("span", "text", say(item, lang), choose=target), box("span", "ev-seq", f"#{item.seq}")
    )


def _head(round_: int, stage: str, lang: Lang) -> str:
    name = t(f"stage.{stage}", lang)
    return f"{t('feed.round', lang, round=round_)} · {name}" if round_ else name
