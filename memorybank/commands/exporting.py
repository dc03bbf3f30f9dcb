"""export: a run as one HTML file."""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path

from memorybank.commands.reading import records_of
from memorybank.errors import InputError
from memorybank.memory.events import SessionStarted
from memorybank.memory.types import Lang
from memorybank.runs.files.plain import write_whole
from memorybank.runs.run_folder import RunFolder, journal_path, state_at


def export(arguments: argparse.Namespace) -> int:
    """Write it. An existing file is not written over; the run is only read."""
    from memorybank.views.html_export import export_html

    target: Path = arguments.html
    if os.path.lexists(target):
        raise InputError("command.exists", name=target.name)
    if not target.parent.is_dir():
        raise InputError("command.no_folder", folder=target.parent.name, name=target.name)
    records = records_of(arguments)
    state_at(records)  # refused here in one line where it contradicts itself
    began, begun = time.perf_counter(), records[0].event
    lang: Lang = arguments.lang or (begun.lang if isinstance(begun, SessionStarted) else "en")
    folder = RunFolder(journal_path(arguments.run).parent)
    data = export_html(records, folder.files.read, lang)
    write_whole(target, data)
    summary = {"out": str(target), "events": len(records), "bytes": len(data)}
    seconds = round(time.perf_counter() - began, 2)
    if arguments.json:
        print(json.dumps({**summary, "seconds": seconds}))
    else:
        print(f"wrote {target.name}: {len(records)} events, {len(data):,} bytes, in {seconds} s")
    return 0
