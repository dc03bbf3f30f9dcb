"""The file of a batch: a JSON object a line is a task; every bad line is found before anything starts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StrictBool, StrictFloat, StrictInt, StrictStr, StringConstraints
from pydantic import ValidationError as PydanticError

from memorybank.batch.plan import MOST_ID_BYTES, BatchTask, for_a_task, names_a_folder
from memorybank.errors import InputError, Notice
from memorybank.language.text import encodable, sha256
from memorybank.memory.bounds import no_number
from memorybank.runs.files.names import shown
from memorybank.settings.config import Settings
from memorybank.settings.env import with_variables

Text = Annotated[StrictStr, StringConstraints(min_length=1)]
Expected = StrictStr | StrictInt | StrictFloat


class TaskLine(BaseModel):
    """One line as it is written. Paths are relative to the file's own folder."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    id: StrictStr | StrictInt
    task: Text
    context: tuple[Text, ...] = ()
    corpus: Text | None = None
    images: tuple[Text, ...] = ()
    lang: Literal["en", "zh", "auto"] = "auto"
    settings: Mapping[str, StrictBool | StrictInt | StrictFloat | StrictStr] = {}
    expect: Expected | tuple[Expected, ...] = ()


class BadTasksError(InputError):
    """Lines of a file of tasks cannot be used; `problems` says of each which and why."""

    problems: tuple[Notice, ...] = ()


def read_tasks(path: Path) -> tuple[BatchTask, ...]:
    """Read and check a whole file of tasks, in its order.

    Raises BadTasksError, which names every bad line by its number, InputError for a file that holds none.
    """
    tasks: list[BatchTask] = []
    problems: list[Notice] = []
    numbers: dict[str, int] = {}
    for number, line in _lines(path):
        try:
            task = _task(line, path.parent)
            first = numbers.setdefault(task.id.casefold(), number)  # one folder on a disk that knows no capitals
            if first != number:
                raise InputError("batch.duplicate_id", id=shown(task.id), first=first)
            tasks.append(task)
        except InputError as error:
            problems.append(Notice("batch.at_line", line=number, reason=error))
    if problems:
        bad = BadTasksError("batch.bad_lines", name=shown(path.name), count=len(problems))
        bad.problems = tuple(problems)
        raise bad
    if not tasks:
        raise InputError("batch.no_tasks", name=shown(path.name))
    return tuple(tasks)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield lines that are not blank, by number from 1. Raises InputError for a file that is not there."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        raise InputError("batch.no_file", name=shown(path.name)) from None
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.strip():
            yield number, line


def _task(line: bytes, folder: Path) -> BatchTask:
    """Raises InputError for a line that cannot be used."""
    given = _read(line)
    id_ = str(given.id)
    if not names_a_folder(id_):
        raise InputError("batch.unsafe_id", id=shown(id_)[:80], most=MOST_ID_BYTES)
    if not given.task.strip():
        raise InputError("batch.task_empty")
    expected = given.expect if isinstance(given.expect, tuple) else (given.expect,)
    if any(isinstance(value, str) and not value.strip() for value in expected):
        raise InputError("batch.expect_empty")
    corpus = (folder / given.corpus).absolute() if given.corpus else None
    if corpus is not None and not os.path.isdir(corpus):  # noqa: PTH112 - a Path raises where a name is too long
        raise InputError("batch.corpus_missing", name=shown(given.corpus or "")[-120:])
    values = given.model_dump(mode="json", exclude={"expect"})
    return BatchTask(
        id=id_,
        task=given.task,
        context=tuple(_file(folder, name, "context") for name in given.context),
        corpus=corpus,
        images=tuple(_file(folder, name, "images") for name in given.images),
        lang=None if given.lang == "auto" else given.lang,
        settings=_settings(given.settings),
        expect=expected,
        digest=sha256(json.dumps(values, sort_keys=True, ensure_ascii=False)),
    )


def _read(line: bytes) -> TaskLine:
    try:
        raw = json.loads(line.decode("utf-8"), parse_constant=no_number, object_pairs_hook=_once)
    except UnicodeDecodeError:
        raise InputError("batch.not_utf8") from None
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise InputError("batch.not_json", reason=reason) from None
    if not isinstance(raw, dict):
        raise InputError("batch.not_object")
    written = json.dumps(raw, ensure_ascii=False)
    if encodable(written) != written:
        raise InputError("batch.not_text")
    try:
        return TaskLine.model_validate_json(written)
    except PydanticError as error:
        raise _unusable(error, raw) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise InputError("batch.key_twice", name=shown(name)[:80])
        values[name] = value
    return values


def _unusable(error: PydanticError, raw: Mapping[str, Any]) -> InputError:
    """Return the first thing that is wrong with the line's keys and values."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    name = str(first["loc"][0])
    if first["type"] == "extra_forbidden":
        return InputError("batch.unknown_key", name=shown(name)[:80], known=", ".join(TaskLine.model_fields))
    if first["type"] == "missing":
        return InputError("batch.key_missing", name=name)
    given = shown(json.dumps(raw.get(name), ensure_ascii=False))[:80]
    return InputError("batch.bad_value", name=name, given=given, takes=Notice(_TAKES[name]))


_TAKES = {
    "id": "batch.takes_id",
    "task": "batch.takes_text",
    "context": "batch.takes_files",
    "corpus": "batch.takes_folder",
    "images": "batch.takes_files",
    "lang": "batch.takes_lang",
    "settings": "batch.takes_settings",
    "expect": "batch.takes_expected",
}


def _file(folder: Path, name: str, key: str) -> Path:
    path = (folder / name).absolute()
    if not os.path.isfile(path):  # noqa: PTH113 - a Path raises where a name is too long
        raise InputError("batch.file_missing", key=key, name=shown(name)[-120:])
    return path


def _settings(given: Mapping[str, bool | int | float | str]) -> tuple[tuple[str, str], ...]:
    """Texts of variables. Raises InputError for one that a task may not set, or a value that it does not take."""
    texts = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in given.items()}
    with_variables(Settings(), for_a_task(texts))
    return tuple(texts.items())
