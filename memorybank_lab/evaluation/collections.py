"""Fresh collections: short documents that partly disagree, given to a session, which finds, checks and settles.

The texts (`fresh/collections.*.yaml`) were written for this project by somebody who had not read the rules. Each
collection is one session on all of its documents. A dispute is found when two of its sides are raised against each
other; it is settled right when the value that most independent documents support holds in the end, and where nothing
decides, when it stays open. Whatever else is raised is false; near misses among it are told apart. A side is known by
its value and by what a claim shares with a document's sentence, for an engine may write in its own words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

import yaml

from memorybank.embedding.base import Embedder
from memorybank.language.figures import figures, unstated
from memorybank.language.text import fold_space
from memorybank.language.tokens import query_tokens
from memorybank.memory.events import AgentCalled
from memorybank.memory.state import MemoryState
from memorybank.memory.types import ClaimVerdict, ConflictStatus, Contradiction, Lang, TaskStatus
from memorybank.session.assembly import Parts, assemble, offline_parts
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.session.usage import AgentUsage, by_agent
from memorybank.settings.config import Settings
from memorybank_lab.evaluation.data import embedder_for
from memorybank_lab.evaluation.report import Report, Score, mean_score

LANGS: Final[tuple[Lang, ...]] = ("en", "zh")
ROUNDS: Final = 20

Fate = Literal["missed", "right", "wrong", "undecided"]
_DECIDED: Final = frozenset({"resolved", "both_wrong", "checked"})
_ALIKE: Final = 0.5
"""Share of the shorter sentence's words that the other holds, from which on both say the same of the same."""
_ALL_WORDS: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeSide:
    value: str
    said: tuple[str, ...]
    """The sentences of documents that say it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenDispute:
    about: str
    sides: tuple[DisputeSide, ...]
    holds: str
    """The value that most independent documents support; empty where nothing decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentCollection:
    title: str
    lang: Lang
    question: str
    documents: Mapping[str, str]
    disputes: tuple[WrittenDispute, ...]
    near: tuple[tuple[str, ...], ...]
    """Sentences that only look as if they disagreed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionOutcome:
    collection: DocumentCollection
    fates: tuple[Fate, ...]
    """Of the disputes, in their order."""
    near: tuple[bool, ...]
    """Which near misses were raised."""
    false: tuple[str, ...]
    """What was raised and is no dispute, near misses included."""
    kept: float
    """Share of the documents' numbers and dates that the memories made of them state."""
    answered: tuple[bool, ...]
    """Of the disputes that most documents decide: whether the answer states what holds."""
    usage: AgentUsage | None = None
    """Calls of language models, where there were any."""
    failure: str = ""
    """Why the session did not come to its end."""


def run(
    data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None], settings: Settings | None = None
) -> Report:
    """Needs no data. With settings it is their engine and their models that are measured, on one collection of each
    language unless `full`; else the engine without a model, on all."""
    del data
    scores: list[Score] = []
    notes: list[str] = []
    rows: list[Mapping[str, str]] = []
    for lang in LANGS:
        found = []
        for one in collections(lang)[: None if full or settings is None else 1]:
            progress(f"collections: {lang}, {one.title}")
            found.append(settle(one, _parts(one, embedder, settings)))
        title = f"fresh collections {lang}"
        scores += _scores(title, found)
        notes += _notes(title, found)
        rows += [row for one in found for row in _rows(one)]
    return Report(
        name="collections", scores=tuple(scores), notes=tuple(notes), examples=tuple(rows), own_texts=settings is None
    )


def _parts(collection: DocumentCollection, embedder: Embedder, settings: Settings | None) -> Parts:
    texts = list(collection.documents.values())
    if settings is not None:
        return assemble(settings, [collection.question, *texts])
    return offline_parts(Settings(max_rounds=ROUNDS), collection.lang, embedder_for(texts, embedder))


