"""labelled: what an author gave a writing studio and what it was taken for, a line of JSON for each command.

A classifier of intents could be trained on them (fact-planning specification, section 3.3 B). The context is what lay
before the author then: the task that was current, its latest turns, and the titles of the tasks that were open; and
what the engine was told then, whole, with the reason of every part. None of that where the command told
the engine nothing. What the turn was taken for stands in order: what was decided, then what the author made of it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from memorybank.runs.journal import Record, read
from memorybank_studio.journal.context import BuiltContext, Taken
from memorybank_studio.journal.desk import JOURNAL
from memorybank_studio.journal.events import STUDIO, CommandGiven, ContextBuilt, TaskOpened, TurnAdded, TurnTaken
from memorybank_studio.studio import JOURNAL_FOLDER
from memorybank_studio.types import TaskId, Turn

LATEST_TURNS: Final = 8


def show_labelled(arguments: argparse.Namespace) -> int:
    """Print the lines of the studio in a folder, which may be open elsewhere."""
    records, _ = read(arguments.folder / JOURNAL_FOLDER / JOURNAL, STUDIO)
    for line in labelled(records):
        print(line)
    return 0


def labelled(records: Iterable[Record[Any]]) -> Iterator[str]:
    """Yield a line of JSON for each command, oldest first."""
    records = tuple(records)
    contexts, taken = _told_and_taken(records)
    titles: dict[TaskId, str] = {}
    turns: dict[TaskId, list[Turn]] = {}
    for record in records:
        match record.event:
            case TaskOpened(task=task, title=title):
                titles[task] = title
            case TurnAdded(task=task, turn=turn):
                turns.setdefault(task, []).append(turn)
    for record in records:
        if isinstance(command := record.event, CommandGiven):
            built = contexts.get(record.seq)
            context = _with_turns(built.context, turns.get(command.task, ()), built.turn) if built else None
            entries = taken.get(record.seq, ())
            as_what = [{"kind": entry.kind.value, "reason": entry.reason, "by": entry.by} for entry in entries]
            example = {**_example(command, titles, turns), "taken": as_what, "told": _shown(context)}
            yield json.dumps(example, ensure_ascii=False)


def _with_turns(context: BuiltContext, turns: Sequence[Turn], answered: int) -> BuiltContext:
    """Return the context again as it was built. `answered`: number of the author's turn that is the request, 0: there
    is none. A turn that is gone leaves its part empty."""
    texts = {turn.number: turn.text for turn in turns}
    request = texts.get(answered, "")
    parts = (
        replace(part, text=texts.get(part.number, "")) if part.kind == "turn" and not part.left_out else part
        for part in context.parts
    )
    return replace(context, asked=request, shown=context.shown or request, parts=tuple(parts))


def _told_and_taken(records: Iterable[Record[Any]]) -> tuple[dict[int, ContextBuilt], dict[int, list[Taken]]]:
    """Return, by a command's place in the journal, what the engine was told last and what its turn was taken for. An
    answer that failed may come after other commands: it is the one of the command whose turn it answers. A settlement
    answers no turn, and follows its own."""
    commands: dict[TaskId, int] = {}
    wrote: dict[tuple[TaskId, int], int] = {}
    contexts: dict[int, ContextBuilt] = {}
    taken: dict[int, list[Taken]] = {}
    for record in records:
        match record.event:
            case CommandGiven(task=task):
                commands[task] = record.seq
            case TurnAdded(task=task, turn=turn) if turn.role == "author" and task in commands:
                wrote[task, turn.number] = commands[task]
            case ContextBuilt() as built if built.task in commands:
                contexts[wrote.get((built.task, built.turn), commands[built.task])] = built
            case TurnTaken(task=task, turn=number) as event if (task, number) in wrote:
                taken.setdefault(wrote[task, number], []).append(event.taken)
    return contexts, taken


def _shown(context: BuiltContext | None) -> dict[str, object] | None:
    if context is None:
        return None
    return {
        "command": context.command.value,
        "chapter": context.chapter,
        "why": context.why,
        "parts": [
            {"kind": part.kind, "title": part.title, "origin": part.origin, "why": part.why} for part in context.parts
        ],
        "prompt": context.prompt(),
    }


def _example(command: CommandGiven, titles: dict[TaskId, str], turns: dict[TaskId, list[Turn]]) -> dict[str, object]:
    current = command.context.task
    before = turns.get(current, [])[: command.context.turns][-LATEST_TURNS:] if current else []
    return {
        "input": command.input,
        "context": {
            "task": {"id": current, "title": titles[current]} if current else None,
            "turns": [{"number": turn.number, "role": turn.role, "text": turn.text} for turn in before],
            "open": [{"id": task, "title": titles[task]} for task in command.context.open],
        },
        "command": command.command.value,
        "argument": command.argument,
        "target": {"id": command.task, "title": titles[command.task]},
        "by": command.by,
        "at": command.at,
    }
