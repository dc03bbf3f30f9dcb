"""export: a run as one file, whole with a slider, or its decisive moments as slides; or as spans to a receiver."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memorybank.commands.reading import records_of
from memorybank.errors import InputError, Notice
from memorybank.memory.events import SessionStarted
from memorybank.memory.types import Lang
from memorybank.runs.files.plain import write_whole
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import RunFolder, journal_path, state_at


def export(arguments: argparse.Namespace) -> int:
    """Write it, or send it. An existing file is not written over; the run is only read."""
    if arguments.otlp is not None:
        return _send(arguments)
    target: Path = arguments.html or arguments.storyboard
    if arguments.storyboard and target.suffix not in (".html", ".pdf"):
        raise InputError("command.no_slide_form", name=target.name)
    if os.path.lexists(target):
        raise InputError("command.exists", name=target.name)
    if not target.parent.is_dir():
        raise InputError("command.no_folder", folder=target.parent.name, name=target.name)
    records = records_of(arguments)
    state_at(records)  # refused here in one line where it contradicts itself
    began, begun = time.perf_counter(), records[0].event
    lang: Lang = arguments.lang or (begun.lang if isinstance(begun, SessionStarted) else "en")
    data, slides = _slides(records, target, lang) if arguments.storyboard else (_whole(records, arguments.run, lang), 0)
    write_whole(target, data)
    summary = {"out": str(target), "events": len(records), "bytes": len(data), **({"slides": slides} if slides else {})}
    seconds = round(time.perf_counter() - began, 2)
    if arguments.json:
        print(json.dumps({**summary, "seconds": seconds}))
    else:
        count = f"{slides} slides" if slides else f"{len(records)} events"
        print(f"wrote {target.name}: {count}, {len(data):,} bytes, in {seconds} s")
    return 0


def _send(arguments: argparse.Namespace) -> int:
    from memorybank.integrations.tracing.afterwards import send_run

    began, records = time.perf_counter(), records_of(arguments)
    state_at(records)
    sent = send_run(records, RunFolder(journal_path(arguments.run).parent).blobs.get, arguments.otlp)
    seconds = round(time.perf_counter() - began, 2)
    if arguments.json:
        report = {"address": sent.address, "spans": sent.spans, "traces": sent.traces, "whole": sent.is_whole}
        print(json.dumps({**report, "seconds": seconds}))
        return 0
    print(f"sent {sent.spans} spans to {sent.address} in {seconds} s; traces: {', '.join(sent.traces)}")
    if not sent.is_whole:
        print("the run has not come to rest: the spans of its session and of its last round come when it has")
    return 0


def _whole(records: Sequence[Record[Any]], run: Path, lang: Lang) -> bytes:
    from memorybank.views.html_export import export_html

    return export_html(records, RunFolder(journal_path(run).parent).files.read, lang)


def _slides(records: Sequence[Record[Any]], target: Path, lang: Lang) -> tuple[bytes, int]:
    from memorybank.views.storyboard import make_storyboard

    made = make_storyboard(records, lang, "pdf" if target.suffix == ".pdf" else "html")
    if made.lacks_font:
        print(Notice("run.lacks_font"), file=sys.stderr)
    return made.data, made.slides
