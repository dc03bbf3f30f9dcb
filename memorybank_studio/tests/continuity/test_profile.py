"""A character's page: what is so as of a chapter, what they know, and the sentences that name them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memorybank_studio.continuity.profile import Appearance, appearances, chapters_naming, profile
from memorybank_studio.hub.stores import Stores
from memorybank_studio.tests.tasks.studio import IMPORT, character, chunk, fact
from memorybank_studio.types import HAS_STATUS, HAS_TRAIT, UNRESOLVED, Chunk, Entity, EntityKind, Plan, PlanKind

ANN = replace(character("Ann"), aliases=("the Fox",))
BEA = character("Bea")
FIRE = character("the fire", kind=EntityKind.EVENT)
BRAVE = character("brave", kind=EntityKind.TRAIT)
OPEN = character(UNRESOLVED, kind=EntityKind.STATUS)
LETTER = character("Who wrote to Ann?", kind=EntityKind.HOOK)
RING = character("Where is the ring?", kind=EntityKind.HOOK)


def appearing(stores: Stores, entity: Entity, chapter: int | None = None, most: int = 9) -> tuple[Appearance, ...]:
    return appearances(stores, entity.key, chapters_naming(stores, entity.key, chapter), most)[0]


def test_each_fact_stands_in_its_group_as_of_the_chapter(stores: Stores) -> None:
    trait, knows = fact(ANN, HAS_TRAIT, BRAVE, 1), fact(ANN, "KNOWS_OF", FIRE, 3)
    unaware, known_by = fact(ANN, "UNAWARE_OF", FIRE, 1, 3), fact(BEA, "KNOWS_OF", ANN, 1)
    loves, later = fact(ANN, "LOVES", BEA, 1), fact(ANN, "HATES", BEA, 5)
    told = [trait, knows, unaware, known_by, loves, later]
    told += [fact(LETTER, HAS_STATUS, OPEN, 1), fact(RING, HAS_STATUS, OPEN, 1)]
    stores.facts.apply([ANN, BEA, FIRE, BRAVE, OPEN, LETTER, RING], told)
    stores.plans.apply(
        [
            Plan(kind=PlanKind.GENERAL, title="The Fox returns", origin=IMPORT),
            Plan(kind=PlanKind.GENERAL, title="Annabel sings", origin=IMPORT),
        ],
        [],
        "settlement",
    )
    second = profile(stores, ANN.key, 2)
    assert second is not None
    assert (second.traits, second.knows, second.unaware) == ((trait,), (), (unaware,))
    assert (second.known_by, second.facts) == ((known_by,), (loves,))
    assert second.other == (knows, later)
    assert second.hooks == (LETTER,), "the ring's hook does not name her"
    assert [plan.title for plan in second.plans] == ["The Fox returns"]
    fifth = profile(stores, ANN.key, 5)
    assert fifth is not None
    assert (fifth.knows, fifth.unaware, fifth.facts) == ((knows,), (), (loves, later))
    assert profile(stores, RING.key.__class__("e-nobody"), 1) is None


def test_sentences_that_name_them_by_any_name_up_to_the_chapter(stores: Stores) -> None:
    stores.facts.apply([ANN, BEA], [])
    stores.archive.put(
        [
            chunk(1, 0, "Snow fell. Ann's lamp burned. Nobody came."),
            chunk(2, 0, "The Fox slept; Ann dreamt of Ann."),
            chunk(3, 0, "Annabel and Joanne sang."),
            chunk(4, 0, "Bea wept."),
            chunk(5, 0, "Then the\nFox woke."),
        ]
    )
    shown = appearing(stores, ANN)
    assert [(each.chapter, each.count) for each in shown] == [(5, 1), (2, 3), (1, 1)]
    quotes = {
        each.chapter: [(quote.text, quote.text[quote.start : quote.end]) for quote in each.quotes] for each in shown
    }
    assert quotes[1] == [("Ann's lamp burned.", "Ann")]
    assert quotes[2] == [("The Fox slept; Ann dreamt of Ann.", "The Fox")], "a sentence is quoted once"
    assert quotes[5] == [("Then the\nFox", "the\nFox")]
    assert [each.chapter for each in appearing(stores, ANN, 2)] == [2, 1]
    assert [each.chapter for each in appearing(stores, ANN, most=1)] == [5]


@pytest.mark.parametrize(
    ("name", "others", "text", "count"),
    [
        ("王夫", ("王夫人",), "王夫人笑道：王夫来了。", 1),
        ("林黛玉", ("林家",), "林家的林黛玉。", 1),
        ("Al", (), "Al saw Alan.", 1),
    ],
)
def test_of_names_that_overlap_the_longer_is_meant(
    stores: Stores, name: str, others: tuple[str, ...], text: str, count: int
) -> None:
    stores.facts.apply([character(name), *map(character, others)], [])
    stores.archive.put([chunk(1, 0, text)])
    assert [each.count for each in appearing(stores, character(name))] == [count]


def test_a_long_sentence_is_cut_near_the_name(stores: Stores) -> None:
    stores.facts.apply([ANN], [])
    words = "so it went on " * 60
    stores.archive.put([Chunk(chapter_id=1, chapter_title="", place=0, start=0, end=9, text=f"{words} Ann {words}.")])
    quote = appearing(stores, ANN)[0].quotes[0]
    assert len(quote.text) <= 240
    assert quote.text[quote.start : quote.end] == "Ann"
