"""Names that a settled statement brings in."""

from __future__ import annotations

import pytest

from memorybank.narrative.extraction.newcomers import newcomers
from memorybank.narrative.extraction.settling import RuleExtract
from memorybank.narrative.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank.narrative.types import Entity, EntityKind, Fact, TaskId, Turn
from memorybank.types import Lang

CHARACTER, ITEM, PLACE = EntityKind.CHARACTER, EntityKind.ITEM, EntityKind.LOCATION


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "Lin owns the Frost Sword.", {("Lin", CHARACTER), ("Frost Sword", ITEM)}),
        ("en", "In the winter Rao lives in Northgate.", {("Rao", CHARACTER), ("Northgate", PLACE)}),
        ("en", "The road is long. Then nothing happens.", set()),
        ("en", "Hook: nobody comes.", set()),
        ("zh", "林霜拥有照夜剑。", {("林霜", CHARACTER), ("照夜剑", ITEM)}),
        ("zh", "林霜恨赵无极。", {("林霜", CHARACTER), ("赵无极", CHARACTER)}),
        ("zh", "林霜住在临江镇。", {("林霜", CHARACTER), ("临江镇", PLACE)}),
        ("zh", "路很长，天要黑了。", set()),
    ],
)
def test_names_with_their_kinds(lang: Lang, text: str, expected: set[tuple[str, EntityKind]]) -> None:
    assert set(newcomers(text, lang)) == expected


@pytest.mark.parametrize(
    ("lang", "text"), [("en", "Settled: Lin owns the Frost Sword."), ("zh", "定下来：林霜拥有照夜剑。")]
)
def test_a_hub_that_knows_nobody_learns_from_the_first_settlement(lang: Lang, text: str) -> None:
    extract = RuleExtract(FactsInMemory(), PlansInMemory(), lang)
    drafts = extract([Turn(number=1, role="author", text=text, at=0.0)], TaskId("t1")).drafts
    items = [draft.item for draft in drafts]
    assert {item.kind for item in items if isinstance(item, Entity)} == {CHARACTER, ITEM}
    assert [item.predicate for item in items if isinstance(item, Fact)] == ["OWNS"]
    question = [Turn(number=1, role="author", text=text.rstrip(".。") + "?", at=0.0)]
    assert not [one for one in extract(question, TaskId("t1")).drafts if isinstance(one.item, Fact) and one.ticked]


@pytest.mark.parametrize(
    ("lang", "text", "name"),
    [
        ("en", "Item: Silver Spoon\nSettled: In chapter 3 Lin found the Silver Spoon.", "Silver Spoon"),
        ("en", "Settled: In chapter 3 Lin found the Silver Spoon.\nItem: Silver Spoon", "Silver Spoon"),
        ("zh", "物品：照夜\n定下来：林霜恨赵无极。林霜拥有照夜。", "照夜"),
    ],
)
def test_what_has_a_card_is_of_the_kind_that_the_card_says_and_of_no_other(lang: Lang, text: str, name: str) -> None:
    drafts = RuleExtract(FactsInMemory(), PlansInMemory(), lang)(
        [Turn(number=1, role="author", text=text, at=0.0)], TaskId("t1")
    ).drafts
    items = [draft.item for draft in drafts]
    assert {one.kind for one in items if isinstance(one, Entity) and one.name == name} == {ITEM}
    owned = [one.object for one in items if isinstance(one, Fact) and one.predicate == "OWNS"]
    assert owned == [next(one.key for one in items if isinstance(one, Entity) and one.name == name)]
