"""Topic segmentation: Choi's concatenated documents, DialSeg711 and TIAGE, through the classification agent.

The agent answers with clusters of spans; a border is wherever a character's cluster differs from the one before it. Two
errors, both over windows of half the mean reference segment, lower is better:

- Pk (Beeferman, Berger, Lafferty 1999, "Statistical Models for Text Segmentation"): the share of windows whose two ends
  are wrongly taken for one segment, or wrongly for two;
- WindowDiff (Pevzner and Hearst 2002, "A Critique and Improvement of an Evaluation Metric for Text Segmentation"): the
  share of windows that hold another number of borders than they should.

Controls: never cut, and cut evenly into the true number of segments. All documents joined are one long mixed text, of
which every character has to be in exactly one cluster, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path

from memorybank.embedding.base import Embedder
from memorybank.engines.offline.classification import OfflineClassification
from memorybank.lab.evaluation.data import load_json, only, sampled
from memorybank.lab.evaluation.report import Report, Score, mean_score
from memorybank.memory.contracts import ClassificationInput, ClassificationOutput

GOALS = {"Choi": 0.10, "DialSeg711": 0.30}
"""Pk at most. TIAGE's goal is the Pk of never cutting."""
SAMPLES = {"Choi": 80, "DialSeg711": 160, "TIAGE": 160}
"""Embedding each sentence is what this costs."""
WORST = 3


@dataclass(frozen=True, slots=True)
class SegmentedDocument:
    sentences: tuple[str, ...]
    segments: tuple[int, ...]
    """Number of the true segment, sentence by sentence."""
    dialogue: bool


Cutter = Callable[[SegmentedDocument], Sequence[int]]
"""A segment's number for each sentence."""


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    engine = OfflineClassification(embedder)
    systems: dict[str, Cutter] = {
        "engine": lambda document: by_engine(engine, document),
        "never cut": lambda document: [0] * len(document.sentences),
        "cut evenly": evenly,
    }
    scores: list[Score] = []
    examples: list[dict[str, str]] = []
    mixed: list[SegmentedDocument] = []
    for name, read in (("Choi", choi), ("DialSeg711", dialseg), ("TIAGE", tiage)):
        documents = sampled(list(read(data)), full, SAMPLES[name])
        progress(f"segmentation: {name}, {len(documents)} documents")
        found = {system: [cut(document) for document in documents] for system, cut in systems.items()}
        scores += compared(name, documents, found)
        examples += worst(name, documents, found["engine"])
        mixed += documents
    scores.append(kept_whole(engine, mixed))
    return Report(name="segmentation", scores=tuple(scores), examples=tuple(examples))


def compared(
    name: str, documents: Sequence[SegmentedDocument], found: Mapping[str, Sequence[Sequence[int]]]
) -> list[Score]:
    """Pk and WindowDiff of every system; `found` has each document's segment numbers by system."""
    scores = []
    for measure, error in (("Pk", pk), ("WindowDiff", window_diff)):
        values = {
            system: [error(document.segments, one) for document, one in zip(documents, numbers, strict=True)]
            for system, numbers in found.items()
        }
        never = values["never cut"]
        goal = GOALS.get(name, sum(never) / len(never)) if measure == "Pk" else None
        for system, errors in values.items():
            own = goal if system == "engine" else None
            scores.append(mean_score(name, measure, system, errors, goal=own, at_most=True))
    return scores


def worst(
    name: str, documents: Sequence[SegmentedDocument], found: Sequence[Sequence[int]]
) -> Iterator[dict[str, str]]:
    errors = [pk(document.segments, numbers) for document, numbers in zip(documents, found, strict=True)]
    for place in sorted(range(len(errors)), key=lambda one: -errors[one])[:WORST]:
        document, numbers = documents[place], found[place]
        yield {
            "data": name,
            "begins": document.sentences[0][:60],
            "Pk": f"{errors[place]:.2f}",
            "true segments": str(document.segments[-1] + 1),
            "found": str(numbers[-1] + 1),
        }


