"""Facts that are settled in the form's own words, cards, hooks, and all that is not read."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from memorybank.memory.types import Lang
from memorybank_studio.counting import chapter_number
from memorybank_studio.drafts import DraftItem, extracted
from memorybank_studio.reading.mentions import first_chapter_named
from memorybank_studio.settlement.by_rules import RuleExtract
from memorybank_studio.tests.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank_studio.tests.tasks.studio import said as turns_said
from memorybank_studio.types import RESOLVED, UNRESOLVED, Entity, EntityKey, EntityKind, Fact, Setting, TaskId
from tests.tables import tables

TABLES = tables(__file__)

Row = tuple[str, str, str, int]

CARDS: dict[Lang, str] = TABLES["cards"]


@dataclass(frozen=True, slots=True)
class Table:
    drafts: tuple[DraftItem, ...]
    names: dict[EntityKey, str]

    @property
    def ticked(self) -> set[Row]:
        return {self._row(one.item) for one in self.drafts if isinstance(one.item, Fact) and one.ticked}

    @property
    def unticked(self) -> set[Row]:
        return {self._row(one.item) for one in self.drafts if isinstance(one.item, Fact) and not one.ticked}

    @property
    def entities(self) -> set[str]:
        return {one.item.name for one in self.drafts if isinstance(one.item, Entity)}

    @property
    def settings(self) -> dict[str, bool]:
        return {one.item.key: one.ticked for one in self.drafts if isinstance(one.item, Setting)}

    def entity(self, name: str) -> Entity:
        return next(one.item for one in self.drafts if isinstance(one.item, Entity) and one.item.name == name)

    def fact(self, predicate: str) -> Fact:
        return next(one.item for one in self.drafts if isinstance(one.item, Fact) and one.item.predicate == predicate)

    def _row(self, fact: Fact) -> Row:
        names = self.names
        return names[fact.subject], fact.predicate, names[fact.object], fact.since


def table(*said: str, lang: Lang = "en", hub: FactsInMemory | None = None, task: str = "t1") -> Table:
    """The table of these turns of the author; the last one's rows alone are in it when cards come first."""
    facts = hub or FactsInMemory()
    drafts = extracted(RuleExtract(facts, PlansInMemory(), lang), turns_said(*said), TaskId(task)).drafts
    names = {one.item.key: one.item.name for one in drafts if isinstance(one.item, Entity)}
    known = {key: entity.name for key, entity in facts.entities(facts.names().values()).items()}
    last = tuple(one for one in drafts if len(said) in one.turns)
    return Table(last, {**known, **names})


def hub(*said: str, lang: Lang = "en") -> FactsInMemory:
    """A fact layer that holds what these turns settle."""
    facts = FactsInMemory()
    drafts = extracted(RuleExtract(facts, PlansInMemory(), lang), turns_said(*said), TaskId("t0")).drafts
    items = [one.item for one in drafts if one.ticked]
    facts.apply([one for one in items if isinstance(one, Entity)], [one for one in items if isinstance(one, Fact)])
    return facts


@pytest.mark.parametrize(("lang", "text", "row"), TABLES["two_names_on_record_and_a_relation_are_a_fact"])
def test_two_names_on_record_and_a_relation_are_a_fact(lang: Lang, text: str, row: list[str | int]) -> None:
    told = table(text, lang=lang, hub=hub(CARDS[lang], lang=lang))
    assert (told.ticked, told.unticked) == ({tuple(row)}, set())


@pytest.mark.parametrize(("lang", "text"), TABLES["all_else_is_not_read"])
def test_all_else_is_not_read(lang: Lang, text: str) -> None:
    assert not table(text, lang=lang, hub=hub(CARDS[lang], lang=lang)).drafts


