"""Rules that judge cause, and name what is missing; near misses are let pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import Lang
from memorybank.narrative.creativity.judges import PER_FINDING
from memorybank.narrative.creativity.options import Criterion, Draft, Request, Score
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.hub.verbalisation import word
from memorybank.narrative.studio import rule_panel
from memorybank.narrative.types import (
    BEFORE,
    CAUSES,
    HAS_TRAIT,
    IN_CHAPTER,
    Entity,
    EntityKind,
    Fact,
    PlanStatus,
)
from memorybank.narrative.writes import StatusChange
from tests.narrative.creativity.conftest import (
    FAMINE,
    FLOOD,
    GENERAL,
    LIN,
    LONG,
    QUIET,
    RAO,
    SHORT,
    STEP,
    SWORD,
    entity,
    fact,
)
from tests.narrative.hub.in_memory import FactsInMemory, PlansInMemory

REVOLT = entity(EntityKind.EVENT, "the revolt of the millers")
ONE, SIX, NINE = (entity(EntityKind.CHAPTER, str(number)) for number in (1, 6, 9))
LIN_ZH = entity(EntityKind.CHARACTER, "林霜")
FLOOD_ZH = entity(EntityKind.EVENT, "河谷洪灾")
FAMINE_ZH = entity(EntityKind.EVENT, "河谷饥荒")
CAUSED = fact(FLOOD, CAUSES, FAMINE)
TOLD = "The famine came over the valley in a week. Nobody spoke of it."
REQUEST = Request(asked="Go on.", prompt="p", chapter=6, lang="en")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Rao used the Frost Sword.", 1 - PER_FINDING),
        ("Lin used the Frost Sword.", 1.0),
        ("Lin gave Rao the Frost Sword. Rao used the Frost Sword.", 1.0),
    ],
)
def test_who_uses_what_another_owns_is_not_consistent(stores: Stores, text: str, value: float) -> None:
    score = judged(Criterion.CONSISTENCY, text, stores, [fact(LIN, "OWNS", SWORD)], [SWORD])
    assert score.value == pytest.approx(value)
    assert ("Lin owns Frost Sword" in score.reasons[0]) is (value < 1)


def judged(
    criterion: Criterion,
    text: str,
    stores: Stores,
    facts: Sequence[Fact] = (),
    entities: Sequence[Entity] = (),
    request: Request = REQUEST,
) -> Score:
    """By the studio's own judge without a model, on a hub that holds these."""
    layer = FactsInMemory()
    cast = [LIN, RAO, LIN_ZH, FLOOD, FAMINE, REVOLT, FLOOD_ZH, FAMINE_ZH, ONE, SIX, NINE, *entities]
    layer.apply(cast, facts)
    stores = replace(stores, facts=layer)
    draft = Draft(brief="own", text=text, made_by="author")
    (scores,) = rule_panel(stores, HashedNgrams()).scores([draft], request)
    (score,) = [one for one in scores if one.criterion is criterion]
    return score


def planned(title: str, *statuses: PlanStatus) -> PlansInMemory:
    plans, step = PlansInMemory(), replace(STEP, title=title)
    plans.apply([GENERAL, LONG, SHORT, step], [], "board")
    for status in statuses:
        plans.apply([], [StatusChange(plan=step.key, status=status)], "board")
    return plans


# -- cause ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("predicate", [CAUSES, BEFORE])
def test_an_effect_whose_cause_is_in_a_later_chapter_names_that_cause(stores: Stores, predicate: str) -> None:
    facts = [fact(FLOOD, predicate, FAMINE), fact(FLOOD, IN_CHAPTER, NINE)]
    score = judged(Criterion.CAUSE, TOLD, stores, facts)
    assert score.value == pytest.approx(1 - PER_FINDING)
    (reason,) = score.reasons
    assert "The famine came over the valley in a week." in reason
    assert "“the flood of the valley”" in reason
    assert "chapter 9" in reason


