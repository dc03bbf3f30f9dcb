"""The layout of a prompt is the prompt: what the adapter wrote comes out again, part by part."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memorybank.events import PromptEnhanced
from memorybank.prompt_layout import NAMES, layout
from memorybank.run_folder import load, state_at
from memorybank.types import Lang
from tests.recorded import recorded_run


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_prompt_of_a_run_is_its_layout_with_each_part_once(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    prompts = [record for record in records if isinstance(record.event, PromptEnhanced)]
    assert prompts
    for record in prompts:
        event = record.event
        state = state_at(records, record.seq - 1)
        segments = list(layout(state, event.parts, event.left_out, lang))
        assert "".join(one.text for one in segments) == event.prompt, "the budget holds all of it"
        placed = [one.part for one in segments if one.part is not None]
        assert sorted(placed) == list(range(len(event.parts)))
        order = [NAMES.index(event.parts[place].name) for place in placed]
        assert order == sorted(order)


def test_parts_that_a_memory_cannot_have_made_are_refused() -> None:
    records = load(recorded_run("en").path)
    record = next(record for record in reversed(records) if isinstance(record.event, PromptEnhanced))
    state, parts = state_at(records, record.seq - 1), record.event.parts
    completed = next(part for part in parts if part.name == "completed")
    for wrong in (
        (),
        parts[1:],
        (*parts, parts[0]),
        (*parts, *(completed for _ in range(50))),
        tuple(replace(part, node_id="n999") if part.node_id else part for part in parts),
    ):
        with pytest.raises((KeyError, ValueError)):
            list(layout(state, wrong, (), "en"))
