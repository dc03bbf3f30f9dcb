"""The caption of the story: the sentence of the scene, its time, the way on, back and out. Session has it alone."""

from __future__ import annotations

import functools
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import course, links
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import sent_by, this_tab
from memorybank.ui.shell.widgets import STORY_SPEED
from memorybank.views.box import Box, aside, box, row_of
from memorybank.views.drawing.beside import text_beside
from memorybank.views.i18n import t

if TYPE_CHECKING:
    from collections.abc import Callable

    from memorybank.hosting.run import Run
    from memorybank.views.story import Scene

POLL = 0.6
"""Seconds between two looks at a run that goes on."""


def draw_story(worker: Run | None, lang: Lang) -> None:
    if worker is None or not course.is_staged():
        return
    with st.container(key="story", gap="small"):
        st.fragment(_draw_scene, key=course.BAR)(worker, lang)
        with st.container(
            horizontal=True, vertical_alignment="center", gap="small", key="story-tools", width="content"
        ):
            _draw_tools(worker, lang)
    links.turn_page()
    if worker.busy:
        st.fragment(_wait, run_every=POLL)(worker)


def _draw_scene(worker: Run, lang: Lang) -> None:
    """Draw all that changes with the scene. The tools stand outside: what they do is for the whole page."""
    from memorybank.views.story import scene_seconds, scene_sentence

    story, scene = this_tab().story, course.current_scene(worker)
    sentence = scene_sentence(scene, lang) if scene is not None else t("story.bar.waiting", lang)
    draw(_words(scene, _place(worker, lang), sentence, lang), key="story-words")
    if scene is not None:
        # The turn is the number of the scene's showing: the same one drawn again goes on.
        seconds = scene_seconds(scene, lang) / story.speed
        data = {"turn": story.turn, "seconds": seconds, "playing": story.is_playing, "sentence": sentence}
        _component()(key=KEY, data=data, on_over_change=_take, height=3)


def _words(scene: Scene | None, place: str, sentence: str, lang: Lang) -> Box:
    return box(
        "div",
        "story",
        row_of(
            box("span", "story-stage", t(f"stage.{scene.stage}", lang)) if scene is not None else None, aside(place)
        ),
        box("p", "story-sentence text", sentence),
    )


def _place(worker: Run, lang: Lang) -> str:
    place = (this_tab().story.place or 0) + 1
    if course.goes_on(worker):
        return f"{place} …"
    return t("story.bar.place", lang, step=place, total=max(place, len(course.scenes_of(worker))))


def _draw_tools(worker: Run, lang: Lang) -> None:
    story = this_tab().story
    is_over = not story.is_playing and not course.goes_on(worker) and course.is_at_end(worker)
    name, icon = ("pause", "pause") if story.is_playing else ("again", "replay") if is_over else ("play", "play_arrow")
    _button("previous", "arrow_back", lang, course.step, -1)
    _button("pause", icon, lang, course.pause, words=name)
    _button("next", "arrow_forward", lang, course.step, 1)
    STORY_SPEED.begin_with(story.speed)
    st.segmented_control(
        t("story.bar.speed", lang),
        course.SPEEDS,
        format_func=lambda speed: f"{speed:g}×",
        required=True,
        key=STORY_SPEED.key,
        on_change=_keep_speed,
        label_visibility="collapsed",
        width="content",
    )
    _button("leave", "close", lang, course.leave)


def _keep_speed() -> None:
    """Keep the chosen speed, which its widget forgets while the bar is away."""
    this_tab().story.speed = STORY_SPEED.value(this_tab().story.speed)


def _button(name: str, icon: str, lang: Lang, act: Callable[..., None], *args: object, words: str = "") -> None:
    label = t(f"story.bar.{words or name}", lang)
    button(label, f"story-{name}", partial(act, *args), icon=icon, look="tertiary", help_text=label)


def _wait(worker: Run) -> None:
    """Draw nothing, but look whether there is more to show where the story has caught up with the run."""
    worker.see()
    story = this_tab().story
    awaited = story.waits
    course.settle(worker)
    if course.move_on(worker) or not worker.busy or awaited != story.waits:
        st.rerun()


_read = functools.partial(text_beside, __package__)

KEY = "story-clock"


def _take() -> None:
    turn = sent_by(KEY, "over").get("turn")
    if isinstance(turn, int):
        course.scene_over(turn)


@functools.cache
def _component() -> Any:
    """Register the component, once a process, at the first drawing."""
    return st.components.v2.component(
        "memorybank_story_clock",
        html='<div><i></i></div>\n<p role="status"></p>',
        css=_read("clock.css"),
        js=_read("clock.js"),
    )
