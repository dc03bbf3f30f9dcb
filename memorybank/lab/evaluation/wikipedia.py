"""Sentences of Wikipedia, as public sets of questions give them, and pairs of them that share rare words."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

from memorybank.lab.evaluation.data import load_json, only
from memorybank.language.text import sentences
from memorybank.language.tokens import tokenize
from memorybank.memory.types import Lang

_REFERS_BACK_RE: Final = re.compile(
    r"(?:[Ii]t|[Hh]e|[Ss]he|[Tt]hey|[Tt]his|[Tt]hat|[Tt]hese|[Tt]hose|[Ii]ts|[Hh]is|[Hh]er|[Tt]heir)\b|[他她它其该此这那]"
)
_SHARED: Final = 3
"""Rare words of a pair."""
_RARE: Final = range(2, 41)
"""Sentences that a rare word stands in."""


def english(data: Path) -> Iterator[str]:
    """As HotpotQA and MuSiQue give them."""
    for passage in load_json(only(data, "multihop/hotpotqa*corpus.json")).values():
        yield from _sentences("".join(passage))
    for passage in load_json(only(data, "multihop/musique*corpus.json")):
        yield from _sentences(passage["text"])


def chinese(data: Path) -> Iterator[str]:
    """As CMRC gives them."""
    for article in load_json(only(data, "cmrc2018/*.json"))["data"]:
        for paragraph in article["paragraphs"]:
            yield from _sentences(paragraph["context"])


READ: Final[Mapping[Lang, Callable[[Path], Iterator[str]]]] = {"en": english, "zh": chinese}


def _sentences(text: str) -> Iterator[str]:
    """Those that do not begin with a pronoun: alone, "it was held in 1964" is said of nothing."""
    for start, end in sentences(text):
        sentence = text[start:end].strip()
        if 20 <= len(sentence) <= 300 and "\n" not in sentence and not _REFERS_BACK_RE.match(sentence):
            yield sentence


def related(given: Sequence[str], most: int) -> list[tuple[str, str]]:
    """Pairs that share rare words, `most` of them at random: about things that lie near each other, and true both."""
    distinct = list(dict.fromkeys(given))
    standing: dict[str, list[int]] = defaultdict(list)
    for place, sentence in enumerate(distinct):
        for word in set(tokenize(sentence)):
            standing[word].append(place)
    shared = Counter(
        pair for places in standing.values() if len(places) in _RARE for pair in combinations(sorted(places), 2)
    )
    found = sorted(pair for pair, count in shared.items() if count >= _SHARED)
    random.Random(0).shuffle(found)  # noqa: S311
    return [(distinct[one], distinct[other]) for one, other in found[:most]]
