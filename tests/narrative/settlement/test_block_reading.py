"""A history of several blocks is read as one: later blocks know the names and plans of those before."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memorybank.llm.base import ChatMessage
from memorybank.memory.types import Lang
from memorybank.narrative.drafts import DraftItem, Extracted, ReadsOn, blocks, extracted
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.settlement.block_reading import ReadingOn, with_drafts
from memorybank.narrative.settlement.by_model import ModelExtract
from memorybank.narrative.settlement.by_rules import RuleExtract
from memorybank.narrative.types import Entity, EntityKind, Fact, Origin, Plan, PlanKind, TaskId, Turn, entity_key

TASK = TaskId("t1")
ORIGIN = Origin(task=TASK)
TOLD: dict[Lang, tuple[str, str, str]] = {
    "en": (
        "Character: Lin\nCharacter: Mei\nItem: Frost Sword\nGeneral outline: War\nLong outline: One\nShort outline: B",
        "The wind went over the hill, and nobody spoke of it for a long while.",
        "Settled: in chapter 5 Lin gave the Frost Sword to Mei.\nNext step: Lin comes home",
    ),
    "zh": (
        "人物：林霜\n人物：饶青\n物品：照夜剑\n总纲：战\n长线：一\n短线：二",
        "风吹过山头，很久没有人说话。",
        "定下来：第五章，林霜把照夜剑交给了饶青。\n下一步：林霜回家",
    ),
}


class Narrow:
    """The rules with a window of a block or two."""

    window = 120

    def __init__(self, stores: Stores, lang: Lang) -> None:
        self._rules = RuleExtract(stores.facts, stores.plans, lang)

    def __call__(self, turns: Sequence[Turn], task: TaskId) -> Extracted:
        return self._rules(turns, task)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_last_block_knows_the_names_and_outlines_of_the_first(stores: Stores, lang: Lang) -> None:
    first, between, last = TOLD[lang]
    turns = [Turn(number=1, role="author", text=first, at=0.0)]
    turns += [Turn(number=number, role="author", text=between * 6, at=0.0) for number in range(2, 6)]
    turns.append(Turn(number=6, role="author", text=last, at=0.0))
    assert len(list(blocks(turns, Narrow.window))) > 2
    found = [one.item for one in extracted(ReadingOn(lambda known: Narrow(known, lang), stores), turns, TASK).drafts]
    receiver = entity_key(EntityKind.CHARACTER, "Mei" if lang == "en" else "饶青")
    sword = entity_key(EntityKind.ITEM, "Frost Sword" if lang == "en" else "照夜剑")
    owned = [(one.subject, one.object, one.since) for one in found if isinstance(one, Fact) and one.predicate == "OWNS"]
    assert owned == [(receiver, sword, 5)]
    shorts = [one for one in found if isinstance(one, Plan) and one.kind is PlanKind.SHORT]
    (step,) = [one for one in found if isinstance(one, Plan) and one.kind is PlanKind.STEP]
    assert [step.parent] == [one.key for one in shorts]


def test_drafts_stand_beside_what_is_on_record(stores: Stores) -> None:
    lin = Entity(kind=EntityKind.CHARACTER, name="Lin", origin=ORIGIN)
    sword = Entity(kind=EntityKind.ITEM, name="Frost Sword", aliases=("the blade",), origin=ORIGIN)
    war = Plan(kind=PlanKind.GENERAL, title="War", origin=ORIGIN)
    one = Plan(kind=PlanKind.LONG, title="One", parent=war.key, origin=ORIGIN)
    stores.facts.apply([lin], [])
    stores.plans.apply([war], [], "board")
    known = with_drafts(stores, [DraftItem(item=item, turns=(1,)) for item in (lin, sword, war, one)])
    assert dict(known.facts.names()) == {"Lin": lin.key, "Frost Sword": sword.key, "the blade": sword.key}
    assert set(known.facts.names([EntityKind.ITEM])) == {"Frost Sword", "the blade"}
    assert known.facts.named("THE BLADE") == (sword,)
    assert known.facts.named("lin") == (lin,)
    assert known.facts.entity(sword.key) == sword
    assert dict(known.facts.entities([lin.key, sword.key])) == {lin.key: lin, sword.key: sword}
    assert known.plans.all() == (war, one)
    assert known.plans.children(war.key) == (one,)
    assert known.plans.plan(one.key) == one
    assert known.facts.latest() == 0
    assert stores.facts.entity(sword.key) is None, "nothing is written"


class _Chat:
    name, context_window = "a model", None


def test_a_model_is_told_the_names_of_the_blocks_before(stores: Stores) -> None:
    extract = ModelExtract(_Chat(), stores, "en")  # type: ignore[arg-type]
    assert isinstance(extract, ReadsOn)
    sword = Entity(kind=EntityKind.ITEM, name="Frost Sword", origin=ORIGIN)
    after = extract.knowing([DraftItem(item=sword, turns=(1,))])
    turns = [Turn(number=9, role="author", text="It was lost.", at=0.0)]
    asked: list[ChatMessage] = list(after._messages(turns))
    assert "Frost Sword" in asked[1].content
    assert all("Frost Sword" not in one.content for one in extract._messages(turns))
