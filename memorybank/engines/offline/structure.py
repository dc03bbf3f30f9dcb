"""The structure agent without a model of language: an extractive summary that keeps the facts.

Sentences are chosen as a budgeted cover (Takamura and Okumura 2009, "Text Summarization Model based on Maximum Coverage
Problem"; the greedy rule by gain over cost is Lin and Bilmes 2010): what counts is numbers, dates, names and content
words that no chosen sentence says yet. Of a text of a few sentences every one with such a fact is kept. The sentences
stand in the summary word for word and in their order, so that what it claims is what the source claims.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from memorybank.contracts import StructureInput, StructureOutput
from memorybank.engines.offline.statements import Statement, statements
from memorybank.engines.offline.units import width

FEWEST_SENTENCES = 3
FEWEST_CHARACTERS = 200
"""Texts under either stay whole."""
_FEWEST_TO_CHOOSE = 200
"""Han characters, or `_LETTERS` times as many letters. Below that a text has room for few facts, and half of its
sentences would be half of them: only what carries no fact is left out. A fact that is not in the summary can be neither
found nor contradicted."""
_LETTERS = 3
LEAST, MOST = 0.3, 0.5
"""The summary's share of the characters of what is shortened (not of tables, code and headings)."""

_FACT_WEIGHT = {"number": 4.0, "date": 4.0, "name": 2.0}
_LEAD = 1.3
"""What the first sentence of a text counts more."""
_COST_POWERS = (0.4, 0.8, 1.2)
"""Gain is divided by length to this power: a low one favours long sentences, a high one short ones. All are tried."""
_PRONOUN_RE = re.compile(
    r"\s*(?:(?:It|Its|He|His|She|Her|They|Their|This|That|These|Those|Such|Both)\b"
    r"|[他她它]们?|该|其(?!中|他|实|余)|这|那|此(?!外|后|前)|两者|前者|后者)"
)


class OfflineStructure:
    """Whole sentences of the content; tables, code and headings as they are."""

    def run(self, given: StructureInput) -> StructureOutput:
        return StructureOutput(summary=summarise(given.content))


def summarise(content: str) -> str:
    """The content's facts: in 30 to 50 % of its length, or, of a text of a few sentences, in what they take.

    A text under 3 sentences or 200 characters comes back as it is, without space around it.
    """
    given = _sentences(content)
    loose = [place for place, sentence in enumerate(given) if not sentence.statement.whole]
    if len(loose) < FEWEST_SENTENCES or len(content.strip()) < FEWEST_CHARACTERS:
        return content.strip()
    if _amount(content) < _FEWEST_TO_CHOOSE:
        telling = _telling(given)
        if _share(given, telling) >= LEAST:
            return _joined(given, telling)
    covers = [_cover(given, power) for power in _COST_POWERS]
    chosen = max(covers, key=lambda cover: _weight(given, cover))
    if all(given[place].statement.whole for place in chosen):  # no sentence is so short, or none says anything
        chosen |= {max(loose, key=lambda place: (_weight(given, (place,)), -place))}
    return _joined(given, chosen)


def _telling(given: Sequence[_Sentence]) -> set[int]:
    """Places of the sentences with a number, date, name or negation, and of those that these lean on.

    A capitalised word that only ever opens a sentence is a name when two sentences have it. The first sentence is what
    the text is about, and stays.
    """
    written = Counter(key for sentence in given for key in sentence.statement.keys)
    chosen = {
        place
        for place, sentence in enumerate(given)
        if sentence.statement.whole
        or sentence.statement.denies
        or any(mention.certain or written[mention.key] > 1 for mention in sentence.statement.mentions)
    }
    chosen.add(next(place for place, sentence in enumerate(given) if not sentence.statement.whole))
    return chosen | {place - 1 for place in chosen if place and given[place].leans}


def _share(given: Sequence[_Sentence], chosen: set[int]) -> float:
    """Of the characters of what may be left out."""
    lengths = {place: one.length for place, one in enumerate(given) if not one.statement.whole}
    return sum(length for place, length in lengths.items() if place in chosen) / sum(lengths.values())


