"""The shows at the press of a button, on the demo corpora: ready tasks, and recorded runs."""

from __future__ import annotations

import functools
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import yaml

from memorybank.hosting.saved import JOURNAL, StoredRun, summarise
from memorybank.memory.types import RECORDED, Lang
from memorybank.settings.place import APP

ASSETS = APP / "assets"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyTask:
    id: str
    lang: Lang
    title: str
    task: str
    corpus: str
    """The name of a folder of `assets/corpus`."""
    images: tuple[str, ...] = ()
    """The names of files of `assets/images`."""
    recorded: str = ""
    """The recorded run whose answers serve for it: a language model's. Empty: it runs without a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRun:
    """A run that comes with the app, a file of `memorybank pack`: offline, or a language model's, answered by hand."""

    id: str
    lang: Lang
    engine: Literal["offline", "llm"]
    title: str
    corpus: str

    @property
    def file(self) -> Path:
        return ASSETS / "recorded" / f"{self.id}.zip"

    @property
    def run_id(self) -> str:
        """Return the id that its journal states."""
        return f"{RECORDED}{self.id}"

    def summary(self) -> StoredRun:
        """Return the run as the list of runs shows it; its address is the id that its journal states."""
        return _summary(self)


def ready_tasks(lang: Lang) -> tuple[ReadyTask, ...]:
    """Return the tasks of a language; the first is the one to begin with."""
    return tuple(task for task in _all() if task.lang == lang)


def recorded_runs(lang: Lang) -> tuple[RecordedRun, ...]:
    return tuple(run for run in _recorded() if run.lang == lang)


def demo_corpus(name: str) -> Path:
    return ASSETS / "corpus" / name


def demo_image(name: str) -> bytes:
    return (ASSETS / "images" / name).read_bytes()


@functools.cache
def _summary(recorded: RecordedRun) -> StoredRun:
    with zipfile.ZipFile(recorded.file) as packed:
        run = summarise(recorded.run_id, packed.read(JOURNAL))
    assert run is not None, f"{recorded.file.name} holds a run"
    return replace(run, name=recorded.title)


@functools.cache
def _all() -> tuple[ReadyTask, ...]:
    raw = yaml.safe_load((ASSETS / "tasks.yaml").read_text("utf-8"))
    return tuple(ReadyTask(**{**task, "images": tuple(task.get("images", ()))}) for task in raw)


@functools.cache
def _recorded() -> tuple[RecordedRun, ...]:
    raw = yaml.safe_load((ASSETS / "recorded" / "recorded.yaml").read_text("utf-8"))
    return tuple(RecordedRun(**run) for run in raw)
