"""The timeline, the chapters with who is in each, three or hundreds; and how long the story is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import back_to_first_page, draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.kept import problems_kept
from memorybank.views.box import Box, Piece, aside, box, muted, row_of
from memorybank.views.i18n import t
from memorybank_studio.chapters.manuscript import MOST_GOAL, ChapterWords, Goals, story_words
from memorybank_studio.continuity.profile import Person, Timeline, TimelineChapter, timeline
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import TIMELINE_PEOPLE

CHAPTERS: Final = 40
"""Lines of a page."""
MOST_CHIPS: Final = 16
"""People of a chapter's line."""


def draw_timeline(held: OpenStudio, lang: Lang) -> None:
    shown = timeline(held.studio.stores)
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
    story, goal = held.card.lang, held.studio.gateway.by_hand.goals.chapter
    chapters = [chapter for chapter in shown.chapters if all(chapter.number in one.present for one in chosen)]
    if chosen:
        draw(muted(t("studio.timeline_found", lang, count=len(chapters))), key="studio-timeline-count")
    page = chapters[: page_end("studio-timeline-chapters", CHAPTERS)]
    lines = (_line(chapter, shown.people, _length(chapter.words, goal, story, lang), lang) for chapter in page)
    draw(box("ul", "line-list", *lines), key="studio-timeline")
    draw_more("studio-timeline-chapters", CHAPTERS, len(chapters), lang)


def _line(chapter: TimelineChapter, people: Sequence[Person], length: str, lang: Lang) -> Box:
    number = chapter.number
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


def _length(words: int, goal: int, story: Lang, lang: Lang) -> str:
    """How long a chapter is, and how far from the goal, if there is one."""
    if not words:
        return t("studio.timeline_no_text", lang)
    return " · ".join((counted(words, story, lang), *((_progress(words, goal, story, lang),) if goal else ())))


def _chip(person: Person, number: int, lang: Lang) -> Box:
    state = _state(person, number)
    words = t(f"studio.timeline_{state}", lang, name=person.name, chapters=number)
    look = {"settled": "task", "gone": "disputed"}.get(state, "")
    name = t("studio.timeline_dead", lang, name=person.name) if state == "gone" else person.name
    return box("span", f"chip {look}".strip(), name, title=words)


# -- how long the story is ---------------------------------------------------------------------------------------------


def draw_words(held: OpenStudio, lang: Lang) -> None:
    gateway, story = held.studio.gateway, held.card.lang
    chapters = story_words(held.studio.stores, gateway.chapters.all())
    goals = gateway.by_hand.goals
    total = sum(chapter.words for chapter in chapters)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader(t("studio.words_story", lang), anchor=False)
        _draw_goal(total, goals.story, _story_lines(chapters, goals, total, story, lang), "story", story, lang)
    with right:
        st.subheader(t("studio.words_today", lang), anchor=False)
        today = gateway.by_hand.written_today()
        _draw_goal(
            today, goals.day, [t("studio.words_today_is", lang, words=counted(today, story, lang))], "day", story, lang
        )
    _draw_goals(held, goals, lang)


def counted(words: int, story: Lang, lang: Lang) -> str:
    """`12,345 words`; of a Chinese story characters. `lang`: of the page."""
    return t(f"chapter.words_{story}", lang, count=words if words == 1 else f"{words:,}")


def _story_lines(chapters: Sequence[ChapterWords], goals: Goals, total: int, story: Lang, lang: Lang) -> list[str]:
    lines = [t("studio.words_total", lang, words=counted(total, story, lang), count=len(chapters))]
    if writing := sum(chapter.words for chapter in chapters if chapter.in_writing):
        lines.append(t("studio.words_in_writing", lang, words=counted(writing, story, lang)))
    if goals.day and total < goals.story:
        lines.append(t("studio.words_days", lang, count=-((total - goals.story) // goals.day)))
    return lines


def _draw_goal(words: int, goal: int, lines: Sequence[str], key: str, story: Lang, lang: Lang) -> None:
    first = box("p", "text strong", lines[0])
    draw(first, box("p", "text small", _progress(words, goal, story, lang)), key=f"studio-words-{key}")
    if goal:
        st.progress(min(1.0, words / goal))
    if rest := lines[1:]:
        draw(*(box("p", "muted small text", line) for line in rest), key=f"studio-words-{key}-more")


def _progress(words: int, goal: int, story: Lang, lang: Lang) -> str:
    if not goal:
        return t("studio.words_no_goal", lang)
    named = counted(goal, story, lang)
    if words >= goal:
        return t("studio.words_reached", lang, goal=named)
    share = words * 100 // goal
    return t("studio.words_progress", lang, share=share, goal=named, left=counted(goal - words, story, lang))


def _draw_goals(held: OpenStudio, goals: Goals, lang: Lang) -> None:
    story = held.card.lang
    with st.form("studio-goals", border=True):
        columns = st.columns(3, gap="medium")
        chosen = {
            name: int(
                column.number_input(
                    t(f"studio.goal_{name}_{story}", lang),
                    0,
                    MOST_GOAL,
                    value,
                    step=step,
                    key=f"studio-goal-{name}",
                    help=t("studio.goal_help", lang),
                )
                or 0
            )
            for column, (name, value, step) in zip(
                columns,
                (("story", goals.story, 1_000), ("chapter", goals.chapter, 100), ("day", goals.day, 100)),
                strict=True,
            )
        }
        if st.form_submit_button(t("studio.goals_set", lang), icon=":material/flag:"):
            with problems_kept():
                held.studio.gateway.by_hand.set_goals(Goals(**chosen))
            st.rerun()