def _amount(text: str) -> float:
    han = width(text) - len(text)
    return han + (len(text) - han) / _LETTERS


def _weight(given: Sequence[_Sentence], places: Iterable[int]) -> float:
    said = {feature: weight for place in places for feature, weight in given[place].features.items()}
    return round(sum(said.values()), 6)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sentence:
    statement: Statement
    features: dict[str, float]
    """What it says, with weights: mentions (`=key`) and content words."""
    leans: bool
    """It begins with a pronoun, or answers: without the sentence before it is hard to understand."""

    @property
    def length(self) -> int:
        return len(self.statement.text)


def _sentences(content: str) -> list[_Sentence]:
    found: list[_Sentence] = []
    given = statements(content)
    frequency = Counter(word for statement in given for word in statement.words)
    for at, statement in enumerate(given):
        features = {word: math.sqrt(frequency[word]) / 4 for word in sorted(statement.words)}
        features |= {f"={mention.key}": _FACT_WEIGHT[mention.kind] for mention in statement.mentions}
        answers = at > 0 and given[at - 1].text.endswith(("?", "？"))
        leans = answers or bool(_PRONOUN_RE.match(statement.text))
        found.append(_Sentence(statement=statement, features=features, leans=leans))
    return found


def _cover(given: Sequence[_Sentence], power: float) -> set[int]:
    """Places of the sentences to keep: what adds most for its length, until there is no new fact or no room left.

    Gains only shrink as sentences are taken, so an old value is a bound and few have to be computed anew (Minoux 1978).
    """
    total = sum(sentence.length for sentence in given if not sentence.statement.whole)
    room, enough = MOST * total, LEAST * total
    chosen = {place for place, sentence in enumerate(given) if sentence.statement.whole}
    said = {feature for place in chosen for feature in given[place].features}
    waiting = [(-math.inf, place) for place, sentence in enumerate(given) if not sentence.statement.whole]
    used = 0
    while waiting:
        _, place = heappop(waiting)
        taken = _with_antecedent(given, place, chosen, room - used)
        if place in chosen or not taken:
            continue
        value, fact = _value(given, taken, said, power)
        if waiting and -value > waiting[0][0]:
            heappush(waiting, (-value, place))
        elif value > 0 and (fact or used < enough):
            chosen.update(taken)
            said.update(feature for other in taken for feature in given[other].features)
            used += sum(given[other].length for other in taken)
    return chosen


def _with_antecedent(given: Sequence[_Sentence], place: int, chosen: set[int], room: float) -> tuple[int, ...]:
    """The sentence with the one it leans on, if both fit; alone, if only it fits; nothing, if it does not."""
    previous = place - 1
    length = given[place].length
    if given[place].leans and previous >= 0 and previous not in chosen and length + given[previous].length <= room:
        return (previous, place)
    return (place,) if length <= room else ()


def _value(given: Sequence[_Sentence], taken: Sequence[int], said: set[str], power: float) -> tuple[float, bool]:
    """What sentences would add for their length, and whether a number, date or name is in it."""
    gain, fact = 0.0, False
    added: set[str] = set()
    for place in taken:
        lead = _LEAD if place == 0 else 1.0
        for feature, weight in given[place].features.items():
            if feature not in said and feature not in added:
                added.add(feature)
                gain += weight * lead
                fact = fact or feature.startswith("=")
    length = sum(given[place].length for place in taken)
    return round(gain / max(1, length) ** power, 9), fact


def _joined(given: Sequence[_Sentence], chosen: set[int]) -> str:
    """The sentences one after another; on a new line where the source began one since the last that was kept."""
    parts: list[str] = []
    gap = ""
    for place, sentence in enumerate(given):
        gap = "\n" if "\n" in (gap, sentence.statement.gap) else sentence.statement.gap
        if place in chosen:
            parts += [gap if parts else "", sentence.statement.text]
            gap = ""
    return "".join(parts)
