"""The live feed: what happened, the newest on top, conflicts and merges not to be missed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from memorybank.types import Lang
from memorybank.ui.feed import FeedItem, say
from memorybank.ui.i18n import t
from memorybank.ui.links import link
from memorybank.ui.rich import Box, box, draw

MOST_LINES, MOST_QUIET = 200, 40
"""Shown at once. Quiet lines give way first, so that a conflict stays on the page however much is filed after it."""


def draw_feed(items: Sequence[FeedItem], lang: Lang) -> None:
    shown = newest(items)
    lines: list[Box] = []
    for (round_, stage), group in groupby(shown, key=lambda item: (item.round, item.stage)):
        lines.append(box("li", "head", _head(round_, stage, lang)))
        lines.extend(
            box(
                "li",
                item.tone,
                box("span", "text", say(item, lang)),
                choose=link("node", item.node) if item.node else "",
            )
            for item in group
        )
    if len(shown) < len(items):
        lines.append(box("li", "head", t("feed.earlier", lang, count=len(items) - len(shown))))
    empty = box("p", "muted", t("feed.empty", lang))
    draw(
        [box("ol", "feed", *lines) if lines else empty],
        key="feed",
    )


def _target(item: FeedItem) -> str:
    return link("node", item.node) if item.node else ""


def newest(items: Sequence[FeedItem]) -> list[FeedItem]:
    """The lines to show, the newest first."""
    shown: list[FeedItem] = []
    quiet = 0
    for item in reversed(items):
        quiet += item.tone == "quiet"
        if item.tone != "quiet" or quiet <= MOST_QUIET:
            shown.append(item)
        if len(shown) == MOST_LINES:
            break
    return shown


def _head(round_: int, stage: str, lang: Lang) -> str:
    name = t(f"stage.{stage}", lang)
    return f"{t('feed.round', lang, round=round_)} · {name}" if round_ else name
