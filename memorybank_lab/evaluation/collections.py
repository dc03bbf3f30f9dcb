"""Fresh collections: short documents that partly disagree, given to a session, which finds, checks and settles.

The texts (`fresh/collections.*.yaml`) were written for this project by somebody who had not read the rules. Each
collection is one session on all of its documents. A dispute is found when two of its sides are raised against each
other; it is settled right when the value that most independent documents support holds in the end, and where nothing
decides, when it stays open. Whatever else is raised is false; near misses among it are told apart. A side is known by
its value and by what a claim shares with a document's sentence, for an engine may write in its own words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import ClaimVerdict, ConflictStatus, Contradiction, Lang
from memorybank.session.assembly import offline_parts
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
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


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    """Needs no data; all collections."""
    del data, full
    progress("collections: fresh texts")
    scores, notes, rows = scored(embedder)
    return Report(
        name="collections",
        scores=tuple(scores),
        notes=tuple(notes),
        examples=tuple(rows),
        own_texts=True,
    )


def scored(embedder: Embedder) -> tuple[list[Score], list[str], list[Mapping[str, str]]]:
    scores: list[Score] = []
    notes: list[str] = []
    rows: list[Mapping[str, str]] = []
    for lang in LANGS:
        found = [settle(one, embedder) for one in collections(lang)]
        data = f"fresh collections {lang}"
        scores += _scores(data, found)
        notes.append(f"{data}: {_summary(found)}")
        rows += [row for one in found for row in _rows(one)]
    return scores, notes, rows


def settle(collection: DocumentCollection, embedder: Embedder) -> CollectionOutcome:
    """A session on the documents, run to its end."""
    sources = [Source(name=name, text=text, kind="document") for name, text in collection.documents.items()]
    parts = offline_parts(
        Settings(max_rounds=ROUNDS), collection.lang, embedder_for(list(collection.documents.values()), embedder)
    )
    with (
        TemporaryDirectory() as folder,
        Session.start(Path(folder) / "run", parts, goal=collection.question, sources=sources) as session,
    ):
        session.run()
        return judged(collection, session.bank)


# -- judging ----------------------------------------------------------------------------------------------------------


def judged(collection: DocumentCollection, bank: MemoryBank) -> CollectionOutcome:
    raised = [
        (conflict.ruling_on(number), contradiction)
        for conflict in bank.conflicts.all.values()
        for number, contradiction in enumerate(conflict.contradictions)
    ]
    false = [pair for _, pair in raised if not any(_sides(pair, dispute) for dispute in collection.disputes)]
    return CollectionOutcome(
        collection=collection,
        fates=tuple(_fate(dispute, raised) for dispute in collection.disputes),
        near=tuple(any(_is_between(pair, sentences) for pair in false) for sentences in collection.near),
        false=tuple(dict.fromkeys(f"{pair.left.text} | {pair.right.text}" for pair in false)),
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


def _scores(data: str, found: Sequence[CollectionOutcome]) -> Iterator[Score]:
    fates = [(dispute, fate) for one in found for dispute, fate in zip(one.collection.disputes, one.fates, strict=True)]
    decidable = [fate for dispute, fate in fates if dispute.holds]
    yield mean_score(data, "disputes found", "engine", [fate != "missed" for _, fate in fates])
    yield mean_score(data, "settled right, of those that can be", "engine", [fate == "right" for fate in decidable])
    yield mean_score(
        data, "settled wrongly, of all found", "engine", [fate == "wrong" for _, fate in fates if fate != "missed"]
    )
    yield mean_score(data, "near misses raised", "engine", [near for one in found for near in one.near])
    yield mean_score(
        data, "false contradictions a collection", "engine", [len(one.false) for one in found], at_most=True
    )


def _summary(found: Sequence[CollectionOutcome]) -> str:
    fates = [fate for one in found for fate in one.fates]
    near = [raised for one in found for raised in one.near]
    return (
        f"{len(fates)} disputes in {len(found)} collections: {len(fates) - fates.count('missed')} found, of them "
        f"{fates.count('right')} settled right (left open where nothing decides), {fates.count('wrong')} wrong, "
        f"{fates.count('undecided')} undecided; {sum(near)} of {len(near)} near misses raised, "
        f"{sum(len(one.false) for one in found)} false contradictions in all"
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
