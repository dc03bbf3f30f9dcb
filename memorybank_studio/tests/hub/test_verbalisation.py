"""How facts and names are told: no word of the program in a language that is not the author's."""

from __future__ import annotations

from memorybank_studio.hub.verbalisation import predicate_told_as, tell_entity, tell_fact, tell_predicate
from memorybank_studio.tests.hub.in_memory import FactsInMemory
from memorybank_studio.types import HAS_STATUS, RESOLVED, UNRESOLVED, Entity, EntityKind, Fact, Origin, TaskId

ORIGIN = Origin(task=TaskId("t1"))


def entity(kind: EntityKind, name: str) -> Entity:
    return Entity(kind=kind, name=name, origin=ORIGIN)


def test_a_hooks_status_and_a_facts_details_are_told_in_chinese() -> None:
    hook, lin, shu = (
        entity(kind, name)
        for kind, name in ((EntityKind.HOOK, "玉佩"), (EntityKind.CHARACTER, "林霜"), (EntityKind.CHARACTER, "舒白"))
    )
    states = [entity(EntityKind.STATUS, name) for name in (UNRESOLVED, RESOLVED)]
    facts = FactsInMemory()
    facts.apply([hook, lin, shu, *states], [])
    told = [
        tell_fact(Fact(subject=hook.key, predicate=HAS_STATUS, object=one.key, origin=ORIGIN), facts.entity, "zh")
        for one in states
    ]
    assert told == ["玉佩的状态是未解", "玉佩的状态是已解"]
    properties = {"reason": "灭门", "role": "母亲", "value": "3"}
    hates = Fact(subject=lin.key, predicate="HATES", object=shu.key, properties=properties, since=2, origin=ORIGIN)
    assert tell_fact(hates, facts.entity, "zh") == "林霜仇恨舒白（自第2章起；原因：灭门；身份：母亲；数值：3）"
    assert tell_fact(hates, facts.entity, "en").endswith("(since chapter 2; reason: 灭门; role: 母亲; value: 3)")


def test_an_age_is_told_as_an_age() -> None:
    assert tell_entity(entity(EntityKind.STATUS, "19"), "en") == "19 (age)"
    assert tell_entity(entity(EntityKind.STATUS, "19"), "zh") == "19（年龄）"
    assert tell_entity(entity(EntityKind.STATUS, "dead"), "en") == "dead (status)"


def test_a_relation_is_known_by_its_chinese_words() -> None:
    known = ("OWNS", "KNOWS", "HAS_TRAIT", "PARENT_OF", "CAUSES", "TOOK_PART_IN", "IN_CHAPTER")
    assert [predicate_told_as(tell_predicate(one, "zh")) for one in known] == list(known)
    assert [predicate_told_as(one) for one in ("性格", "性格是", "的性格是")] == ["HAS_TRAIT"] * 3
    assert [predicate_told_as(one) for one in ("欠钱", "OWNS", "owns", "")] == [None] * 4
