"""A file of tasks: what a line may say, and that every bad one is named before anything starts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memorybank.batch.results import is_met
from memorybank.batch.tasks import BadTasksError, read_tasks
from memorybank.errors import InputError, message_of
from tests.batch.making import FERRY, RESERVOIR, documents, line, task_file
from tests.tables import tables

TABLES = tables(__file__)


def problems(folder: Path, *lines: Any) -> list[str]:
    text = "".join(one if isinstance(one, str) else "" for one in lines)
    path = folder / "tasks.jsonl"
    path.write_text(text, "utf-8") if text else task_file(folder, lines)
    with pytest.raises(BadTasksError) as caught:
        read_tasks(path)
    assert all(notice.in_language("zh") != str(notice) for notice in caught.value.problems)
    return list(map(str, caught.value.problems))


def test_a_line_is_read_with_paths_from_the_files_own_folder(tmp_path: Path) -> None:
    documents(tmp_path)
    full = {
        "corpus": "corpus",
        "lang": "zh",
        "settings": {"RETRIEVAL_K": 7, "LLM_CACHE": False},
        "expect": ["4200", 42],
    }
    path = task_file(tmp_path, [line("a"), {"id": 7, "task": RESERVOIR, **full}])
    path.write_bytes(b"\xef\xbb\xbf\n" + path.read_bytes() + b"  \n")
    first, second = read_tasks(path)
    assert (first.id, first.task, first.context) == ("a", FERRY, (tmp_path / "corpus" / "ferry.md",))
    assert (second.id, second.corpus, second.lang) == ("7", tmp_path / "corpus", "zh")
    assert second.settings == (("RETRIEVAL_K", "7"), ("LLM_CACHE", "false"))
    assert (first.expect, second.expect) == ((), ("4200", 42))


def test_what_is_expected_changes_no_task(tmp_path: Path) -> None:
    documents(tmp_path)
    (before,) = read_tasks(task_file(tmp_path, [line("a")]))
    (after,) = read_tasks(task_file(tmp_path, [line("a", expect="240")]))
    (other,) = read_tasks(task_file(tmp_path, [line("a", FERRY + "?")]))
    assert before.digest == after.digest != other.digest


def test_every_bad_line_is_named_by_number_and_reason(tmp_path: Path) -> None:
    documents(tmp_path)
    found = problems(
        tmp_path,
        line("good"),
        line("Good"),
        line("../up"),
        line("nul"),
        line("x" * 101),
        line("a", context=["corpus/none.md"]),
        line("b", corpus="nowhere"),
        line("c", colour="red"),
        line("d", settings={"RETRIEVALK": 3}),
        line("e", settings={"RETRIEVAL_K": "many"}),
        line("f", lang="fr"),
        {"id": "g"},
        line("h", " "),
        line("i", expect=[""]),
        line("j", context="corpus/ferry.md"),
        line("k", context=["文" * 300]),
        line("l", images=["x" * 300]),
        line("m", corpus="x" * 300),
    )
    assert [int(words.split(":")[0].removeprefix("line ")) for words in found] == list(range(2, 19))
    reasons = ["line 1, too", *["no name for a folder"] * 3, "no file", "no folder", "no key 'colour'"]
    reasons += ["no setting 'RETRIEVALK'", "RETRIEVAL_K", "en, zh or auto", '"task" is missing', "task is empty"]
    reasons += [
        "empty text",
        "a list of paths",
        '"context": there is no file',
        '"images": there is no file',
        "no folder",
    ]
    assert [words for words, reason in zip(found, reasons, strict=True) if reason not in words] == []


def test_what_is_no_json_object_is_a_bad_line(tmp_path: Path) -> None:
    bad = ['{"id": 1, ', "[1]", '{"id": "a", "id": "b"}', '{"id": "c", "task": "t", "expect": NaN}', '"x"']
    bad += ['{"id": "d", "task": "half of \\ud83d"}', '{"id": "e", "\\ud83d": 1}']
    found = problems(tmp_path, "\n".join(bad) + "\n")
    for number, says in enumerate(("not JSON", "object", "twice", "JSON", "object", "half", "half"), start=1):
        assert says in found[number - 1].split(f"line {number}: ")[1]


@pytest.mark.parametrize("name", ["LLM_API_KEY", "LLM_BASE_URL", "LLM_PROVIDER_ANALYSIS", "VISIT_WEB", "TEMP_DIR"])
def test_a_task_cannot_say_where_texts_and_keys_are_sent(tmp_path: Path, name: str) -> None:
    documents(tmp_path)
    (found,) = problems(tmp_path, line("a", settings={name: "http://evil.example"}))
    assert name in found
    assert "evil" not in found


@pytest.mark.parametrize("data", [b"", b"\n \n", b"\xff\xfe"])
def test_a_file_without_tasks_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "tasks.jsonl").write_bytes(data)
    with pytest.raises(InputError, match=r"no task|cannot be used"):
        read_tasks(tmp_path / "tasks.jsonl")
    with pytest.raises(InputError, match="no file") as caught:
        read_tasks(tmp_path / "none.jsonl")
    assert "没有文件" in message_of(caught.value, "zh")


@pytest.mark.parametrize(("expected", "answer", "met"), TABLES["what_is_expected_is_found"])
def test_what_is_expected_is_found(expected: tuple[str | int | float, ...], answer: str, met: bool | None) -> None:
    assert is_met(answer, expected) is met
