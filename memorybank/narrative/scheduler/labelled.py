"""Every (input, context, command) as labelled data: what a classifier of intents could be trained on.

Fact-planning specification, section 3.3 B. The context is what lay before the author then: the task that was current,
its latest turns, and the titles of the tasks that were open.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from memorybank.journal import Record
from memorybank.narrative.scheduler.events import CommandGiven, HistoryBroughtBack, TaskOpened, TurnAdded
from memorybank.narrative.types import TaskId, Turn

LATEST_TURNS: Final = 8


def labelled(records: Iterable[Record[Any]]) -> Iterator[str]:
    """A line of JSON for each command, oldest first."""
    titles: dict[TaskId, str] = {}
    turns: dict[TaskId, list[Turn]] = {}
    for record in records:
        match record.event:
            case TaskOpened(task=task, title=title):
                titles[task] = title
            case TurnAdded(task=task, turn=turn):
                turns.setdefault(task, []).append(turn)
            case HistoryBroughtBack(task=task, turns=back):
                turns[task] = list(back)
            case CommandGiven() as given:
                yield json.dumps(_example(given, titles, turns), ensure_ascii=False)


def _example(given: CommandGiven, titles: dict[TaskId, str], turns: dict[TaskId, list[Turn]]) -> dict[str, object]:
    current = given.context.task
    before = turns.get(current, [])[: given.context.turns][-LATEST_TURNS:] if current else []
    return {
        "input": given.input,
        "context": {
            "task": {"id": current, "title": titles[current]} if current else None,
            "turns": [{"number": turn.number, "role": turn.role, "text": turn.text} for turn in before],
            "open": [{"id": task, "title": titles[task]} for task in given.context.open],
        },
        "command": given.command.value,
        "argument": given.argument,
        "target": {"id": given.task, "title": titles[given.task]},
        "by": given.by,
        "at": given.at,
    }
