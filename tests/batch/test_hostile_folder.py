"""A batch's folder may come from anywhere, as a journal may: what stands in it names no place and ends no table."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from memorybank.batch.report import as_csv, as_markdown
from memorybank.batch.results import RESULTS, read_results
from memorybank.batch.store import BATCH, lines_of, run_folders
from memorybank.errors import InputError
from memorybank.runs.run_folder import JOURNAL
from memorybank.ui.batch.batch import columns_of, table_box

IDS = ("first", "second", "third")
BEGUN: dict[str, Any] = {
    "plan": {"engine": "offline", "preset": None, "embedding_model": "", "settings": [["K", "3"]], "systems": ["bank"]},
    "tasks": [{"id": id_, "task": f"Task {id_}", "digest": id_} for id_ in IDS],
}
ROW: dict[str, Any] = {
    "id": "first", "system": "bank", "outcome": "complete", "answer": "42", "expected": True, "rounds": 2,
    "conflicts": {"resolved": 1}, "merges": 1, "nodes": 5, "calls": 9,
    "tokens": {"planning": {"input": 9, "cached": 4, "output": 2}},
    "seconds": 1.5, "cost": 0.1, "error": "", "error_zh": "",
}  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, -1, -(10**13), 10**15, 10**400, 1e-320, float("inf"), float("-inf"), float("nan"), "", "x" * 5_000,
    "-1", "../../../x", "/etc", "..", "a/b", "a\\b", "con", "first.", "\ud83d half", "a\0b", "\u202eabc",
    [], [[]], {}, {"a": -1}, ["bank", "bank"],
)  # fmt: skip


def _mutants(value: Any) -> Iterator[Any]:
    """The value with each thing in it, a name too, made another."""
    yield from VALUES
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from ({**value, name: mutant} for mutant in _mutants(inner))
            yield {other: inner for other, inner in value.items() if other != name}
            yield from ({**value, str(mutant): inner} for mutant in VALUES[10:23])
    elif isinstance(value, list):
        yield [*value, *copy.deepcopy(value)]
        for place, inner in enumerate(value):
            yield from ([*value[:place], mutant, *value[place + 1 :]] for mutant in _mutants(inner))


def _write(folder: Path, begun: Any, rows: list[Any]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / BATCH).write_text(json.dumps(begun))
    (folder / RESULTS).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return folder


def _draw(folder: Path) -> str:
    """Everything that is made of the folder: the app's table, and both files."""
    lines, rows = lines_of(folder, live=False), read_results(folder)
    ids, systems = [line.id for line in lines], list(dict.fromkeys(line.system for line in lines))
    table = table_box(lines, columns_of(lines), "en", ticked=(), here="")
    as_markdown("name", ids, systems, rows).encode()
    as_csv(rows).encode()
    return json.dumps(table.data(), ensure_ascii=False)


def test_no_value_in_it_ends_the_table_or_names_another_place(tmp_path: Path) -> None:
    other = {**ROW, "id": "second", "cost": None, "tokens": {}}
    folder = _write(tmp_path / "batch", BEGUN, [ROW, other])
    whole = _draw(folder)
    for number, row in enumerate(_mutants(ROW)):
        _draw(_write(folder, BEGUN, [row, other])).encode()
        if number % 7 == 0:
            assert "second" in _draw(folder), "one bad row hides no other"
    for begun in _mutants(BEGUN):
        _write(folder, begun, [ROW, other])
        with suppress(InputError):
            _draw(folder).encode()
            assert all(run.resolve().parent.parent == folder for run in run_folders(folder))
    bad = {**BEGUN, "tasks": [{"id": "x" * 5_000, "task": "t", "digest": ""}, 7, *BEGUN["tasks"]]}
    assert _draw(_write(folder, bad, [ROW, other])) == whole, "one bad task hides no other"


@pytest.mark.parametrize("link", ["run", "runs"])
def test_a_link_in_it_leads_nowhere(tmp_path: Path, link: str) -> None:
    private = tmp_path / "private"
    (private / "first").mkdir(parents=True)
    (private / "first" / JOURNAL).write_text("{}\n")
    folder = _write(tmp_path / "batch", BEGUN, [])
    if link == "runs":
        (folder / "runs").symlink_to(private)
        assert run_folders(folder) == ()
    else:
        (folder / "runs").mkdir()
        (folder / "runs" / "first").symlink_to(private / "first")
    assert not any(line.has_run for line in lines_of(folder, live=False))
