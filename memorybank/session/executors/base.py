"""An executor is the outside agent framework: it is given a task and the enhanced prompt, uses tools, answers.

It takes every model, tool and clock value from `fx`, so that it resumes inside a round. A framework that cannot do so
still works: its round is begun again, and its tools answer from the memo.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from memorybank.contradiction.votes import SourcePassage
from memorybank.language.text import encodable
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import SIDES, AnswerPoint, Conflict, Lang, Node, NodeId, Span, StagedImage, Task, Value
from memorybank.session.answer_points import Ground
from memorybank.session.effects import Effects
from memorybank.session.matters import Matter
from memorybank.tools.base import Tool

OFFLINE_RESEARCHER, REACT_AGENT = "offline researcher", "ReAct agent"
"""The built-in executors, as journals name them."""
RULE_LIMIT = 8
"""Sources that a search by rule shows for each query of a check: those of the memories, found by their own words, and
others; half as many where a task only looks something up."""


def sources_named(queries: Sequence[str], tools: Mapping[str, Tool]) -> list[str]:
    """Return those of a task's queries that are names of sources which can be read."""
    return [query for query in queries if "visit" in tools and tools["visit"].knows(query)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartySource(Value):
    """Raw text that one side of a conflict stands on."""

    source: str
    text: str
    node_id: NodeId
    span: Span | None = None
    """The place in the raw text; None: it is put together from several places."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief(Value):
    """A conflict to check, with both sides' raw sources."""

    conflict: Conflict
    left: tuple[PartySource, ...]
    right: tuple[PartySource, ...]

    @property
    def parties(self) -> tuple[SourcePassage, ...]:
        """Return both sides' sources; one of both sides is the left's."""
        passages: dict[str, SourcePassage] = {}
        for side, sources in zip(SIDES, (self.left, self.right), strict=True):
            for party in sources:
                passages.setdefault(party.source, SourcePassage(source=party.source, text=party.text, party=side))
        return tuple(passages.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment(Value):
    """One round's work. A framework that reads text needs nothing but `prompt`; the rest says the same in values."""

    task: Task
    prompt: str
    goal: str
    lang: Lang
    memories: tuple[Node, ...] = ()
    """The memories that the prompt shows, best first."""
    origins: tuple[PartySource, ...] = ()
    """The raw text that the memories stand on, span by span, for an answer that quotes it."""
    briefs: tuple[Brief, ...] = ()
    matters: tuple[Matter, ...] = ()
    """What open conflicts are on, as the prompt tells it."""
    documents: tuple[SourcePassage, ...] = ()
    """The documents that memory has, whole, in a round that checks conflicts: to find what a verdict quotes."""
    closed: tuple[Conflict, ...] = ()
    """Conflicts that were checked before."""
    ground: Ground = field(default_factory=Ground)
    """Holds the sources, the disputes and what was looked for; empty but in a round that answers the goal."""
    images: tuple[StagedImage, ...] = ()
    """Images to recognise: they are the task."""
    waiting: tuple[StagedImage, ...] = ()
    """Images that wait for recognition beside the task. One that the round reads with `read_image` is filed with it."""
    shown_by: tuple[tuple[str, str], ...] = ()
    """Sources that are texts of images, each with the page or document that shows the image: one source, not two."""
    max_tool_calls: int = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution(Value):
    """The outcome of a round. The answer may hold `<verdict>` and `<image>` blocks; the transcript holds all."""

    answer: str
    transcript: str
    failure: str = ""
    """Why there is no usable answer; empty when there is one."""
    verdicts: tuple[StatedVerdict, ...] | None = None
    """The verdicts on the conflicts of the task. None: the executor has text alone, and the `<verdict>` blocks of its
    answer are read."""
    points: tuple[AnswerPoint, ...] = ()
    """The points of the answer to the goal. Empty: the executor has text alone, and its answer is read."""
    quotes_only: bool = False
    """The answer only quotes sources and memory, so it holds no conclusions that memory lacks."""
    stated: bool = False
    """The verdicts are a person's, or another authority's: they stand on that word, without evidence."""

    def __post_init__(self) -> None:
        """Replaces characters that no journal can hold: a framework may answer with anything."""
        for name in ("answer", "transcript", "failure"):
            object.__setattr__(self, name, encodable(getattr(self, name)))


class Executor(Protocol):
    @property
    def name(self) -> str: ...

    def run(self, assignment: Assignment, fx: Effects) -> Execution: ...
