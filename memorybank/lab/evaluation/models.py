"""Which embedding model, and how much of the keywords (α): a recommendation by language and kind of data.

Texts are ranked whole, without a memory around them, so that nothing but the choice differs: for every local model and
every α the same texts, the same questions. Recommended is what finds most; where its lead on the product's default
choice (the model that `auto` takes for the language, α = .5) is within a paired 95 % bootstrap interval of nothing, the
default is as good. A choice made on these questions is a little too good for them: it is an advice, not a goal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from memorybank.embedding.base import Embedder
from memorybank.embedding.models import MINILM, PACKAGED, resolve
from memorybank.lab.evaluation import dialogue_memory, documents
from memorybank.lab.evaluation.data import embedder_for, sampled
from memorybank.lab.evaluation.documents import WEIGHTS, PassageQuestion
from memorybank.lab.evaluation.report import Report, Score, interval, mean_score
from memorybank.lab.evaluation.retrieval import Plain, best_first, recall_at
from memorybank.settings.config import Settings

SETS: Final = ("LoCoMo", "HotpotQA", "CMRC2018")
DOCUMENT_QUESTIONS: Final = 50
DOCUMENTS: Final = 250
"""Passages of the sample: those that answer its questions, and others."""
PARAGRAPH_QUESTIONS: Final = 500


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts that are ranked together, and what is asked of them."""

    texts: tuple[str, ...]
    asked: tuple[PassageQuestion, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A language and kind of data."""

    name: str
    cut: int
    """Recall is taken of so many texts: few enough that the choices differ."""
    groups: tuple[Texts, ...]


Choice = tuple[str, float]
"""A model and α."""
Recalls = Mapping[Choice, Sequence[float]]
"""By choice: the recall of each question."""


def run(
    data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None], sets: Sequence[str] = SETS
) -> Report:
    scores: list[Score] = []
    notes: list[str] = []
    for name in sets:
        kind = READERS[name](data, full)
        asked = [one.text for group in kind.groups for one in group.asked]
        usual = (embedder_for(asked[:20], embedder).name, Settings().retrieval_alpha)
        found: dict[Choice, list[float]] = {}
        for model in models(embedder, asked):
            progress(f"models: {kind.name}, {model.name}, {len(asked)} questions")
            found |= recalls(kind, model)
        scores += [
            mean_score(f"{name}, {kind.name}", f"recall@{kind.cut}", f"{model}, α = {alpha:g}", values)
            for (model, alpha), values in found.items()
        ]
        notes.append(f"{kind.name} ({name}): {recommended(found, usual)}")
    return Report(name="models", scores=tuple(scores), notes=tuple(notes))


def models(given: Embedder, texts: Sequence[str]) -> Iterator[Embedder]:
    """Those that come with the dependencies, run here and read these texts (MiniLM no Chinese: alone it finds 92 of 500
    paragraphs); a model that was asked for by name stays alone."""
    if given.name != MINILM.name:
        yield given
        return
    from memorybank.embedding.process import shared

    unread = {MINILM.name} - {resolve("auto", texts).wanted}
    for name in PACKAGED:
        choice = resolve(name)
        if choice.spec.name == name and name not in unread:
            yield shared(choice)


def recalls(kind: Kind, model: Embedder) -> dict[Choice, list[float]]:
    found: dict[Choice, list[float]] = {(model.name, alpha): [] for alpha in WEIGHTS}
    for group in kind.groups:
        plain = Plain(group.texts, model)
        model.queries([one.text for one in group.asked])  # all at once: each alone takes twice the time
        for one in group.asked:
            keyword, vector = plain.scores(one.text)
            for alpha in WEIGHTS:
                ranked = best_first(alpha * keyword + (1 - alpha) * vector)
                found[model.name, alpha].append(recall_at(kind.cut, ranked, one.wanted))
    return found


def recommended(found: Recalls, usual: Choice) -> str:
    """The best choice in words, and whether it beats the default. Of equals the one nearest to the default."""
    best = max(found, key=lambda one: (np.mean(found[one]), one[0] == usual[0], -abs(one[1] - usual[1])))
    told = f"{best[0]} with α = {best[1]:g} finds most ({np.mean(found[best]):.3f})"
    if best == usual:
        return f"{told}, which is the default: keep it."
    lead, low, high = interval(np.asarray(found[best]) - np.asarray(found[usual]))
    own = f"the default, {usual[0]} with α = {usual[1]:g}, finds {np.mean(found[usual]):.3f}"
    if low <= 0:
        return f"{told}; {own}, {lead:.3f} less ({low:.3f} to {high:.3f}): keep the default."
    return f"{told}; {own}, {lead:.3f} less ({low:.3f} to {high:.3f}): set what finds most."


# -- kinds of data ----------------------------------------------------------------------------------------------------


def english_dialogue(data: Path, full: bool) -> Kind:
    """All dialogues, or the one of which most is asked."""
    dialogues = list(dialogue_memory.locomo(data))
    groups = (
        Texts(tuple(one.turns), tuple(PassageQuestion(asked.text, asked.evidence) for asked in one.questions))
        for one in (dialogues if full else [max(dialogues, key=lambda one: len(one.questions))])
    )
    return Kind("English, turns of a dialogue", 10, tuple(groups))


def english_documents(data: Path, full: bool) -> Kind:
    pool = documents.hotpotqa(data)
    return Kind("English, documents, questions of two steps", 5, (_some(pool, full, DOCUMENT_QUESTIONS, DOCUMENTS),))


def chinese_paragraphs(data: Path, full: bool) -> Kind:
    pool = documents.cmrc(data)
    return Kind("Chinese, paragraphs", 1, (_some(pool, full, PARAGRAPH_QUESTIONS, len(pool.passages)),))


def _some(pool: documents.PassageSet, full: bool, questions: int, passages: int) -> Texts:
    """A sample of the questions with the passages they want, filled up with others."""
    asked = sampled(pool.questions, full, questions)
    wanted = sorted({place for one in asked for place in one.wanted})
    others = [place for place in range(len(pool.passages)) if place not in set(wanted)]
    random.Random(0).shuffle(others)  # noqa: S311 - a sample, not a secret
    count = len(pool.passages) if full else max(passages, len(wanted))
    kept = sorted([*wanted, *others[: count - len(wanted)]])
    place_of = {place: number for number, place in enumerate(kept)}
    texts = [source.text.strip() for source in pool.sources]
    return Texts(
        tuple(texts[place] for place in kept),
        tuple(PassageQuestion(one.text, frozenset(place_of[place] for place in one.wanted)) for one in asked),
    )


READERS: Final[dict[str, Callable[[Path, bool], Kind]]] = dict(
    zip(SETS, (english_dialogue, english_documents, chinese_paragraphs), strict=True)
)
