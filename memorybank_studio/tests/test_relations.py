"""The list of relations: told in both languages, and the same statement from whichever end it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import load
from memorybank_studio import hub
from memorybank_studio.drafts import DraftItem, Extracted, blocks, extracted, merged_drafts
from memorybank_studio.hub.verbalisation import tell_entity, tell_fact
from memorybank_studio.relations import RELATIONS, holder, place, relation_of, statement
from memorybank_studio.tests.tasks.studio import character, turns_of
from memorybank_studio.tests.tasks.studio import fact as told_of
from memorybank_studio.types import (
    HAS_STATUS,
    RESOLVED,
    UNRESOLVED,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    Origin,
    Setting,
    TaskId,
    Turn,
)
from tests.tables import tables

TABLES = tables(__file__)

A, B, C = map(EntityKey, "abc")


def fact(subject: EntityKey, predicate: str, object_: EntityKey) -> Fact:
    return Fact(subject=subject, predicate=predicate, object=object_, origin=Origin(task=TaskId("t1")))


@pytest.mark.parametrize("lang", get_args(Lang))
def test_every_relation_has_words_and_no_words_are_of_none(lang: Lang) -> None:
    words = load(hub.__name__, f"words.{lang}")["predicates"]
    assert set(words) == set(RELATIONS)


def test_a_hooks_status_and_a_facts_details_are_told_in_chinese() -> None:
    hook, lin, shu = character("玉佩", kind=EntityKind.HOOK), character("林霜"), character("舒白")
    states = [character(name, kind=EntityKind.STATUS) for name in (UNRESOLVED, RESOLVED)]
    known = {one.key: one for one in (hook, lin, shu, *states)}
    told = [tell_fact(told_of(hook, HAS_STATUS, one), known.get, "zh") for one in states]
    assert told == ["玉佩的状态是未解", "玉佩的状态是已解"]
    hates = told_of(lin, "HATES", shu, 2, reason="灭门", role="母亲", value="3")
    assert tell_fact(hates, known.get, "zh") == "林霜仇恨舒白（自第2章起；原因：灭门；身份：母亲；数值：3）"
    assert tell_fact(hates, known.get, "en").endswith("(since chapter 2; reason: 灭门; role: 母亲; value: 3)")


def test_an_age_is_told_as_an_age() -> None:
    told = [tell_entity(character(name, kind=EntityKind.STATUS), "en") for name in ("19", "dead")]
    assert told == ["19 (age)", "dead (status)"]
    assert tell_entity(character("19", kind=EntityKind.STATUS), "zh") == "19（年龄）"


def test_a_relation_s_inverse_is_one_of_the_list_and_has_none_itself() -> None:
    inverses = [RELATIONS[relation.inverse_of] for relation in RELATIONS.values() if relation.inverse_of]
    assert inverses
    assert not any(relation.inverse_of for relation in inverses)


def test_one_statement_from_both_ends() -> None:
    assert statement(fact(A, "OWNS", B)) == statement(fact(B, "OWNED_BY", A))
    assert statement(fact(A, "PARENT_OF", B)) == statement(fact(B, "CHILD_OF", A))
    assert statement(fact(A, "MARRIED_TO", B)) == statement(fact(B, "MARRIED_TO", A))
    assert statement(fact(A, "HATES", B)) != statement(fact(B, "HATES", A))
    assert statement(fact(A, "OWES_MONEY", B)) != statement(fact(B, "OWES_MONEY", A)), "an author's own relation"
    assert relation_of("OWES_MONEY").subjects[0] is EntityKind.CHARACTER


@pytest.mark.parametrize(("one", "other", "excludes"), TABLES["which_facts_exclude_each_other"])
def test_which_facts_exclude_each_other(one: str, other: str, excludes: bool) -> None:
    one, other = (fact(*said.split()) for said in (one, other))
    assert (place(one) is not None and place(one) == place(other)) is excludes
    if excludes:
        assert holder(one) == holder(other), "the other one is among the facts of this end"


T1 = TaskId("t1")


LONG = st.builds(lambda unit, times: unit * times, st.text(min_size=1, max_size=12), st.integers(0, 200))


@settings(max_examples=80, deadline=None)
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
    lin = Entity(kind=EntityKind.CHARACTER, name="Lin", aliases=("L",), note="old", origin=origin)
    later = replace(lin, name="lin", aliases=("Frost",), note="")
    warm = Setting(key="Jade", text="warm", origin=origin)
    told = {1: lin, 2: warm, 5: later, 4: replace(warm, key="JADE", text="cold")}
    drafts = merged_drafts(DraftItem(item=item, turns=(turn,)) for turn, item in told.items())
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
