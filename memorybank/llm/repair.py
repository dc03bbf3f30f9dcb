"""JSON out of a model's answer: as written if it is JSON, else found and read with patience, saying what was wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from memorybank.errors import AgentError
from memorybank.llm.fitting import one_line
from memorybank.llm.tolerant import CUT_OFF, OPENERS_RE, TolerantReader, Unreadable
from memorybank.memory.bounds import loads

SHOWN_CHARS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    value: Any
    notes: tuple[str, ...]
    start: int
    end: int

    @property
    def cut(self) -> bool:
        return CUT_OFF in self.notes


def parse_json(text: str, fits: Callable[[Any], bool] = lambda value: False) -> tuple[Any, tuple[str, ...]]:
    """(the value, what had to be repaired, one short line each). Plain JSON comes back as it is, with no notes.

    Where several values stand in the text, the first that `fits` is taken, else the last object that is whole, else
    the last array. Takes time linear in the text. Raises AgentError when there is none.
    """
    try:
        return _strict(text), ()
    except ValueError:
        pass
    candidates = _candidates(text)
    if not candidates:
        raise AgentError("agent.no_json", text=one_line(text, SHOWN_CHARS))
    best = next((candidate for candidate in candidates if fits(candidate.value)), None) or max(candidates, key=_rank)
    around = (text[: best.start] + text[best.end :]).replace("```json", "```").strip()
    notes = list(best.notes)
    if "```" in around:
        notes.insert(0, "code fence")
    if len(candidates) > 1:
        notes.insert(0, f"one of {len(candidates)} JSON values")
    elif around.replace("```", "").strip():
        notes.insert(0, "text around the JSON")
    return best.value, tuple(notes)


def _strict(text: str) -> Any:
    try:
        return loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None


def _candidates(text: str) -> list[_Candidate]:
    """Find all objects and arrays of the text, in order, none inside another. What only begins is skipped."""
    candidates: list[_Candidate] = []
    at = 0
    while opening := OPENERS_RE.search(text, at):
        reader = TolerantReader(text, opening.start())
        try:
            value = reader.read()
        except Unreadable as failure:
            at = max(failure.at, opening.end())
            continue
        at = max(reader.at, opening.end())
        if value or not reader.cut:
            notes = tuple(reader.notes)
            candidates.append(_Candidate(value=value, notes=notes, start=opening.start(), end=at))
    return candidates


def _rank(candidate: _Candidate) -> tuple[bool, bool, bool, int]:
    return isinstance(candidate.value, dict), bool(candidate.value), not candidate.cut, candidate.start
