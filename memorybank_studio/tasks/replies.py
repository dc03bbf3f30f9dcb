"""The author's orders by button, the engine's answers and what the author is shown, as text a file can hold."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from memorybank.errors import InputError
from memorybank.language.text import encodable
from memorybank.memory.types import Lang, Value
from memorybank_studio.creativity.options import Option
from memorybank_studio.journal.context import BuiltContext, Citation, Taken
from memorybank_studio.journal.desk import Desk
from memorybank_studio.journal.events import SettlementTable
from memorybank_studio.types import Command, Task
from memorybank_studio.wording import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation(Value):
    """The creativity engine's answer."""

    text: str
    """All that the author is shown, options included: it is what the task's history keeps."""
    options: tuple[Option, ...] = ()
    cited: tuple[Citation, ...] = ()
    """Lines of the record that it stands on."""


class Creative(Protocol):
    """The creativity engine, which keeps nothing between two calls."""

    def __call__(self, context: BuiltContext, question: str, taken: Taken, desk: Desk) -> Creation:
        """Answer the question. `desk`: what was offered before. Raises AgentError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Value):
    """The answer that the author is shown."""

    command: Command
    task: Task | None
    """The task that is current in this tab from now on; None: no task is."""
    text: str = ""
    options: tuple[Option, ...] = ()
    taken: Taken | None = None
    """The kind that the turn was taken for, with why."""
    context: BuiltContext | None = None
    """The context that the engine was told; of SETTLE the whole history."""
    table: SettlementTable | None = None


def clean_option(option: Option) -> Option:
    scores = tuple(replace(score, reasons=tuple(map(encodable, score.reasons))) for score in option.scores)
    return replace(option, draft=replace(option.draft, text=encodable(option.draft.text)), scores=scores)


def numbered(options: Sequence[Option], lang: Lang) -> list[str]:
    """Return the options as the task's history keeps them: what was written, and how it was scored."""
    return [
        say("answer_option", lang, number=number, total=f"{option.total:.2f}", text=option.draft.text)
        for number, option in enumerate(options, start=1)
    ]


LONGEST_TITLE: Final = 200
"""The most characters of a title."""

_JOINERS: Final = "\u200c\u200d"
_SHAPES: Final = "\ufe0e\ufe0f"
"""Variation selectors, before which a joiner may stand in an emoji."""
_BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing."""
_TAKES_TEXT: Final = frozenset({Command.NEW, Command.CONTINUE, Command.SWITCH, Command.RESTART})
_NEEDS_ARGUMENT: Final = frozenset({Command.NEW, Command.SWITCH, Command.RESTART})


def checked_argument(command: Command, argument: str, text: str) -> str:
    """Return the title of a new task, or the id of a task (empty: the current one), as a button gives it. Nothing is
    guessed from the wording (fact-planning specification, section 3.3 B). Raises InputError naming what is missing or
    too much."""
    argument = " ".join((visible(argument) if command is Command.NEW else argument).split())
    if command in _NEEDS_ARGUMENT and not argument:
        raise InputError("slash.needs_title" if command is Command.NEW else "slash.needs_task", command=command.value)
    if len(argument) > LONGEST_TITLE:
        raise InputError("slash.too_long", command=command.value, count=len(argument), most=LONGEST_TITLE)
    if command not in _TAKES_TEXT and text.strip():
        raise InputError("slash.no_text", command=command.value)
    return argument


def visible(title: str) -> str:
    """Return a title without what turns, hides or joins text (but in emoji); empty when none of it shows."""
    folded = " ".join(title.split())
    kept = "".join(
        char
        for place, char in enumerate(folded)
        if unicodedata.category(char) not in ("Cc", "Cf")
        or (char in _JOINERS and _is_seen(folded[place - 1 : place]) and _is_seen(folded[place + 1 : place + 2]))
    )
    return kept if any(map(_is_seen, kept)) else ""


def _is_seen(char: str) -> bool:
    if not char or char in _BLANK:
        return False
    category = unicodedata.category(char)
    return char in _SHAPES or not (category in ("Cc", "Cf", "Cs") or category[0] in "ZM")
