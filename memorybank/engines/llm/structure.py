"""The structure agent: a summary that keeps the facts, in 30 to 50 % of the length where nothing is lost by it.

Short texts, tables and code stay as they are. What the model wrote is audited (`audit`) against the text, asked for
once more where figures are unknown or lost, and never longer than the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memorybank.engines.llm.asking import Asker
from memorybank.engines.llm.wire import StructureAnswer
from memorybank.engines.offline.cover import LEAST, MOST
from memorybank.engines.offline.statements import Statement, statements
from memorybank.engines.offline.structure import FEWEST_SENTENCES, is_short
from memorybank.engines.offline.units import PRONOUN_RE
from memorybank.engines.pieces import pieces
from memorybank.errors import AgentError
from memorybank.language.dates import Date
from memorybank.language.figures import figures, unstated
from memorybank.language.text import HAN_RE, blocks, fold_space, sentences
from memorybank.language.tokens import query_tokens
from memorybank.memory.contracts import StructureInput, StructureOutput

FEWEST = 150
"""Han characters, or three times as many letters, below which a text stays whole: condensing it costs more than it
saves, and loses a fact."""
_PER_ANSWER = 1.5
"""A part is at most this many times the answer's tokens, so that half of it always fits."""
_PLACE_RE = re.compile(r"\[\[(\d+)\]\]")


# -- does a summary say what the text says? ---------------------------------------------------------------------------

# Its figures are compared as values, however they are written (language/figures.py). An audit finds and decides
# nothing: a true statement that only looks unknown is worth more than a tidy summary.


LOST_AT_MOST = 0.25
"""Share of the text's dates and numbers with a unit that a summary may leave out."""
MOST_LENGTH = 0.7
"""Share of the text that a summary may take rather than lose a fact, and up to which sentences are put back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """A statement of a summary with figures that the text does not state."""

    statement: str
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    unknown: tuple[Doubt, ...]
    lost: tuple[str, ...]
    """Dates and numbers with a unit that only the text states; none while they are few."""

    def __len__(self) -> int:
        """Return how many figures are unknown or lost; an audit without findings is false."""
        return sum(len(doubt.figures) for doubt in self.unknown) + len(self.lost)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return the faults, one line each, for readers of the calls."""
        lines = [f"{', '.join(doubt.figures)} is not in the text: {doubt.statement}" for doubt in self.unknown]
        if self.lost:
            lines.append(f"the summary leaves out: {', '.join(self.lost)}")
        return tuple(lines)


def audit(summary: str, text: str, *, shown: Sequence[str] = (), kept: Sequence[str] = ()) -> Findings:
    """Hold a summary against its text.

    `shown` is what the model knew beside the text (its topic); `kept` are tables and code that stay beside it.
    """
    unknown = unstated(summary, "\n".join((text, *shown, *kept)))
    doubts = []
    for start, end in sentences(summary):
        written = tuple(dict.fromkeys(figure.written for figure in unknown if start <= figure.start < end))
        if written:
            doubts.append(Doubt(statement=fold_space(summary[start:end]), figures=written))
    return Findings(unknown=tuple(doubts), lost=_lost(text, "\n".join((summary, *kept))))


def _lost(text: str, summary: str) -> tuple[str, ...]:
    told, lost = (
        {item.written.casefold(): item.written for item in each if isinstance(item.value, Date) or item.value.unit}
        for each in (figures(text), unstated(text, summary))
    )
    return tuple(lost.values()) if len(lost) > LOST_AT_MOST * len(told) else ()


def completed(summary: str, text: str, topic: str, lost: Sequence[str]) -> tuple[str, int]:
    """Return the summary with sentences of the text that hold what it lost, word for word, and how many.

    Only a sentence that names its subject can be understood where it then stands.
    """
    missing = set(lost)
    subjects = frozenset(query_tokens(topic))
    back = 0
    for statement in statements(text):
        held = missing.intersection(figure.written for figure in figures(statement.text))
        if (
            held
            and _names_its_subject(statement, subjects)
            and len(summary) + len(statement.text) <= MOST_LENGTH * len(text)
        ):
            summary = f"{summary}\n{statement.text}"
            missing -= held
            back += 1
    return summary, back


def _names_its_subject(statement: Statement, subjects: frozenset[str]) -> bool:
    named = any(mention.kind == "name" and mention.certain for mention in statement.mentions)
    return not (statement.whole or PRONOUN_RE.match(statement.text)) and (named or bool(subjects & statement.words))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """The text that one call condenses."""

    request: StructureInput
    text: str
    kept: tuple[str, ...] = ()
    number: int = 1
    count: int = 1

    @property
    def values(self) -> dict[str, Any]:
        """Return the values of the prompt."""
        han = 2 * len(HAN_RE.findall(self.text)) > len(self.text)
        length = len("".join(self.text.split())) if han else len(self.text.split())
        return {
            "topic": self.request.context,
            "keywords": self.request.keywords,
            "text": self.text,
            "kept": bool(self.kept),
            "han": han,
            "least": int(LEAST * length),
            "most": int(MOST * length),
            "longest": int(MOST_LENGTH * length),
            "part": self.number,
            "parts": self.count,
            **_FIRST,
        }

    def audit(self, summary: str) -> Findings:
        return audit(summary, self.text, shown=(self.request.context, *self.request.keywords), kept=self.kept)


