"""What a language model answers when it plans a chapter, writes a piece or rewrites a passage."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict


def _words(written: str) -> str:
    text = written.strip()
    if not text:
        raise ValueError("it is empty")
    return text


Words = Annotated[str, AfterValidator(_words)]


class PlannedPiece(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Words
    happens: Words
    outcome: Words
    cast: tuple[str, ...]
    step: str
    """The id of the step that it serves, as S1; empty where no steps were shown."""


class ChapterPlan(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    pieces: tuple[PlannedPiece, ...]


class StateChange(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["place", "possession", "knowledge"]
    who: str
    what: str
    quote: str


class WrittenPiece(BaseModel):
    """The text first: what is said about it is said of what stands there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Words
    outcome_quote: str
    summary: str
    state: tuple[StateChange, ...]
    ended: tuple[str, ...]


class RevisedPassage(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Words
    summary: str
    state: tuple[StateChange, ...]
