"""A built context: what the creativity engine is told, where each part is from and why it is there.

Rendered, every part is a block of its own with its text neutralised (prompts/tags.py), so that nothing an author
pasted, a book or a model said can open, close or imitate one. The prompt names the parts that did not fit its budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Literal

from memorybank.memory.types import Lang, Value
from memorybank.prompts.tags import block, neutralise
from memorybank_studio.types import Command, Task
from memorybank_studio.wording import say

PartKind = Literal["turn", "summary", "pointer", "hook", "facts", "setting", "plan", "scene", "style"]
"""The kinds of parts; those that matter most to a prompt come first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(Value):
    kind: PartKind
    title: str
    text: str
    origin: str = ""
    why: str = ""
    number: int = 0
    """The number of a turn, or a passage's place in the book; a higher one is taken first and stands later."""
    left_out: int = 0
    """Estimated tokens of its middle that did not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut(Value):
    title: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltContext(Value):
    command: Command
    task: Task
    lang: Lang
    asked: str
    """The author's words; whole."""
    shown: str
    """The same as the prompt shows them: without a middle that does not fit."""
    chapter: int
    """The chapter that is being written: facts hold as of it."""
    why: str
    """The reason for the way the command built it, in a sentence."""
    parts: tuple[Part, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    budget: int | None
    """Estimated tokens; None: everything stands."""

    def prompt(self) -> str:
        """Return the whole prompt in the context's language."""
        frame = [say("frame", self.lang)]
        if self.command is Command.SETTLE:
            frame.append(say("frame_settle", self.lang))
        command = say("task_command", self.lang, command=self.command.value, why=self.why)
        return "\n\n".join([*frame, *self._parts(), self._asked_block(command)])

    def material(self, without: Sequence[PartKind] = ()) -> str:
        """Return what the prompt tells, without its instructions, and without parts of these kinds."""
        return "\n\n".join([*self._parts(without), self._asked_block()])

    def discussion(self) -> str:
        """Return the turns of the task and the request, without what was looked up."""
        turns = (written(part, self.lang) for part in self.parts if part.kind in ("turn", "summary"))
        return "\n\n".join([*turns, self._asked_block()])

    def _parts(self, without: Sequence[PartKind] = ()) -> list[str]:
        notes = [_left_out_note(self.left_out, self.lang)] if self.left_out else []
        return [*(written(part, self.lang) for part in self.parts if part.kind not in without), *notes]

    def _asked_block(self, *lines: str) -> str:
        title = say("task_title", self.lang, title=self.task.title)
        return block("task", "\n".join([title, *lines, say("task_asks", self.lang), self.shown]))


def written(part: Part, lang: Lang) -> str:
    """Return a part as a block of the prompt."""
    head = [part.title]
    if part.why:
        head.append(say("part_why", lang, why=part.why, origin=part.origin))
    return block("memory", "\n".join([*head, part.text]), {"part": part.kind})


_MOST_NAMED: Final = 4
"""Parts left out that the prompt names."""


def _left_out_note(left_out: Sequence[LeftOut], lang: Lang) -> str:
    names = [say("left_out_part", lang, title=part.title, tokens=part.tokens) for part in left_out[:_MOST_NAMED]]
    if len(left_out) > _MOST_NAMED:
        names.append(say("left_out_more", lang, count=len(left_out) - _MOST_NAMED))
    return neutralise(say("left_out", lang, what=("；" if lang == "zh" else "; ").join(names)))


def without_turns(context: BuiltContext) -> BuiltContext:
    """Leave out the words of whole turns, and the request, which is the turn that the prompt answers."""
    shown = "" if context.shown == context.asked else context.shown
    parts = (replace(part, text="") if part.kind == "turn" and not part.left_out else part for part in context.parts)
    return replace(context, asked="", shown=shown, parts=tuple(parts))


class TurnKind(StrEnum):
    """What an author wants of a turn."""

    FACT = "fact"
    """The author asks what has happened or holds."""
    PLAN = "plan"
    """The author asks what is to happen, or where the story stands."""
    SETTING = "setting"
    """The author asks what something is, by the setting base."""
    REMARK = "remark"
    """The author tells, decides or comments: a turn of discussion."""
    OPTIONS = "options"
    """The author wants several ways to go on."""
    TEXT = "text"
    """The author wants one text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken(Value):
    """The kind of one turn, with why."""

    kind: TurnKind
    reason: str
    """A sentence, in the story's language."""
    by: Literal["model", "rules", "author"]
    sought: tuple[str, ...] = ()
    """The names and words besides those in a question under which the hub may have what is asked."""
    options: tuple[int, ...] = ()
    """The numbers of the latest proposals to be mixed, or of the one to be changed, where it asks for options."""
    count: int = 0
    """The number of options that are wanted, where it asks for options and says how many; else 0."""
    reply: str = ""
    """The answer to a remark, when whoever decided has answered it as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation(Value):
    """A line of the record that an answer stands on."""

    number: int
    """The number by which the answer cites it, from 1."""
    kind: PartKind
    title: str
    """The name of what it is about, or of where it stands."""
    text: str
    origin: str
    chapter: int | None = None
    """The chapter from which a fact holds, or in which a passage stands."""
    words: str = ""
    """The author's or the book's own, that a fact was read from."""
