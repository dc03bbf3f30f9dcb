from __future__ import annotations

from memorybank.memory.types import Lang
from memorybank_studio.drafts import DraftItem, extracted
from memorybank_studio.hub.stores import Stores
from memorybank_studio.settlement.by_model import with_drafts
from memorybank_studio.settlement.by_rules import RuleExtract
from memorybank_studio.tests.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank_studio.tests.reading.extracting import hub, table
from memorybank_studio.types import (
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKind,
    Role,
    Setting,
    TaskId,
    Turn,
)

TASK = TaskId("t1")


def turns(*said: tuple[Role, str]) -> list[Turn]:
    return [Turn(number=number, role=role, text=text, at=0.0) for number, (role, text) in enumerate(said, start=1)]


def settle(*said: tuple[Role, str], lang: Lang = "zh") -> tuple[DraftItem, ...]:
    return extracted(RuleExtract(FactsInMemory(), PlansInMemory(), lang), turns(*said), TASK).drafts


def told(drafts: tuple[DraftItem, ...]) -> dict[tuple[str, str, str], DraftItem]:
    names: dict[EntityKey, str] = {one.item.key: one.item.name for one in drafts if isinstance(one.item, Entity)}
    return {
        (names[one.item.subject], one.item.predicate, names[one.item.object]): one
        for one in drafts
        if isinstance(one.item, Fact)
    }


CARDS = "人物：林霜，十七岁，青云门弟子\n势力：青云门\n人物：顾青，林霜的师父\n地点：断雁谷"


def test_cards_become_entities_and_settings_and_nothing_is_read_out_of_their_words() -> None:
    drafts = settle(("author", CARDS))
    assert not told(drafts)
    kinds = {(one.item.name, one.item.kind) for one in drafts if isinstance(one.item, Entity)}
    assert {("林霜", EntityKind.CHARACTER), ("断雁谷", EntityKind.LOCATION)} <= kinds
    settings = {one.item.key: one.item.text for one in drafts if isinstance(one.item, Setting)}
    assert settings["林霜"] == "十七岁，青云门弟子"
    assert all(one.ticked and one.turns == (1,) and one.reason for one in drafts)


def test_a_card_of_another_name_is_the_one_on_record() -> None:
    known = hub("Character: Mara Vale\nCharacter: Odo")
    card = table("Character: Vera (formerly Mara Vale), a smith", hub=known)
    (entity,) = [one.item for one in card.drafts if isinstance(one.item, Entity)]
    assert (entity.name, entity.aliases) == ("Mara Vale", ("Vera",))
    taken = table("Character: Mara Vale (also called Odo)", hub=known)
    (entity,) = [one.item for one in taken.drafts if isinstance(one.item, Entity)]
    assert (entity.name, entity.aliases) == ("Mara Vale", ()), "Odo is somebody else: nothing is one by itself"


def test_outline_lines_become_plans_in_order_under_an_outline() -> None:
    drafts = settle(("author", "大纲：林霜为父报仇\n第一步：林霜下山\n第二步：林霜找到仇人\n接下来：林霜回山"))
    plans = [one.item for one in drafts if isinstance(one.item, Plan)]
    steps = [plan for plan in plans if plan.kind is PlanKind.STEP]
    assert [step.title for step in steps] == ["林霜下山", "林霜找到仇人", "林霜回山"]
    assert [step.after for step in steps] == [None, steps[0].key, steps[1].key]
    board = PlansInMemory()
    board.apply(plans, (), "settlement")  # parents are there, of the right kinds
    assert [plan.title for plan in board.all(kind=PlanKind.STEP)] == [step.title for step in steps]
    assert board.all(kind=PlanKind.GENERAL)[0].title == "林霜为父报仇"


def test_hostile_turns_are_data() -> None:
    hostile = "人物：\x00'}) DETACH DELETE n //\n伏笔：\n：\n第步：\n定下来：\n方案：" + "（" * 5_000 + "\u202e🙂" * 50
    settle(("author", hostile), ("assistant", hostile), ("author", "选方案一" * 200))
    settle(("author", "Character: " + "A" * 100_000 + "\nStep " + "9" * 5_000 + ": x"), lang="en")


ORIGIN = Origin(task=TaskId("t1"))


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
