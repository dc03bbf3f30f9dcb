"""A batch's folder: what it was begun with, who writes it, what is left to do, and how those see it who only read it.

Who reads may do so while the batch goes on: a file is read again only when it has changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter, ValidationError

from memorybank.batch.plan import BatchPlan, BatchTask, System, names_a_folder
from memorybank.batch.results import MOST_BYTES, RESULTS, TaskRow, read_results
from memorybank.errors import InputError, LockedError, UnsafeInputError
from memorybank.language.text import encodable_values
from memorybank.memory.bounds import loads
from memorybank.runs.files.names import shown
from memorybank.runs.files.plain import check_folder, read_plain, write_whole
from memorybank.runs.journal import is_written, take_lock
from memorybank.runs.run_folder import JOURNAL

BATCH = "batch.json"
FOLDERS: dict[System, str] = {"bank": "runs", "plain": "plain"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One task under one system: what a scheduler hands to `run_task`."""

    task: BatchTask
    system: System
    folder: Path

    @property
    def key(self) -> tuple[str, System]:
        return self.task.id, self.system


class BegunTask(BaseModel):
    """A task as batch.json keeps it, for readers who have no file of tasks."""

    model_config = ConfigDict(frozen=True)

    id: str
    task: str
    digest: str


def _sound_tasks(tasks: Any) -> Any:
    if not isinstance(tasks, list | tuple):
        return tasks
    sound: dict[str, BegunTask] = {}
    for task in tasks:
        with suppress(ValidationError):
            begun = BegunTask.model_validate(task)
            if names_a_folder(begun.id):
                sound.setdefault(begun.id.casefold(), begun)
    return tuple(sound.values())


class Begun(BaseModel):
    """The content of batch.json, as values. A batch may come from anywhere: a task that no batch writes is left out."""

    model_config = ConfigDict(frozen=True)

    plan: BatchPlan
    tasks: Annotated[tuple[BegunTask, ...], BeforeValidator(_sound_tasks)]


_BEGUN = TypeAdapter(Begun)


