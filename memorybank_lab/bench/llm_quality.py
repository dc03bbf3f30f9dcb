"""How well does a language model keep a memory? Planted contradictions, in both languages, through whole sessions.

The texts are the fresh collections of `eval collections`: short documents that partly disagree, sentences that only
look as if they did, and a question. The session is the product's, on the engine and the models of this machine's
settings; the offline engine may be measured beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from memorybank.language.figures import figures, unstated
from memorybank.memory.bank import MemoryBank
from memorybank.memory.events import AgentCalled
from memorybank.memory.types import Lang, TaskStatus
from memorybank.session.assembly import Parts, assemble
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.session.usage import by_agent
from memorybank.settings.config import Settings
from memorybank_lab.bench.table import Progress
from memorybank_lab.evaluation.collections import DocumentCollection, collections, judged, states

LANGUAGES: tuple[Lang, ...] = ("en", "zh")
QUICK: Mapping[str, Any] = {"most": 1}


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
    most: int | None = None,
    parts_of: Callable[[Settings, Sequence[str]], Parts] = assemble,
) -> list[Row]:
    """Measures the first collections of each language, or all of them: the languages first, then what each agent cost.

    Raises InputError where the model cannot be asked.
    """
    totals, roles = list[Row](), list[Row]()
    for lang in languages:
        began, tallies, calls, failed = perf_counter(), Tally(), list[AgentCalled](), 0
        chosen = collections(lang)[:most]
        for collection in chosen:
            tally, made, reasons = _measured(collection, settings, parts_of)
            tallies, calls, failed = tallies + tally, [*calls, *made], failed + bool(reasons)
            outcome = f"{tally.found} of {tally.disputes} found, {tally.settled} settled right"
            progress("; ".join([f"{lang}: {collection.title}: {outcome}", *reasons]))
        usage = by_agent(calls)
        models = " + ".join(dict.fromkeys(call.model for call in calls if call.model))
        totals.append(
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
        roles += [
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
    return totals + roles


def _measured(
    collection: DocumentCollection, settings: Settings, parts_of: Callable[[Settings, Sequence[str]], Parts]
) -> tuple[Tally, list[AgentCalled], list[str]]:
    """What came of a session on the documents, the calls that were made, and why it did not come to its end."""
    sources = [Source(name=name, text=text, kind="document") for name, text in collection.documents.items()]
    parts = parts_of(settings, [collection.question, *collection.documents.values()])
    with (
        TemporaryDirectory() as folder,
        Session.start(Path(folder) / "run", parts, goal=collection.question, sources=sources) as session,
    ):
        session.run()
        agents = [record.event for record in session.records if isinstance(record.event, AgentCalled)]
        calls = [call for call in agents if call.model or parts.chats is None]  # an agent may decide without a model
        failures = [task.context for task in session.bank.doc.completed_tasks if task.status is TaskStatus.FAILED]
        complete = session.bank.progress.result == "complete"
        reasons = [] if complete else failures or [session.bank.progress.result]
        return tally_of(collection, session.bank), calls, reasons


# -- judging ----------------------------------------------------------------------------------------------------------


def tally_of(collection: DocumentCollection, bank: MemoryBank) -> Tally:
    """Judges a finished session's memory and answer by what was planted."""
    outcome = judged(collection, bank)
    fates = list(zip(collection.disputes, outcome.fates, strict=True))
    decidable = [(dispute, fate) for dispute, fate in fates if dispute.holds]
    memories = " ".join(f"{node.context} {node.summary}" for node in bank.graph.nodes.values())
    stated = [figures(text) for text in collection.documents.values()]
    lost = [unstated(text, memories) for text in collection.documents.values()]
    return Tally(
        disputes=len(fates),
        found=sum(fate != "missed" for _, fate in fates),
        decidable=len(decidable),
        settled=sum(fate == "right" for _, fate in decidable),
        wrong=sum(fate == "wrong" for _, fate in fates),
        false=len(outcome.false),
        near=sum(outcome.near),
        figures=sum(map(len, stated)),
        kept=sum(map(len, stated)) - sum(map(len, lost)),
        answered=sum(states(bank.progress.answer, dispute.holds) for dispute, _ in decidable),
    )
