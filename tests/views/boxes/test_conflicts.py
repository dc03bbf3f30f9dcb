"""What every view of a conflict shows alike."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from memorybank.session.executors.base import OFFLINE_RESEARCHER, REACT_AGENT
from memorybank.views.boxes.conflicts import USER, executor_name


@pytest.mark.parametrize(
    ("name", "lang", "words"),
    [
        (OFFLINE_RESEARCHER, "zh", "离线研究员"),
        (REACT_AGENT, "zh", "ReAct 智能体"),
        (USER, "en", "you"),
        (USER, "zh", "你"),
        ("my own agent", "zh", "my own agent"),
    ],
)
def test_whoever_gave_a_verdict_is_named_in_the_reader_s_language(name: str, lang: Lang, words: str) -> None:
    assert executor_name(name, lang) == words
