"""A batch's folder: what it was begun with, who writes it, and what is left to do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, TypeAdapter, ValidationError

from memorybank.batch.plan import BatchPlan, System
from memorybank.batch.results import RESULTS, TaskRow, read_results
from memorybank.batch.task import BatchTask, names_a_folder
from memorybank.errors import InputError, LockedError
from memorybank.language.text import encodable_values
from memorybank.memory.bounds import loads
from memorybank.runs.files.names import shown
from memorybank.runs.files.plain import check_folder, read_plain, write_whole
from memorybank.runs.journal import take_lock

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
    """What stands in batch.json. A batch may come from anywhere: a task that no batch writes is left out."""

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
        """What the batch was begun with; None where none has. Raises InputError for a file that is no batch's."""
        try:
            return _BEGUN.validate_python(encodable_values(loads(read_plain(self.path / BATCH))))
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
            write_whole(self.path / BATCH, _json(self._checked(plan, tasks)))
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
        if _settings(known.plan) != _settings(plan):
            raise InputError("batch.other_settings", name=shown(self.path.name), begun=_in_words(known.plan))
        for task in known.tasks:
            if task.id in new and new[task.id].digest != task.digest:
                raise InputError("batch.other_task", id=task.id, name=shown(self.path.name))
        all_tasks = {**{task.id: task for task in known.tasks}, **new}
        systems = tuple(dict.fromkeys((*known.plan.systems, *plan.systems)))
        merged = BatchPlan(**{**_fields(plan), "systems": systems})
        return Begun(plan=merged, tasks=tuple(all_tasks.values()))

    def jobs(self, plan: BatchPlan, tasks: Sequence[BatchTask]) -> tuple[Job, ...]:
        """What is left, in the order of the tasks: all that has no row of a task that came to its end."""
        ended = {key for key, row in self.rows().items() if row.ended}
        return tuple(
            Job(task=task, system=system, folder=self.run_folder(task.id, system))
            for task in tasks
            for system in plan.systems
            if (task.id, system) not in ended
        )


def _fields(plan: BatchPlan) -> dict[str, Any]:
    return asdict(plan)


def _settings(plan: BatchPlan) -> dict[str, Any]:
    return {name: value for name, value in _fields(plan).items() if name != "systems"}


def _in_words(plan: BatchPlan) -> str:
    """As on a command line."""
    words = [f"--engine {plan.engine}"] if plan.engine else []
    words += [f"--preset {plan.preset}"] if plan.preset else []
    words += [f"--embedding-model {plan.embedding_model}"] if plan.embedding_model else []
    words += [f"--set {name}={text}" for name, text in plan.settings]
    return " ".join(words) or "-"


def _json(begun: Begun) -> bytes:
    return json.dumps(begun.model_dump(mode="json"), ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"
