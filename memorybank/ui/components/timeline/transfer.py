"""What the slider's component is sent: numbers and short words, as few as will do.

The words and the track up to some moment go over once, as a bulk; what came later are further entries of the channel;
a moved slider costs its place alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from memorybank.memory.types import Lang
from memorybank.ui.components.channel import Channel
from memorybank.views.i18n import t
from memorybank.views.run.track import STAGE_NAMES, StageSpan, Tick, Track

MARKED = ("task", "branch", "conflict", "verdict", "merge", "answer")
"""Ticks that have a shape and words of their own; the order is the one in which the legend names them."""
MOST_MARKS = 400
"""Words of more would weigh more than they tell: beyond this a mark has none."""

_LINE = ("label", "back", "forward", "stage_back", "stage_forward", "now", "now_help", "at_now")
"""What the one line of the other pages says."""
_WORDS = (*_LINE, "play", "pause", "speed", "unit", "unit_scene", "unit_event", "unit_stage", "keys")


@dataclass(slots=True)
class TrackSender:
    """The track that a tab looks at, as far as its browser has it."""

    channel: Channel = field(default_factory=Channel)
    _lang: Lang = "en"
    _count: int = 0
    """Events that the entries tell of."""
    _ticks: list[Tick] = field(default_factory=list)
    """The track's own list: another one is that of another run, or of records that were taken back."""
    _span: StageSpan | None = None
    """The last that was sent: an act of a person has its name from its end."""

    def read(self, track: Track, lang: Lang) -> None:
        """Add what the track has come to; all of it, when the entries are not its beginning."""
        is_same = self._ticks is track.ticks and self._lang == lang and track.stage_at(self._count) == self._span
        if not is_same or not self.channel.entries:
            self.channel.begin()
            self.channel.entries.append({"words": words(lang), "kinds": MARKED})
            self._lang, self._count, self._ticks = lang, 0, track.ticks
        if track.count > self._count:
            self.channel.entries.append(encode(track, self._count, lang))
            self._count = track.count
        self._span = track.stage_at(self._count)


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
    gaps, last = [], since
    for place in places:
        gaps.append(place - last)
        last = place
    return gaps


def words(lang: Lang, *, compact: bool = False) -> dict[str, Any]:
    """The component's own words. Sentences keep their `{places}`, which the browser fills."""
    places = {name: f"{{{name}}}" for name in ("k", "n", "stage", "round")}
    texts: dict[str, Any] = {
        **{name: t(f"replay.timeline.{name}", lang) for name in (_LINE if compact else _WORDS)},
        **{name: t(f"replay.timeline.{name}", lang, **places) for name in ("where", "where_stage", "where_round")},
    }
    if not compact:
        texts |= {
            "stages": [t(f"stage.{name}", lang) for name in STAGE_NAMES],
            "marks": [t(f"replay.timeline.mark.{kind}", lang) for kind in MARKED],
            "round_mark": t("replay.timeline.round_mark", lang, round="{round}"),
        }
    return texts
