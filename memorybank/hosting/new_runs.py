"""Runs made of other runs or of files: a branch, an opened file.

What a run is made of is only read.
"""

from __future__ import annotations

import io
import secrets
import time
from collections.abc import Sequence
from typing import Any

from memorybank.hosting.registry import CORPUS, Runs, whole_or_gone
from memorybank.runs import archive, local_state
from memorybank.runs.files.names import base_name
from memorybank.runs.files.plain import copy_plain
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import RunFolder, fork
from memorybank.runs.salvage import DamagedPart, load_to_last_good

MOST_UPLOADED = 100
"""The most megabytes of a file that is opened."""


def branch_off(runs: Runs, source: RunFolder, records: Sequence[Record[Any]], at: int) -> str:
    """Return a new run with the past of this one; answers with its address. Nothing is run, and the parent is only
    read.

    Raises InputError when no stage had ended within the first `at` events.
    """
    run_id = secrets.token_hex(16)
    target = RunFolder(runs.root / run_id, runs.local.temp_dir)
    local_state.remember_corpus(run_id, local_state.known_corpus(source.path.name))
    with whole_or_gone(target):
        fork(RunFolder(source.path, runs.local.temp_dir), records, at, target, run_id=run_id)
        copy_plain(source.path / CORPUS, target.path / CORPUS)
    return run_id


def open_to_last_good(runs: Runs, run_id: str) -> tuple[str, DamagedPart | None]:
    """Return a copy of a damaged run as far as it is good, and what was left out. The damaged one is only read.

    Raises as `load` does, where nothing is good.
    """
    source = runs.folder(run_id)
    records, left_out = load_to_last_good(source.path)
    return branch_off(runs, source, records, len(records)), left_out


def open_file(runs: Runs, name: str, data: bytes, *, to_last_good: bool = False) -> tuple[str, DamagedPart | None]:
    """Return a run of an uploaded file, under an address that nobody can guess; and what a damaged one was opened
    without.

    Raises InputError, UnsafeInputError or JournalError, in one sentence; then nothing is left. DamagedError: it can be
    opened `to_last_good`.
    """
    run_id = secrets.token_hex(16)
    folder = RunFolder(runs.root / run_id, runs.local.temp_dir)
    with whole_or_gone(folder):
        contents = archive.unpack(data, folder, name=base_name(name), to_last_good=to_last_good)
    return run_id, contents.damaged


def packed(runs: Runs, source: RunFolder) -> bytes:
    """Return the run as a zip: journal, originals, prompts and answers."""
    written = io.BytesIO()
    archive.pack(RunFolder(source.path, runs.local.temp_dir), written)
    return written.getvalue()


def file_name(goal: str, suffix: str, now: float | None = None) -> str:
    """Name the file of a saved run by the day and the first words of its task."""
    words = "-".join("".join(char if char.isalnum() else " " for char in goal).split()[:6])[:48].strip("-")
    day = time.strftime("%Y-%m-%d", time.localtime(now))
    return f"memorybank-{day}-{words or 'run'}{suffix}"