def test_an_effect_whose_cause_is_still_planned_names_cause_and_plan(stores: Stores) -> None:
    ahead = replace(stores, plans=planned("The flood of the valley"))
    score = judged(Criterion.CAUSE, TOLD, ahead, [CAUSED])
    assert score.value < 1
    assert "still planned, The flood of the valley" in score.reasons[0]
    done = replace(stores, plans=planned("The flood of the valley", PlanStatus.IN_PROGRESS, PlanStatus.COMPLETED))
    assert judged(Criterion.CAUSE, TOLD, done, [CAUSED]).value == 1


def test_in_chinese_too(stores: Stores) -> None:
    facts = [fact(FLOOD_ZH, CAUSES, FAMINE_ZH), fact(FLOOD_ZH, IN_CHAPTER, NINE)]
    request = replace(REQUEST, lang="zh")
    score = judged(Criterion.CAUSE, "河谷闹起了饥荒。人人都瘦了。", stores, facts, request=request)
    assert score.value < 1
    assert "起因“河谷洪灾”还没有发生" in score.reasons[0]
    assert "第9章" in score.reasons[0]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (TOLD, [fact(FLOOD, IN_CHAPTER, ONE)]),
        (TOLD, [fact(FLOOD, IN_CHAPTER, SIX)]),
        (TOLD, []),
        (TOLD, [fact(FLOOD, IN_CHAPTER, NINE), fact(FAMINE, IN_CHAPTER, ONE)]),
        ("The flood came down the valley. " + TOLD, [fact(FLOOD, IN_CHAPTER, NINE)]),
        ("“The famine will come over the valley,” said Lin.", [fact(FLOOD, IN_CHAPTER, NINE)]),
        ("Lin feared that a famine might come over the valley.", [fact(FLOOD, IN_CHAPTER, NINE)]),
        ("Lin crossed the valley.", [fact(FLOOD, IN_CHAPTER, NINE)]),
    ],
    ids=["before", "same chapter", "unknown when", "told before", "told first here", "spoken", "feared", "not told"],
)
def test_a_cause_that_may_have_happened_is_let_pass(stores: Stores, text: str, facts: list[Fact]) -> None:
    assert judged(Criterion.CAUSE, text, stores, [CAUSED, *facts]).value == 1


def test_the_nearest_missing_cause_is_named_once(stores: Stores) -> None:
    facts = [CAUSED, fact(REVOLT, CAUSES, FLOOD), *(fact(one, IN_CHAPTER, NINE) for one in (FLOOD, REVOLT))]
    score = judged(Criterion.CAUSE, f"{TOLD} The famine held the valley for months.", stores, facts)
    assert len(score.reasons) == 1
    assert "“the flood of the valley”" in score.reasons[0]
    happened = [CAUSED, fact(REVOLT, CAUSES, FLOOD), fact(FLOOD, IN_CHAPTER, ONE), fact(REVOLT, IN_CHAPTER, NINE)]
    assert "“the revolt of the millers”" in judged(Criterion.CAUSE, TOLD, stores, happened).reasons[0]


# -- character --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_rule_judges_character_and_the_score_says_so(stores: Stores, lang: Lang) -> None:
    facts, request = [fact(LIN, HAS_TRAIT, QUIET)], replace(REQUEST, lang=lang)
    score = judged(Criterion.CHARACTER, "Lin chattered all night.", stores, facts, [QUIET], request)
    assert score.value == 0.5
    assert score.reasons == (word("character_unknown", lang),)


def test_three_findings_leave_nothing_of_a_score(stores: Stores) -> None:
    text = "Rao used the Frost Sword. Rao raised the Frost Sword. Rao used the Frost Sword again."
    score = judged(Criterion.CONSISTENCY, text, stores, [fact(LIN, "OWNS", SWORD)], [SWORD])
    assert (score.value, len(score.reasons)) == (0, 3)
