"""The task in which a completed step of the plan becomes facts: one a step, opened or restarted as it is needed."""

from __future__ import annotations

import threading
from typing import Final

from memorybank.errors import InputError
from memorybank.memory.types import Lang
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.journal.desk import Desk
from memorybank_studio.journal.events import TaskRestarted
from memorybank_studio.journal.histories import Histories
from memorybank_studio.tasks.addressing import Addressing
from memorybank_studio.tasks.commands import Instruction
from memorybank_studio.types import Command, Plan, PlanKey, PlanKind, PlanStatus, TaskId, TaskState
from memorybank_studio.wording import say


class StepTasks:
    def __init__(self, desk: Desk, hub: SharedHub, histories: Histories, addressing: Addressing, lang: Lang) -> None:
        """`lang`: of the titles of the tasks it opens."""
        self._desk = desk
        self._hub = hub
        self._histories = histories
        self._addressing = addressing
        self._lang = lang
        self._opening = threading.Lock()

    def completed(self, step: PlanKey) -> Plan:
        """Raises InputError for what is no completed step, StoreUnavailableError."""
        with self._hub.reading() as stores:
            plan = stores.plans.plan(step)
        if plan is None or plan.kind is not PlanKind.STEP:
            raise InputError("step.unknown", step=str(step)[:40])
        if plan.status is not PlanStatus.COMPLETED:
            raise InputError("step.not_completed", title=plan.title[:60], status=plan.status.value)
        return plan

    def open(self, step: PlanKey, current: TaskId | None) -> TaskId:
        """The task that settles this completed step; `current`: of the tab that asks. Raises as `completed`."""
        plan = self.completed(step)
        with self._opening:
            return self._of(plan, current)

    def _of(self, step: Plan, current: TaskId | None) -> TaskId:
        """The task that settles this step, open: as it is, restarted, or a new one."""
        known = self._desk.task_of(step.key)
        if known is None:
            title = say("step_task", self._lang, title=step.title[:_STEP_TITLE])
            instruction = Instruction(command=Command.NEW, argument=title, by="button")
            context = self._addressing.context(current)
            opened = self._desk.open_task(
                title, lambda task: self._addressing.event(instruction, context, "", task), step=step.key
            )
            return opened.id
        if known.state is TaskState.OPEN:
            self._addressing.check_open(known.id)
            return known.id
        instruction = Instruction(command=Command.RESTART, argument=known.id, by="button")
        event = self._addressing.button_event(instruction, known.id, current)
        self._desk.append(event, TaskRestarted(task=known.id, at=event.at))
        self._histories.opened(known.id)
        return known.id


_STEP_TITLE: Final = 150
"""Characters of a step's title in that of its task."""
