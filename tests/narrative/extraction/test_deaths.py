"""A death is told of its own subject, and grief is none."""

from __future__ import annotations

import pytest

from memorybank.narrative.extraction.facts import Source, from_story
from memorybank.narrative.extraction.mentions import Named, Names
from memorybank.narrative.types import HAS_STATUS, EntityKey, EntityKind, Fact, TaskId, entity_key

PEOPLE = ("韩柏", "苏芷", "冯远")


def facts(text: str) -> set[tuple[str, str]]:
    named = [Named(entity_key(EntityKind.CHARACTER, name), EntityKind.CHARACTER, name) for name in PEOPLE]
    names: dict[EntityKey, str] = {one.key: one.name for one in named}
    drafts = from_story(text, Names(named), Source(task=TaskId("t"), lang="zh", told_in="en", chapter=3))
    return {
        (names[one.item.subject], one.item.predicate) for one in drafts if isinstance(one.item, Fact) and one.ticked
    }


@pytest.mark.parametrize(
    "text",
    [
        "苏芷听了，声咽气塞，说不出话来。",
        "苏芷哭得肠断气绝。",
        "苏芷的婢女守着，韩柏他老娘惊死在堂上。",
        "韩柏等赶到渡口，果见一人倒在水边死了。",
        "韩柏回了家。谁知那家哥嫂见他一断气，便把门锁了。",
        "韩柏急死了。",
        "苏芷死了父亲，便搬到镇上。",
    ],
)
def test_no_death_of_the_one_who_is_named(text: str) -> None:
    assert not {row for row in facts(text) if row[1] == HAS_STATUS}


@pytest.mark.parametrize(
    "text",
    [
        "那天夜里韩柏在渡口病逝。",
        "见韩柏死了，众人都散去。",
        "韩柏气绝，时年四十。",
        "韩柏昨夜断了气。",
        "韩柏终于咽气了。",
        "韩柏死了三年，坟上已长满草。",
    ],
)
def test_a_death_is_one(text: str) -> None:
    assert ("韩柏", HAS_STATUS) in facts(text)


def test_a_longer_word_of_kin_and_a_heading_state_nothing() -> None:
    assert not facts("韩柏儿和李婶娘苏芷又喝了两杯。")
    assert not facts("第三回 破好事韩柏结深恨　悲远嫁苏芷感离情")


def test_an_object_of_its_own_keeps_a_killing_from_the_next_name() -> None:
    assert not facts("韩柏打死一个贼人把冯远逼得逃走。")