def settle(collection: DocumentCollection, parts: Parts) -> CollectionOutcome:
    """A session on the documents, run to its end."""
    sources = [Source(name=name, text=text, kind="document") for name, text in collection.documents.items()]
    with (
        TemporaryDirectory() as folder,
        Session.start(Path(folder) / "run", parts, goal=collection.question, sources=sources) as session,
    ):
        session.run()
        calls = [record.event for record in session.records if isinstance(record.event, AgentCalled)]
        failed = [task.context for task in session.bank.doc.completed_tasks if task.status is TaskStatus.FAILED]
        ended = session.bank.progress.result
        reason = "" if ended == "complete" else "; ".join(failed) or str(ended)
        usage = by_agent([call for call in calls if call.model])
        return replace(judged(collection, session.bank), usage=usage.get("all"), failure=reason)


# -- judging ----------------------------------------------------------------------------------------------------------


def judged(collection: DocumentCollection, bank: MemoryState) -> CollectionOutcome:
    raised = [
        (conflict.ruling_on(number), contradiction)
        for conflict in bank.conflicts.all.values()
        for number, contradiction in enumerate(conflict.contradictions)
    ]
    false = [pair for _, pair in raised if not any(_sides(pair, dispute) for dispute in collection.disputes)]
    memories = " ".join(f"{node.context} {node.summary}" for node in bank.graph.nodes.values())
    stated = sum(len(figures(text)) for text in collection.documents.values())
    lost = sum(len(unstated(text, memories)) for text in collection.documents.values())
    return CollectionOutcome(
        collection=collection,
        fates=tuple(_fate(dispute, raised) for dispute in collection.disputes),
        near=tuple(any(_is_between(pair, sentences) for pair in false) for sentences in collection.near),
        false=tuple(dict.fromkeys(f"{pair.left.text} | {pair.right.text}" for pair in false)),
        kept=1 - lost / max(1, stated),
        answered=tuple(states(bank.progress.answer, one.holds) for one in collection.disputes if one.holds),
    )


def states(text: str, value: str) -> bool:
    """Whether a text states a value: its figures as values, a name as it is written."""
    if figures(value):
        return not unstated(value, text)
    return fold_space(value).casefold() in fold_space(text).casefold()


def _fate(dispute: WrittenDispute, raised: Sequence[tuple[ClaimVerdict, Contradiction]]) -> Fate:
    ends = [_end(ruling, sides) for ruling, pair in raised if (sides := _sides(pair, dispute))]
    if not ends:
        return "missed"
    decided = [end for end in ends if end is not None]
    if not dispute.holds:
        return "wrong" if decided else "right"
    if not decided:
        return "undecided"
    return "right" if all(end == dispute.holds for end in decided) else "wrong"


def _end(ruling: ClaimVerdict, sides: tuple[DisputeSide, DisputeSide]) -> str | None:
    """The value that was ruled to hold, as a side writes it where it is one's, else as the verdict does; None: none."""
    if ruling.status not in _DECIDED:
        return None
    if ruling.winner and ruling.status is not ConflictStatus.BOTH_WRONG:
        return sides[0 if ruling.winner == "left" else 1].value
    stating = [side.value for side in sides if states(ruling.value, side.value)]
    return stating[0] if len(stating) == 1 else ruling.value


def _sides(pair: Contradiction, dispute: WrittenDispute) -> tuple[DisputeSide, DisputeSide] | None:
    """The sides of a dispute that the two claims of a contradiction take: left, right."""
    for left, right in permutations(dispute.sides, 2):
        if _takes(pair.left.text, left, right) and _takes(pair.right.text, right, left):
            return left, right
    return None


def _takes(text: str, side: DisputeSide, other: DisputeSide) -> bool:
    own = states(text, side.value) and not (states(text, other.value) and not states(side.value, other.value))
    return own and any(_alike(text, sentence) for sentence in side.said)


