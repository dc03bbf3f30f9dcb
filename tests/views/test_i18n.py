"""Two catalogues, the same sentences; nothing missing is passed over in silence."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from memorybank.contradiction.disputes import STATES
from memorybank.language.text import cjk_share
from memorybank.memory.events import SessionFinished, StageName, UserAction
from memorybank.memory.types import AttachmentType, ConflictStatus, EntryKind, Lang, TaskStatus, TaskType
from memorybank.views.graph.style import EdgeKind, NodeState
from memorybank.views.i18n import CATALOGUES, LANGUAGES, catalogue, placeholders, preferred_lang, t

ROOT = Path(__file__).parents[2]
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


@pytest.mark.parametrize("lang", LANGS)
def test_every_state_of_the_domain_has_words(lang: Lang) -> None:
    needed = [
        *(f"conflict.status.{status}" for status in ConflictStatus),
        *(f"conflict.status_help.{status}" for status in STATES),
        *(f"task.type.{kind}" for kind in TaskType),
        *(f"task.status.{status}" for status in TaskStatus),
        *(f"stage.{name}" for name in (*get_args(StageName), *get_args(UserAction), "record")),
        *(f"state.{state}" for state in NodeState),
        *(f"edge.{kind}" for kind in EdgeKind),
        *(f"entry.kind.{kind}" for kind in get_args(EntryKind)),
        *(f"attachment.type.{kind}" for kind in AttachmentType),
        *(f"run.result.{result}" for result in get_args(get_type_hints(SessionFinished)["result"])),
    ]
    assert [key for key in needed if key not in catalogue(lang)] == []


def test_the_words_that_the_specifications_fix() -> None:
    assert [t(f"task.status.{status}", "zh") for status in TaskStatus] == ["成功", "失败"]
    assert t("conflict.status.open", "zh") == "待验证"
    assert t("graph.title", "zh") == "语义记忆图"


def test_every_sentence_that_the_app_asks_for_is_there() -> None:
    sources = [
        ROOT / "shell.py",
        *(ROOT / "pages").glob("*.py"),
        *(ROOT / "memorybank" / "ui").rglob("*.py"),
        *(ROOT / "memorybank" / "views").rglob("*.py"),
    ]
    asked = set[str]()
    for source in filter(Path.exists, sources):
        asked.update(re.findall(r'\bt\(\s*"([\w.]+)"', source.read_text(encoding="utf-8")))
    assert "graph.untitled" in asked
    assert sorted(asked - catalogue("en").keys()) == []


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
