"""Runs made of other runs or of files: a branch, the same beginning under other settings, an opened file.

What a run is made of is only read.
"""

from __future__ import annotations

import io
import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from memorybank.errors import InputError
from memorybank.hosting.orders import Until
from memorybank.hosting.registry import CORPUS, Runs, whole_or_gone
from memorybank.hosting.run import Run
from memorybank.memory.events import SessionStarted
from memorybank.runs import archive, local_state
from memorybank.runs.files.names import base_name
from memorybank.runs.files.plain import copy_plain
from memorybank.runs.journal import Journal, Record
from memorybank.runs.run_folder import SESSION, RunFolder, fork
from memorybank.runs.salvage import DamagedPart, load_to_last_good
from memorybank.runs.stages import ends_stage
from memorybank.settings.config import Settings

MOST_UPLOADED = 100
"""Megabytes of a file that is opened."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The settings that a reader chooses for one of the two runs."""

    engine: str = "offline"
    preset: str = "default"
    """default, final or v3: relations and how many calls judge them, which neighbours come, who is merged."""
    k: int = 5
    alpha: float = 0.5

    def apply(self, local: Settings) -> Settings:
        """Lay these over this machine's settings. Raises InputError for a model that cannot be asked."""
        plain = Settings(neighbor_share=local.neighbor_share, merge_after_verdict=local.merge_after_verdict)
        named = plain.with_preset("final" if self.preset == "final" else "v3") if self.preset != "default" else plain
        settings = replace(
            local,
            engine=self.engine,
            relations=named.relations,
            strategy=named.strategy,
            merge_after_verdict=named.merge_after_verdict,
            neighbor_share=named.neighbor_share,
            retrieval_k=self.k,
            retrieval_alpha=self.alpha,
        )
        if self.engine == "llm":
            settings.llm.check_roles()
        return settings


def begin_like(runs: Runs, source: RunFolder, records: Sequence[Record[Any]], setup: Setup) -> str:
    """Make a run with the beginning of this one, under an address that nobody can guess. Nothing is run.

    Raises InputError for a run that has not begun, or a model that cannot be asked.
    """
    end = next((record.seq for record in records if ends_stage(record)), 0)
    begun = records[0].event if records else None
    if not end or not isinstance(begun, SessionStarted):
        raise InputError("run.not_begun")
    settings = setup.apply(runs.local)
    run_id = secrets.token_hex(16)
    target = RunFolder(runs.root / run_id, runs.local.temp_dir)
    first = replace(
        begun,
        run_id=run_id,
        engine=settings.engine,
        model=settings.llm.models if settings.engine == "llm" else "",
        **settings.analysis,
    )
    local_state.remember_corpus(run_id, local_state.known_corpus(source.path.name))
    with target.beginning():
        _copy_input(RunFolder(source.path, runs.local.temp_dir), target)
        with Journal.made_whole(target.journal, SESSION) as journal:
            journal.rewrite([Record(records[0].seq, records[0].at, first), *records[1:end]])
    return run_id


def _copy_input(source: RunFolder, target: RunFolder) -> None:
    """Copy originals, images that wait, and an uploaded corpus."""
    for name, folder in source.stores().items():
        if name != "blobs":
            copy_plain(folder, target.stores()[name])
    copy_plain(source.path / CORPUS, target.path / CORPUS)


class Relay(threading.Thread):
    """Lets the second run go when the first has come to rest, whatever page the reader looks at meanwhile."""

    GLANCE = 0.2
    """Seconds between two looks at the first run."""

    def __init__(self, first: Run, second: Run) -> None:
        super().__init__(name=f"relay-{second.run_id[:8]}", daemon=True)
        self._first, self._second = first, second
        self._stopped = threading.Event()

    def run(self) -> None:
        while self._first.busy:
            if self._stopped.wait(self.GLANCE):
                return
        self._second.go(Until.END)

    def stop(self) -> None:
        self._stopped.set()
