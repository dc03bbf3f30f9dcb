"""What the slider's component is sent: numbers and short words, as few as will do. Pure.

The track of the events up to some moment goes over once (`encode(track, 0)`), what came later with each change
(`encode(track, since)`); a moved slider costs its place alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank.views.run.track import STAGE_NAMES, Track

MARKED = ("task", "branch", "conflict", "verdict", "merge", "answer")
"""Ticks that have a shape and words of their own; the order is the one in which the legend names them."""
MOST_MARKS = 400
"""Words of more would weigh more than they tell: beyond this a mark has none."""

_LINE = ("label", "back", "forward", "stage_back", "stage_forward", "now", "now_help", "at_now")
"""What the one line of the other pages says."""
_WORDS = (*_LINE, "play", "pause", "speed", "unit", "unit_event", "unit_stage", "keys")


def encode(track: Track, since: int, lang: Lang) -> dict[str, Any]:
    """What happened after event `since`. Places are given by how far each lies behind the one before it."""
    stages = track.stages[bisect_right(track.stages, since, key=lambda span: span.first) :]
    ticks = [tick for tick in track.ticks if tick.seq > since]
    named = {name: place for place, name in enumerate(STAGE_NAMES)}
    marks = [tick for tick in ticks if tick.kind in MARKED]
    return {
        "since": since,
        "stages": [
            number
            for span, gap in zip(stages, _gaps((span.first for span in stages), since), strict=True)
            for number in (gap, named[span.stage], span.round)
        ],
        "borders": _gaps((seq for seq in track.borders if seq > since), since),
        "rounds": _gaps((tick.seq for tick in ticks if tick.kind == "round"), since),
        "marks": [
            [gap, MARKED.index(tick.kind), tick.words(lang) if place < MOST_MARKS else ""]
            for place, (tick, gap) in enumerate(zip(marks, _gaps((tick.seq for tick in marks), since), strict=True))
        ],
    }


def _gaps(places: Iterable[int], since: int) -> list[int]:
    found, last = [], since
    for place in places:
        found.append(place - last)
        last = place
    return found


def words(lang: Lang, *, compact: bool = False) -> dict[str, Any]:
    """The component's own words. Sentences keep their `{places}`, which the browser fills."""
    places = {name: f"{{{name}}}" for name in ("k", "n", "stage", "round")}
    found: dict[str, Any] = {
        **{name: t(f"replay.timeline.{name}", lang) for name in (_LINE if compact else _WORDS)},
        **{name: t(f"replay.timeline.{name}", lang, **places) for name in ("where", "where_stage", "where_round")},
    }
    if not compact:
        found |= {
            "stages": [t(f"stage.{name}", lang) for name in STAGE_NAMES],
            "marks": [t(f"replay.timeline.mark.{kind}", lang) for kind in MARKED],
            "round_mark": t("replay.timeline.round_mark", lang, round="{round}"),
        }
    return found
