"""The timeline, the chapters with who is in each, three or hundreds, and how long the story is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import back_to_first_page, draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.views.box import Box, Piece, aside, box, muted, row_of
from memorybank.views.i18n import t
from memorybank_studio.chapters.manuscript import story_words
from memorybank_studio.continuity.profile import Person, Timeline, TimelineChapter, timeline
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import TIMELINE_PEOPLE

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
    _draw_chapters(held, shown, _chosen(shown, lang), lang)


def _state(person: Person, number: int) -> str:
    if number in person.dead:
        return "gone"
    if number in person.settled:
        return "settled"
    return "named" if number in person.named else ""


def _chosen(shown: Timeline, lang: Lang) -> list[Person]:
    people = {str(person.key): person for person in shown.people}
    if not people:
        return []
    TIMELINE_PEOPLE.set([key for key in TIMELINE_PEOPLE.value([]) if key in people])  # a person may be gone by now
    keys = st.multiselect(
        t("studio.timeline_all_of", lang),
        list(people),
        format_func=lambda key: people[key].name,
        key=TIMELINE_PEOPLE.key,
        persist_state="session",
        on_change=partial(back_to_first_page, "studio-timeline-chapters"),
    )
    return [people[key] for key in keys]


def _draw_chapters(held: OpenStudio, shown: Timeline, chosen: Sequence[Person], lang: Lang) -> None:
    chapters = [chapter for chapter in shown.chapters if all(chapter.number in one.present for one in chosen)]
    if chosen:
        draw(muted(t("studio.timeline_found", lang, count=len(chapters))), key="studio-timeline-count")
    page = chapters[: page_end("studio-timeline-chapters", CHAPTERS)]
    lines = (_line(chapter, shown.people, held.card.lang, lang) for chapter in page)
    draw(box("ul", "line-list", *lines), key="studio-timeline")
    draw_more("studio-timeline-chapters", CHAPTERS, len(chapters), lang)


def _line(chapter: TimelineChapter, people: Sequence[Person], story: Lang, lang: Lang) -> Box:
    number = chapter.number
    length = _counted(chapter.words, story, lang) if chapter.words else t("studio.timeline_no_text", lang)
    there = [person for person in people if number in person.present]
    there.sort(key=lambda person: number not in person.settled)
    chips: list[Piece] = [_chip(person, number, lang) for person in there[:MOST_CHIPS]]
    if more := len(there) - MOST_CHIPS:
        chips += [aside(t("studio.timeline_more", lang, count=more))] if more > 0 else []
    chips += [_chip(person, number, lang) for person in people if number in person.dead]
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
    state = _state(person, number)
    words = t(f"studio.timeline_{state}", lang, name=person.name, chapters=number)
    look = {"settled": "task", "gone": "disputed"}.get(state, "")
    name = t("studio.timeline_dead", lang, name=person.name) if state == "gone" else person.name
    return box("span", f"chip {look}".strip(), name, title=words)


def _counted(words: int, story: Lang, lang: Lang) -> str:
    """`12,345 words`; of a Chinese story characters. `lang`: of the page."""
    return t(f"chapter.words_{story}", lang, count=words if words == 1 else f"{words:,}")


def _draw_length(held: OpenStudio, lang: Lang) -> None:
    """How long the story is, the chapters in writing with it."""
    chapters, story = story_words(held.studio.stores, held.studio.gateway.chapters.all()), held.card.lang
    total = _counted(sum(chapter.words for chapter in chapters), story, lang)
    words = [t("studio.words_total", lang, words=total, count=len(chapters))]
    if writing := sum(chapter.words for chapter in chapters if chapter.in_writing):
        words.append(t("studio.words_in_writing", lang, words=_counted(writing, story, lang)))
    draw(box("p", "text strong", " · ".join(words)), key="studio-words-story")
