"""Errors carry codes and values: both catalogues hold the same, and each raise gives what its sentence needs."""

from __future__ import annotations

import ast
import gc
import json
import pickle
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from memorybank import errors
from memorybank.errors import (
    LONGEST,
    AgentError,
    EndpointLostError,
    InputError,
    MemoryBankError,
    Notice,
    ToolError,
    catalogue,
    message_of,
)
from memorybank.llm.faults import AttemptError
from memorybank.settings.env import VARIABLES

ROOT = Path(__file__).parents[1]
APART = frozenset({"transient", "status", "retry_after", "notes", "attempts"})
"""Keywords of `AttemptError` and its kinds that are no values of a sentence."""
_CODE_RE = re.compile(r"[a-z_]+\.[a-z_0-9]+")


@pytest.fixture(autouse=True, scope="module")
def _trees_are_not_walked_by_the_collector() -> Iterator[None]:
    """A million nodes are kept for these tests alone: each collection of garbage would look at them all."""
    gc.disable()
    yield
    _trees.cache_clear()
    gc.enable()


def _needed(sentence: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(sentence) if name is not None)


@cache
def _trees() -> Mapping[str, ast.Module]:
    paths = [*(ROOT / "memorybank").rglob("*.py"), *(ROOT / "memorybank_lab/commands").glob("*.py")]
    paths += [path for path in (ROOT / "memorybank_studio").rglob("*.py") if "tests" not in path.parts]
    paths += [*(ROOT / "pages").glob("*.py"), ROOT / "app.py", ROOT / "shell.py"]
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


@cache
def _kinds() -> frozenset[str]:
    """Names of the classes that take a code: notices, and errors but those that give their code themselves."""
    kinds = {
        name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, MemoryBankError)
    }
    nodes = [node for tree in _trees().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for _ in nodes:
        new = {node.name for node in nodes if {ast.unparse(base) for base in node.bases} & kinds} - kinds
        if not new:
            break
        kinds |= new
    return frozenset({*kinds, "Notice"} - {"TooFewError", "UsedUpError"})


def _foreign(tree: ast.Module) -> frozenset[str]:
    """Names of ours that a module takes from another package."""
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return frozenset(
        alias.name for node in froms if not (node.module or "").startswith("memorybank") for alias in node.names
    )


def _calls() -> Iterator[tuple[str, ast.Call, list[ast.expr]]]:
    """Where a notice or an error is made: the place, the call, and what stands first in it, by any of its branches."""
    for path, tree in _trees().items():
        kinds = _kinds() - _foreign(tree)
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
                continue
            made = [
                node
                for node in _within(function)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds
            ]
            assigned = _assigned(function) if made else {}
            for node in made:
                yield f"{path}:{node.lineno}", node, [one for arg in node.args[:1] for one in _firsts(arg, assigned)]


def _assigned(function: ast.AST) -> dict[str, ast.expr]:
    return {
        node.targets[0].id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }


def _within(function: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function and in none of those inside it."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
            yield from _within(node)


def _firsts(argument: ast.expr, assigned: Mapping[str, ast.expr]) -> list[ast.expr]:
    if isinstance(argument, ast.IfExp):
        return [*_firsts(argument.body, assigned), *_firsts(argument.orelse, assigned)]
    if isinstance(argument, ast.Name) and argument.id in assigned:
        return _firsts(assigned[argument.id], {})
    return [argument]


def test_both_catalogues_hold_the_same_codes_with_the_same_values() -> None:
    english, chinese = catalogue("en"), catalogue("zh")
    assert english.keys() == chinese.keys()
    assert len(english) > 400
    for code, sentence in english.items():
        assert _needed(sentence) == _needed(chinese[code]), code
        assert not sentence.endswith("."), f"{code} is put into other sentences"
        assert not chinese[code].endswith("。"), f"{code} is put into other sentences"
        if " " in re.sub(r"\{.*?\}", "", sentence).strip(" :"):
            assert re.search("[\u4e00-\u9fff]", chinese[code]), f"{code} is not translated"


def test_what_is_raised_has_a_code_and_the_values_that_its_sentence_needs() -> None:
    wrong, seen = [], 0
    for place, call, firsts in _calls():
        given = {keyword.arg for keyword in call.keywords}
        is_attempt = ast.unparse(call.func) in ("AttemptError", "ImagesRefusedError", "TooLongError")
        for first in firsts:
            if isinstance(first, ast.JoinedStr | ast.BinOp) and not ast.unparse(first).startswith("f'variable."):
                wrong.append(f"{place}: free text")
            if not isinstance(first, ast.Constant):
                continue
            seen += 1
            needed = _needed(catalogue("en").get(str(first.value), ""))
            if first.value not in catalogue("en"):
                wrong.append(f"{place}: {first.value!r} stands in no catalogue")
            elif given - (APART if is_attempt else frozenset()) != needed:
                wrong.append(f"{place}: {first.value} needs {', '.join(sorted(needed))}")
    assert wrong == []
    assert seen > 400


def test_every_sentence_is_used() -> None:
    used = {f"variable.{one.name}" for one in VARIABLES} | {
        node.value
        for tree in _trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _CODE_RE.fullmatch(node.value)
    }
    assert sorted(catalogue("en").keys() - used) == []


def test_an_error_has_its_words_in_either_language_and_so_has_what_it_wraps() -> None:
    error = InputError("text.at", place="{x}", reason=InputError("document.empty", name="a{b}.txt"))
    assert str(error) == message_of(error) == "{x}: a{b}.txt: the file is empty: give one with text"
    assert message_of(error, "zh") == "{x}：a{b}.txt 是空文件：请换一个有文字的文件"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (InputError, str(error))
    assert str(AgentError("a tool's own {words}")) == "a tool's own {words}", "a text from outside is no code"
    attempt = AttemptError("llm.broke_off_answer", host="h", transient=True)
    assert (str(attempt)[:7], attempt.transient) == ("h broke", True)


def test_an_error_has_words_where_no_more_files_can_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def catalogue(lang: str) -> Mapping[str, str]:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(errors, "catalogue", catalogue)
    assert str(InputError("document.empty", name="a.txt")) == "document.empty {'name': 'a.txt'}"


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("kind", [InputError, EndpointLostError, AttemptError, ToolError, OSError])
def test_a_message_is_one_line_of_bounded_length_whatever_it_quotes(kind: type[Exception], lang: str) -> None:
    outside = "a\nb\x1b\0" + "x" * 2 * LONGEST
    error = OSError(5, "bad", outside) if kind is OSError else kind("text.outside", text=outside)  # type: ignore[call-arg]
    words = message_of(error, lang)
    assert words.isprintable()
    assert len(words) == LONGEST + 1


def test_a_notice_is_stored_as_json_values_and_read_again() -> None:
    notice = Notice("text.at", place="p", reason=InputError("pdf.time", name="a.pdf", seconds=20.0))
    stored = json.loads(json.dumps(notice.stored()))
    again = Notice.restored(stored)
    assert [again.in_language(lang) for lang in ("en", "zh")] == [notice.in_language(lang) for lang in ("en", "zh")]
    for bad in ({}, {"code": "no.code", "values": {}}, {"code": "text.at", "values": {"place": 1}}, {"code": 1}):
        assert Notice.restored(bad) is None
