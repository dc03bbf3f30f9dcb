"""The slider over all events, in a Streamlit component of the second kind. What it says is `state.look_at`.

    draw_track(worker, lang)                      once, outside of the fragment that is redrawn while the slider moves
    draw_timeline(worker, lang)                   the slider with its track, play and speed
    draw_timeline(worker, lang, compact=True)     one line, for the other pages; needs no track

Streamlit's own slider waits 200 ms before it tells. This one tells at once, then at most every 80 ms, with one word in
flight, and always its last place. Playing runs in the browser.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.channel import asked_under, draw_again, draw_bulk
from memorybank.ui.components.timeline.transfer import TrackSender, words
from memorybank.ui.shell import course, memo, state
from memorybank.ui.shell.sending import wrap_for_component
from memorybank.ui.shell.tab import sender, sent_by, this_tab
from memorybank.views.drawing.beside import text_beside
from memorybank.views.drawing.channel import channel_script
from memorybank.views.graph.style import NODE_LOOKS
from memorybank.views.i18n import t
from memorybank.views.run.track import Track

_read = functools.partial(text_beside, __package__)

if TYPE_CHECKING:
    from memorybank.hosting.run import Run

KEY = "timeline"


class _Components(NamedTuple):
    loader: Any
    slider: Any
    shown: Any


def track_of(worker: Run) -> Track:
    """The track of the tab's run, read up to now."""
    track: Track = memo.kept((f"{KEY}-track", worker.run_id), Track)
    track.read(worker.records)
    return track


def draw_track(worker: Run, lang: Lang) -> None:
    """Send what does not change while the slider moves: code, words, and the track as far as the run has come."""
    sender = _sender()
    sender.read(track_of(worker), lang)
    with st.container(gap=None):
        _components().loader(key=f"{KEY}-loader", height=1)
        draw_bulk(sender.channel.bulk(KEY, 0), key=f"{KEY}-bulk")


def draw_timeline(worker: Run, lang: Lang, *, compact: bool = False, marks: tuple[int, int] | None = None) -> None:
    """The slider at the moment that the tab looks at. `marks`: the moments named A and B."""
    track, key = track_of(worker), f"{KEY}-line" if compact else KEY
    _take(key)  # what was said in a run that another one cut short
    if compact:
        _components().loader(key=f"{KEY}-loader-line", height=1)
    at = state.at_event()
    span = track.stage_at(track.count if at is None else at)
    data: dict[str, Any] = {
        "compact": compact,
        "k": at,
        "n": track.count,
        "live": worker.busy,
        "heard": this_tab().browser.heard.get(key, 0),
        "ab": marks,
    }
    if compact:
        stage = [t(f"stage.{span.stage}", lang), span.round] if span is not None else None
        data |= {"words": words(lang, compact=True), "stage": stage}
    else:
        track_sender = _sender()
        track_sender.read(track, lang)
        track_sender.channel.hear(key, asked_under(key))
        data["track"] = track_sender.channel.next()
    _components().slider(
        key=key, data=wrap_for_component(data), on_said_change=functools.partial(_take, key), on_asked_change=draw_again
    )


def _sender() -> TrackSender:
    return sender(KEY, TrackSender)


def mark_shown(at: int) -> None:
    """Say in the page, after all else of a moment was drawn, which moment that is: for whoever measures or tests."""
    _components().shown(key=f"{KEY}-shown", data={"k": at}, height=1)


def _take(key: str) -> None:
    """The reader has moved the slider. A word that was heard before is an echo of the browser's, and says nothing."""
    message = sent_by(key, "said")
    turn, k = message.get("turn"), message.get("k")
    if not isinstance(turn, int) or turn <= this_tab().browser.heard.get(key, 0):
        return
    this_tab().browser.heard[key] = turn
    state.look_at(max(0, k) if isinstance(k, int) else None)
    if message.get("story") is True:
        _play_story(k if isinstance(k, int) else 0)


def _play_story(k: int) -> None:
    """From the first scene that is not before this moment."""
    scenes = course.scenes_of(this_tab().shown_run)
    course.begin(next((place for place, scene in enumerate(scenes) if scene.seq >= k), 0))
    st.rerun()  # its bar is no part of the fragment


@functools.cache
def _components() -> _Components:
    """Registered once a process, at the first drawing."""
    colours = "\n".join(f"  --c-{kind.value}: {look.fill};" for kind, look in NODE_LOOKS.items())
    css = f".timeline {{\n{colours}\n}}\n{_read('timeline.css')}"
    code = (
        _read("loader.js")
        .replace("/* CSS */", json.dumps(css), 1)
        .replace("/* CODE */", channel_script() + _read("view.js"), 1)
    )
    return _Components(
        loader=st.components.v2.component("memorybank_timeline_loader", js=code),
        slider=st.components.v2.component(
            "memorybank_timeline", html='<div class="timeline"></div>', js=_read("timeline.js")
        ),
        shown=st.components.v2.component("memorybank_timeline_shown", html="<i></i>", js=_read("shown.js")),
    )
