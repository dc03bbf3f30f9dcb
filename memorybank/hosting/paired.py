"""The same task under two settings: two runs that begin alike and differ in what the reader chose.

`begin_like` makes a run of another's beginning: its task, its context, its images and its corpus, word for word, with
other settings. Nothing of what was worked out is taken over, and the other run is only read.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from memorybank.errors import InputError
from memorybank.hosting.orders import Until
from memorybank.hosting.registry import CORPUS, Runs
from memorybank.hosting.run import Run
from memorybank.memory.events import SessionStarted
from memorybank.runs import local_state
from memorybank.runs.files.plain import copy_plain
from memorybank.runs.journal import Journal, Record
from memorybank.runs.run_folder import SESSION, RunFolder
from memorybank.runs.stages import ends_stage
from memorybank.settings.config import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The settings that a reader chooses for one of the two runs."""

    engine: str = "offline"
    preset: str = "default"
    """default, final or v3: relations and how many calls judge them, which neighbours come, who is merged."""
    k: int = 5
    alpha: float = 0.5

    def apply(self, local: Settings) -> Settings:
        """These on top of this machine's settings. Raises InputError for a model that cannot be asked."""
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
    """A new run with the beginning of this one, under an address that nobody can guess. Nothing is run.

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
    """Originals, images that wait, and an uploaded corpus."""
    for name, folder in source.stores().items():
        if name != "blobs":
            copy_plain(folder, target.stores()[name])
    copy_plain(source.path / CORPUS, target.path / CORPUS)


class Relay(threading.Thread):
    """Lets the second run go when the first has come to rest, whatever page the reader looks at meanwhile."""

    GLANCE = 0.2
    """Seconds."""

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