_FIRST: dict[str, Any] = {"draft": "", "unknown": (), "lost": ()}
"""The values of a prompt that asks for the first time."""


class LLMStructure:
    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def run(self, request: StructureInput) -> StructureOutput:
        """Makes one call, none for what stays whole, and one for each part of content over the window."""
        content = request.content.strip()
        if stays_whole(content):
            for statement in statements(content):
                content = content.replace(statement.text, statement.plain, 1)  # without marks of Markdown
            return StructureOutput(summary=content)
        prose, kept = _set_apart(content)
        parts = self._parts(request, prose, kept)
        summary = "\n".join(self._audited(part, self._ask(part)) for part in parts)
        return StructureOutput(summary=self._no_longer(_put_back(summary, kept), content))

    def checked(self, request: StructureInput, summary: str) -> str:
        """Return a summary that came with another answer, held against its text as this agent's own are."""
        content = request.content.strip()
        part = _Part(request=request, text=content)
        if is_short(content, 2 * FEWEST) and (findings := part.audit(summary)):
            self._asker.note(f"structure: {len(findings)} figures were unknown or lost; the short text stays whole")
            return content
        return self._no_longer(self._audited(part, summary), content)

    def _parts(self, request: StructureInput, prose: str, kept: tuple[str, ...]) -> list[_Part]:
        limit = min(self._room(request, kept), int(_PER_ANSWER * self._asker.window("structure").answer))
        texts = [prose[start:end].strip() for start, end in pieces(prose, limit, self._asker.count)]
        texts = [text for text in texts if text]
        return [
            _Part(request=request, text=text, kept=kept, number=number, count=len(texts))
            for number, text in enumerate(texts, start=1)
        ]

    def _room(self, request: StructureInput, kept: tuple[str, ...]) -> int:
        empty = _Part(request=request, text="", kept=kept, number=1, count=2)
        return self._asker.room("structure", request.lang, StructureAnswer, **empty.values)

    def _ask(self, part: _Part, **again: Any) -> str:
        values = part.values | again
        return self._asker.ask("structure", part.request.lang, StructureAnswer, **values).summary

    def _audited(self, part: _Part, summary: str) -> str:
        """Return the summary, or a better one if it has doubtful figures or lost many; what stays of that is noted."""
        findings = part.audit(summary)
        if findings:
            summary, findings = self._asked_again(part, summary, findings)
        if findings.lost:
            summary, back = completed(summary, part.text, part.request.context, findings.lost)
            if back:
                self._asker.note(f"structure: {back} sentences of the text were put back for what the summary lacked")
                findings = part.audit(summary)
        for note in findings.notes:
            self._asker.note(f"structure: {note}")
        return summary

    def _asked_again(self, part: _Part, summary: str, findings: Findings) -> tuple[str, Findings]:
        """Return the better of two summaries: the model sees once what was found, where there is room to show it."""
        shown = "\n".join((part.text, summary, *findings.notes))
        if self._asker.count(shown) > self._room(part.request, part.kept):
            return summary, findings
        self._asker.note(f"structure: asked again for {len(findings)} figures that were unknown or lost")
        try:
            second = self._ask(part, draft=summary, unknown=findings.unknown, lost=findings.lost)
        except AgentError as error:
            self._asker.note(f"structure: the summary was not given again: {error}")
            return summary, findings
        again = part.audit(second)
        return (second, again) if len(again) <= len(findings) else (summary, findings)

    def _no_longer(self, summary: str, content: str) -> str:
        if len(summary) <= len(content):
            return summary
        self._asker.note("structure: the summary was longer than the text, which stays whole")
        return content


def stays_whole(content: str) -> bool:
    """Whether a text is remembered as it is: it is short, or little of it is prose."""
    if is_short(content, FEWEST):
        return True
    return sum(not statement.whole for statement in statements(content)) < FEWEST_SENTENCES


def _set_apart(content: str) -> tuple[str, tuple[str, ...]]:
    """Return the prose with a mark for each table and block of code, and those as they are."""
    kept: list[str] = []
    prose: list[str] = []
    for start, end, kind in blocks(content):
        text = content[start:end]
        if kind in ("table", "code"):
            prose.append(f"[[{len(kept)}]]\n\n")
            kept.append(text.strip("\n"))
        else:
            prose.append(text)
    return "".join(prose), tuple(kept)


def _put_back(summary: str, kept: Sequence[str]) -> str:
    """Put each table and block of code back once: where the model put its mark, else at the end."""
    if not kept:
        return summary
    parts: list[str] = []
    placed: set[int] = set()
    at = 0
    for match in _PLACE_RE.finditer(summary):
        number = int(match[1])
        parts.append(summary[at : match.start()].rstrip())
        at = match.end()
        if number < len(kept) and number not in placed:
            placed.add(number)
            parts.append(kept[number])
    parts.append(summary[at:].strip())
    parts.extend(text for number, text in enumerate(kept) if number not in placed)
    return "\n\n".join(part for part in parts if part.strip())
