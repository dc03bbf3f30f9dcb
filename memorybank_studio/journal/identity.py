"""Which studio a folder holds: the random id in the first event of its journal, told before the journal is opened.

A server that holds the stories of several studios keeps them apart by it, so it is needed before any store is opened.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memorybank.runs.files.plain import reading
from memorybank_studio.journal.desk import JOURNAL, Desk
from memorybank_studio.journal.events import STUDIO

_FIRST_LINE = 4_096
"""Bytes; the event that opens a studio has about 150."""


def studio_id(folder: Path) -> str:
    """Of the studio whose journal is in `folder`; a journal is begun when there is none.

    Raises LockedError, JournalError, InputError as the journal does.
    """
    known = _id_in_first_event(folder / JOURNAL)
    if known:
        return known
    desk = Desk(folder)  # a new journal, one that was torn in its first write, or one that is none: it says which
    try:
        return desk.state.studio
    finally:
        desk.close()


def _id_in_first_event(path: Path) -> str:
    """From the first event of a journal, without reading the rest; empty when it does not say."""
    try:
        with reading(path) as file:
            header, line = file.readline(_FIRST_LINE), file.readline(_FIRST_LINE)
        if header != STUDIO.header() or not line.endswith(b"\n"):
            return ""
        event: dict[str, Any] = json.loads(line)["event"]
        return str(event["studio"]) if event["type"] == "StudioOpened" else ""
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""
