"""What an extractor reads is merged and signed; turns are cut into blocks without a loss."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.llm.tokens import estimate
from memorybank_studio.drafts import DraftItem, Extracted, blocks, extracted, merged_drafts
from memorybank_studio.types import Entity, EntityKind, Origin, Setting, TaskId, Turn

T1 = TaskId("t1")


def turns_of(texts: Sequence[str]) -> list[Turn]:
    return [
        Turn(number=number, role="author" if number % 2 else "assistant", text=text, at=0.0)
        for number, text in enumerate(texts, start=1)
    ]


LONG = st.builds(lambda unit, times: unit * times, st.text(min_size=1, max_size=12), st.integers(0, 200))


@settings(max_examples=150, deadline=None)
@given(st.lists(LONG, max_size=12), st.integers(9, 400))
def test_blocks_hold_every_character_of_every_turn_once(texts: list[str], window: int) -> None:
    found = list(blocks(turns_of(texts), window))
    whole: dict[int, str] = {}
    for block in found:
        for turn in block:
            whole[turn.number] = whole.get(turn.number, "") + turn.text
    assert whole == dict(enumerate(texts, start=1))
    numbers = [turn.number for block in found for turn in block]
    assert numbers == sorted(numbers)
    for block in found:
        assert sum(estimate(turn.text) + 8 for turn in block) <= window


def test_an_item_told_in_several_turns_stands_once_with_all_its_turns() -> None:
    origin = Origin(task=T1)
    drafts = merged_drafts(
        [
            DraftItem(
                item=Entity(kind=EntityKind.CHARACTER, name="Lin", aliases=("L",), note="old", origin=origin),
                turns=(1,),
            ),
            DraftItem(item=Setting(key="Jade", text="warm", origin=origin), turns=(2,)),
            DraftItem(
                item=Entity(kind=EntityKind.CHARACTER, name="lin", aliases=("Frost",), origin=origin), turns=(5,)
            ),
            DraftItem(item=Setting(key="JADE", text="cold", origin=origin), turns=(4,)),
        ]
    )
    entity, setting = (draft.item for draft in drafts)
    assert isinstance(entity, Entity)
    assert isinstance(setting, Setting)
    assert (entity.aliases, entity.note) == (("L", "Frost"), "old")
    assert setting.text == "cold", "the later word counts"
    assert [draft.turns for draft in drafts] == [(1, 5), (2, 4)]


def test_an_extractor_cannot_write_for_another_task_or_cite_turns_that_are_not_there() -> None:
    class Forging:
        def __call__(self, turns: Sequence[Turn], task: TaskId) -> Extracted:
            origin = Origin(task=TaskId("t9"), turns=(77,))
            return Extracted(drafts=(DraftItem(item=Setting(key="Jade", text="cold", origin=origin), turns=(1, 77)),))

    (draft,) = extracted(Forging(), turns_of(["hello"]), T1).drafts
    assert isinstance(draft.item, Setting)
    assert (draft.item.origin.task, draft.item.origin.turns, draft.turns) == (T1, (1,), (1,))
