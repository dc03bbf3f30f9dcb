"""Two catalogues, the same sentences; errors in the reader's language; one style sheet a class."""

from __future__ import annotations

import re
from collections import defaultdict
from importlib import resources
from typing import get_args

import pytest

from memorybank import errors
from memorybank.errors import InputError, LockedError, MergeUndoError, Notice, message_of
from memorybank.language.text import cjk_share
from memorybank.llm.faults import Endpoint, Secret, status_error
from memorybank.memory.types import Lang, TaskStatus
from memorybank.views import i18n
from tests.tables import tables

TABLES = tables(__file__)

LANGS: tuple[Lang, ...] = get_args(Lang)


def test_both_catalogues_say_the_same_things() -> None:
    english, chinese = i18n.catalogue("en"), i18n.catalogue("zh")
    plurals = [key for key in english.keys() | chinese.keys() if key.endswith(".one")]
    assert english.keys() - plurals == chinese.keys() - plurals
    for key in english.keys() - plurals:
        assert i18n.placeholders(english[key]) == i18n.placeholders(chinese[key]), key
    for key in plurals:  # "1 node" need not put the number in; all else must be said
        for sentences in (english, chinese):
            whole = sentences[key.removesuffix(".one")]
            assert i18n.placeholders(sentences.get(key, whole)) | {"count"} == i18n.placeholders(whole) | {"count"}, key
    assert tuple(i18n.LANGUAGES) == LANGS
    assert [i18n.t(f"language.{lang}", "en") for lang in LANGS] == list(i18n.LANGUAGES.values())


def test_every_sentence_is_clean(lang: Lang) -> None:
    files = sorted((i18n.CATALOGUES / lang).glob("*.yaml"))
    keys = [key for file in files for key in re.findall(r"^([\w.]+):", file.read_text("utf-8"), re.MULTILINE)]
    assert len(keys) == len(set(keys)) == len(i18n.catalogue(lang)), "a key stands twice"
    for key, sentence in i18n.catalogue(lang).items():
        assert sentence.strip() == sentence != "" or key.startswith("punctuation."), key
        assert not re.search(r"<\w|\]\(|:\w+\[", sentence), f"{key} holds markup"
        assert all(name.isidentifier() for name in i18n.placeholders(sentence)), key
        if key.endswith(".one"):
            assert key.removesuffix(".one") in i18n.catalogue(lang), key
    prose = " ".join(sentence for key, sentence in i18n.catalogue(lang).items() if not key.startswith("language."))
    assert cjk_share(prose) > 0.8 if lang == "zh" else cjk_share(prose) < 0.02


def test_the_words_that_the_specifications_fix() -> None:
    assert [i18n.t(f"task.status.{status}", "zh") for status in TaskStatus] == ["成功", "失败"]
    assert i18n.t("conflict.status.open", "zh") == "待核查"
    assert i18n.t("graph.title", "zh") == "语义记忆图"


def test_values_are_put_in_as_text_and_what_is_missing_is_an_error() -> None:
    assert i18n.t("feed.node_created", "en", topic="{lang} <b>") == "New node: {lang} <b>"
    assert [i18n.t("graph.nodes", "en", count=count) for count in (0, 1, 2)] == ["0 nodes", "1 node", "2 nodes"]
    assert i18n.t("graph.nodes", "zh", count=1) == "1 个节点"
    with pytest.raises(KeyError, match="no sentence"):
        i18n.t("graph.nowhere", "en")
    with pytest.raises(KeyError, match="needs topic"):
        i18n.t("feed.node_created", "zh")


@pytest.mark.parametrize(("hint", "lang"), [*TABLES["languages_of_a_browser"], ("*" * 10_000, "en")])
def test_the_browser_is_asked_which_language(hint: str | None, lang: Lang) -> None:
    assert i18n.preferred_lang(hint) == lang


# -- an error on the page: in the reader's language, and nothing it quotes is lost ------------------------------------


@pytest.mark.parametrize("status", [302, 400, 401, 402, 403, 404, 413, 429, 500])
def test_what_a_server_answers_is_told_in_chinese(status: int) -> None:
    endpoint = Endpoint(host="llm.example", model="small-talk", secret=Secret("sk-0123456789"))
    for words in ("", "no such model", "wait"):
        told = i18n.explain(status_error(status, words, endpoint), "zh")
        assert "llm.example" in told.words
        assert str(status) in told.words
        assert told.detail == ""
        assert not re.search(r"[a-z]{4,} [a-z]{3,}", told.words.replace(words or "-", ""))


@pytest.mark.parametrize(("words", "sentence"), TABLES["an_error_is_shown_as_a_sentence"])
def test_an_error_is_shown_as_a_sentence(words: str, sentence: str) -> None:
    assert i18n.as_sentence(words) == sentence


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
        (MergeUndoError("m1 cannot go now"), "原因如下", "m1 cannot go now"),
        (errors.EndpointError("text.outside", text="no answer"), "原因如下", "no answer"),
        (ZeroDivisionError("x"), "程序遇到了意外的错误", "ZeroDivisionError('x')"),
        (OSError(28, "No space left on device", "/home/me/run/journal.jsonl"), "磁盘已满，journal.jsonl 没能写入", ""),
        (OSError(122, "Disk quota exceeded", f"/home/me/run/blobs/.{'7' * 64}.tmp"), "无法读写 blobs", ""),
        (LockedError("run.open_elsewhere"), "已在另一个标签页、浏览器或程序中打开", ""),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)  # fmt: skip
def test_an_error_is_explained(error: BaseException, words: str, detail: str) -> None:
    chinese, english = i18n.explain(error, "zh"), i18n.explain(error, "en")
    assert words in chinese.words
    assert chinese.detail == detail
    assert english.detail == ""
    if not isinstance(error, LockedError):
        assert english.words == message_of(error)
    assert "/home/me" not in english.words, "of a path only the last part is told"
    assert "\n" not in chinese.words + english.words


RULE_RE = re.compile(r"^\.(?P<name>[\w-]+)\s*\{", re.MULTILINE)


def test_a_class_is_laid_out_by_one_sheet() -> None:
    sheets: dict[str, set[str]] = defaultdict(set)
    for sheet in resources.files("memorybank.views.drawing.rich").joinpath("css").iterdir():
        for rule in RULE_RE.finditer(sheet.read_text("utf-8")):
            sheets[rule["name"]].add(sheet.name)
    assert len(sheets) > 100
    assert {name: found for name, found in sheets.items() if len(found) > 1} == {}