def _is_between(pair: Contradiction, sentences: Sequence[str]) -> bool:
    return any(
        _alike(pair.left.text, left) and _alike(pair.right.text, right) for left, right in permutations(sentences, 2)
    )


def _alike(text: str, sentence: str) -> bool:
    words, others = (set(query_tokens(part, limit=_ALL_WORDS)) for part in (text, sentence))
    smaller = min(len(words), len(others))
    return bool(smaller) and len(words & others) >= _ALIKE * smaller


# -- scores -----------------------------------------------------------------------------------------------------------


def _scores(data: str, found: Sequence[CollectionOutcome]) -> list[Score]:
    fates = [(dispute, fate) for one in found for dispute, fate in zip(one.collection.disputes, one.fates, strict=True)]
    measures: dict[str, Sequence[float]] = {
        "disputes found": [fate != "missed" for _, fate in fates],
        "settled right, of those that can be": [fate == "right" for dispute, fate in fates if dispute.holds],
        "settled wrongly, of all found": [fate == "wrong" for _, fate in fates if fate != "missed"],
        "near misses raised": [near for one in found for near in one.near],
        "false contradictions a collection": [len(one.false) for one in found],
        "numbers and dates that memories state": [one.kept for one in found],
        "answered with the value that holds": [answered for one in found for answered in one.answered],
    }
    return [mean_score(data, measure, "engine", values) for measure, values in measures.items()]


def _notes(data: str, found: Sequence[CollectionOutcome]) -> Iterator[str]:
    fates = [fate for one in found for fate in one.fates]
    near = [raised for one in found for raised in one.near]
    yield (
        f"{data}: {len(fates)} disputes in {len(found)} collections: {len(fates) - fates.count('missed')} found, of "
        f"them {fates.count('right')} settled right (left open where nothing decides), {fates.count('wrong')} wrong, "
        f"{fates.count('undecided')} undecided; {sum(near)} of {len(near)} near misses raised, "
        f"{sum(len(one.false) for one in found)} false contradictions in all"
    )
    for one in found:
        if one.failure:
            yield f"{one.collection.title}: the session did not come to its end: {one.failure}"
        if one.usage:
            cost = one.usage
            yield (
                f"{one.collection.title}: {cost.calls} calls ({cost.failed} failed, {cost.attempts - cost.calls} asked "
                f"again), {cost.input_tokens:,} tokens in, {cost.output_tokens:,} out"
            )


def _rows(one: CollectionOutcome) -> Iterator[Mapping[str, str]]:
    for dispute, fate in zip(one.collection.disputes, one.fates, strict=True):
        if fate != "right":
            values = " / ".join(side.value for side in dispute.sides)
            yield {
                "collection": one.collection.title,
                "matter": f"{dispute.about}: {values}",
                "holds": dispute.holds or "open",
                "engine": fate,
            }
    for texts in one.false:
        yield {"collection": one.collection.title, "matter": texts, "holds": "no dispute", "engine": "raised"}


# -- data -------------------------------------------------------------------------------------------------------------


@cache
def collections(lang: Lang) -> tuple[DocumentCollection, ...]:
    folder = resources.files(f"{__package__}.fresh")
    return tuple(
        _collection(one, lang) for one in yaml.safe_load((folder / f"collections.{lang}.yaml").read_text("utf-8"))
    )


def _collection(told: Mapping[str, Any], lang: Lang) -> DocumentCollection:
    return DocumentCollection(
        title=told["title"],
        lang=lang,
        question=told["question"],
        documents=told["documents"],
        disputes=tuple(
            WrittenDispute(
                about=one["about"],
                sides=tuple(
                    DisputeSide(value=side["value"], said=tuple(side["said"].values())) for side in one["sides"]
                ),
                holds=one["holds"],
            )
            for one in told["disputes"]
        ),
        near=tuple(tuple(one["said"].values()) for one in told["near"]),
    )
