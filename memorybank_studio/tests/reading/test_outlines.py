"""Outlines and steps of a task that goes on: each on the plan of the board it means, in its place, and its status."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from memorybank_studio.drafts import DraftItem
from memorybank_studio.settlement.by_rules import RuleExtract
from memorybank_studio.tests.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank_studio.tests.tasks.studio import said
from memorybank_studio.types import Plan, PlanKind, PlanStatus, TaskId
from memorybank_studio.writes import StatusChange
from tests.tables import tables

TABLES = tables(__file__)

TOLD: dict[Lang, str] = TABLES["told"]
STEPS: dict[Lang, list[str]] = TABLES["steps"]


class Board:
    def __init__(self, lang: Lang) -> None:
        self.lang = lang
        self.plans = PlansInMemory()
        self.number = 0

    def read(self, words: str) -> list[DraftItem]:
        self.number += 1
        rules = RuleExtract(FactsInMemory(), self.plans, self.lang)
        return list(rules(said(words), TaskId(f"t{self.number}")).drafts)

    def settle(self, words: str) -> None:
        items = [draft.item for draft in self.read(words)]
        plans = [one for one in items if isinstance(one, Plan)]
        self.plans.apply(plans, [one for one in items if isinstance(one, StatusChange)])

    def named(self, title: str) -> Plan:
        return next(plan for plan in self.plans.all() if plan.title == title)

    def steps(self, outline: str) -> list[str]:
        return [plan.title for plan in self.plans.children(self.named(outline).key)]


def board(lang: Lang) -> Board:
    made = Board(lang)
    made.settle(TOLD[lang])
    return made


OUTLINE: dict[Lang, str] = {"en": "Mara's road", "zh": "林霜之路"}
LANGS: tuple[Lang, ...] = ("en", "zh")


@pytest.mark.parametrize(("lang", "words", "order"), TABLES["a_plan_keeps_its_place_unless_it_is_told_elsewhere"])
def test_a_plan_keeps_its_place_unless_it_is_told_elsewhere(lang: Lang, words: str, order: list[int | str]) -> None:
    made = board(lang)
    made.settle(words)
    assert made.steps(OUTLINE[lang]) == [STEPS[lang][one] if isinstance(one, int) else one for one in order]


@pytest.mark.parametrize(("lang", "new"), [("en", "Step: Mara sleeps in a barn"), ("zh", "步骤：林霜睡在谷仓")])
def test_a_step_goes_below_the_outline_named_above_it(lang: Lang, new: str) -> None:
    made = board(lang)
    running = {"en": "The duke hires a spy", "zh": "王爷雇探子"}[lang]
    made.plans.apply([], [StatusChange(plan=made.named(running).key, status=PlanStatus.IN_PROGRESS)])
    made.settle(f"{'Short outline: ' if lang == 'en' else '短期大纲：'}{OUTLINE[lang]}\n{new}")
    assert len(made.steps(OUTLINE[lang])) == 4
    again = board(lang)
    again.plans.apply([], [StatusChange(plan=again.named(running).key, status=PlanStatus.IN_PROGRESS)])
    again.settle(new)
    assert len(again.steps(OUTLINE[lang])) == 3, "without one it goes below the one in progress"


@pytest.mark.parametrize("lang", LANGS)
def test_new_words_for_a_step_are_its_words_wherever_it_stands(lang: Lang) -> None:
    made = board(lang)
    other = {"en": "The duke hires a spy", "zh": "王爷雇探子"}[lang]
    made.settle(f"{'Step: ' if lang == 'en' else '步骤：'}{other}{', for gold' if lang == 'en' else '，给了黄金'}")
    assert ("gold" in made.named(other).text) or ("黄金" in made.named(other).text)
    assert len(made.plans.all(kind=PlanKind.STEP)) == 4, "and no second step of that title"
    made.settle(f"{'Step: ' if lang == 'en' else '步骤：'}{other}")
    assert made.named(other).text, "named without words it keeps them"


# -- status -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "words", "title", "status"), TABLES["how_far_a_plan_is"])
def test_how_far_a_plan_is(lang: Lang, words: str, title: str, status: str) -> None:
    made = board(lang)
    found = made.read(words)
    wanted = StatusChange(plan=made.named(title).key, status=PlanStatus(status))
    assert [(one.item, one.ticked) for one in found] == [(wanted, True)]


@pytest.mark.parametrize(("lang", "words"), TABLES["no_status_changes_of_what_is_no_plan_or_is_asked"])
def test_no_status_changes_of_what_is_no_plan_or_is_asked(lang: Lang, words: str) -> None:
    found = board(lang).read(words)
    assert [one for one in found if isinstance(one.item, StatusChange | Plan)] == []


def test_of_two_plans_of_one_title_none_changes_unless_its_outline_is_named() -> None:
    made = board("en")
    made.settle("Short outline: The duke's plot\nStep: Mara leaves home")
    assert made.read("Step completed: Mara leaves home") == []
    made.settle("Short outline: The duke's plot\nStep completed: Mara leaves home")
    done = [plan for plan in made.plans.all(kind=PlanKind.STEP) if plan.status is PlanStatus.COMPLETED]
    assert [plan.parent for plan in done] == [made.named("The duke's plot").key]


@pytest.mark.parametrize(
    ("lang", "line", "outlines", "steps"), TABLES["steps_that_are_counted_within_one_line_are_steps"]
)
def test_steps_that_are_counted_within_one_line_are_steps(
    lang: Lang, line: str, outlines: list[str], steps: list[str]
) -> None:
    plans = [draft.item for draft in Board(lang).read(line) if isinstance(draft.item, Plan)]
    assert [plan.title for plan in plans if plan.kind is PlanKind.STEP] == steps
    assert set(outlines) <= {plan.title for plan in plans if plan.kind is PlanKind.SHORT}
