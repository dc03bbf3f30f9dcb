"""The live feed: what happened, the newest on top, filtered by kind and by text; every line is a link."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import get_args

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich.live import draw_live
from memorybank.ui.shell.widgets import FEED_KINDS, FEED_TEXT
from memorybank.views.box import Box, box, muted
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.feed import say
from memorybank.views.run.feed_item import FeedItem
from memorybank.views.run.feed_targets import FeedKind

KINDS: tuple[FeedKind, ...] = get_args(FeedKind)
WINDOW, CHUNK = 150, 50
"""Lines shown at once; the oldest ones leave fifty at a time, so that a new line is all that a browser is sent."""

SHOWN = tuple(kind for kind in KINDS if kind != "calls")
"""At first: every call of an agent stands on the Prompt & calls page; here they would drown the rest."""


def draw_feed_filter(lang: Lang, redraw: Callable[[], None]) -> None:
    """Kinds and words. Drawn once, beside the fragment that draws the feed; `redraw` is called on a choice."""
    with st.container(horizontal=True, vertical_alignment="center", key="feed-filter", gap="small"):
        st.text_input(
            t("session.feed.search", lang),
            key=FEED_TEXT.key,
            placeholder=t("session.feed.search", lang),
            label_visibility="collapsed",
            icon=":material/search:",
            persist_state="session",
            on_change=redraw,
        )
        with st.popover(t("session.feed.kinds", lang), icon=":material/filter_list:", key="popover-kinds"):
            FEED_KINDS.begin_with(list(SHOWN))
            st.pills(
                t("session.feed.kinds_help", lang),
                KINDS,
                format_func=lambda kind: t(f"session.feed.kind.{kind}", lang),
                selection_mode="multi",
                key=FEED_KINDS.key,
                persist_state="session",
                on_change=redraw,
            )


def chosen(items: Sequence[FeedItem], lang: Lang) -> list[FeedItem]:
    """The lines that the reader asks for, oldest first."""
    kinds = frozenset(FEED_KINDS.value(SHOWN))
    return matching(items, kinds, FEED_TEXT.held() or "", lang)


def matching(items: Sequence[FeedItem], kinds: frozenset[str], text: str, lang: Lang) -> list[FeedItem]:
    matches = [item for item in items if item.kind in kinds]
    words = text.casefold().split()
    if not words:
        return matches
    return [item for item in matches if all(word in say(item, lang).casefold() for word in words)]


def draw_feed(items: Sequence[FeedItem], lang: Lang) -> None:
    """The newest lines of those that are asked for."""
    matches = chosen(items, lang)
    limit = page_end("feed", WINDOW)
    draw_live(feed_box(matches, lang, limit=limit, hidden=len(items) - len(matches)), key="feed")
    if len(matches) > len(newest(matches, limit)):
        draw_more("feed", WINDOW, len(matches), lang, label="session.feed.more", is_noted=False)


def feed_box(items: Sequence[FeedItem], lang: Lang, *, limit: int = WINDOW, hidden: int = 0) -> Box:
    """Lines under the stage in which they happened; what is not shown is counted."""
    shown = newest(items, limit)
    lines: list[Box] = []
    for (round_, stage), group in groupby(shown, key=lambda item: (item.round, item.stage)):
        lines.append(box("li", "head", _head(round_, stage, lang)))
        lines.extend(feed_line(item, lang) for item in group)
    if not lines:
        return muted(t("session.feed.none" if hidden else "feed.empty", lang))
    notes = []
    if len(shown) < len(items):
        notes.append(t("feed.earlier", lang, count=len(items) - len(shown)))
    if hidden:
        notes.append(t("session.feed.hidden", lang, count=hidden))
    return box("ol", "feed", *lines, box("li", "head", " · ".join(notes)) if notes else None)


@functools.lru_cache(maxsize=4096)
def feed_line(item: FeedItem, lang: Lang) -> Box:
    """The line leads to what it is about; small, beside it, to the rest: its call, its entry, its moment."""
    first, *others = item.targets or (("", ""),)
    more = [box("span", "ev-link", t(f"session.feed.to_{kind}", lang), choose=link(kind, id_)) for kind, id_ in others]
    return box(
        "li",
        item.tone,
        box("span", "text", say(item, lang), choose=link(*first) if first[0] else ""),
        box("span", "ev-links", *more, box("span", "ev-seq", f"#{item.seq}", choose=link("moment", item.seq))),
    )


def newest(items: Sequence[FeedItem], limit: int = WINDOW) -> list[FeedItem]:
    """The lines to show, the newest first: `limit` of them and up to a chunk more."""
    first = max(0, (len(items) - limit) // CHUNK * CHUNK)
    return list(reversed(items[first:]))


def _head(round_: int, stage: str, lang: Lang) -> str:
    name = t(f"stage.{stage}", lang)
    return f"{t('feed.round', lang, round=round_)} · {name}" if round_ else name
