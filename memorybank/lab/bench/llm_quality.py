"""How well does a language model keep a memory? Planted contradictions, in both languages, through whole sessions.

The texts are the fresh collections of `eval collections`: short documents that partly disagree, sentences that only
look as if they did, and a question. The session is the product's, on the engine and the models of this machine's
settings; the offline engine may be measured beside them. A model writes its summaries in its own words, so a side of a
dispute is known by its value and by what it shares with the document's sentence, not word for word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from memorybank.lab.bench.table import Progress, aligned, as_json_by_kind
from memorybank.lab.evaluation.collections import DECIDED, DisputeSide, DocumentCollection, WrittenDispute, collections
from memorybank.language.figures import figures, unstated
from memorybank.language.text import fold_space
from memorybank.language.tokens import query_tokens
from memorybank.memory.bank import MemoryBank
from memorybank.memory.events import AgentCalled
from memorybank.memory.types import Conflict, ConflictStatus, Contradiction, Lang
from memorybank.session.assembly import Parts, assemble
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.session.usage import by_agent
from memorybank.settings.config import Settings

LANGUAGES: tuple[Lang, ...] = ("en", "zh")
QUICK: Mapping[str, Any] = {"most": 1}
ALIKE = 0.5
"""Share of the shorter sentence's words that the other holds, from which on both say the same of the same."""
_UNBOUNDED = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What came of one session, or of several together."""

    disputes: int = 0
    found: int = 0
    decidable: int = 0
    """Disputes that most independent documents decide."""
    settled: int = 0
    """Of these, those that end with the value which holds."""
    wrong: int = 0
    """Disputes that end with another value, or with one where nothing decides."""
    false: int = 0
    """Contradictions raised that are none, near misses among them."""
    near: int = 0
    figures: int = 0
    kept: int = 0
    """Of the documents' numbers and dates, those that the memories made of them state."""
    answered: int = 0
    """Decidable disputes whose value the answer states."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(**{name: getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__})


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityRow:
    """All collections of a language."""

    engine: str
    """The models that answered, by name."""
    lang: Lang
    sessions: int
    failed: int
    """Sessions that did not come to their end."""
    tally: Tally
    calls: int
    input_tokens: int
    output_tokens: int
    seconds: float

    def cells(self) -> Mapping[str, str]:
        tally = self.tally
        return {
            "engine": f"{self.engine}, {self.lang}",
            "sessions": f"{self.sessions - self.failed} of {self.sessions}",
            "found": f"{tally.found} of {tally.disputes}",
            "settled right": f"{tally.settled} of {tally.decidable}",
            "wrong": str(tally.wrong),
            "false": f"{tally.false} ({tally.near} near)",
            "facts kept": f"{tally.kept / max(1, tally.figures):.2f}",
            "answered": f"{tally.answered} of {tally.decidable}",
            "calls": f"{self.calls:,}",
            "tokens in": f"{self.input_tokens:,}",
            "out": f"{self.output_tokens:,}",
            "s": f"{self.seconds:,.0f}",
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleRow:
    """What one agent cost, over all collections of a language."""

    lang: Lang
    role: str
    calls: int
    failed: int
    repaired: int
    """Attempts beyond the first."""
    input_tokens: int
    output_tokens: int

    def cells(self) -> Mapping[str, str]:
        return {
            "agent": f"{self.lang}, {self.role}",
            "calls": f"{self.calls:,}",
            "failed": str(self.failed),
            "again": str(self.repaired),
            "tokens in": f"{self.input_tokens:,}",
            "out": f"{self.output_tokens:,}",
        }


Row = QualityRow | RoleRow


def run(
    progress: Progress,
    settings: Settings,
    *,
    languages: Sequence[Lang] = LANGUAGES,
    most: int = _UNBOUNDED,
    parts_of: Callable[[Settings, Sequence[str]], Parts] = assemble,
) -> list[Row]:
    """Measures the first `most` collections of each language. Raises InputError where the model cannot be asked."""
    rows: list[Row] = []
    for lang in languages:
        began, tallies, calls, failed = perf_counter(), Tally(), list[AgentCalled](), 0
        chosen = collections(lang)[:most]
        for collection in chosen:
            tally, made, complete = _measured(collection, settings, parts_of)
            tallies, calls, failed = tallies + tally, [*calls, *made], failed + (not complete)
            progress(
                f"{lang}: {collection.title}: {tally.found} of {tally.disputes} found, {tally.settled} settled right"
            )
        usage = by_agent(calls)
        models = " + ".join(dict.fromkeys(call.model for call in calls if call.model))
        rows.append(
            QualityRow(
                engine=models or settings.engine,
                lang=lang,
                sessions=len(chosen),
                failed=failed,
                tally=tallies,
                calls=usage["all"].calls,
                input_tokens=usage["all"].input_tokens,
                output_tokens=usage["all"].output_tokens,
                seconds=perf_counter() - began,
            )
        )
        rows += [
            RoleRow(
                lang=lang,
                role=role,
                calls=cost.calls,
                failed=cost.failed,
                repaired=cost.attempts - cost.calls,
                input_tokens=cost.input_tokens,
                output_tokens=cost.output_tokens,
            )
            for role, cost in usage.items()
            if role != "all"
        ]
    return rows


def _measured(
    collection: DocumentCollection, settings: Settings, parts_of: Callable[[Settings, Sequence[str]], Parts]
) -> tuple[Tally, list[AgentCalled], bool]:
    """What came of a session on the documents, the calls that were made, and whether nothing failed."""
    sources = [Source(name=name, text=text, kind="document") for name, text in collection.documents.items()]
    parts = parts_of(settings, [collection.question, *collection.documents.values()])
    with (
        TemporaryDirectory() as folder,
        Session.start(Path(folder) / "run", parts, goal=collection.question, sources=sources) as session,
    ):
        session.run()
        agents = [record.event for record in session.records if isinstance(record.event, AgentCalled)]
        calls = [call for call in agents if call.model or parts.chats is None]  # an agent may decide without a model
        return tally_of(collection, session.bank), calls, session.bank.progress.result == "complete"


# -- judging ----------------------------------------------------------------------------------------------------------


def tally_of(collection: DocumentCollection, bank: MemoryBank) -> Tally:
    """Judges a finished session's memory and answer by what was planted."""
    raised = [(conflict, pair) for conflict in bank.conflicts.all.values() for pair in conflict.contradictions]
    ends = {
        place: [_end(conflict, sides) for conflict, pair in raised if (sides := _sides(pair, dispute))]
        for place, dispute in enumerate(collection.disputes)
    }
    decidable = [place for place, dispute in enumerate(collection.disputes) if dispute.holds]
    decided = {place: {end for end in of if end is not None} for place, of in ends.items()}
    false = [pair for _, pair in raised if not any(_sides(pair, dispute) for dispute in collection.disputes)]
    memories = " ".join(f"{node.context} {node.summary}" for node in bank.graph.nodes.values())
    stated = [figures(text) for text in collection.documents.values()]
    lost = [unstated(text, memories) for text in collection.documents.values()]
    return Tally(
        disputes=len(collection.disputes),
        found=sum(bool(of) for of in ends.values()),
        decidable=len(decidable),
        settled=sum(decided[place] == {collection.disputes[place].holds} for place in decidable),
        wrong=sum(bool(values - {collection.disputes[place].holds}) for place, values in decided.items()),
        false=len(false),
        near=sum(_is_near(pair, texts) for pair in false for texts in collection.near),
        figures=sum(map(len, stated)),
        kept=sum(map(len, stated)) - sum(map(len, lost)),
        answered=sum(_states(bank.progress.answer, collection.disputes[place].holds) for place in decidable),
    )


