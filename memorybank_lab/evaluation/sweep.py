"""A sweep of ordinary questions: what a session raises and files that it should not.

Each question is one session of the offline engine over a corpus whose contradictions are all known: the demo corpora,
and corpora of invented things (`planted/`) with seeds that no other measurement uses. A contradiction is false when no
planted one has its two values in these documents. A sentence of a memory is made up when none of the node's entries
says it (`verbatim.py`). Both have to be 0. How many of the planted contradictions the sessions met is told beside
them: a session that raises nothing makes no mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import yaml

from memorybank.embedding.base import Embedder
from memorybank.language.text import fold_space
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Contradiction, Lang
from memorybank.session.assembly import offline_parts
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.tools.corpus import Corpus
from memorybank_lab.evaluation.data import DEMO, embedder_for, sampled
from memorybank_lab.evaluation.planted import PlantedItem, PlantedTruth, read_truth, variant
from memorybank_lab.evaluation.planted.truth import CONFLICTS
from memorybank_lab.evaluation.report import Report, Score, mean_score
from memorybank_lab.evaluation.verbatim import unsaid

LANGS: Final[tuple[Lang, ...]] = ("en", "zh")
ROUNDS: Final = 12
SAMPLE: Final = 8
"""Questions of a corpus that are asked unless everything is."""
SEEDS: Final = range(100, 106)
"""The seeds of the corpora of invented things."""
ASKED_ABOUT: Final = frozenset({"unit", "form", "plan", "polarity"})
"""Near misses that a question can be about: both documents speak of the same thing."""
ASKING: Final = ("How", "When", "Who", "Where", "Whether", "In")
"""First words of claims that are questions already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A corpus with its truth, and what is asked of it."""

    name: str
    lang: Lang
    corpus: Corpus
    truth: PlantedTruth
    questions: tuple[str, ...]

    @property
    def documents(self) -> Mapping[str, str]:
        return {document.name: document.text for document in self.corpus}


@dataclass(frozen=True, slots=True, kw_only=True)
class Swept:
    """The result of one question's session."""

    corpus: str
    question: str
    planted: frozenset[str]
    """Ids of the planted contradictions that it raised."""
    false: tuple[Contradiction, ...]
    made_up: tuple[str, ...]


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    """Run a sample of the questions, all of them if `full`; no data are needed."""
    del data
    scores: list[Score] = []
    notes: list[str] = []
    rows: list[Mapping[str, str]] = []
    for lang in LANGS:
        for name, grounds in (("demo", [demo(lang)]), ("planted", list(invented(lang)))):
            found = list(_swept(grounds, embedder, full=full, progress=progress))
            scores += scored(f"{name} {lang}", found)
            notes.append(_summary(f"{name} {lang}", grounds, found))
            rows += [row for one in found for row in _rows(f"{name} {lang}", one)]
    return Report(name="sweep", scores=tuple(scores), notes=tuple(notes), examples=tuple(rows), own_texts=True)


def _swept(
    grounds: Sequence[Ground], embedder: Embedder, *, full: bool, progress: Callable[[str], None]
) -> Iterator[Swept]:
    asked = sampled([(ground, question) for ground in grounds for question in ground.questions], full, SAMPLE)
    progress(f"sweep: {grounds[0].name}, {len(asked)} questions")
    model = embedder_for([question for _, question in asked[:20]], embedder)
    for ground, question in asked:
        yield sweep(question, ground, model)


def sweep(question: str, ground: Ground, embedder: Embedder) -> Swept:
    """Run one session on one question and judge it."""
    parts = offline_parts(Settings(max_rounds=ROUNDS), ground.lang, embedder, ground.corpus)
    with TemporaryDirectory() as folder, Session.start(Path(folder) / "run", parts, goal=question) as session:
        session.run()
        return judged(question, ground, session.bank)


