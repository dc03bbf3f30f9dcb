"""Why something is so, and what led to what: read by rules, settled with their properties, superseded when changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.narrative.creativity.lookups import Stores
from memorybank.narrative.extraction.settling import RuleExtract
from memorybank.narrative.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank.narrative.scheduler.drafts import DraftItem, extracted
from memorybank.narrative.types import BEFORE, CAUSES, Entity, EntityKind, Fact, Origin, TaskId, Turn, entity_key
from memorybank.narrative.writes import Mark
from memorybank.types import Lang
from tests.narrative.scheduler.studio import Studio, open_studio, stores_in

ORIGIN = Origin(task=TaskId("t0"))
PEOPLE = ("Lin", "Rao", "Wen", "林霜", "饶青")


def read(text: str, lang: Lang) -> tuple[DraftItem, ...]:
    facts = FactsInMemory()
    facts.apply([Entity(kind=EntityKind.CHARACTER, name=name, origin=ORIGIN) for name in PEOPLE], [])
    turns = [Turn(number=1, role="author", text=text, at=0.0)]
    return extracted(RuleExtract(facts, PlansInMemory(), lang), turns, TaskId("t1")).drafts


def facts_of(drafts: tuple[DraftItem, ...]) -> list[DraftItem]:
    return [draft for draft in drafts if isinstance(draft.item, Fact)]


@pytest.mark.parametrize(
    ("text", "predicate", "reason"),
    [
        ("Settled: Lin hates Rao because he burned her village.", "HATES", "he burned her village"),
        ("Lin hated Rao for burning her village.", "HATES", "burning her village"),
        ("Because Rao burned her village, Lin hated Rao.", "HATES", "Rao burned her village"),
        ("Lin hated Rao, simply because of the fire.", "HATES", "the fire"),
        ("Lin loved Wen because he never lied, and Rao left.", "LOVES", "he never lied"),
        ("Rao killed Wen because Wen knew too much.", "KILLED", "Wen knew too much"),
        ("Lin hated Rao not because of the fire.", "HATES", None),
        ("Lin hated Rao, and Wen left because it rained.", "HATES", None),
        ("Lin hated Rao for years.", "HATES", None),
        ("Lin hated Rao because he did not come.", "HATES", "he did not come"),
        ("林霜恨饶青因为他不守信。", "HATES", "他不守信"),
        ("Lin hated Rao all her life because of the fire.", "HATES", "the fire"),
        ("定下来：林霜恨饶青，因为他灭了林家满门。", "HATES", "他灭了林家满门"),
        ("因为灭门之仇，林霜恨饶青。", "HATES", "灭门之仇"),
        ("由于灭门之仇，所以林霜恨饶青。", "HATES", "灭门之仇"),
        ("林霜因灭门之仇痛恨饶青。", "HATES", "灭门之仇"),
        ("林霜恨饶青，只因他毁了她的剑，所以离开了。", "HATES", "他毁了她的剑"),
        ("林霜恨饶青，不是因为灭门。", "HATES", None),
        ("林霜恨饶青，因此离开了。", "HATES", None),
    ],
)
def test_a_reason_that_is_said_is_a_property_of_the_relation(text: str, predicate: str, reason: str | None) -> None:
    lang: Lang = "en" if text.isascii() else "zh"
    (found,) = [one.item for one in facts_of(read(text, lang)) if one.item.predicate == predicate]  # type: ignore[union-attr]
    assert isinstance(found, Fact)
    assert dict(found.properties) == ({"reason": reason} if reason else {})


def test_a_reason_stays_when_the_same_is_said_again_without_it() -> None:
    drafts = read("Lin hated Rao because he lied. Lin hated Rao.", "en")
    (fact,) = [one.item for one in facts_of(drafts)]
    assert isinstance(fact, Fact)
    assert fact.properties == {"reason": "he lied"}


FLOOD, FAMINE = "Event: The flood\nEvent: The famine\n", "事件：火烧粮仓\n事件：城中大饥\n"


@pytest.mark.parametrize(
    ("text", "first", "predicate", "second"),
    [
        (FLOOD + "The flood led to the famine.", "The flood", CAUSES, "The famine"),
        (FLOOD + "The famine was caused by the flood.", "The flood", CAUSES, "The famine"),
        (FLOOD + "The famine came after the flood.", "The flood", BEFORE, "The famine"),
        (
            FLOOD + "It rained. The flood preceded the famine.",
            "The flood",
            BEFORE,
            "The famine",
        ),
        ("Settled: The Great Flood caused the Long Famine.", "Great Flood", CAUSES, "Long Famine"),
        ("Settled: The feud resulted from the burning of the mill.", "burning of the mill", CAUSES, "feud"),
        (FAMINE + "火烧粮仓导致了城中大饥。", "火烧粮仓", CAUSES, "城中大饥"),
        (FAMINE + "城中大饥是由火烧粮仓引起的。", "火烧粮仓", CAUSES, "城中大饥"),
        (FAMINE + "城中大饥发生在火烧粮仓之后。", "火烧粮仓", BEFORE, "城中大饥"),
        ("定下来：火烧粮仓引起了城中大饥。", "火烧粮仓", CAUSES, "城中大饥"),
        ("定下来：城中大饥源于火烧粮仓。", "火烧粮仓", CAUSES, "城中大饥"),
    ],
)
def test_what_led_to_what_is_a_fact_between_events(text: str, first: str, predicate: str, second: str) -> None:
    drafts = read(text, "en" if text.isascii() else "zh")
    (tie,) = facts_of(drafts)
    assert isinstance(tie.item, Fact)
    ends = [entity_key(EntityKind.EVENT, name) for name in (first, second)]
    assert (tie.item.subject, tie.item.predicate, tie.item.object) == (ends[0], predicate, ends[1])
    assert tie.ticked
    made = {one.item.key for one in drafts if isinstance(one.item, Entity)}
    assert made == set(ends), "both are events of the table, and nothing else is made of their words"


@pytest.mark.parametrize(
    "text",
    [
        FLOOD + "The flood did not lead to the famine.",
        FLOOD + "Did the flood lead to the famine?",
        "The flood led to the famine.",
        "Settled: Lin caused the feud.",
        "Settled: It led to the war.",
        "定下来：林霜导致了大战。",
        "定下来：此事引起了大战。",
    ],
)
def test_what_is_denied_asked_or_no_event_ties_nothing(text: str) -> None:
    drafts = read(text, "en" if text.isascii() else "zh")
    assert [one.item.predicate for one in facts_of(drafts) if one.item.predicate in (CAUSES, BEFORE)] == []  # type: ignore[union-attr]


@pytest.mark.parametrize("text", [FLOOD + "The flood would lead to the famine.", FAMINE + "火烧粮仓会导致城中大饥。"])
def test_what_may_come_is_shown_and_not_ticked(text: str) -> None:
    (tie,) = facts_of(read(text, "en" if text.isascii() else "zh"))
    assert not tie.ticked


# -- through a settlement ---------------------------------------------------------------------------------------------


class Rules:
    """The extractor by rules, on the test's stores."""

    def __init__(self, stores: Stores, lang: Lang) -> None:
        self._rules = RuleExtract(stores.facts, stores.plans, lang)
        self.window = self._rules.window

    def __call__(self, turns: object, task: TaskId) -> object:
        return self._rules(turns, task)  # type: ignore[arg-type]


