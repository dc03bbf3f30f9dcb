"""Keyphrases of a part of a text: names, terms, quantities with their unit, each whole; English and Chinese.

Terms are runs of content words weighed by how often they come here and how rarely in the rest of the text (RAKE: Rose
et al. 2010, with inverse document frequency for its degree). Chinese has no spaces and we have no dictionary: a term
is a character n-gram that comes again in the text while no longer n-gram around it comes as often, or, failing that,
what stands between two function words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memorybank.engines.offline.salience import mentions
from memorybank.engines.offline.units import width
from memorybank.engines.offline.wordlists import CUTTING_HAN, FUNCTION_HAN, WEAK_EDGE_HAN, WEAK_WORDS
from memorybank.language.han import HAN
from memorybank.language.text import fold_space

MOST = 8
FEWEST = 3
_LONGEST_PHRASE = 40
_LONGEST_GRAM = 6
_LONGEST_CHUNK = 4
"""Characters of a Chinese term that comes but once: a longer one is likely to be two words."""
_NAME_WEIGHT = 1.5
_QUANTITIES = 2
"""Quantities and dates among the keyphrases, at most: they tell values, not topics."""

_WORD_RE = re.compile(r"[A-Za-z\u00c0-\u024f]+(?:['’-][A-Za-z\u00c0-\u024f0-9]+)*|[^\sA-Za-z\u00c0-\u024f]")
_HAN_RUN_RE = re.compile(f"[{HAN}]+")
_HAN_CUT_RE = re.compile("|".join([*sorted(CUTTING_HAN, key=lambda word: (-len(word), word)), f"[{FUNCTION_HAN}]"]))
_PLAIN_HAN = f"(?:(?![{FUNCTION_HAN}])[{HAN}])"
_UNIT_RE = re.compile(rf"\s?(?:[%‰°℃]|[A-Za-zµΩ°]+(?:/[A-Za-z]+)?|{_PLAIN_HAN}{{1,6}}(?!{_PLAIN_HAN}))")


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """What the whole text says of its terms, read once for all its parts."""

    parts: int
    spread: Counter[str]
    """Parts a word (folded) stands in."""
    grams: dict[str, int]
    """Chinese terms with their count in the text."""


def background(parts: Sequence[str]) -> Background:
    """From all parts (sentences, say) of a text. Linear in its length."""
    spread = Counter(word for part in parts for word in {match[0].lower() for match in _WORD_RE.finditer(part)})
    return Background(parts=len(parts), spread=spread, grams=_han_terms(parts))


def _han_terms(parts: Iterable[str]) -> dict[str, int]:
    """N-grams of 2 to 6 characters that come twice or more, and more often than any n-gram one character longer."""
    counts: Counter[str] = Counter()
    for part in parts:
        for run in _HAN_RUN_RE.findall(part):
            for size in range(2, _LONGEST_GRAM + 2):
                counts.update(run[at : at + size] for at in range(len(run) - size + 1))
    longer: dict[str, int] = {}
    for gram, count in counts.items():
        if count > 1:
            for inner in (gram[1:], gram[:-1]):
                longer[inner] = max(longer.get(inner, 0), count)
    return {
        gram: count
        for gram, count in counts.items()
        if count > max(1, longer.get(gram, 0)) and len(gram) <= _LONGEST_GRAM and _may_be_term(gram)
    }


def _may_be_term(gram: str) -> bool:
    return not _HAN_CUT_RE.search(gram) and not (len(gram) > 2 and gram[0] in WEAK_EDGE_HAN)


def keyphrases(text: str, known: Background) -> tuple[str, ...]:
    """Three to eight of them where the text has as many, best first; each is written as it stands in the text."""
    wanted = min(MOST, FEWEST + width(text) // 100)
    scores: dict[str, float] = {}
    quantities: list[str] = []
    for phrase, score, quantity in _candidates(text, known):
        scores[phrase] = scores.get(phrase, 0.0) + score
        if quantity:
            quantities.append(phrase)
    order = sorted(scores, key=lambda phrase: (-scores[phrase], text.find(phrase), phrase))
    chosen: list[str] = []
    room = _QUANTITIES
    for phrase in order:
        if len(chosen) == wanted:
            break
        if any(phrase.lower() in other.lower() or other.lower() in phrase.lower() for other in chosen):
            continue
        if phrase in quantities:
            if not room:
                continue
            room -= 1
        chosen.append(phrase)
    return tuple(chosen)


def _candidates(text: str, known: Background) -> Iterator[tuple[str, float, bool]]:
    """Phrase, score, whether it is a quantity or date."""
    rest = list(text)
    value = 0.6 * math.log(1 + known.parts)
    for mention in mentions(text):
        if not mention.certain:
            continue
        phrase = text[mention.start : mention.end]
        rest[mention.start : mention.end] = "." * len(phrase)
        if mention.kind == "name":
            phrase = fold_space(phrase).strip("“”「」《》")
            if 1 < len(phrase) <= _LONGEST_PHRASE:
                yield phrase, _NAME_WEIGHT * _rarity(phrase, known), False
        elif mention.kind == "date" and ":" not in phrase:
            yield fold_space(phrase).rstrip("."), value, True
        elif unit := _unit_after(text, mention.end):
            yield fold_space(phrase + unit), value, True
    remaining = "".join(rest)
    yield from ((phrase, score, False) for phrase, score in _word_runs(remaining, known))
    yield from ((phrase, score, False) for phrase, score in _han_phrases(remaining, known))


def _unit_after(text: str, at: int) -> str:
    unit = _UNIT_RE.match(text, at)
    word = unit[0].strip().lower() if unit else ""
    return unit[0] if unit and word not in WEAK_WORDS and not set(word) & set(FUNCTION_HAN) else ""


def _rarity(phrase: str, known: Background) -> float:
    words = [word.lower() for word in _WORD_RE.findall(phrase)] or [phrase]
    return max(math.log(1 + known.parts / max(1, known.spread[word])) for word in words)


def _word_runs(text: str, known: Background) -> Iterator[tuple[str, float]]:
    """Runs of up to three content words; a function word or a mark ends a run."""
    run: list[tuple[int, int]] = []
    for match in [*_WORD_RE.finditer(text), None]:
        word = match[0].lower() if match else ""
        if match and len(word) > 2 and word not in WEAK_WORDS:
            run.append(match.span())
            continue
        while run and _is_verbal(text[slice(*run[0])]):
            run.pop(0)
        while run and _is_verbal(text[slice(*run[-1])]):
            run.pop()
        for size in range(1, 4):
            for at in range(len(run) - size + 1):
                phrase = text[run[at][0] : run[at + size - 1][1]]
                if len(phrase) <= _LONGEST_PHRASE and "\n" not in phrase:
                    weight = sum(_rarity(text[slice(*span)], known) for span in run[at : at + size])
                    yield phrase, weight * size**-0.4 * 0.5
        run = []


def _is_verbal(word: str) -> bool:
    return word.lower().endswith(("ed", "ly")) and len(word) > 4


def _han_phrases(text: str, known: Background) -> Iterator[tuple[str, float]]:
    for run in _HAN_RUN_RE.findall(text):
        for part in _HAN_CUT_RE.split(run):
            repeated = [
                gram
                for size in range(2, min(_LONGEST_GRAM, len(part)) + 1)
                for gram in (part[at : at + size] for at in range(len(part) - size + 1))
                if gram in known.grams
            ]
            for gram in repeated:
                yield gram, math.log(1 + known.parts / known.grams[gram]) * math.sqrt(len(gram) - 1)
            if not repeated and 2 <= len(part) <= _LONGEST_CHUNK and part[0] not in WEAK_EDGE_HAN:
                yield part, 0.7
