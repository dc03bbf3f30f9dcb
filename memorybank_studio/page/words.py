"""How long the story and its chapters are, and how far they are from the goals their author sets, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.kept import problems_kept
from memorybank.views.box import Box, aside, box, chip, muted, row_of
from memorybank.views.i18n import t
from memorybank_studio.chapters.story_words import MOST_GOAL, ChapterWords, Goals, story_words
from memorybank_studio.page.shelf import OpenStudio

CHAPTERS: Final = 60
"""Lines of a page of the list."""


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
    st.subheader(t("studio.words_chapters", lang), anchor=False)
    _draw_chapters(chapters, goals.chapter, story, lang)


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


def _draw_chapters(chapters: Sequence[ChapterWords], goal: int, story: Lang, lang: Lang) -> None:
    if not chapters:
        draw(muted(t("studio.words_none", lang)), key="studio-words-none")
        return
    shown = chapters[: page_end("studio-words-chapters", CHAPTERS)]
    draw(box("ul", "line-list", *(_line(chapter, goal, story, lang) for chapter in shown)), key="studio-words-list")
    draw_more("studio-words-chapters", CHAPTERS, len(chapters), lang)


def _line(chapter: ChapterWords, goal: int, story: Lang, lang: Lang) -> Box:
    return box(
        "li",
        "",
        row_of(
            box("span", "text strong", t("studio.chapter", lang, number=chapter.number, title=chapter.title)),
            box("span", "text", counted(chapter.words, story, lang)),
            chip(t("studio.words_is_writing", lang), "task") if chapter.in_writing else None,
            aside(_progress(chapter.words, goal, story, lang)) if goal else None,
        ),
    )
