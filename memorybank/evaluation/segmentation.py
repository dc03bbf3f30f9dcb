"""Topic segmentation: Choi's concatenated documents, DialSeg711 and TIAGE, through the classification agent.

The agent answers with clusters of spans; a border is wherever a character's cluster differs from the one before it. Pk
(Beeferman, Berger, Lafferty 1999): the share of windows of half the mean reference segment whose two ends are rightly
or wrongly taken for one segment; lower is better. Controls: never cut, and cut evenly into the true number of segments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memorybank.contracts import ClassificationInput
from memorybank.embedding.base import Embedder
from memorybank.engines.offline.classification import OfflineClassification
from memorybank.evaluation.data import load_json, only, sampled
from memorybank.evaluation.report import Report, Score, mean_score

GOALS = {"Choi": 0.10, "DialSeg711": 0.30}


@dataclass(frozen=True, slots=True)
class Document:
    sentences: tuple[str, ...]
    segments: tuple[int, ...]
    """Number of the true segment, sentence by sentence."""
    dialogue: bool


Cutter = Callable[[Document], Sequence[int]]
"""A segment's number for each sentence."""


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    engine = OfflineClassification(embedder)
    scores: list[Score] = []
    for name, read in (("Choi", choi), ("DialSeg711", dialseg), ("TIAGE", tiage)):
        documents = sampled(list(read(data)), full, 100 if name == "Choi" else 200)
        progress(f"segmentation: {name}, {len(documents)} documents")
        systems: dict[str, Cutter] = {
            "engine": lambda document: by_engine(engine, document),
            "never cut": lambda document: [0] * len(document.sentences),
            "cut evenly": evenly,
        }
        for system, cut in systems.items():
            values = [pk(document.segments, cut(document)) for document in documents]
            goal = GOALS.get(name) if system == "engine" else None
            scores.append(mean_score(name, "Pk", system, values, goal=goal, at_most=True))
    return Report(name="segmentation", scores=tuple(scores))


def by_engine(engine: OfflineClassification, document: Document) -> list[int]:
    """The cluster of each sentence's first character, renumbered in the order of the text."""
    text, starts = "", []
    for sentence in document.sentences:
        starts.append(len(text))
        text += sentence + "\n"
    found = engine.run(ClassificationInput(text=text, dialogue=document.dialogue))
    owner = [0] * len(text)
    for number, cluster in enumerate(found.clusters):
        for start, end in cluster.spans:
            owner[start:end] = [number] * (end - start)
    segment, numbers = 0, []
    for place, start in enumerate(starts):
        segment += place > 0 and owner[start] != owner[starts[place - 1]]
        numbers.append(segment)
    return numbers


def evenly(document: Document) -> list[int]:
    count, total = document.segments[-1] + 1, len(document.sentences)
    return [place * count // total for place in range(total)]


def pk(truth: Sequence[int], found: Sequence[int]) -> float:
    """Both as segment numbers, one a sentence. k is half the mean length of the true segments, at least 1."""
    k = max(1, round(len(truth) / (truth[-1] + 1) / 2))
    pairs = range(len(truth) - k)
    wrong = sum((truth[one] == truth[one + k]) != (found[one] == found[one + k]) for one in pairs)
    return wrong / len(pairs) if len(pairs) else 0.0


def choi(data: Path) -> Iterator[Document]:
    only(data, "choi/*/*/0.ref")
    for path in sorted(data.glob("choi/*/*/*.ref")):
        parts = [part.strip().splitlines() for part in path.read_text("utf-8", "replace").split("==========\n")]
        yield _document([part for part in parts if part], dialogue=False)


def dialseg(data: Path) -> Iterator[Document]:
    yield from _dialogues(only(data, "dialseg/dialseg_711*.json"))


def tiage(data: Path) -> Iterator[Document]:
    yield from _dialogues(only(data, "dialseg/tiage*.json"))


def _dialogues(path: Path) -> Iterator[Document]:
    for one in load_json(path):
        parts: list[list[str]] = []
        at = 0
        for length in one["segments"]:
            parts.append(one["utterances"][at : at + length])
            at += length
        yield _document(parts, dialogue=True)


def _document(parts: Sequence[Sequence[str]], *, dialogue: bool) -> Document:
    numbered = [
        (sentence.strip(), number) for number, part in enumerate(parts) for sentence in part if sentence.strip()
    ]
    return Document(tuple(text for text, _ in numbered), tuple(number for _, number in numbered), dialogue)
