"""Two prompts part by part: what grew, came, went and moved; and how much of the beginning stayed."""

from __future__ import annotations

from itertools import pairwise

import pytest

from memorybank.memory.bank import MemoryBank
from memorybank.memory.events import PromptEnhanced, PromptPart
from memorybank.memory.types import Lang, NodeId
from memorybank.runs.run_folder import load
from memorybank.views.calls.prompt_change import part_changes, shared_prefix
from memorybank.views.calls.prompt_parts import PromptView, pieces_of, prompt_view, prompts
from tests.recorded import recorded_run
from tests.ui.llm_run import llm_run


def view(*parts: tuple[str, str, str]) -> PromptView:
    """(name, node or empty, text) in order, a blank line between them."""
    text, listed = "", []
    for name, node, words in parts:
        start = len(text)
        text += words
        listed.append(
            PromptPart(name=name, tokens=len(words), node_id=NodeId(node) or None, start=start, end=len(text))
        )
        text += "\n\n"
    event = PromptEnhanced(prompt=text.rstrip("\n"), query="", query_vector=b"", hits=(), below=(), parts=tuple(listed))
    return PromptView(
        seq=1, round=1, event=event, bank=MemoryBank(), pieces=pieces_of(event, {NodeId(node) for _, node, _ in parts})
    )


def test_parts_are_told_by_what_became_of_them() -> None:
    earlier = view(
        ("goal", "", "Goal: g"),
        ("completed", "", "1. one\nlearnt a"),
        ("current", "", "do this"),
        ("memory", "n1", "old"),
        ("memory", "n2", "two"),
        ("memory", "n3", "three"),
        ("failed", "", "nothing"),
    )
    later = view(
        ("goal", "", "Goal: g"),
        ("completed", "", "1. one"),
        ("completed", "", "2. two"),
        ("current", "", "do that now"),
        ("memory", "n3", "three"),
        ("memory", "n1", "old and new"),
        ("memory", "n2", "two"),
        ("memory", "n4", "four"),
    )
    changes = part_changes(earlier, later)
    assert [(change.name, change.node, change.change) for change in changes] == [
        ("goal", None, "same"),
        ("completed", None, "reworded"),
        ("completed", None, "came"),
        ("current", None, "reworded"),
        ("memory", "n3", "moved"),
        ("memory", "n1", "reworded"),
        ("memory", "n2", "same"),
        ("memory", "n4", "came"),
        ("failed", None, "went"),
    ]
    assert [(change.before, change.after) for change in changes[-2:]] == [(0, 4), (7, 0)]
    prefix = shared_prefix(earlier, later)
    assert later.event.prompt[: prefix.characters] == "Goal: g\n\n1. one\n"
    assert prefix.tokens == len("Goal: g") + len("1. one")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nothing_is_lost_or_counted_twice_between_two_prompts_of_a_run(lang: Lang) -> None:
    for records in (load(recorded_run(lang).path), load(llm_run(lang).folder.path)):
        views = [prompt_view(records, mark) for mark in prompts(records)]
        for earlier, later in pairwise(views):
            changes = part_changes(earlier, later)
            assert sum(change.before for change in changes) == earlier.tokens
            assert sum(change.after for change in changes) == later.tokens
            assert {change.change for change in part_changes(later, later)} == {"same"}
            length = shared_prefix(earlier, later).characters
            assert earlier.event.prompt[:length] == later.event.prompt[:length]
            assert earlier.event.prompt[: length + 1] != later.event.prompt[: length + 1]
