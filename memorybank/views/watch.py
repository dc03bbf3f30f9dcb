"""A run as it grows, for a program or a notebook, whoever writes it: `memorybank.watch`; and as it stands: `show`.

    watch = memorybank.watch("runs/first")      # it may not have begun; a run that has ended is read to its end
    for scene in watch.scenes():                # or events(), or moments(); as they come, until the run is at rest
        print(scene_sentence(scene, "en"))
    watch.now().bank                            # the last state, at any time
    watch.stop()                                # from another thread: whoever waits goes on

The journal is read (runs/tail.py); no lock is held, no model loaded, no order given.
"""

from __future__ import annotations

import html
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memorybank.errors import InputError
from memorybank.memory.events import SessionStarted
from memorybank.memory.types import Lang
from memorybank.runs.journal import Record, is_written
from memorybank.runs.run_folder import load
from memorybank.runs.stages import at_rest, ends_stage
from memorybank.runs.tail import Tail
from memorybank.session.session import Session
from memorybank.views.graph.moment_view import view_of
from memorybank.views.html_export import export_html
from memorybank.views.i18n import t
from memorybank.views.run.playback import Moment, Playback
from memorybank.views.story import Scene, SceneReader
from memorybank.views.text.display import plain

GLANCE = 0.2
"""The seconds between two looks at the file."""
IDLE = 2.0
"""The seconds without a word after which the watch looks whether anybody is writing at all."""


class Watch:
    """One run, watched from outside. Each iteration begins behind the first `since` events; several may run at once."""

    def __init__(self, run: Path | str) -> None:
        """`run` is a run's folder or its journal."""
        self.run = Path(run)
        self._tail = Tail(self.run)
        self._playback = Playback()
        self._turn = threading.Lock()
        self._stopped = threading.Event()

    # -- as they come -------------------------------------------------------------------------------------------------

    def events(self, *, since: int = 0) -> Iterator[Record[Any]]:
        """Yield each event as it is written, those before a stage has ended too.

        What a writer that took the run over has taken back was told already; what came in its place is told anew.
        """
        at, last = since, None
        for records in self._looks():
            if last is not None and list(records[at - 1 : at]) != [last]:
                at = next((seq for seq in range(min(at, len(records)), 0, -1) if ends_stage(records[seq - 1])), 0)
            for record in records[at:]:
                at, last = record.seq, record
                yield record

    def moments(self, *, since: int = 0) -> Iterator[Moment]:
        """Yield the state after each stage and each act of a person, as they end."""
        for record in self.events(since=since):
            if ends_stage(record):
                yield self._moment(record.seq)

    def scenes(self, *, since: int = 0) -> Iterator[Scene]:
        """Yield the decisive moments (views/story), each when the stage that it belongs to has ended."""
        story, known = SceneReader(), 0
        for records in self._looks():
            scenes = story.read(records)
            new, known = scenes[known:], len(scenes)
            yield from (scene for scene in new if scene.seq > since)

    # -- at any time --------------------------------------------------------------------------------------------------

    @property
    def records(self) -> Sequence[Record[Any]]:
        """Everything that was written so far."""
        with self._turn:
            self._tail.poll()
            return self._tail.records

    def now(self) -> Moment:
        """Return the last state. Raises JournalError for records that contradict each other."""
        return self._moment(len(self.records))

    def stop(self) -> None:
        """End every iteration of this watch, also one that waits. The run goes on."""
        self._stopped.set()

    # -- looking ------------------------------------------------------------------------------------------------------

    def _moment(self, k: int) -> Moment:
        with self._turn:
            return self._playback.at(self._tail.records, k)

    def _looks(self) -> Iterator[Sequence[Record[Any]]]:
        """Yield the records at each look that brought news, until the run is at rest or nobody writes it any more."""
        seen: tuple[int, int] | None = None
        idle = 0.0
        while not self._stopped.is_set():
            records = self.records
            here = (id(records), len(records))
            if here != seen:
                seen, idle = here, 0.0
                yield records
                continue
            if at_rest(records):
                return
            if idle >= IDLE:
                if records and not self._has_writer():
                    return
                idle = 0.0
            idle += GLANCE
            self._stopped.wait(GLANCE)

    def _has_writer(self) -> bool:
        try:
            return is_written(self._tail.path)
        except OSError:  # a folder that only reads: nobody can tell
            return True


def watch(run: Path | str) -> Watch:
    """Follow a run that this process or another one writes, or read one that has ended."""
    return Watch(run)


LAST_STAGES = 12
"""The number of stages that the slider goes back: the whole run is the export's."""
HEIGHT = 860
"""The height of the frame in pixels."""


def show(run: Session | Watch | Path | str, *, lang: Lang | None = None) -> Shown:
    """Return the run as it stands now. `run` may be a folder or a journal; `lang` is the run's own unless named.

    Raises InputError for a run that has not begun, JournalError for one that cannot be read.
    """
    written = run.records if isinstance(run, Session | Watch) else load(Path(run))
    records = written[: len(written)]  # another thread may go on writing
    begun = records[0].event if records else None
    if not isinstance(begun, SessionStarted):
        raise InputError("run.never_began", name=_name_of(run))
    chosen = lang or begun.lang
    # Its pictures stay in the run's folder: a notebook keeps what a cell has drawn for good.
    page = export_html(records, None, chosen, since=_since(records), prints_slides=False)
    moment = Playback().at(records)
    goal = plain(moment.bank.doc.task_goal) or t("export.untitled", chosen)
    return Shown(page, f"{goal} · {view_of(moment, None, chosen).description}")


def _name_of(run: Session | Watch | Path | str) -> str:
    if isinstance(run, Session):
        return run.folder.path.name
    return run.run.name if isinstance(run, Watch) else Path(run).name


def _since(records: Sequence[Record[Any]]) -> int:
    """Return the number of the event after which the last stages begin."""
    ends = [record.seq for record in records if ends_stage(record)]
    return ends[-LAST_STAGES - 1] if len(ends) > LAST_STAGES else 0


@dataclass(frozen=True, slots=True)
class Shown:
    """A page that a notebook draws where a cell ends with it."""

    page: bytes
    """The whole HTML file."""
    words: str
    """The words for a program that can draw no page."""

    def _repr_html_(self) -> str:
        page, words = html.escape(self.page.decode("utf-8")), html.escape(self.words)
        return (
            f'<iframe sandbox="allow-scripts" referrerpolicy="no-referrer" title="{words}" srcdoc="{page}"'
            f' style="width: 100%; height: {HEIGHT}px; border: 0"></iframe>'
        )

    def __repr__(self) -> str:
        return self.words
