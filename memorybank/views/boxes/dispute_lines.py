"""A dispute in lists: what it is on, its values with their sources, and the way to each conflict behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memorybank.contradiction.disputes.dispute import Dispute, Said, StatedValue, title
from memorybank.language.text import fold_space
from memorybank.memory.types import ConflictId, ConflictStatus, Lang, MergeEvent
from memorybank.views.box import Box, aside, box, chip, muted
from memorybank.views.boxes.conflicts import merge_chip, status_chip
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.conflict_life import number
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip

MOST_VALUES, MOST_SOURCES = 4, 3
"""Of a dispute, and of a value; the others are counted."""
TITLE, VALUE, SOURCE = 130, 100, 40
"""Columns."""


def dispute_line(dispute: Dispute, lang: Lang) -> Box:
    """A list item that holds a button, and below it the single conflicts where there are several."""
    line = box(
        "div",
        "dispute-line",
        status_chip(dispute.status, lang),
        box("div", "", box("p", "strong text", clip(title(dispute, lang), TITLE)), *value_lines(dispute, lang)),
        choose=link("conflict", dispute.conflict_ids[0]),
    )
    return box("li", "", line, members_row(dispute, lang))


def value_lines(dispute: Dispute, lang: Lang) -> list[Box]:
    """A line for each value with who states it; what holds comes first."""
    lines = [_value(value, lang, holds=value is dispute.holds) for value in dispute.values[:MOST_VALUES]]
    rest = len(dispute.values) - MOST_VALUES
    return [*lines, box("p", "muted small", t("conflicts.more_values", lang, count=rest))] if rest > 0 else lines


def _value(value: StatedValue, lang: Lang, *, holds: bool) -> Box:
    return box(
        "p",
        "dispute-value text",
        box("span", "strong" if holds else "", clip(value.text, VALUE)),
        chip(t("conflicts.holds_chip", lang), "done small") if holds else None,
        aside(*_sources(value.said, lang)) if value.said else aside(t("conflicts.no_source", lang)),
    )


def _sources(said: tuple[Said, ...], lang: Lang) -> Iterator[Box | str]:
    """Yield the first by name, each with its words in the title, and the others as a number."""
    for place, voice in enumerate(said[:MOST_SOURCES]):
        yield t("punctuation.list", lang) if place else ""
        yield box("span", "", clip(voice.source, SOURCE), title=in_words(voice.source, voice.quote, lang))
    if len(said) > MOST_SOURCES:
        yield f"{t('punctuation.list', lang)}+{len(said) - MOST_SOURCES}"


def in_words(source: str, quote: str, lang: Lang) -> str:
    """A source with what it says: `guide.md: “Built in 1912.”`."""
    return t("conflicts.in_words", lang, source=source, quote=fold_space(quote)) if quote else source


def members_row(dispute: Dispute, lang: Lang, current: ConflictId | None = None) -> Box | None:
    """The conflicts of a dispute, numbered, each a link; None where it is the only one."""
    if len(dispute.conflict_ids) < 2:
        return None
    links = [_member(place, id_, id_ == current) for place, id_ in enumerate(dispute.conflict_ids, start=1)]
    pairs = t("conflicts.in_pairs", lang, count=len(links))
    return box("div", "leads-row small", box("span", "muted", pairs), *links)


def _member(place: int, conflict_id: ConflictId, current: bool) -> Box:
    if current:
        return box("span", "strong", str(place))
    return box("span", "leads", str(place), choose=link("conflict", conflict_id))


def disputes_with(conflict_id: ConflictId, disputes: Iterable[Dispute]) -> list[Dispute]:
    """The disputes that a conflict is part of: one for each matter that it is on."""
    return [dispute for dispute in disputes if conflict_id in dispute.conflict_ids]


def in_order(disputes: Iterable[Dispute]) -> list[Dispute]:
    """Open ones first, the newest of each on top."""
    newest = sorted(disputes, key=lambda dispute: number(dispute.conflict_ids[-1]), reverse=True)
    return sorted(newest, key=lambda dispute: dispute.status is not ConflictStatus.OPEN)


# -- disputes and merges at a glance ----------------------------------------------------------------------------------


MOST = 12
"""Lines of each kind; the oldest are counted."""


def disputes_box(moment: Moment, lang: Lang) -> Box:
    disputes = in_order(moment.disputes)
    merges = sorted(moment.bank.tree.merge_events.values(), key=lambda merge: number(merge.id), reverse=True)
    if not disputes and not merges:
        return muted(t("events.none", lang))
    return box(
        "div",
        "stack disputes",
        _lines([dispute_line(dispute, lang) for dispute in disputes[:MOST]], len(disputes), lang),
        _lines([_merge(merge, lang) for merge in merges[:MOST]], len(merges), lang),
    )


def _lines(lines: list[Box], total: int, lang: Lang) -> Box | None:
    if not lines:
        return None
    rest = total - len(lines)
    more = box("li", "muted small", t("session.disputes.more", lang, count=rest)) if rest > 0 else None
    return box("ul", "dispute-lines", *lines, more)


def _merge(merge: MergeEvent, lang: Lang) -> Box:
    """A list item that holds a button: an item that is one would be no item for a screen reader."""
    words = box("span", "text", merge.description)
    line = box("div", "dispute-line", merge_chip(merge, lang), words, choose=link("merge", merge.id))
    return box("li", "", line)
