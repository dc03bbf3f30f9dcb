"""Two catalogues, the same sentences; nothing missing is passed over in silence."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from memorybank.language.text import cjk_share
from memorybank.memory.types import Lang, TaskStatus
from memorybank.views.i18n import CATALOGUES, LANGUAGES, catalogue, placeholders, preferred_lang, t

LANGS: tuple[Lang, ...] = get_args(Lang)


def test_both_catalogues_say_the_same_things() -> None:
    english, chinese = catalogue("en"), catalogue("zh")
    plurals = [key for key in english.keys() | chinese.keys() if key.endswith(".one")]
    assert english.keys() - plurals == chinese.keys() - plurals
    for key in english.keys() - plurals:
        assert placeholders(english[key]) == placeholders(chinese[key]), key
    for key in plurals:  # "1 node" need not put the number in; all else must be said
        for sentences in (english, chinese):
            whole = sentences[key.removesuffix(".one")]
            assert placeholders(sentences.get(key, whole)) | {"count"} == placeholders(whole) | {"count"}, key
    assert tuple(LANGUAGES) == LANGS
    assert [t(f"language.{lang}", "en") for lang in LANGS] == list(LANGUAGES.values())


@pytest.mark.parametrize("lang", LANGS)
def test_every_sentence_is_clean(lang: Lang) -> None:
    files = sorted((CATALOGUES / lang).glob("*.yaml"))
    keys = [key for file in files for key in re.findall(r"^([\w.]+):", file.read_text("utf-8"), re.MULTILINE)]
    assert len(keys) == len(set(keys)) == len(catalogue(lang)), "a key stands twice"
    for key, sentence in catalogue(lang).items():
        assert sentence.strip() == sentence != "" or key.startswith("punctuation."), key
        assert not re.search(r"<\w|\]\(|:\w+\[", sentence), f"{key} holds markup"
        assert all(name.isidentifier() for name in placeholders(sentence)), key
        if key.endswith(".one"):
            assert key.removesuffix(".one") in catalogue(lang), key
    prose = " ".join(sentence for key, sentence in catalogue(lang).items() if not key.startswith("language."))
    assert cjk_share(prose) > 0.8 if lang == "zh" else cjk_share(prose) < 0.02


def test_the_words_that_the_specifications_fix() -> None:
    assert [t(f"task.status.{status}", "zh") for status in TaskStatus] == ["成功", "失败"]
    assert t("conflict.status.open", "zh") == "待验证"
    assert t("graph.title", "zh") == "语义记忆图"


def test_values_are_put_in_as_text_and_what_is_missing_is_an_error() -> None:
    assert t("feed.node_created", "en", topic="{lang} <b>") == "New node: {lang} <b>"
    assert [t("graph.nodes", "en", count=count) for count in (0, 1, 2)] == ["0 nodes", "1 node", "2 nodes"]
    assert t("graph.nodes", "zh", count=1) == "1 个节点"
    with pytest.raises(KeyError, match="no sentence"):
        t("graph.nowhere", "en")
    with pytest.raises(KeyError, match="needs topic"):
        t("feed.node_created", "zh")


@pytest.mark.parametrize(
    ("hint", "lang"),
    [
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("de, en-GB;q=0.7, zh;q=0.3", "en"),
        ("zh_Hans_CN", "zh"),
        ("en;q=0, zh;q=0.1", "zh"),
        ("fr", "en"),
        ("", "en"),
        (None, "en"),
        ("zh;q=nonsense, ;;; en", "en"),
        ("*" * 10_000, "en"),
    ],
)
def test_the_browser_is_asked_which_language(hint: str | None, lang: Lang) -> None:
    assert preferred_lang(hint) == lang
