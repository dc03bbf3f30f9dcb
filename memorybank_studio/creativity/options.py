"""The creativity engine's orders and answers. It keeps nothing between two calls."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean
from typing import Final, NewType

from memorybank.errors import AgentError
from memorybank.llm.base import AroundChat, ChatModel, ChatReply, ChatRequest
from memorybank.memory.types import Lang, Value
from memorybank_studio.types import TaskId

OfferId = NewType("OfferId", str)
FEWEST: Final = 3
"""Options that come back at least (specification, section 3.2)."""
MOST: Final = 9
"""The most options that come back, however many are asked for."""


class TooFewError(AgentError):
    """No option at all was written."""

    def __init__(self, wanted: int, reason: str) -> None:
        super().__init__("creativity.too_few_as", written=0, wanted=wanted, reason=reason)


class Criterion(StrEnum):
    CONSISTENCY = "consistency"
    """It does not contradict the facts."""
    CHARACTER = "character"
    """People act as they are."""
    CAUSE = "cause"
    """The things that are used or known were given before."""
    STYLE = "style"
    """It is written in the style of the chapters just before."""
    TENSION = "tension"
    GOAL = "goal"
    """It serves the plan that comes next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(Value):
    """One order to the engine: everything it may know is in here or behind its look-ups."""

    asked: str
    """The author's own words."""
    prompt: str
    """The built context, rendered."""
    chapter: int
    """The chapter being written: facts hold as of it."""
    lang: Lang
    count: int = FEWEST
    """Options wanted."""
    before: tuple[str, ...] = ()
    """Texts that were offered before in this task: who asks again wants others."""
    as_asked: bool = False
    """One text is wanted, as the author describes it: by no brief."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup(Value):
    """One question a generator put to the hub while it wrote."""

    source: str
    """facts, settings, plans or scenes."""
    query: str
    found: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(Value):
    brief: str
    """The generator's brief that it follows."""
    text: str
    step: str = ""
    """Title of the planned step that it brings about; empty: none that is planned."""
    event: str = ""
    """The event or change that it brings about, in a sentence; empty: whoever wrote it did not say."""
    parents: tuple[OfferId, ...] = ()
    """The options that it was mixed from, or the one it changes."""
    lookups: tuple[Lookup, ...] = ()
    made_by: str
    """The model's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score(Value):
    criterion: Criterion
    value: float
    """The score, in [0, 1]."""
    reasons: tuple[str, ...]
    """The grounds of the value, a sentence each; never empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option(Value):
    draft: Draft
    scores: tuple[Score, ...]

    @property
    def total(self) -> float:
        """Return the mean, held down by consistency: a draft that breaks facts is no better than its consistency."""
        values = [score.value for score in self.scores]
        consistency = [score.value for score in self.scores if score.criterion is Criterion.CONSISTENCY]
        return min([fmean(values), *consistency]) if values else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Value):
    """An option in its place."""

    task: TaskId
    turn: int
    """The answer that offers it."""
    number: int
    """The option's number in that answer, from 1."""
    option: Option

    @property
    def id(self) -> OfferId:
        return OfferId(f"{self.task}-{self.turn}-{self.number}")


MOST_CALLS: Final = 4
"""The most calls for options: looking up, writing and judging, answers sent back included. An answer costs one more, in
which it is decided what the turn is."""
MOST_CALLS_REWORKED: Final = 2
"""The most calls for an option that is mixed or changed."""
JUDGING: Final = 1
"""The number of these calls that are kept for the judges."""


class Allowance:
    """The calls of one order."""

    def __init__(self, most: int = MOST_CALLS) -> None:
        self.most = most
        self.left = most

    def chat(self, chat: ChatModel, *, keep: int = 0) -> ChatModel:
        """Return the model, as long as more than `keep` calls are left; then it raises AgentError."""
        return _Allowed(chat, self, keep)


class _Allowed(AroundChat):
    def __init__(self, inner: ChatModel, allowance: Allowance, keep: int) -> None:
        super().__init__(inner)
        self._allowance = allowance
        self._keep = keep

    def complete(self, request: ChatRequest) -> ChatReply:
        """Raises as the model inside, AgentError when the calls are used up."""
        if self._allowance.left <= self._keep:
            raise AgentError("creativity.calls_used_up", count=self._allowance.most - self._keep)
        self._allowance.left -= 1
        return self._inner.complete(request)
