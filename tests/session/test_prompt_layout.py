"""The layout of a prompt: its parts in their order, each where the event says that it stands."""

from __future__ import annotations

import pytest

from memorybank.memory.events import PromptEnhanced
from memorybank.memory.types import Lang
from memorybank.prompts.excerpts import Excerpt
from memorybank.runs.run_folder import load, state_at
from memorybank.session.checks import marked_summary
from memorybank.session.prompt_layout import NAMES, current_text, frame_text, goal_text, memory_text
from tests.recorded import recorded_run


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_part_of_every_prompt_of_a_run_stands_where_it_says(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    prompts = [record for record in records if isinstance(record.event, PromptEnhanced)]
    assert prompts
    for record in prompts:
        event, state = record.event, state_at(records, record.seq - 1)
        parts = sorted(event.parts, key=lambda part: part.start)
        assert [NAMES.index(part.name) for part in parts] == sorted(NAMES.index(part.name) for part in parts)
        ends = [0, *(part.end for part in parts)]
        assert all(end <= part.start < part.end for end, part in zip(ends, parts, strict=False))
        assert ends[-1] == len(event.prompt)
        texts = [(part, event.prompt[part.start : part.end]) for part in parts]
        assert [text for part, text in texts if part.name == "goal"] == [goal_text(state, lang)]
        assert [text for part, text in texts if part.name == "current"] == [current_text(state, lang)]
        assert [text for part, text in texts if part.name == "frame"] == [frame_text(state, lang)]
        for part, text in texts:
            if part.node_id is not None:
                summary = marked_summary(state.graph.nodes[part.node_id], lang)
                whole = memory_text(part.node_id, Excerpt(summary, 0), state, lang)
                assert text.splitlines()[0] == whole.splitlines()[0]
                if "deep_retrieval" not in text:  # a long one has sentences left out
                    assert text == whole
