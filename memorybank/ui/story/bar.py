"""The bar of the story, above every page: the sentence of the scene, its time, the way on, back and out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import course, links
from memorybank.ui.shell.shortcuts import shortcut_of
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import REPLAY_SECTION, STORY_SPEED
from memorybank.ui.story.clock import draw_clock
from memorybank.ui.story.speaker import draw_speaker
from memorybank.views.box import Box, aside, box, row_of
from memorybank.views.i18n import t

if TYPE_CHECKING:
    from collections.abc import Callable

    from memorybank.hosting.run import Run
    from memorybank.views.story import Scene

POLL = 0.6
"""Seconds between two looks at a run that goes on."""


def draw_story(worker: Run | None, lang: Lang) -> None:
    if worker is None or not course.is_on():
        return
    with st.container(key="story", border=True, gap="small"):
        st.fragment(_draw_scene, key=course.BAR)(worker, lang)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="story-tools"):
            _draw_tools(worker, lang)
    links.turn_page()
    if worker.busy:
        st.fragment(_wait, run_every=POLL)(worker)


def _draw_scene(worker: Run, lang: Lang) -> None:
    """All that changes with the scene. The tools stand outside: what they do is for the whole page."""
    from memorybank.views.story import scene_notes, scene_seconds, scene_sentence

    story, scene, scenes = this_tab().story, course.current_scene(worker), course.scenes_of(worker)
    sentence = scene_sentence(scene, lang) if scene is not None else t("story.bar.waiting", lang)
    notes = scene_notes(scene, lang) if scene is not None else ""
    place = _place(worker, lang)
    draw(_words(scene, place, sentence, notes if story.has_notes else "", lang), key="story-words")
    if scene is not None:
        seconds = scene_seconds(scene, lang) / story.speed
        draw_clock(story.turn, seconds, sentence, is_playing=story.is_playing)
    after = (story.place or 0) + 1
    draw_speaker(
        lang,
        place=place,
        sentence=sentence,
        notes=notes,
        following=scene_sentence(scenes[after], lang) if after < len(scenes) else "",
        is_playing=story.is_playing,
    )


def _words(scene: Scene | None, place: str, sentence: str, notes: str, lang: Lang) -> Box:
    closer = scene.target if scene is not None else ""
    return box(
        "div",
        "story",
        row_of(
            box("span", "story-stage", t(f"stage.{scene.stage}", lang)) if scene is not None else None,
            aside(place),
            box("span", "leads small", t("story.bar.closer", lang), choose=closer) if closer else None,
        ),
        box("p", "story-sentence text", sentence),
        box("ul", "story-notes", *(box("li", "text", line) for line in notes.splitlines())) if notes else None,
    )


def _place(worker: Run, lang: Lang) -> str:
    place = (this_tab().story.place or 0) + 1
    total = max(place, len(course.scenes_of(worker)))
    return t("story.bar.place_live" if worker.busy else "story.bar.place", lang, step=place, total=total)


def _draw_tools(worker: Run, lang: Lang) -> None:
    story = this_tab().story
    is_over = not story.is_playing and not worker.busy and course.is_at_end(worker)
    name, icon = ("pause", "pause") if story.is_playing else ("again", "replay") if is_over else ("play", "play_arrow")
    _button("previous", "arrow_back", lang, course.step, -1)
    _button("pause", icon, lang, course.pause, words=name, look="primary")
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
    st.space("stretch")
    if is_over:
        _button("slides", "slideshow", lang, _to_slides, look="tertiary")
    _button("notes", "notes", lang, course.toggle_notes, look="tertiary")
    _button("leave", "last_page", lang, course.leave, look="tertiary")


def _to_slides() -> None:
    """To where the story is made a file."""
    REPLAY_SECTION.set("files")
    links.open_page("replay")


def _keep_speed() -> None:
    """Where the bar is away, its widget forgets."""
    this_tab().story.speed = STORY_SPEED.value(this_tab().story.speed)


def _button(
    name: str, icon: str, lang: Lang, act: Callable[..., None], *args: object, words: str = "",
    look: Literal["primary", "secondary", "tertiary"] = "secondary",
) -> None:  # fmt: skip
    st.button(
        t(f"story.bar.{words or name}", lang),
        key=f"story-{name}",
        icon=f":material/{icon}:",
        type=look,
        shortcut=shortcut_of(f"story-{name}"),
        on_click=act,
        args=args,
    )


def _wait(worker: Run) -> None:
    """Draws nothing: looks whether there is more to show where the story has come up with the run."""
    worker.see()
    story = this_tab().story
    awaited = story.waits
    course.settle(worker)
    if course.move_on(worker) or not worker.busy or awaited != story.waits:
        st.rerun()