def test_what_is_told_of_a_chapter_that_the_story_has_not_reached_is_not_ticked() -> None:
    facts = hub(CARDS["en"] + "\nSettled: In chapter 4 Odo owns the Copper Horn.")
    told = table("Settled: In chapter 9 Fenn owns the Copper Horn.", hub=facts)
    assert (told.ticked, told.unticked) == (set(), {("Fenn", "OWNS", "Copper Horn", 9)})
    assert [one.ticked for one in table("Settled: In chapter 5 Fenn owns the Copper Horn.", hub=facts).drafts] == [True]


def test_what_stands_in_brackets_is_another_name_where_it_says_so_and_else_a_note() -> None:
    card = table("Character: Vera (formerly Mara, a.k.a. the Fox), a smith").entity("Vera")
    assert (card.aliases, card.note) == (("Mara", "the Fox"), "a smith")
    card = table("人物：林霜（十七岁，女）：剑客", lang="zh").entity("林霜")
    assert (card.aliases, card.note) == ((), "十七岁，女；剑客")


@pytest.mark.parametrize(("text", "chapter"), TABLES["a_chapter_is_read_however_it_is_written"])
def test_a_chapter_is_read_however_it_is_written(text: str, chapter: int | None) -> None:
    assert first_chapter_named(text) == chapter


def test_whole_numbers_go_up_to_a_million() -> None:
    assert chapter_number("九十九万九千九百九十九") == 999_999
    assert chapter_number("1000000") is None
    assert chapter_number("nine hundred and ninety-nine thousand") == 999_000
    assert chapter_number("lantern") is None


@pytest.mark.parametrize(("lang", "text", "name"), TABLES["a_hook_may_ask"])
def test_a_hook_may_ask(lang: Lang, text: str, name: str) -> None:
    assert table(text, lang=lang).ticked == {(name, "HAS_STATUS", UNRESOLVED, 0)}


def test_any_other_question_settles_nothing() -> None:
    assert not table("Settled: does the miller die?").drafts


@pytest.mark.parametrize(
    ("lang", "hook", "text", "chapter"), TABLES["a_resolution_is_of_the_hook_on_record_and_begins_after_it"]
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


# -- cards ------------------------------------------------------------------------------------------------------------


def test_cards_become_entities_and_settings_and_nothing_is_read_out_of_their_words() -> None:
    drafts = table(
        "人物：林霜，十七岁，青云门弟子\n势力：青云门\n人物：顾青，林霜的师父\n地点：断雁谷", lang="zh"
    ).drafts
    kinds = {(one.item.name, one.item.kind) for one in drafts if isinstance(one.item, Entity)}
    assert {("林霜", EntityKind.CHARACTER), ("断雁谷", EntityKind.LOCATION)} <= kinds
    settings = {one.item.key: one.item.text for one in drafts if isinstance(one.item, Setting)}
    assert settings["林霜"] == "十七岁，青云门弟子"
    assert not any(isinstance(one.item, Fact) for one in drafts)
    assert all(one.ticked and one.turns == (1,) and one.reason for one in drafts)


@pytest.mark.parametrize(
    ("card", "aliases"),
    [("Mara Vale (also called Odo)", ()), ("Vera (formerly Mara Vale), a smith", ("Vera",))],
    ids=["Odo is somebody else: nothing is one by itself", "the one on record"],
)
def test_a_card_of_another_name_is_the_one_on_record(card: str, aliases: tuple[str, ...]) -> None:
    read = table(f"Character: {card}", hub=hub("Character: Mara Vale\nCharacter: Odo"))
    assert read.entity("Mara Vale").aliases == aliases
    assert read.entities == {"Mara Vale"}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_hostile_turns_are_data(lang: Lang) -> None:
    hostile = "人物：\x00'}) DETACH DELETE n //\n伏笔：\n：\n第步：\n定下来：\n方案：" + "（" * 5_000 + "\u202e🙂" * 50
    table(hostile, "选方案一" * 200, "Character: " + "A" * 100_000 + "\nStep " + "9" * 5_000 + ": x", lang=lang)
