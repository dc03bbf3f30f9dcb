"""Which sentences of which passages answer a question? Extractive, so an answer can only say what a source says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding.base import Embedder
from memorybank.retrieval.tokens import query_tokens, tokenize
from memorybank.text import fold_space, sentences

SHORTEST = 12
"""Characters; a shorter sentence (a heading, a label) says nothing that could be quoted."""
GOOD = 0.5
"""A sentence is quoted when it has this share of the best one's score."""
CONSIDERED = 24
"""Sentences that the embedding model looks at, those with the most of the question's words."""
NEAR_IDENTICAL = 0.8
"""Shared words over all words; the second of two such sentences is left out."""
WANTED = 0.4
"""Bonus of a sentence that holds the kind of thing the question asks for."""

_NUMBER_RE = re.compile(r"(?<![\d年])(?!(?:1[5-9]|20)\d\d(?!\d))\d|[一二三四五六七八九十百千万亿两]+[个米克度万亿亩吨]")
"""A number that is not a year."""
_DATE_RE = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b|\d+\s*[年月日]|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_NAME_RE = re.compile(r"(?<!^)\b[A-Z][a-z]+(?:\s+[A-Z][a-z]+)+|(?:由|与|和|是|教授|博士|团队)[\u4e00-\u9fff·]{2,}")

_PRONOUN_RE = re.compile(r"(?:It|Its|They|Their|He|His|She|Her|This|These|Both)\b|[它他她该其这此]")

_ASKS = (
    (re.compile(r"\bwhen\b|\bwhat (?:year|date)\b|何时|什么时候|哪[一]?年|日期", re.IGNORECASE), _DATE_RE),
    (
        re.compile(
            r"\bhow (?:many|much|long|large|big|far|high|tall|deep|wide|thick|old|heavy|fast|cold|hot)\b"
            r"|多少|几个|多[大高长重远久]",
            re.IGNORECASE,
        ),
        _NUMBER_RE,
    ),
    (re.compile(r"\bwho\b|\bwhom\b|谁|哪位", re.IGNORECASE), _NAME_RE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    source: str
    text: str
    within: str | None = None
    """Only sentences that this text says word for word too are quoted; None: all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    source: str
    text: str
    """One sentence, or two where the first says what the second's "it" is; verbatim but for white space."""
    score: float


def quotes(question: str, passages: Sequence[Passage], embedder: Embedder, limit: int) -> list[Quote]:
    """The sentences that bear on a question, best first, near-identical ones once."""
    candidates = [(passage.source, said) for passage in passages for said in _quotable(passage.text, passage.within)]
    wanted = set(query_tokens(question))
    if not candidates or not wanted:
        return []
    words = [set(tokenize(sentence)) for _, sentence in candidates]
    keyword = _coverage(words, wanted)
    order = np.argsort(-keyword, kind="stable")[:CONSIDERED]
    vectors = embedder.documents([candidates[place][1] for place in order])
    cosine = vectors @ embedder.queries([question])[0]
    near = np.clip((cosine - embedder.scale.lo) / (embedder.scale.hi - embedder.scale.lo), 0, 1)
    scores = 0.5 * keyword[order] + 0.5 * near
    scores += [WANTED * _holds_what_is_asked(question, candidates[place][1]) for place in order]
    scores[keyword[order] <= 0] = 0
    ranked = sorted(
        zip(np.round(scores, 6).tolist(), order.tolist(), strict=True), key=lambda pair: (-pair[0], pair[1])
    )
    return _pick(ranked, candidates, words, limit)


def _quotable(text: str, within: str | None = None) -> list[str]:
    """Sentences that can stand alone; one that begins with "it" is quoted with the sentence that says what it is."""
    found: list[str] = []
    before = ""
    known = None if within is None else fold_space(within)
    for start, end in sentences(text):
        sentence = fold_space(text[start:end])
        if sentence.startswith(("#", "|", "```")):
            before = ""
            continue
        said = f"{before} {sentence}" if before and _PRONOUN_RE.match(sentence) else sentence
        if len(said) >= SHORTEST and (known is None or sentence in known):
            found.append(said)
        before = sentence
    return found


def _coverage(words: Sequence[set[str]], wanted: set[str]) -> NDArray[np.float64]:
    """Share of the question's words that a sentence has, rare words counting more (idf over the candidates)."""
    count = len(words)
    weight = {token: np.log(1 + count / (1 + sum(token in one for one in words))) for token in wanted}
    total = sum(weight.values()) or 1.0
    return np.array([sum(weight[token] for token in wanted & one) / total for one in words])


def _holds_what_is_asked(question: str, sentence: str) -> bool:
    return any(asks.search(question) and holds.search(sentence) for asks, holds in _ASKS)


def _pick(
    ranked: list[tuple[float, int]], candidates: list[tuple[str, str]], words: list[set[str]], limit: int
) -> list[Quote]:
    best = ranked[0][0]
    picked: list[int] = []
    for score, place in ranked:
        if len(picked) >= limit or score <= 0 or score < GOOD * best:
            break
        if not any(_overlap(words[place], words[other]) >= NEAR_IDENTICAL for other in picked):
            picked.append(place)
    by_place = {place: score for score, place in ranked}
    return [Quote(source=candidates[one][0], text=candidates[one][1], score=by_place[one]) for one in picked]


def _overlap(left: set[str], right: set[str]) -> float:
    union = left | right
    return len(left & right) / len(union) if union else 0.0
