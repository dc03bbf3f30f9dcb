"""Families of acts against a trait: found whatever the words, and let pass where somebody else acts or nobody does."""

from __future__ import annotations

import pytest

from memorybank.narrative.continuity.check import check
from memorybank.narrative.continuity.findings import FindingKind
from memorybank.narrative.hub.in_memory import PlansInMemory
from memorybank.narrative.types import HAS_TRAIT, Entity, EntityKind
from memorybank.types import Lang
from tests.narrative.continuity.hubs import ORIGIN, Hub, facts_of

BREAKS = [
    ("gentle", "Mara shouted at the child and struck him cruelly."),
    ("gentle", "Mara kicked the dog."),
    ("gentle", "That night Mara slapped the old servant."),
    ("gentle", "Mara yelled at him."),
    ("gentle", "Mara beat the boy savagely."),
    ("gentle", "Mara struck Tomas in the face."),
    ("never lies", "Mara lied to Tomas."),
    ("never lies", "Mara told him a lie."),
    ("never lies", "Mara told the guard a lie."),
    ("cowardly", "Tomas charged bravely at the three soldiers."),
    ("cowardly", "Tomas rushed at the guards."),
    ("cowardly", "Tomas boldly stood before the king."),
    ("cowardly", "Tomas stood his ground."),
    ("温柔", "林霜残忍地打了孩子。"),
    ("温柔", "林霜狠狠地打了孩子。"),
    ("温柔", "林霜对孩子怒吼。"),
    ("温柔", "林霜踢了那条狗。"),
    ("温柔", "林霜放下碗，一脚踢了那个孩子。"),
    ("温柔", "林霜打了他一巴掌。"),
    ("温柔", "林霜对饶青破口大骂。"),
    ("从不说谎", "林霜对饶青撒了谎。"),
    ("从不说谎", "林霜说了谎。"),
    ("从不说谎", "林霜骗了他。"),
    ("从不说谎", "林霜编了一个谎话。"),
    ("从不说谎", "林霜撒了个谎。"),
    ("胆小", "饶青勇敢地冲向三个士兵。"),
    ("胆小", "饶青冲向三个士兵。"),
    ("胆小", "饶青大胆地拔剑。"),
    ("胆小", "饶青挺身而出。"),
    ("胆小", "饶青挡在孩子身前。"),
]
KEEPS = [
    ("gentle", "Mara was struck cruelly."),
    ("gentle", "Mara was cruelly beaten."),
    ("gentle", "Mara heard the guard, and the guard shouted at the child."),
    ("gentle", "The guard shouted at the child. Mara wept."),
    ("gentle", "Mara did not shout at the child."),
    ("gentle", "Mara never struck the child."),
    ("gentle", "Mara watched as the guard struck the child."),
    ("gentle", "The guard struck Mara cruelly."),
    ("gentle", "Mara struck a match."),
    ("gentle", "Mara shouted for joy."),
    ("gentle", "Mara shouted at the top of her voice."),
    ("gentle", "Mara hit the road."),
    ("gentle", "Mara hit upon an idea."),
    ("gentle", "Mara stopped the guard who struck the child."),
    ("gentle", "The clock struck. Mara beat the eggs."),
    ("gentle", "Mara comforted the child that had been cruelly beaten."),
    ("gentle", "“Mara struck the child,” said Ilse."),
    ("gentle", "Tomas struck Mara in the face."),
    ("never lies", "Mara did not lie."),
    ("never lies", "Tomas lied to Mara."),
    ("never lies", "Mara was lied to."),
    ("never lies", "Mara never lied."),
    ("never lies", "Mara lay down."),
    ("never lies", "Mara knew that the guard lied."),
    ("never lies", "Mara said that Tomas lied."),
    ("never lies", "Mara told a story."),
    ("cowardly", "Tomas ran to the door."),
    ("cowardly", "Tomas did not charge."),
    ("cowardly", "Tomas watched while Mara charged bravely."),
    ("cowardly", "The soldiers charged at Tomas."),
    ("cowardly", "Tomas was charged with theft."),
    ("温柔", "林霜被人残忍地打了。"),
    ("温柔", "士兵残忍地打了孩子，林霜哭了。"),
    ("温柔", "林霜没有打孩子。"),
    ("温柔", "林霜看见士兵残忍地打了孩子。"),
    ("温柔", "林霜站在门口，士兵残忍地打了孩子。"),
    ("温柔", "林霜的师兄残忍地打了孩子。"),
    ("温柔", "林霜打了招呼。"),
    ("温柔", "林霜给他打了电话。"),
    ("温柔", "林霜从不打孩子。"),
    ("温柔", "饶青残忍地打了林霜。"),
    ("温柔", "林霜打了水。"),
    ("温柔", "林霜打了个哈欠。"),
    ("温柔", "林霜骑马走了。"),
    ("温柔", "林霜救下被残忍地打伤的孩子。"),
    ("温柔", "饶青对林霜破口大骂。"),
    ("从不说谎", "林霜没有说谎。"),
    ("从不说谎", "饶青对林霜撒了谎。"),
    ("从不说谎", "林霜被骗了。"),
    ("从不说谎", "林霜从没撒过谎。"),
    ("从不说谎", "林霜知道饶青撒了谎。"),
    ("从不说谎", "林霜不会说谎。"),
    ("从不说谎", "林霜说了真话。"),
    ("胆小", "饶青冲向门口。"),
    ("胆小", "饶青没有冲向士兵。"),
    ("胆小", "三个士兵冲向饶青。"),
    ("胆小", "饶青看见林霜勇敢地冲向士兵。"),
    ("胆小", "饶青躲了起来。"),
    ("胆小", "饶青毫不犹豫地逃走了。"),
]
FEARFUL = ("cowardly", "胆小")


def against_traits(trait: str, text: str) -> list[str]:
    lang: Lang = "en" if trait.isascii() else "zh"
    people = ("Mara", "Tomas") if lang == "en" else ("林霜", "饶青")
    known = {name: Entity(kind=EntityKind.CHARACTER, name=name, origin=ORIGIN) for name in people}
    hub = Hub(facts_of(known, [(people[trait in FEARFUL], HAS_TRAIT, trait, 1)]), PlansInMemory())
    return [one.reason for one in check(text, 3, lang, hub) if one.kind is FindingKind.OUT_OF_CHARACTER]


@pytest.mark.parametrize(("trait", "text"), BREAKS)
def test_an_act_of_the_opposite_family_breaks_the_trait(trait: str, text: str) -> None:
    (reason,) = against_traits(trait, text)
    assert trait in reason


@pytest.mark.parametrize(("trait", "text"), KEEPS)
def test_what_they_do_not_do_breaks_nothing(trait: str, text: str) -> None:
    assert against_traits(trait, text) == []
