"""An error on the page: in the reader's language, and nothing it quotes is lost."""

from __future__ import annotations

import re

import pytest

from memorybank import errors
from memorybank.errors import InputError, LockedError, MergeUndoError, Notice, message_of
from memorybank.llm.faults import Endpoint, Secret, status_error
from memorybank.views.problems import as_sentence, explain


@pytest.mark.parametrize("status", [302, 400, 401, 402, 403, 404, 413, 429, 500])
def test_what_a_server_answers_is_told_in_chinese(status: int) -> None:
    endpoint = Endpoint(host="llm.example", model="small-talk", secret=Secret("sk-0123456789"))
    for words in ("", "no such model", "wait"):
        told = explain(status_error(status, words, endpoint), "zh")
        assert "llm.example" in told.words
        assert str(status) in told.words
        assert told.detail == ""
        assert not re.search(r"[a-z]{4,} [a-z]{3,}", told.words.replace(words or "-", ""))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("there is no such run here: look again", "There is no such run here: look again."),
        ("a.txt: the file is empty", "a.txt: the file is empty."),
        ("journal.jsonl line 4 is no record", "journal.jsonl line 4 is no record."),
        ("其中没有可读的文档", "其中没有可读的文档。"),
        ("是空文件。", "是空文件。"),
        ("nothing to do: give a task", "Nothing to do: give a task."),
        ("", ""),
    ],
)
def test_an_error_is_shown_as_a_sentence(words: str, sentence: str) -> None:
    assert as_sentence(words) == sentence


@pytest.mark.parametrize(
    ("error", "words", "detail"),
    [
        (InputError("document.empty", name="a{b}.txt"), "a{b}.txt 是空文件：请换一个有文字的文件", ""),
        (
            InputError("corpus.all_skipped", place=Notice("corpus.uploaded"), count=1, kinds=".md",
            example=InputError("document.empty", name="a.md")),
            "上传的文件：其中没有可读的文档（跳过 1 个，例如：a.md 是空文件：请换一个有文字的文件）",
            "",
        ),
        (MergeUndoError("m1 cannot go now"), "操作没有成功，原因如下", "m1 cannot go now"),
        (errors.EndpointError("text.outside", text="no answer"), "操作没有成功，原因如下", "no answer"),
        (ZeroDivisionError("x"), "程序遇到了意外的错误", "ZeroDivisionError('x')"),
        (OSError(28, "No space left on device", "/home/me/run/journal.jsonl"), "无法读写 journal.jsonl", ""),
        (OSError(122, "Disk quota exceeded", f"/home/me/run/blobs/.{'7' * 64}.tmp"), "无法读写 blobs", ""),
        (LockedError("run.open_elsewhere"), "已在另一个标签页、浏览器或程序中打开", ""),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)  # fmt: skip
def test_an_error_is_explained(error: BaseException, words: str, detail: str) -> None:
    chinese, english = explain(error, "zh"), explain(error, "en")
    assert words in chinese.words
    assert chinese.detail == detail
    assert english.detail == ""
    if not isinstance(error, LockedError):
        assert english.words == message_of(error)
    assert "/home/me" not in english.words, "of a path only the last part is told"
    assert "\n" not in chinese.words + english.words