def kept_whole(engine: OfflineClassification, documents: Sequence[SegmentedDocument]) -> Score:
    """Of each document in a long text of all: the share of characters that are in exactly one cluster, in order."""
    texts = [written(document) for document in documents]
    found = engine.run(ClassificationInput(text="".join(texts)))
    kept = once(sum(map(len, texts)), found)
    borders = pairwise(accumulate(map(len, texts), initial=0))
    shares = [sum(kept[start:end]) / (end - start) for start, end in borders]
    return mean_score("all as one text", "in one cluster", "engine", shares, goal=1.0)


def once(length: int, found: ClassificationOutput) -> list[bool]:
    """For each character whether it is in one cluster, and in one whose spans are in order."""
    times = [0] * length
    for cluster in found.clusters:
        at = 0
        for start, end in cluster.spans:
            for place in range(start, end):
                times[place] += 1 if start >= at else 2
            at = end
    return [count == 1 for count in times]


def by_engine(engine: OfflineClassification, document: SegmentedDocument) -> list[int]:
    """The cluster of each sentence's first character, renumbered in the order of the text."""
    text = written(document)
    starts = list(accumulate((len(sentence) + 1 for sentence in document.sentences[:-1]), initial=0))
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


def written(document: SegmentedDocument) -> str:
    """A sentence, or a turn, a line."""
    return "".join(f"{sentence}\n" for sentence in document.sentences)


def evenly(document: SegmentedDocument) -> list[int]:
    count, total = document.segments[-1] + 1, len(document.sentences)
    return [place * count // total for place in range(total)]


def pk(truth: Sequence[int], found: Sequence[int]) -> float:
    """Both as segment numbers, one a sentence."""
    k = window(truth)
    pairs = range(len(truth) - k)
    wrong = sum((truth[one] == truth[one + k]) != (found[one] == found[one + k]) for one in pairs)
    return wrong / len(pairs) if len(pairs) else 0.0


def window_diff(truth: Sequence[int], found: Sequence[int]) -> float:
    """Both as segment numbers, one a sentence, that rise by one at a border."""
    k = window(truth)
    pairs = range(len(truth) - k)
    wrong = sum(truth[one + k] - truth[one] != found[one + k] - found[one] for one in pairs)
    return wrong / len(pairs) if len(pairs) else 0.0


def window(truth: Sequence[int]) -> int:
    """k: half the mean length of the true segments, at least 1."""
    return max(1, round(len(truth) / (truth[-1] + 1) / 2))


def choi(data: Path) -> Iterator[SegmentedDocument]:
    only(data, "choi/*/*/0.ref")
    for path in sorted(data.glob("choi/*/*/*.ref")):
        parts = [part.strip().splitlines() for part in path.read_text("utf-8", "replace").split("==========\n")]
        yield _document([part for part in parts if part], dialogue=False)


def dialseg(data: Path) -> Iterator[SegmentedDocument]:
    yield from _dialogues(only(data, "dialseg/dialseg_711*.json"))


def tiage(data: Path) -> Iterator[SegmentedDocument]:
    yield from _dialogues(only(data, "dialseg/tiage*.json"))


def _dialogues(path: Path) -> Iterator[SegmentedDocument]:
    for one in load_json(path):
        parts: list[list[str]] = []
        at = 0
        for length in one["segments"]:
            parts.append(one["utterances"][at : at + length])
            at += length
        yield _document(parts, dialogue=True)


def _document(parts: Sequence[Sequence[str]], *, dialogue: bool) -> SegmentedDocument:
    numbered = [
        (sentence.strip(), number) for number, part in enumerate(parts) for sentence in part if sentence.strip()
    ]
    return SegmentedDocument(tuple(text for text, _ in numbered), tuple(number for _, number in numbered), dialogue)
