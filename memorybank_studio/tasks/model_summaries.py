"""A task's summary by a language model: what was decided, refused and left open, and who is who, within a budget.

Each line names the turns it stands on. A name or a number that is neither in these turns nor in what the model was told
beside them is asked about once; a line that keeps it is left out, and the summary says so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from memorybank.engines.offline.salience import mentions
from memorybank.language.figures import unstated
from memorybank.language.text import detect_lang, fold_space
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatModel
from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang, Value
from memorybank.prompts.lexicon import load
from memorybank.prompts.tags import block
from memorybank_studio.drafts import blocks
from memorybank_studio.types import FromOutside, Turn
from memorybank_studio.wording import asked_again, joined, request_of, say

WINDOW: Final = 6_000
"""Estimated tokens of turns summed up at once, where the model tells of no smaller context."""
_FRAME: Final = 2
"""The size of an answer in JSON, with the turns of each line, in times of the summary's own tokens."""
_SECTIONS: Final = ("decisions", "rejected", "open", "names")
"""The sections in the order of the summary: where the budget ends, the last go first."""


class SummaryLine(FromOutside):
    turns: tuple[int, ...]
    text: str


class TaskSummary(FromOutside):
    decisions: tuple[SummaryLine, ...]
    rejected: tuple[SummaryLine, ...]
    open: tuple[SummaryLine, ...]
    names: tuple[SummaryLine, ...]

    @property
    def lines(self) -> Iterator[tuple[str, SummaryLine]]:
        return ((section, line) for section in _SECTIONS for line in getattr(self, section) if line.text.strip())


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Value):
    text: str
    made: str
    """The way it was made, for whoever reads it."""


class ModelSummary:
    """Sums up turns by a language model. Stateless."""

    def __init__(self, chat: ChatModel, *, tokens: int, lang: Lang) -> None:
        """`tokens`: of a summary, estimated. `lang`: of how it was made."""
        self._chat = chat
        self._tokens = tokens
        self._lang = lang

    @property
    def window(self) -> int:
        context = self._chat.context_window
        return WINDOW if context is None else max(200, min(WINDOW, context // 3))

    def __call__(self, turns: Sequence[Turn], previous: str, changed: Sequence[str] = ()) -> Summary:
        """Sum up these turns and a summary of the turns before them (empty: there are none): as many turns as fit at
        once, one summary handed on to the next. `changed`: what the hub says by now of what the turns name. Raises
        AgentError."""
        summary = Summary(text=previous, made="")
        for part in blocks(turns, self.window):
            summary = self._made(_Given(part, summary.text, changed, self._tokens))
        return summary

    def _made(self, given: _Given) -> Summary:
        system, tokens = given.words["summariser"].rstrip(), _FRAME * self._tokens + 256
        request = request_of(system, given.user(), "summary", max_tokens=tokens, temperature=0.2)
        answer = ask_typed(self._chat, request, TaskSummary)
        if problems := given.problems(answer):
            asked = given.words["again"].format(problems="\n".join(f"- {problem}" for problem in problems))
            answer = ask_typed(self._chat, asked_again(request, answer, asked), TaskSummary)
        return self._written(answer, given)

    def _written(self, answer: TaskSummary, given: _Given) -> Summary:
        """Return the lines that stand on what was told, as far as the budget goes."""
        kept: list[tuple[str, SummaryLine]] = []
        left_out: list[str] = []
        for section, line in answer.lines:
            invented = given.invented(section, line)
            left_out += invented
            if not invented:
                kept.append((section, line))
        made = say("summary_model", self._lang, model=self._chat.name)
        if left_out:
            made = say("summary_left_out", self._lang, made=made, words=joined(dict.fromkeys(left_out), self._lang))
        return Summary(text="\n".join(_written(kept, given.words, self._tokens)), made=made)


@dataclass(frozen=True)
class _Given:
    turns: Sequence[Turn]
    previous: str
    changed: Sequence[str]
    tokens: int

    @cached_property
    def lang(self) -> Lang:
        return detect_lang("\n".join(turn.text for turn in self.turns))

    @property
    def words(self) -> dict[str, Any]:
        return load(__package__, f"summaries.{self.lang}")

    @cached_property
    def told(self) -> str:
        return _plain("\n".join((self.previous, *self.changed, *(turn.text for turn in self.turns))))

    def user(self) -> str:
        words = self.words
        told = "\n\n".join(f"{words[turn.role].format(turn=turn.number)}\n{turn.text.strip()}" for turn in self.turns)
        parts = [
            block("memory", f"{words['previous']}\n{self.previous}") if self.previous else "",
            block("memory", "\n".join((words["changed"], *self.changed))) if self.changed else "",
            block("task", told),
            words["now"].format(words=self.tokens * 3 // 4, characters=self.tokens),
        ]
        return "\n\n".join(filter(None, parts))

    def problems(self, answer: TaskSummary) -> list[str]:
        """Return what is wrong with the answer, in its own language, for the model."""
        length = estimate("\n".join(_written(answer.lines, self.words)))
        found = [problem for section, line in answer.lines for problem in self._problems(section, line)]
        if length > self.tokens:
            found.append(self.words["too_long"].format(times=f"{length / self.tokens:.1f}"))
        return found

    def _problems(self, section: str, line: SummaryLine) -> Iterator[str]:
        last = self.turns[-1].number
        if unknown := [str(turn) for turn in line.turns if not 1 <= turn <= last]:
            yield self.words["no_turn"].format(turns=joined(unknown, self.lang), text=line.text)
        if invented := self.invented(section, line):
            yield self.words["invented"].format(words=joined(invented, self.lang), text=line.text)

    def invented(self, section: str, line: SummaryLine) -> tuple[str, ...]:
        """Return names and numbers of the line that none of its sources says; a line of `names` begins with a name."""
        named = [
            _without_opening(line.text[name.start : name.end], opens=not line.text[: name.start].strip())
            for name in mentions(line.text)
            if name.kind == "name" and name.certain
        ]
        if section == "names":
            named.insert(0, _HEAD_RE.split(line.text, maxsplit=1)[0])
        told = self.told.casefold()
        unknown = (name for name in named if _plain(name).casefold() not in told)
        turns = {str(turn.number) for turn in self.turns}  # "the proposal of turn 12": that is how they are shown
        numbers = (figure.written for figure in unstated(line.text, self.told) if figure.written not in turns)
        return tuple(dict.fromkeys((*unknown, *numbers)))


def _without_opening(written: str, *, opens: bool) -> str:
    """Leave out the first of several words where it opens a line: its capital may be the line's ("Whether Corin")."""
    return written.split(" ", 1)[-1] if opens else written


def _plain(text: str) -> str:
    """Return the text with single spaces and one kind of apostrophe: a name is not invented by them."""
    return fold_space(text).replace("’", "'")


_HEAD_RE: Final = re.compile(r"\s*[:：(（,，]")


def _written(lines: Iterable[tuple[str, SummaryLine]], words: Mapping[str, str], tokens: float = math.inf) -> list[str]:
    """Return the lines below their headings, every line with its turns; as many as the tokens take."""
    written: list[str] = []
    for section, group in groupby(lines, key=itemgetter(0)):
        heading = [words[section]]
        for _, line in group:
            turns = f"[{', '.join(map(str, line.turns))}] " if line.turns else ""
            added = [*heading, f"- {turns}{fold_space(line.text)}"]
            tokens -= sum(estimate(entry) + 1 for entry in added)
            if tokens < 0:
                return written
            written += added
            heading = []
    return written