def settled(studio: Studio, text: str) -> list[tuple[str, Mark]]:
    task = studio.open_task(f"Task {len(studio.gateway.tasks())}")
    studio.gateway.handle(text, task=task)
    table = studio.gateway.handle("/settle", task=task).table
    assert table is not None
    assert studio.gateway.confirm(task, table.proposals).applied
    return [(row.shown, row.mark) for row in table.proposals if isinstance(row.item, Fact)]


@pytest.mark.parametrize(
    ("lang", "first", "again", "changed", "reasons"),
    [
        (
            "en",
            "Settled: In chapter 3, Lin hates Rao because he lied.",
            "Settled: In chapter 4, Lin hates Rao.",
            "Settled: In chapter 7, Lin hates Rao because he burned her village.",
            ("he lied", "he burned her village"),
        ),
        (
            "zh",
            "定下来：第三章，林霜恨饶青，因为他说谎。",
            "定下来：第四章，林霜恨饶青。",
            "定下来：第七章，林霜恨饶青，因为他灭了林家满门。",
            ("他说谎", "他灭了林家满门"),
        ),
    ],
)
def test_a_reason_is_settled_shown_known_and_superseded(
    tmp_path: Path, lang: Lang, first: str, again: str, changed: str, reasons: tuple[str, str]
) -> None:
    stores = stores_in(tmp_path / "hub")
    stores.facts.apply([Entity(kind=EntityKind.CHARACTER, name=name, origin=ORIGIN) for name in PEOPLE], [])
    studio = open_studio(tmp_path / "s", stores, extract=Rules(stores, lang))  # type: ignore[arg-type]
    ((shown, mark),) = settled(studio, first)
    assert (mark, reasons[0] in shown) == (Mark.NEW, True), "the table shows why"
    assert [one for _, one in settled(studio, again)] == [Mark.KNOWN], "less is not something else"
    assert [one for _, one in settled(studio, changed)] == [Mark.SUPERSEDES]
    lin = entity_key(EntityKind.CHARACTER, "Lin" if lang == "en" else "林霜")
    told = {
        chapter: [fact.properties["reason"] for fact in stores.facts.matching(lin, "HATES", chapter=chapter)]
        for chapter in (3, 6, 7)
    }
    assert told == {3: [reasons[0]], 6: [reasons[0]], 7: [reasons[1]]}
    studio.gateway.close()


@pytest.mark.parametrize(
    ("lang", "said", "second"),
    [
        ("en", "Settled: the burning of the mill led to the long feud.", "long feud"),
        ("zh", "定下来：火烧粮仓导致了城中大饥。", "城中大饥"),
    ],
)
def test_causes_reach_the_fact_layer(tmp_path: Path, lang: Lang, said: str, second: str) -> None:
    stores = stores_in(tmp_path / "hub")
    studio = open_studio(tmp_path / "s", stores, extract=Rules(stores, lang))  # type: ignore[arg-type]
    ((_, mark),) = settled(studio, said)
    assert mark is Mark.NEW
    (cause,) = stores.facts.causes(entity_key(EntityKind.EVENT, second))
    assert cause.predicate == CAUSES
    assert cause.origin.source
    assert [one for _, one in settled(studio, said)] == [Mark.KNOWN]
    studio.gateway.close()