def judged(question: str, ground: Ground, bank: MemoryState) -> Swept:
    known: set[str] = set()
    false: list[Contradiction] = []
    documents = ground.documents
    for conflict in bank.conflicts.all.values():
        for contradiction in conflict.contradictions:
            items = [item.id for item in plantable(ground.truth) if stands_in(contradiction, item, documents)]
            known.update(items)
            if not items:
                false.append(contradiction)
    return Swept(
        corpus=ground.name,
        question=question,
        planted=frozenset(known),
        false=tuple(false),
        made_up=tuple(dict.fromkeys(one.sentence for one in unsaid(bank))),
    )


def plantable(truth: PlantedTruth) -> tuple[PlantedItem, ...]:
    """Return what may be raised: contradictions, and the false alarm that a document explains."""
    return truth.of(*CONFLICTS, "false_alarm")


def stands_in(contradiction: Contradiction, item: PlantedItem, documents: Mapping[str, str]) -> bool:
    """Whether the two sides are two statements of the item, each in one of its documents."""
    sides = [_plain(contradiction.left.text), _plain(contradiction.right.text)]
    return any(
        all(
            any(_plain(words) in side and side in _plain(documents.get(name, "")) for name, words in one.said.items())
            for one, side in zip(pair, sides, strict=True)
        )
        for pair in permutations(item.statements, 2)
    )


def _plain(text: str) -> str:
    """Return the words without the stop: a side may be the first part of a longer sentence."""
    return fold_space(text).casefold().rstrip(".。")


# -- corpora ----------------------------------------------------------------------------------------------------------


def demo(lang: Lang) -> Ground:
    """Return the demo corpus with the truth that comes with it."""
    return Ground(
        name=f"demo {lang}",
        lang=lang,
        corpus=Corpus.open(DEMO / lang),
        truth=read_truth(DEMO / "truth.yaml")[lang],
        questions=tuple(yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))[lang]),
    )


def invented(lang: Lang) -> Iterator[Ground]:
    for seed in SEEDS:
        made = variant(seed, lang)
        asked = [item for item in made.truth.items if item.kind in CONFLICTS or item.about in ASKED_ABOUT]
        yield Ground(
            name=f"planted {lang} {seed}",
            lang=lang,
            corpus=Corpus.from_bytes({name: text.encode() for name, text in made.documents.items()}),
            truth=made.truth,
            questions=tuple(_question(item.claim, lang) for item in asked),
        )


def _question(claim: str, lang: Lang) -> str:
    if lang == "zh":
        return f"{claim}？"
    article = "" if claim.split()[0] in ASKING else "the "
    return f"Can you tell me {article}{claim[0].lower()}{claim[1:]}?"


# -- scores -----------------------------------------------------------------------------------------------------------


def scored(data: str, found: Sequence[Swept]) -> list[Score]:
    """Return means over questions; the goals are 0."""
    return [
        mean_score(
            data, "false contradictions a question", "engine", [len(one.false) for one in found], goal=0.0, at_most=True
        ),
        mean_score(
            data, "sentences that no source says, a question", "engine", [len(one.made_up) for one in found],
            goal=0.0, at_most=True,
        ),
        mean_score(data, "planted contradictions met, a question", "engine", [len(one.planted) for one in found]),
    ]  # fmt: skip


def _summary(data: str, grounds: Sequence[Ground], found: Sequence[Swept]) -> str:
    planted = sum(len(plantable(ground.truth)) for ground in grounds)
    met = len({(one.corpus, item) for one in found for item in one.planted})
    wrong = [one for one in found if one.false]
    return (
        f"{data}: {len(found)} questions, {sum(len(one.false) for one in found)} false contradictions in {len(wrong)} "
        f"of them, {sum(len(one.made_up) for one in found)} sentences that no source says; "
        f"{met} of {planted} planted contradictions (false alarms that a document explains included) met at least once"
    )


def _rows(data: str, one: Swept) -> Iterator[Mapping[str, str]]:
    for contradiction in one.false:
        told = f"{contradiction.left.text} | {contradiction.right.text}"
        yield {"corpus": data, "asked": one.question, "wrong": told, "kind": f"false, by {contradiction.found_by}"}
    for sentence in one.made_up:
        yield {"corpus": data, "asked": one.question, "wrong": sentence, "kind": "no source says it"}
