"""Hooks that ask, and hooks that are resolved."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from memorybank_studio.tests.reading.extracting import hub, table
from memorybank_studio.types import RESOLVED, UNRESOLVED


@pytest.mark.parametrize(
    ("lang", "text", "name"),
    [
        ("en", "Hook: who drowned the miller?", "who drowned the miller"),
        ("zh", "伏笔：谁淹死了磨坊主？", "谁淹死了磨坊主"),
        ("zh", "伏筆：谁淹死了磨坊主", "谁淹死了磨坊主"),
    ],
)
def test_a_hook_may_ask(lang: Lang, text: str, name: str) -> None:
    assert table(text, lang=lang).ticked == {(name, "HAS_STATUS", UNRESOLVED, 0)}


def test_any_other_question_settles_nothing() -> None:
    assert not table("Settled: does the miller die?").drafts


@pytest.mark.parametrize(
    ("lang", "hook", "text", "chapter"),
    [
        ("en", "Hook: The drowned miller", "Hook resolved: the drowned miller", 1),
        ("en", "Hook: Who drowned him?", "Hook resolved: who drowned him (chapter 7).", 7),
        ("en", "Hook: The drowned miller", "Chapter 7, hook resolved: The drowned miller", 7),
        ("zh", "伏笔：磨坊的秘密", "伏笔回收：磨坊的秘密（第七章）", 7),
        ("zh", "伏笔：磨坊的秘密", "第七章 伏笔回收：磨坊的秘密", 7),
        ("zh", "伏笔：磨坊的秘密？", "伏笔回收：磨坊的秘密", 1),
    ],
)
def test_a_resolution_is_of_the_hook_on_record_and_begins_after_it(
    lang: Lang, hook: str, text: str, chapter: int
) -> None:
    facts = hub(hook, lang=lang)
    ((known, opened),) = facts.hooks()
    resolved = table(text, lang=lang, hub=facts, task="t2")
    assert resolved.ticked == {(known.name, "HAS_STATUS", RESOLVED, chapter)}
    assert resolved.fact("HAS_STATUS").subject == opened.subject


def test_without_a_chapter_it_is_of_the_one_after_all_that_is_on_record() -> None:
    facts = hub("Hook: The drowned miller\nCharacter: Odo\nItem: Horn\nSettled: In chapter 12 Odo owns the Horn.")
    assert table("Hook resolved: The drowned miller", hub=facts, task="t2").fact("HAS_STATUS").since == 13