def _sides(pair: Contradiction, dispute: WrittenDispute) -> tuple[DisputeSide, DisputeSide] | None:
    """The sides of a dispute that the two claims of a contradiction take: left, right."""
    for left in dispute.sides:
        for right in dispute.sides:
            if left is not right and _takes(pair.left.text, left, right) and _takes(pair.right.text, right, left):
                return left, right
    return None


def _takes(text: str, side: DisputeSide, other: DisputeSide) -> bool:
    own = _states(text, side.value) and not (_states(text, other.value) and not _states(side.value, other.value))
    return own and any(_alike(text, sentence) for sentence in side.said)


def _end(conflict: Conflict, sides: tuple[DisputeSide, DisputeSide]) -> str | None:
    """The value that a conflict was decided for, as a side writes it, else as the verdict does; None: undecided."""
    if conflict.status not in DECIDED:
        return None
    if conflict.winner and conflict.status is not ConflictStatus.BOTH_WRONG and len(conflict.contradictions) == 1:
        return sides[0 if conflict.winner == "left" else 1].value
    stating = [side.value for side in sides if _states(conflict.value, side.value)]
    return stating[0] if len(stating) == 1 else conflict.value


def _is_near(pair: Contradiction, texts: Sequence[str]) -> bool:
    return any(
        _alike(pair.left.text, one) and _alike(pair.right.text, two) for one, two in (texts, tuple(reversed(texts)))
    )


def _states(text: str, value: str) -> bool:
    """Whether a text states a value: its figures as values, a name as it is written."""
    if figures(value):
        return not unstated(value, text)
    return fold_space(value).casefold() in fold_space(text).casefold()


def _alike(text: str, sentence: str) -> bool:
    words, others = (set(query_tokens(part, limit=_UNBOUNDED)) for part in (text, sentence))
    smaller = min(len(words), len(others))
    return bool(smaller) and len(words & others) >= ALIKE * smaller


# -- the table --------------------------------------------------------------------------------------------------------


def as_table(rows: Sequence[Row]) -> str:
    return "\n\n".join(aligned([row.cells() for row in group]) for group in _kinds(rows))


def as_json(rows: Sequence[Row]) -> str:
    return as_json_by_kind(rows)


def _kinds(rows: Sequence[Row]) -> Iterator[list[Row]]:
    for _, group in groupby(sorted(rows, key=lambda row: type(row).__name__), lambda row: type(row).__name__):
        yield list(group)
