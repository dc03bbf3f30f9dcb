"""A run in a notebook: its graph and its last moments, as the exported page shows them (html_export), in a frame.

    session.show()                       # memorybank.show(session)
    memorybank.show("runs/first")        # a saved run, or one that is written now
    memorybank.show(watch, lang="zh")

The frame holds the whole page: it asks for nothing, may reach neither the notebook nor the network, and shows texts as
texts. So it stands in Jupyter and VS Code as it does in a saved notebook that is read elsewhere.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memorybank.errors import InputError
from memorybank.memory.events import SessionStarted
from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load
from memorybank.runs.stages import ends_stage
from memorybank.session.session import Session
from memorybank.views.graph.moment_view import view_of
from memorybank.views.html_export import export_html
from memorybank.views.i18n import t
from memorybank.views.run.playback import Playback
from memorybank.views.text.display import plain
from memorybank.views.watch import Watch

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
