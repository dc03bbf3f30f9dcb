"""Questions to the state pointer: where the story stands is answered at once; what is no such question is not."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from memorybank.narrative.tasks.pointing import answer, asks
from memorybank.narrative.types import Origin, Plan, PlanKind, PlanStatus, TaskId
from memorybank.narrative.writes import StatusChange
from tests.narrative.hub.in_memory import PlansInMemory

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
        ("Which step is in progress?", "en", ["Mara leaves home"]),
        ("What comes next?", "en", ["Mara meets Tomas"]),
        ("Where does each storyline stand?", "en", ["Mara's road", "王爷的阴谋"]),
        ("What is pending?", "en", ["Mara meets Tomas [pending]"]),
        ("What is the status of Mara's road?", "en", ["Mara's road [in progress]"]),
        ("现在进展到哪里了？", "zh", ["Mara leaves home", "王爷雇探子"]),
        ("下一步是什么？", "zh", ["Mara meets Tomas"]),
        ("王爷的阴谋怎么样了？", "zh", ["王爷的阴谋［待完成］"]),
    ],
)
def test_it_is_answered(plans: PlansInMemory, asked: str, lang: Lang, said: list[str]) -> None:
    assert asks(asked, plans)
    told = "\n".join(answer(asked, plans, 2, lang))
    assert all(one in told for one in said)


def test_of_a_plan_that_is_named_its_own_storyline_alone(plans: PlansInMemory) -> None:
    assert "Mara" not in "".join(answer("王爷的阴谋进行到哪了？", plans, 2, "zh"))
    assert "王爷" not in "".join(answer("How far is Mara's road?", plans, 2, "en"))


@pytest.mark.parametrize(("asked", "lang"), [("What is overdue?", "en"), ("有什么逾期了？", "zh")])
def test_what_is_overdue_and_that_nothing_is(plans: PlansInMemory, asked: str, lang: Lang) -> None:
    assert answer(asked, plans, 2, lang) in (("nothing is overdue",), ("没有逾期的步骤",))
    assert "Mara leaves home" in "".join(answer(asked, plans, 9, lang))


@pytest.mark.parametrize(
    "asked",
    [
        "Where is Mara now?",
        "Who is next in line to the throne?",
        "Was the bridge completed?",
        "Who was late to the wedding?",
        "Let us see what comes next.",
        "林霜怎么样了？",
        "林霜现在走到哪座城了？",
        "下一步走得很稳。",
    ],
)
def test_what_asks_for_something_else_is_left_alone(plans: PlansInMemory, asked: str) -> None:
    assert not asks(asked, plans)


def test_where_nothing_is_planned_there_is_nothing_to_tell() -> None:
    assert not asks("What comes next?", PlansInMemory())
    assert answer("What comes next?", PlansInMemory(), 2, "en") == ()
