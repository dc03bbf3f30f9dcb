"""The state pointer in words."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from memorybank_studio.tasks.retrieval import told
from memorybank_studio.tests.hub.in_memory import PlansInMemory
from memorybank_studio.types import Origin, Plan, PlanKind, PlanStatus, TaskId
from memorybank_studio.writes import StatusChange

ORIGIN = Origin(task=TaskId("t1"))


def plan(kind: PlanKind, title: str, parent: Plan | None, after: Plan | None = None, due: int | None = None) -> Plan:
    return Plan(
        kind=kind,
        title=title,
        parent=parent.key if parent else None,
        after=after.key if after else None,
        due=due,
        origin=ORIGIN,
    )


@pytest.fixture
def plans() -> PlansInMemory:
    general = plan(PlanKind.GENERAL, "All", None)
    book = plan(PlanKind.LONG, "Book one", general)
    road, plot = plan(PlanKind.SHORT, "Mara's road", book), plan(PlanKind.SHORT, "王爷的阴谋", book)
    leaves = plan(PlanKind.STEP, "Mara leaves home", road, due=3)
    meets = plan(PlanKind.STEP, "Mara meets Tomas", road, leaves)
    hires = plan(PlanKind.STEP, "王爷雇探子", plot)
    made = PlansInMemory()
    running = StatusChange(plan=leaves.key, status=PlanStatus.IN_PROGRESS)
    made.apply([general, book, road, plot, leaves, meets, hires], [running], "board")
    return made


@pytest.mark.parametrize(
    ("asked", "lang", "said"),
    [
        ("Where are we now?", "en", ["Mara leaves home", "Mara meets Tomas", "王爷雇探子"]),
        ("现在进展到哪里了？", "zh", ["Mara leaves home", "王爷雇探子"]),
        ("What is the status of Mara's road?", "en", ["Mara's road [in progress]"]),
        ("王爷的阴谋怎么样了？", "zh", ["王爷的阴谋［待完成］"]),
    ],
)
def test_where_the_plans_stand(plans: PlansInMemory, asked: str, lang: Lang, said: list[str]) -> None:
    lines = "\n".join(told(asked, plans, 2, lang))
    assert all(one in lines for one in said)


def test_of_a_plan_that_is_named_its_own_storyline_alone(plans: PlansInMemory) -> None:
    assert "Mara" not in "".join(told("王爷的阴谋进行到哪了？", plans, 2, "zh"))
    assert "王爷" not in "".join(told("How far is Mara's road?", plans, 2, "en"))


def test_what_is_overdue_is_told(plans: PlansInMemory) -> None:
    assert "overdue" not in "".join(told("What is overdue?", plans, 2, "en"))
    assert "overdue: Mara leaves home" in "".join(told("What is overdue?", plans, 9, "en"))


def test_where_nothing_is_planned_there_is_nothing_to_tell() -> None:
    assert told("What comes next?", PlansInMemory(), 2, "en") == ()
