"""A tab's place in the story of its run: which scene it shows, whether it goes on by itself, how fast.

The run goes on at its own speed; the tab follows behind, scene by scene. A scene is shown by looking at its moment
(`state.look_at`), so every page shows it; whoever looks at another moment meanwhile has paused the story there, and
whoever goes to the newest one has left it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.errors import StreamlitAPIException

from memorybank.session.phase import Phase
from memorybank.ui.shell import state
from memorybank.ui.shell.tab import StoryCourse, kept, this_tab

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memorybank.hosting.run import Run
    from memorybank.views.story import Scene

BAR = "story-bar"
"""The name of the fragment that shows the scene in words."""
FRAGMENTS = {"session": [BAR, "run-live"]}
"""The fragments that show a moment, by page; elsewhere the whole page does."""
SPEEDS = (0.5, 1.0, 2.0)


def is_on() -> bool:
    return this_tab().story.place is not None


def is_staged() -> bool:
    """Say whether the story has the screen: it plays on the Session page, and waits while the reader is on another."""
    return is_on() and this_tab().page == "session"


def scenes_of(worker: Run) -> Sequence[Scene]:
    """Return the story up to now; only what is new is read."""
    from memorybank.views.story import SceneReader

    reader = kept(("story", worker.run_id), SceneReader)
    return reader.read(worker.records)


def current_scene(worker: Run | None) -> Scene | None:
    """Return the scene that is shown; None also while the first is awaited."""
    story = this_tab().story
    if worker is None or story.place is None or story.waits:
        return None
    scenes = scenes_of(worker)
    return scenes[story.place] if story.place < len(scenes) else None


def settle(worker: Run | None) -> None:
    """Show the moment of a scene that was asked for, before anything is drawn, and follow the reader elsewhere."""
    story = this_tab().story
    if story.place is None:
        return
    if worker is None:
        story.place = None
        return
    scenes, at = scenes_of(worker), state.at_event()
    if story.waits and story.place < len(scenes):
        story.waits = False
        state.look_at(scenes[story.place].seq)
        return
    if story.waits and (not story.place or (worker.busy and at == scenes[story.place - 1].seq)):
        return
    story.waits = False
    if at is None:
        story.place = None
    elif story.place >= len(scenes) or at != scenes[story.place].seq:
        story.is_playing = False
        story.place = max((place for place, scene in enumerate(scenes) if scene.seq <= at), default=0)


def begin(place: int = 0) -> None:
    """Play the tab's run from a scene on."""
    story = this_tab().story
    story.is_playing = True
    _go(story, place)


def leave() -> None:
    """Leave the story and look at the newest moment."""
    this_tab().story.place = None
    state.look_at(None)


def step(count: int) -> None:
    """Go so many scenes on or back, and stay there; the next one of a run that goes on is waited for."""
    story, worker = this_tab().story, this_tab().shown_run
    last = len(scenes_of(worker)) - (0 if goes_on(worker) else 1)
    if story.place is not None and 0 <= story.place + count <= last:
        story.is_playing = False
        _go(story, story.place + count)


def goes_on(worker: Run) -> bool:
    """Whether more of the story comes by itself: `busy` is also a run that is read along while it rests."""
    return worker.busy and worker.phase is not Phase.RESTING


def is_at_end(worker: Run) -> bool:
    return (this_tab().story.place or 0) + 1 >= len(scenes_of(worker))


def pause() -> None:
    """Pause, or go on; at the end of the story of a run that has ended, play it again."""
    story, worker = this_tab().story, this_tab().shown_run
    if not story.is_playing and not goes_on(worker) and is_at_end(worker):
        begin()
    else:
        story.is_playing = not story.is_playing


def scene_over(turn: int) -> None:
    """End the scene, as its time is over. `turn` names its showing, for the word may come late."""
    story, worker = this_tab().story, this_tab().run
    if worker is None or not story.is_playing or turn != story.turn or story.place is None:
        return
    story.is_over = True
    if not move_on(worker):
        return
    # Not so for a key: a part that is begun anew while the browser still waits for it is no part any more.
    # The end is told by the tools, too, which are drawn with the whole page.
    names = FRAGMENTS.get(this_tab().page or "session") if story.is_playing else None
    if names is not None:
        with suppress(StreamlitAPIException):  # the page could not be drawn, and has no such part
            st.rerun(names)
    st.rerun()


def move_on(worker: Run) -> bool:
    """Show the next scene where the time of this one is over; whether there is something new to draw."""
    story = this_tab().story
    if not (story.is_over and story.is_playing) or story.place is None:
        return False
    if story.place + 1 < len(scenes_of(worker)):
        _go(story, story.place + 1)
        return True
    if goes_on(worker):
        return False
    story.is_playing = False
    return True


def _go(story: StoryCourse, place: int) -> None:
    story.place, story.waits, story.is_over = place, True, False
    story.turn += 1
    settle(this_tab().run)
