"""What a turn settles, as plain rows: for tests that ask which facts a sentence gives, ticked or not."""

from __future__ import annotations

from dataclasses import dataclass

from memorybank.memory.types import Lang
from memorybank_studio.drafts import DraftItem, extracted
from memorybank_studio.settlement.by_rules import RuleExtract
from memorybank_studio.tests.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank_studio.types import Entity, EntityKey, Fact, Setting, TaskId, Turn

Row = tuple[str, str, str, int]

EN = """Character: Odo
Character: Lady Brisa
Character: Fenn
Item: Copper Horn
Item: Black Ledger
Place: Ashford
Place: Millbrook
Faction: Salt League"""
ZH = "人物：韩柏\n人物：苏芷\n人物：冯远\n物品：赤铜铃\n物品：墨玉佩\n地点：落霞镇\n地点：枫林渡\n势力：听雨楼"


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
    turns = [Turn(number=number, role="author", text=text, at=0.0) for number, text in enumerate(said, start=1)]
    drafts = extracted(RuleExtract(facts, PlansInMemory(), lang), turns, TaskId(task)).drafts
    names = {one.item.key: one.item.name for one in drafts if isinstance(one.item, Entity)}
    known = {key: entity.name for key, entity in facts.entities(facts.names().values()).items()}
    last = tuple(one for one in drafts if len(said) in one.turns)
    return Table(last, {**known, **names})


def hub(*said: str, lang: Lang = "en") -> FactsInMemory:
    """A fact layer that holds what these turns settle."""
    facts = FactsInMemory()
    turns = [Turn(number=number, role="author", text=text, at=0.0) for number, text in enumerate(said, start=1)]
    drafts = extracted(RuleExtract(facts, PlansInMemory(), lang), turns, TaskId("t0")).drafts
    items = [one.item for one in drafts if one.ticked]
    facts.apply([one for one in items if isinstance(one, Entity)], [one for one in items if isinstance(one, Fact)])
    return facts
