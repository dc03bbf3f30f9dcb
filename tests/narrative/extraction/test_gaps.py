"""A table in which a state ends and begins again: the second time is not known from the first."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.narrative.continuity.check import check
from memorybank.narrative.continuity.findings import FindingKind
from memorybank.narrative.creativity.lookups import Stores
from memorybank.narrative.extraction.settling import RuleExtract
from memorybank.narrative.hub.archive import Archive
from memorybank.narrative.hub.chroma import Chroma, ChromaSettings
from memorybank.narrative.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank.narrative.hub.settings import Settings
from memorybank.narrative.scheduler.drafts import extracted
from memorybank.narrative.scheduler.marking import marked
from memorybank.narrative.types import Entity, Fact, TaskId, Turn
from memorybank.narrative.writes import Mark, Proposal
from memorybank.types import Lang
from tests.narrative.continuity.hubs import Hub
from tests.narrative.extraction.told import EN, ZH, hub


def rows(folder: Path, facts: FactsInMemory, text: str, lang: Lang = "en") -> tuple[Proposal, ...]:
    chroma = Chroma(ChromaSettings(folder=folder), HashedNgrams())
    stores = Stores(facts=facts, plans=PlansInMemory(), settings=Settings(chroma), archive=Archive(chroma))
    turns = [Turn(number=1, role="author", text=text, at=0.0)]
    drafts = extracted(RuleExtract(facts, stores.plans, lang), turns, TaskId("t2")).drafts
    return marked(drafts, TaskId("t2"), stores, lang)


def marks(folder: Path, facts: FactsInMemory, text: str) -> list[tuple[Mark, int, int | None, bool]]:
    """Of each fact: what it is to the hub, since and until when, whether it is proposed."""
    told = [(row, row.item) for row in rows(folder, facts, text) if isinstance(row.item, Fact)]
    return [(row.mark, fact.since, fact.until, row.ticked) for row, fact in told]


def write(facts: FactsInMemory, table: tuple[Proposal, ...]) -> None:
    """The ticked rows of a table, with what they end."""
    ticked = [row for row in table if row.ticked]
    told = [(row, row.item) for row in ticked if isinstance(row.item, Fact)]
    facts.apply(
        [row.item for row in ticked if isinstance(row.item, Entity)],
        [fact for _, fact in told],
        [(key, fact.since) for row, fact in told for key in row.ends],
    )


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (
            "In chapter 1 Odo moved to Ashford.",
            "Settled: In chapter 5 Odo moved to Millbrook.\nSettled: In chapter 7 Odo moved to Ashford.",
        ),
        (
            "Odo owns the Copper Horn.",
            "Settled: In chapter 5 Fenn stole the Copper Horn.\nSettled: In chapter 7 Odo took the Copper Horn.",
        ),
    ],
)
def test_what_another_row_ends_in_between_is_not_known(tmp_path: Path, first: str, then: str) -> None:
    facts = hub(f"{EN}\nSettled: {first}")
    assert marks(tmp_path, facts, then) == [
        (Mark.SUPERSEDES, 5, 7, True),
        (Mark.NEW, 7, None, True),
    ]


def test_what_goes_on_is_known(tmp_path: Path) -> None:
    facts = hub(f"{EN}\nSettled: In chapter 1 Odo moved to Ashford.")
    assert marks(tmp_path, facts, "Settled: In chapter 7 Odo moved to Ashford.") == [(Mark.KNOWN, 7, None, False)]


@pytest.mark.parametrize(
    ("lang", "cards", "lost", "found", "draft"),
    [
        (
            "en",
            EN,
            "Settled: the Copper Horn was lost in chapter 4.",
            "Settled: Odo found the Copper Horn in chapter 6.",
            "Odo blew the Copper Horn.",
        ),
        ("zh", ZH, "定下来：赤铜铃第四章遗失了。", "定下来：韩柏第六章找到了赤铜铃。", "韩柏举起赤铜铃。"),
    ],
)
def test_the_check_marks_a_lost_thing_until_it_is_found_and_no_longer(
    tmp_path: Path, lang: Lang, cards: str, lost: str, found: str, draft: str
) -> None:
    facts = hub(cards, lost, lang=lang)
    stores = Hub(facts, PlansInMemory())
    assert FindingKind.LOST_RETURNS in {one.kind for one in check(draft, 8, lang, stores)}
    write(facts, rows(tmp_path, facts, found, lang))
    assert FindingKind.LOST_RETURNS in {one.kind for one in check(draft, 5, lang, stores)}
    assert FindingKind.LOST_RETURNS not in {one.kind for one in check(draft, 8, lang, stores)}


def test_an_end_of_a_membership_is_proposed_once(tmp_path: Path) -> None:
    facts = hub(EN, "Settled: Odo joined the Salt League in chapter 2.")
    left = "Settled: Odo left the Salt League in chapter 9."
    assert marks(tmp_path, facts, left) == [(Mark.SUPERSEDES, 2, 9, True)]
    write(facts, rows(tmp_path, facts, left))
    assert marks(tmp_path, facts, left) == [(Mark.KNOWN, 2, 9, False)]


def test_a_resolved_hook_ends_the_open_one(tmp_path: Path) -> None:
    facts = hub("Hook: Who drowned the miller?")
    resolved = "Hook resolved: who drowned the miller"
    assert marks(tmp_path, facts, resolved) == [(Mark.SUPERSEDES, 1, None, True)]
    write(facts, rows(tmp_path, facts, resolved))
    assert not facts.hooks(resolved=False)
    assert marks(tmp_path, facts, resolved) == [(Mark.KNOWN, 1, None, False)]
