"""Errors in Chinese: every message that the app's input can meet is known, and nothing it quotes is lost."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
import yaml

from memorybank import errors
from memorybank.documents import pdf
from memorybank.errors import InputError, JournalError, LockedError, MemoryBankError, MergeUndoError, message_of
from memorybank.llm.faults import Secret, status_error
from memorybank.settings.env import VARIABLES
from memorybank.views.i18n import CATALOGUES
from memorybank.views.problems import as_sentence, explain, translate

PACKAGE = Path(__file__).parents[2] / "memorybank"
STUDIO = ("narrative", "ui/studio")
"""All that the writing studio says."""
READ_BY_THE_APP = (
    *("documents/read.py", "documents/encoding.py", "documents/pdf.py", "documents/dialogue.py"),
    *(
        "runs/files/images.py",
        "runs/files/atomic.py",
        "runs/files/temp.py",
        "tools/corpus.py",
        "tools/deep_retrieval.py",
    ),
    *("runs/journal.py", "runs/run_folder.py", "hosting/registry.py", "views/run/playback.py"),
    *("session/assembly.py", "session/session.py", "settings/env.py", "settings/llm.py"),
    *(str(path.relative_to(PACKAGE)) for part in STUDIO for path in sorted((PACKAGE / part).rglob("*.py"))),
)
"""Where messages come from that a person meets by what they hand over or open."""
APART = {
    "no staged image": "no input of a person brings it about",
    " at once: give at most ": "`files` or `images` stands in a place of its own",
    "; merges that stand: ": "`was undone already` or `cannot be undone` stands in a place of its own",
    "no document in it can be read": "what was skipped stands in it, or nothing",
}
"""Messages that are left out here, and why; those that can be met are among the cases below."""


def messages() -> Iterator[str]:
    """What these modules say, with a value in each place: `v0`, `v1` …"""
    for path in READ_BY_THE_APP:
        for node in ast.walk(ast.parse((PACKAGE / path).read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
                continue
            kind = getattr(errors, node.func.id, None)
            if isinstance(kind, type) and issubclass(kind, MemoryBankError):
                text = _filled(node.args[0])
                if text is not None and not any(words in text for words in APART):
                    yield text


def _filled(argument: ast.expr) -> str | None:
    """A literal or an f-string as a text; None for a value that is made elsewhere."""
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        return argument.value
    if isinstance(argument, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else None for part in argument.values]
        filled = "".join(f"v{place}" if part is None else str(part) for place, part in enumerate(parts))
        return filled if re.sub(r"v\d+|\W", "", filled) else None
    return None


def test_every_message_that_input_can_meet_has_its_sentence() -> None:
    found = list(messages())
    assert len(found) > 150
    assert [message for message in found if translate(message, "zh") is None] == []
    refusals = [words for _, words in pdf._REFUSALS.values()]
    values = {"pages": 9, "characters": 9, "megabytes": 9, "seconds": 9.0}
    assert [words for words in refusals if translate(f"a.pdf: {words.format(**values)}", "zh") is None] == []


def test_a_sentence_keeps_its_values_and_is_chinese() -> None:
    table = yaml.safe_load((CATALOGUES / "errors.zh.yaml").read_text("utf-8"))
    for english, chinese in table.items():
        known, said = _places(english), _places(chinese)
        assert said <= known, english
        assert known - said <= {"remedy", "kinds", "limit", "what", "names", "where"}, f"lost in translation: {english}"
        assert re.search("[\u4e00-\u9fff]", chinese), english
        assert not chinese.endswith("。"), "it is put into other sentences"
    classes = {name for name, one in vars(errors).items() if isinstance(one, type) and issubclass(one, BaseException)}
    assert classes <= table.keys(), "every kind of error has a line"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("2 tasks are called 'The jade': name one by its id (t1, t3)", "有 2 个任务都叫 'The jade'：请用编号"),
        (
            "'O' is no predicate: write 1 to 64 capitals A-Z, digits and underscores, a capital first",
            "'O' 不能作为关系",
        ),
        ("the Chroma server at 127.0.0.1:1 refuses the token: check it", "Chroma 服务器 127.0.0.1:1 拒绝了令牌"),
        ("the fact layer takes no 'Step': this label belongs to the planning layer", "事实层 不收 'Step'"),
        ("the graph server at bolt://a:1 is busy (X): nothing was written, try again", "图服务器 bolt://a:1 正忙（X）"),
        ("'NEXT' is a relation of the planning layer, between outlines and steps: give the fact another predicate",
         "'NEXT' 是规划层中大纲与步骤之间的关系"),
    ],
)  # fmt: skip
def test_what_the_studio_says_is_chinese_in_all_its_parts(message: str, told: str) -> None:
    found = translate(message, "zh")
    assert found is not None
    assert found.startswith(told)


def test_what_variables_hold_is_said_in_chinese() -> None:
    values = re.compile(r"[a-z]+(, ?[a-z]+)*")
    said = [one.says for one in VARIABLES if one.says and not values.fullmatch(one.says)]
    assert len(said) > 12
    assert [words for words in said if translate(words, "zh") is None] == []


@pytest.mark.parametrize("status", [302, 400, 401, 402, 403, 404, 413, 429, 500])
def test_what_a_server_answers_is_told_in_chinese(status: int) -> None:
    for words in ("", "no such model", "wait"):
        error = status_error(status, words, "llm.example", "small-talk", secret=Secret("sk-0123456789"))
        told = explain(errors.EndpointError(str(error)), "zh")
        assert "llm.example" in told.words
        assert str(status) in told.words
        assert told.detail == ""
        assert not re.search(r"[a-z]{4,} [a-z]{3,}", told.words.replace(words or "-", ""))


def _places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


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
        (InputError("a{b}.txt: the file is empty: give one with text"), "a{b}.txt 是空文件：请换一个有文字的文件", ""),
        (
            JournalError("the journal contradicts itself: an event names node n5, which the graph does not hold"),
            "日志前后矛盾（an event names node n5, which the graph does not hold）：请用备份恢复",
            "",
        ),
        (
            InputError("the uploaded files: no document in it can be read (1 skipped, such as a.md: the file is empty: "
            "give one with text): give .md .txt files"),
            "其中没有可读的文档（跳过 1 个，例如：a.md 是空文件：请换一个有文字的文件）：请给以下类型的文件：.md .txt",
            "",
        ),
        (InputError("/x: no document in it can be read: give .md files"), "/x：其中没有可读的文档：请给", ""),
        (InputError("51 files at once: give at most 50"), "一次给了 51 个文件：最多 50 个", ""),
        (InputError("51 images at once: give at most 50"), "一次给了 51 张图片：最多 50 张", ""),
        (MergeUndoError("m1 cannot go now"), "现在不能撤销这次合并，原因如下", "m1 cannot go now"),
        (errors.EndpointError("no answer"), "模型的服务没有给出回答", "no answer"),
        (ZeroDivisionError("x"), "程序遇到了意外的错误", "ZeroDivisionError('x')"),
        (OSError(28, "No space left on device", "/home/me/run/journal.jsonl"), "无法读写 journal.jsonl", ""),
        (LockedError("run 'x' is being written"), "已在另一个窗口打开", ""),
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
