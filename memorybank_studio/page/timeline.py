"""The timeline, the chapters with who is in each, three or hundreds, and how long the story is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.views.box import Box, Piece, aside, box, muted, row_of
from memorybank.views.i18n import t
from memorybank_studio.continuity.profile import Person, Timeline, TimelineChapter, timeline
from memorybank_studio.page.shelf import OpenStudio

CHAPTERS: Final = 40
"""Lines of a page."""
MOST_CHIPS: Final = 16
"""People of a chapter's line."""


def draw_timeline(held: OpenStudio, lang: Lang) -> None:
    shown = timeline(held.studio.stores)
    _draw_length(held, lang)
    if not shown.chapters:
        draw(muted(t("studio.timeline_none", lang)), key="studio-timeline-none")
        return
    draw(muted(t("studio.timeline_lead", lang)), key="studio-timeline-lead")
    _draw_chapters(held, shown, lang)


def _draw_chapters(held: OpenStudio, shown: Timeline, lang: Lang) -> None:
    page = shown.chapters[: page_end("studio-timeline-chapters", CHAPTERS)]
    lines = (_line(chapter, shown.people, held.card.lang, lang) for chapter in page)
    draw(box("ul", "line-list", *lines), key="studio-timeline")
    draw_more("studio-timeline-chapters", CHAPTERS, len(shown.chapters), lang)


def _line(chapter: TimelineChapter, people: Sequence[Person], story: Lang, lang: Lang) -> Box:
    number = chapter.number
    length = _counted(chapter.words, story, lang) if chapter.words else t("studio.timeline_no_text", lang)
    there = [person for person in people if number in person.present]
    there.sort(key=lambda person: number not in person.settled)
    chips: list[Piece] = [_chip(person, number, lang) for person in there[:MOST_CHIPS]]
    if more := len(there) - MOST_CHIPS:
        chips += [aside(t("studio.timeline_more", lang, count=more))] if more > 0 else []
    return box(
        "li",
        "",
        row_of(
            box("span", "text strong", t("studio.chapter", lang, number=number, title=chapter.title)), aside(length)
        ),
        row_of(*chips) if chips else aside(t("studio.timeline_nobody", lang)),
        box("p", "small text", t("studio.timeline_events", lang, events=", ".join(chapter.events)))
        if chapter.events
        else None,
    )


def _chip(person: Person, number: int, lang: Lang) -> Box:
    is_settled = number in person.settled
    words = t(f"studio.timeline_{'settled' if is_settled else 'named'}", lang, name=person.name, chapters=number)
    return box("span", "chip task" if is_settled else "chip", person.name, title=words)


def _counted(words: int, story: Lang, lang: Lang) -> str:
    """`12,345 words`; of a Chinese story characters. `lang`: of the page."""
    return t(f"chapter.words_{story}", lang, count=words if words == 1 else f"{words:,}")


def _draw_length(held: OpenStudio, lang: Lang) -> None:
    """How long the story is, as far as it is in the archive."""
    lengths = held.studio.stores.archive.lengths()
    total = _counted(sum(lengths.values()), held.card.lang, lang)
    words = t("studio.words_total", lang, words=total, count=len(lengths))
    draw(box("p", "text strong", words), key="studio-words-story")
