"""The chapter of a draft follows the story until the author names another."""

from __future__ import annotations

from typing import Any

import pytest
import streamlit as st

from memorybank_studio.page import draft
from memorybank_studio.page.tab import DRAFT_CHAPTER


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