@dataclass(frozen=True, slots=True)
class BatchFolder:
    path: Path

    def run_folder(self, id_: str, system: System = "bank") -> Path:
        return self.path / FOLDERS[system] / id_

    def begun(self) -> Begun | None:
        """Return what the batch was begun with; None before that. Raises InputError for a file that is no batch's."""
        try:
            return _BEGUN.validate_python(encodable_values(loads(read_plain(self.path / BATCH, most=MOST_BYTES))))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (ValueError, RecursionError):  # of which pydantic's is one
            raise InputError("batch.damaged", name=shown(self.path.name), file=BATCH) from None

    def rows(self) -> dict[tuple[str, System], TaskRow]:
        return read_results(self.path)

    @contextmanager
    def writing(self, plan: BatchPlan, tasks: Sequence[BatchTask]) -> Iterator[None]:
        """Begin the batch, or go on with it, as its one writer.

        New tasks, and a system more, may come; raises InputError where the settings are others than those that it was
        begun with, where a task that it knows is another, and for a folder that holds something else; LockedError
        where another process writes it.
        """
        self._check_place()
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            lock = take_lock(self.path / BATCH)
        except LockedError:
            raise LockedError("batch.locked", name=shown(self.path.name)) from None
        try:
            begun = self._checked(plan, tasks).model_dump(mode="json")
            told = json.dumps(begun, ensure_ascii=False, indent=1)
            write_whole(self.path / BATCH, told.encode("utf-8", "replace") + b"\n")
            yield
        finally:
            lock.release()

    def _check_place(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise InputError("command.out_is_file", name=shown(self.path.name))
        for name in FOLDERS.values():
            check_folder(self.path / name)
        if self.begun() is None and any(
            (self.path / name).exists() for name in (*FOLDERS.values(), RESULTS, "journal.jsonl")
        ):
            raise InputError("batch.place_taken", name=shown(self.path.name))

    def _checked(self, plan: BatchPlan, tasks: Sequence[BatchTask]) -> Begun:
        known = self.begun()
        new = {task.id: BegunTask(id=task.id, task=task.task, digest=task.digest) for task in tasks}
        if known is None:
            return Begun(plan=plan, tasks=tuple(new.values()))
        if replace(known.plan, systems=()) != replace(plan, systems=()):
            raise InputError("batch.other_settings", name=shown(self.path.name), begun=_in_words(known.plan))
        for task in known.tasks:
            if task.id in new and new[task.id].digest != task.digest:
                raise InputError("batch.other_task", id=task.id, name=shown(self.path.name))
        all_tasks = {**{task.id: task for task in known.tasks}, **new}
        systems = tuple(dict.fromkeys((*known.plan.systems, *plan.systems)))
        return Begun(plan=replace(plan, systems=systems), tasks=tuple(all_tasks.values()))

    def jobs(self, plan: BatchPlan, tasks: Sequence[BatchTask]) -> tuple[Job, ...]:
        """Return the jobs that are left, in the order of the tasks: all but those with a row that came to its end."""
        ended = {key for key, row in self.rows().items() if row.ended}
        return tuple(
            Job(task=task, system=system, folder=self.run_folder(task.id, system))
            for task in tasks
            for system in plan.systems
            if (task.id, system) not in ended
        )


def _in_words(plan: BatchPlan) -> str:
    """Return a plan as it is written on a command line."""
    words = [f"--engine {plan.engine}"] if plan.engine else []
    words += [f"--preset {plan.preset}"] if plan.preset else []
    words += [f"--embedding-model {plan.embedding_model}"] if plan.embedding_model else []
    words += [f"--set {name}={text}" for name, text in plan.settings]
    return " ".join(words) or "-"


Stamp = tuple[int, int]
"""The time in ns at which a file was written, and its bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One task under one system, as it stands."""

    folder: Path
    id: str
    task: str
    system: System
    state: str
    """The outcome of its row, or `running`, `begun` where nobody works on it any more, `waiting`."""
    row: TaskRow | None
    has_run: bool
    """Whether its run has written anything."""

    @property
    def tokens(self) -> int:
        return sum(use.input + use.output for use in self.row.tokens.values()) if self.row else 0


def is_live(path: Path) -> bool:
    """Whether somebody is at work on the batch now."""
    try:
        return (path / BATCH).is_file() and is_written(path / BATCH)
    except UnsafeInputError:  # what stands in the lock's place is no file that a batch writes
        return False


def begun_of(path: Path) -> Begun | None:
    """Return what the batch was begun with; None before that. Raises InputError for no batch's file, OSError."""
    stamp = _stamp(path / BATCH)
    return _begun(path, stamp) if stamp else None


def run_folders(path: Path) -> tuple[Path, ...]:
    """Return the folders of all its runs, those that are still to begin too, none beside it. Raises as `begun_of`."""
    begun, folder = begun_of(path), BatchFolder(path)
    if begun is None:
        return ()
    runs = (folder.run_folder(task.id, system) for task in begun.tasks for system in begun.plan.systems)
    return tuple(run for run in runs if not run.parent.is_symlink())


def lines_of(path: Path, *, live: bool) -> list[Line]:
    """Return all its lines, in the order of the batch's tasks. Raises as `begun_of`."""
    begun = begun_of(path)
    if begun is None:
        return []
    folder, stamp = BatchFolder(path), _stamp(path / RESULTS)
    rows = _rows(path, stamp) if stamp else {}
    lines: list[Line] = []
    for task in begun.tasks:
        for system in dict.fromkeys(begun.plan.systems):
            run, row = folder.run_folder(task.id, system), rows.get((task.id, system))
            leads_out = run.is_symlink() or run.parent.is_symlink()
            has_run = not leads_out and _stamp(run / JOURNAL) is not None
            unended = "waiting" if not has_run else "running" if live else "begun"
            state = row.outcome if row is not None else unended
            lines.append(
                Line(folder=run, id=task.id, task=task.task, system=system, state=state, row=row, has_run=has_run)
            )
    return lines


def _stamp(path: Path) -> Stamp | None:
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=8)
def _begun(path: Path, stamp: Stamp) -> Begun | None:
    return BatchFolder(path).begun()


@lru_cache(maxsize=8)
def _rows(path: Path, stamp: Stamp) -> Mapping[tuple[str, System], TaskRow]:
    return read_results(path)
