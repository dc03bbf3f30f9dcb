"""export: a run as one HTML file, with a slider on a screen and as slides on paper; or as spans to a receiver."""

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
    """Write it, or send it. An existing file is not written over; the run is only read."""
    if arguments.otlp is not None:
        return _send(arguments)
    target: Path = arguments.html
    if target.suffix == ".pdf":
        raise InputError("command.no_pdf", name=target.name)
    if os.path.lexists(target):
        raise InputError("command.exists", name=target.name)
    if not target.parent.is_dir():
        raise InputError("command.no_folder", folder=target.parent.name, name=target.name)
    records = records_of(arguments)
    state_at(records)  # refused here in one line where it contradicts itself
    began, begun = time.perf_counter(), records[0].event
    lang: Lang = arguments.lang or (begun.lang if isinstance(begun, SessionStarted) else "en")
    from memorybank.views.html_export import export_html  # here: spans are sent without it

    data = export_html(records, RunFolder(journal_path(arguments.run).parent).files.read, lang)
    write_whole(target, data)
    summary = {"out": str(target), "events": len(records), "bytes": len(data)}
    seconds = round(time.perf_counter() - began, 2)
    if arguments.json:
        print(json.dumps({**summary, "seconds": seconds}))
    else:
        print(f"wrote {target.name}: {len(records)} events, {len(data):,} bytes, in {seconds} s")
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
