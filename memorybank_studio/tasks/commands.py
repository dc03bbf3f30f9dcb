"""What the author asks for, said outright: a slash command at the very start of the input, or a button.

Nothing is guessed from the wording (fact-planning specification, section 3.3 B): without a command the current task
goes on. A command has the rest of its line as its argument, and the lines after it as the author's words:

    /new The lost jade          /新建 玉佩的秘密
    Who stole it?               谁偷了它？

`/settle` anywhere but at the first character is text. `//` at the start writes a slash.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from memorybank.errors import InputError
from memorybank.memory.types import Value
from memorybank_studio.types import Command

NAMES: Final[Mapping[str, Command]] = {
    "new": Command.NEW,
    "新建": Command.NEW,
    "continue": Command.CONTINUE,
    "继续": Command.CONTINUE,
    "switch": Command.SWITCH,
    "切换": Command.SWITCH,
    "restart": Command.RESTART,
    "重启": Command.RESTART,
    "settle": Command.SETTLE,
    "结算": Command.SETTLE,
    "discard": Command.DISCARD,
    "丢弃": Command.DISCARD,
}
LONGEST_TITLE: Final = 200
"""Characters."""

_JOINERS: Final = "\u200c\u200d"
_SHAPES: Final = "\ufe0e\ufe0f"
"""Variation selectors, before which a joiner may stand in an emoji."""
_BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that show nothing."""
_SLASHES: Final = ("/", "／")
_COMMAND_RE: Final = re.compile(r"[/／](?P<name>[^\s:：/／]+)[ \t\u3000]*[:：]?(?P<rest>[^\r\n]*)(?:\r?\n|\Z)")
_TAKES_TEXT: Final = frozenset({Command.NEW, Command.CONTINUE, Command.SWITCH, Command.RESTART})
_NEEDS_ARGUMENT: Final = frozenset({Command.NEW, Command.SWITCH, Command.RESTART})


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction(Value):
    """A command with what belongs to it; the same from a slash command and from a button."""

    command: Command
    argument: str = ""
    """NEW: a title. SWITCH, RESTART: a task's id or title. SETTLE, DISCARD: the same, or nothing: the current one."""
    text: str = ""
    """The author's words to the task, as they were typed."""
    by: Literal["slash", "button", "default"] = "default"


def parse(typed: str) -> Instruction:
    """The instruction in what the author typed. Raises InputError for a slash command that is none, listing them."""
    if typed.startswith(_SLASHES) and typed[1:2] in _SLASHES:
        return Instruction(command=Command.CONTINUE, text=typed[1:])
    match = _COMMAND_RE.match(typed)
    if match is None:
        return Instruction(command=Command.CONTINUE, text=typed)
    name = unicodedata.normalize("NFKC", match["name"]).casefold()
    command = NAMES.get(name)
    if command is None:
        raise InputError("slash.unknown", name=match["name"][:40], commands=listed())
    if command is Command.CONTINUE:
        words = f"{match['rest'].lstrip()}\n{typed[match.end() :]}".strip()
        return checked_instruction(command, text=words, by="slash")
    return checked_instruction(command, argument=match["rest"], text=typed[match.end() :], by="slash")


def checked_instruction(
    command: Command, *, argument: str = "", text: str = "", by: Literal["slash", "button"] = "button"
) -> Instruction:
    """What a button asks, checked as a slash command is. Raises InputError naming what is missing or too much."""
    argument = " ".join((visible(argument) if command is Command.NEW else argument).split())
    if command in _NEEDS_ARGUMENT and not argument:
        raise InputError("slash.needs_title" if command is Command.NEW else "slash.needs_task", command=command.value)
    if len(argument) > LONGEST_TITLE:
        raise InputError("slash.too_long", command=command.value, count=len(argument), most=LONGEST_TITLE)
    if command not in _TAKES_TEXT and text.strip():
        raise InputError("slash.no_text", command=command.value)
    return Instruction(command=command, argument=argument, text=text, by=by)


def visible(title: str) -> str:
    """A title without what turns, hides or joins text; empty when nothing of it can be seen.

    A joiner stays between two letters or signs, as it shapes them (Persian words, an emoji of several).
    """
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


def listed() -> str:
    """All commands with both names, as one line."""
    names = {command: [name for name, known in NAMES.items() if known is command] for command in Command}
    return ", ".join(f"/{english} (/{chinese})" for english, chinese in names.values())
