"""What a statement of a story is: 200 sentences of two Chinese novels, labelled by hand before the engine was written.

The labels stand in `narration.json` as chapter and character offsets; the texts are read from the data folder and
must be the ones that were labelled (SHA-256). Of the 200, 100 were held out: nobody looked at them while the rules
were made. F1 a label, resampled over sentences. Controls: the most frequent label, and "what stands outside quotation
marks has happened, what stands inside is told". What must not be is counted apart: of what is intended, the share taken
as happened.
Then what is read in fresh prose (`fresh/reading.py`), which was written for judging the rules, not by or for them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np

from memorybank.embedding.base import Embedder
from memorybank.errors import InputError
from memorybank.lab.evaluation.data import only
from memorybank.lab.evaluation.fresh import reading
from memorybank.lab.evaluation.fresh.earlier import earlier_notes, with_earlier
from memorybank.lab.evaluation.report import RESAMPLES, Report, Score, mean_score
from memorybank.language.text import Piece
from memorybank.narrative.reading.modality import Modality
from memorybank.narrative.reading.narration import JudgedClause, Story, read

GOAL: Final = 0.85
"""F1 of "happened" on what was held out."""
_CHAPTER_RE: Final = re.compile(r"(?m)^第[一二三四五六七八九十百零〇]+回")
_QUOTES: Final = '“”"'


_Place = tuple[str, int]
"""A book and the number of one of its chapters."""


@dataclass(frozen=True, slots=True)
class Labelled:
    place: _Place
    chapter: str
    """The text of its chapter."""
    span: Piece
    label: Modality
    held_out: bool


System = Callable[[Labelled], Modality]


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    del embedder, full
    items = list(labelled(data))
    progress(f"narration: {len(items)} sentences")
    most = Counter(item.label for item in items if not item.held_out).most_common(1)[0][0]
    systems: dict[str, System] = {"engine": by_engine, "most frequent": lambda _: most, "quotation marks": by_quotes}
    scores: list[Score] = []
    examples: list[dict[str, str]] = []
    for part, held_out in (("first 100", False), ("held out", True)):
        chosen = [item for item in items if item.held_out == held_out]
        for system, judge in systems.items():
            found = [judge(item) for item in chosen]
            scores += _scores(part, system, [item.label for item in chosen], found, held_out=held_out)
            if system == "engine" and not held_out:
                examples += _misses(chosen, found)
    progress("narration: fresh prose")
    of_fresh, counts, wrong = reading.scored()
    return Report(
        name="narration",
        scores=(*scores, *with_earlier("narration", of_fresh)),
        examples=(*examples, *wrong),
        notes=(*counts, *earlier_notes("narration")),
    )


def _scores(
    part: str, system: str, truth: Sequence[Modality], found: Sequence[Modality], *, held_out: bool
) -> Iterator[Score]:
    judged = system == "engine" and held_out
    for label in Modality:
        goal = GOAL if judged and label is Modality.HAPPENED else None
        yield f1_score(part, f"F1 {label}", system, truth, found, label, goal=goal)
    taken = [one is Modality.HAPPENED for one, true in zip(found, truth, strict=True) if true is Modality.INTENDED]
    yield mean_score(part, "intended as happened", system, taken, goal=0.0 if judged else None, at_most=True)


def f1_score(
    data: str,
    measure: str,
    system: str,
    truth: Sequence[Modality],
    found: Sequence[Modality],
    label: Modality,
    *,
    goal: float | None = None,
) -> Score:
    """F1 of one label with a 95 % bootstrap interval over the sentences."""
    true, said = np.array([one is label for one in truth]), np.array([one is label for one in found])
    draws = np.random.default_rng(0).integers(0, len(true), (RESAMPLES, len(true)))
    low, high = np.percentile([f1(true[draw], said[draw]) for draw in draws], [2.5, 97.5])
    value = f1(true, said)
    return Score(
        data=data, measure=measure, system=system, value=value, low=float(low), high=float(high), n=len(true), goal=goal
    )


def f1(true: Any, said: Any) -> float:
    both = int((true & said).sum())
    return 2 * both / total if (total := int(true.sum() + said.sum())) else 0.0


# -- systems ----------------------------------------------------------------------------------------------------------


@cache
def _story(chapter: str) -> Story:
    return read(chapter, "zh")


def by_engine(item: Labelled) -> Modality:
    return on_the_whole(_story(item.chapter).within(item.span))


def by_quotes(item: Labelled) -> Modality:
    """JudgedClause where most of the sentence stands behind an opening mark, else happened."""
    before = item.chapter[: item.span.start]
    opened = before.rfind("“") > max(before.rfind(mark) for mark in _QUOTES[1:])
    inside = opened or any(mark in item.chapter[item.span.start : item.span.end] for mark in _QUOTES)
    return Modality.REPORTED if inside else Modality.HAPPENED


# -- a sentence on the whole ------------------------------------------------------------------------------------------


def on_the_whole(told: Sequence[JudgedClause]) -> Modality:
    """What a sentence is, by what most of its clauses are."""
    if not told:  # nothing but marks
        return Modality.HAPPENED
    spoken = [one for one in told if one.clause.spoken]
    narrated = [one for one in told if not one.clause.spoken]
    if spoken and _SPEECH_COUNTS * _length(spoken) >= _length(narrated):
        return _of_speech(spoken)
    return _of_narration(narrated)


def _of_speech(spoken: Sequence[JudgedClause]) -> Modality:
    kinds = [one.modality for one in spoken]
    if Modality.HYPOTHETICAL in kinds:
        return Modality.HYPOTHETICAL
    return Modality.INTENDED if Modality.INTENDED in kinds else Modality.REPORTED


def _of_narration(narrated: Sequence[JudgedClause]) -> Modality:
    if not narrated:
        return Modality.HAPPENED
    weights = dict.fromkeys(Modality, 0)
    for one in narrated:
        text = one.clause.text
        weights[one.modality] += len(text) - one.at
        head = _AT_ONCE_RE.sub("", text[: one.at])
        weights[Modality.HAPPENED] += 0 if one.at < _HEAD or not head else one.at
    happened = weights.pop(Modality.HAPPENED)
    other = max(weights, key=lambda modality: weights[modality])
    return other if weights[other] > 0 and weights[other] >= _REST * happened else Modality.HAPPENED


_SPEECH_COUNTS: Final = 3
"""A sentence is what is said in it, where that is at least one part in so many of what the narrator adds."""
_REST: Final = 0.6
"""What has not happened outweighs what has from this share on: in doubt a statement is no fact."""
_HEAD: Final = 5
"""Characters before the mark of an intention from which on they say something of their own."""


_AT_ONCE_RE: Final = re.compile(r"[即便忙就遂乃]+$")
"""Between what somebody heard and the order they gave: 国王闻言即命…; the order is what such a clause tells."""


def _length(told: Iterable[JudgedClause]) -> int:
    return sum(len(one.clause.text) for one in told)


# -- data -------------------------------------------------------------------------------------------------------------


def labelled(data: Path) -> Iterator[Labelled]:
    """Raises InputError when a novel is missing or is not the edition that was labelled."""
    books = {name: _chapters(data, name, sha256) for name, sha256 in _sources()}
    for item in _table()["items"]:
        place = item["book"], item["chapter"]
        chapter = books[item["book"]][item["chapter"] - 1]
        yield Labelled(place, chapter, Piece(item["start"], item["end"]), Modality(item["label"]), item["held_out"])


def _table() -> Any:
    return json.loads((resources.files(__package__) / "narration.json").read_text("utf-8"))


def _sources() -> Iterator[tuple[str, str]]:
    """The novels by name, each with the digest of the edition that was labelled."""
    return ((name, source["sha256"]) for name, source in _table()["sources"].items())


def _chapters(data: Path, name: str, sha256: str) -> list[str]:
    path = only(data, f"zh_novel/{name}.txt")
    text = path.read_text("utf-8-sig")
    if sha256 not in (_digest(path.read_bytes()), _digest(text.encode())):
        raise InputError(f"{path.name} is not the edition whose sentences were labelled: restore it from its source")
    starts = [match.start() for match in _CHAPTER_RE.finditer(text)]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _misses(items: Sequence[Labelled], found: Sequence[Modality]) -> Iterator[dict[str, str]]:
    for item, one in zip(items, found, strict=True):
        if one is not item.label:
            text = item.chapter[item.span.start : item.span.end]
            yield {"sentence": text[:60], "expected": item.label, "found": one}
