"""What a generator looks up, and what an option is worth."""

from __future__ import annotations

from memorybank_studio.creativity.evidence import MOST_FACTS, Lookups, evidence
from memorybank_studio.creativity.options import Criterion, Draft, Option, Request, Score
from memorybank_studio.hub.stores import Stores
from memorybank_studio.tests.creativity.conftest import CHAPTER, DEAD, LIN, entity, fact
from memorybank_studio.types import HAS_STATUS, EntityKind


def test_a_look_up_shows_statuses_first_and_then_what_came_last(stores: Stores) -> None:
    coins = [entity(EntityKind.ITEM, f"coin {number}") for number in range(MOST_FACTS + 3)]
    ring = entity(EntityKind.ITEM, "the last ring")
    stores.facts.apply([*coins, ring], [fact(LIN, "OWNS", coin) for coin in coins])
    stores.facts.apply([], [fact(LIN, HAS_STATUS, DEAD, since=2), fact(LIN, "OWNS", ring, since=3)])
    lines = Lookups(stores, CHAPTER, "en").facts("Lin").splitlines()
    assert len(lines) == MOST_FACTS
    assert lines[0].startswith("Lin is dead")
    assert "the last ring" in lines[1]
    draft = Draft(brief="quiet", text="Lin smiles.", made_by="test")
    request = Request(asked="?", prompt="", chapter=CHAPTER, lang="en")
    shown = {one.kind: [line for _, line in one.lines] for one in evidence([draft], request, stores)}
    assert shown["facts"][0].startswith("Lin is dead")
    assert "the last ring" in shown["facts"][1]


def test_lookups_are_kept_and_hold_as_of_the_chapter(stores: Stores) -> None:
    lookups = Lookups(stores, CHAPTER, "en")
    assert "Lin owns Frost Sword" in lookups.facts("Lin")
    assert lookups.setting("frost sword") == "Frost Sword: It burns whoever lies."
    assert "Lin opens the gate" in lookups.plans("Lin")
    assert lookups.scenes("snow at the gate").startswith("[3] Lin stood")
    assert lookups.facts("nobody") == ""
    assert [one.source for one in lookups.made] == ["facts", "settings", "plans", "scenes", "facts"]
    assert "dead" not in Lookups(stores, 2, "en").facts("Wen")
    assert "dead" in Lookups(stores, CHAPTER, "en").facts("Wen")


def test_a_draft_that_breaks_a_fact_is_no_better_than_that() -> None:
    draft = Draft(brief="own", text="Wen drew his knife.", made_by="author")
    scores = [
        Score(criterion=criterion, value=value, reasons=("so",))
        for criterion, value in ((Criterion.CONSISTENCY, 0.2), (Criterion.GOAL, 1.0))
    ]
    assert Option(draft=draft, scores=tuple(scores)).total == 0.2
