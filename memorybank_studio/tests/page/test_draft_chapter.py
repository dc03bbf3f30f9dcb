"""The chapter of a draft follows the story until the author names another; a draft becomes a chapter."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from memorybank_studio.page import draft
from memorybank_studio.page.tab import DRAFT_CHAPTER, DRAFT_TEXT
from memorybank_studio.tests.page.conftest import Tab
from memorybank_studio.types import PlanStatus


def test_the_coming_chapter_moves_on_with_the_story_but_not_over_the_authors_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = dict[str, Any]()
    monkeypatch.setattr(st, "session_state", held)
    for coming in (1, 5):
        draft._follow(coming)
        assert held[DRAFT_CHAPTER.key] == coming
    held[DRAFT_CHAPTER.key] = 3
    draft._follow(6)
    assert held[DRAFT_CHAPTER.key] == 3


def test_a_draft_becomes_a_chapter_for_the_step_in_progress_and_the_field_is_free(tabs: type[Tab]) -> None:
    tab = tabs("zh").press("studio-demo").show("write")
    tab.page.text_area(key=DRAFT_TEXT.key).set_value("灯室里没有人。")
    tab.page.text_input(key=draft.DRAFT_TITLE).set_value("灯室")
    tab.press("studio-draft-keep")
    (chapter,) = tab.held.studio.gateway.chapters.all()
    assert (chapter.number, chapter.title, chapter.text) == (4, "灯室", "灯室里没有人。")
    plans = tab.held.studio.stores.plans
    assert [plans.plan(key).status for key in chapter.plans] == [PlanStatus.IN_PROGRESS]
    assert "chapter-archive-do" in [button.key for button in tab.page.button], "it is shown"
    tab.choose("chapter-chosen", "")
    assert tab.page.text_area(key=DRAFT_TEXT.key).value == ""
    assert tab.held.studio.gateway.typed.get(DRAFT_TEXT.key) is None
