"""The structure agent without a model of language: an extractive summary that keeps the facts.

What counts is numbers, dates, names and content words that no chosen sentence says yet (`cover`). A text of a few
sentences stays whole. The sentences stand in the summary word for word, whole and in their order, so that what it
claims is what the source claims.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Container, Sequence

from memorybank.engines.offline.cover import FACT, Sentence, best_cover, total_weight
from memorybank.engines.offline.statements import statements
from memorybank.engines.offline.units import width
from memorybank.language.parse import Parse
from memorybank.memory.contracts import StructureInput, StructureOutput

FEWEST_SENTENCES = 3
_FEWEST_TO_CHOOSE = 200
"""Han characters, or `_LETTERS` times as many letters: below that a text stays whole. Half of its few sentences would
be half of its facts, and what it is made of, what colour it has or whether it is allowed is no number, date or name
that could be told from filler. A fact that is not in the summary can be neither found nor contradicted."""
_LETTERS = 3
LEAST, MOST = 0.3, 0.5
"""What a summary is to have of its text's characters, by the specification; texts that are full of facts take a little
more (`cover.ROOM`), the others less."""
_FACT_WEIGHT = 6.0
"""Of a number, date or name; a content word weighs a quarter or little more."""
_UNCERTAIN_WEIGHT = 1.0
"""Of a capitalised word that only ever opens a sentence."""
PRONOUN_RE = re.compile(
    r"\s*(?:(?:It|Its|He|His|She|Her|They|Their|This|That|These|Those|Such|Both)\b"
    r"|[他她它]们?|该|其(?!中|他|实|余)|这|那|此(?!外|后|前)|两者|前者|后者)"
)
"""How a sentence begins that is hard to understand without the one before it."""


class OfflineStructure:
    """Sentences of the content; tables, code and headings as they are."""

    def __init__(self, parse: Parse) -> None:
        self._parse = parse

    def run(self, request: StructureInput) -> StructureOutput:
        return StructureOutput(summary=summarise(request.content))


def summarise(content: str) -> str:
    """The content's facts: in about half of its length at most, or, of a text of a few sentences, in what they take.

    A text under 3 sentences, 200 Han characters or 600 letters comes back as it is, without space around it.
    """
    parts = _sentences(content)
    loose = [place for place, sentence in enumerate(parts) if not sentence.statement.whole]
    if len(loose) < FEWEST_SENTENCES or is_short(content):
        return content.strip()
    chosen = best_cover(parts)
    if all(parts[place].statement.whole for place in chosen):  # no sentence is so short, or none says anything
        place = max(loose, key=lambda place: (total_weight(parts[place].features), -place))
        chosen.add(place)
    return _joined(parts, chosen)


def is_short(text: str, fewest: int = _FEWEST_TO_CHOOSE) -> bool:
    """Whether a text stays whole for its size: fewer Han characters than that, or `_LETTERS` times as many letters."""
    han = width(text) - len(text)
    return han + (len(text) - han) / _LETTERS < fewest


def _sentences(content: str) -> list[Sentence]:
    listed: list[Sentence] = []
    stated = statements(content)
    frequency = Counter(word for statement in stated for word in statement.words)
    certain = {mention.key for statement in stated for mention in statement.mentions if mention.certain}

    for at, statement in enumerate(stated):
        answers = at > 0 and stated[at - 1].text.endswith(("?", "？"))
        leans = answers or bool(PRONOUN_RE.match(statement.text))
        features = {word: math.sqrt(frequency[word]) / 4 for word in sorted(statement.words)}
        features |= {f"{FACT}{key}": _FACT_WEIGHT for key in sorted(statement.keys) if key in certain}
        features |= {f"?{key}": _UNCERTAIN_WEIGHT for key in sorted(statement.keys) if key not in certain}
        listed.append(Sentence(statement=statement, features=features, leans=leans))
    return listed


def _joined(sentences: Sequence[Sentence], chosen: Container[int]) -> str:
    """The sentences one after another; on a new line where the source began one since the last that was kept."""
    parts: list[str] = []
    gap = ""
    for place, sentence in enumerate(sentences):
        gap = "\n" if "\n" in (gap, sentence.statement.gap) else sentence.statement.gap
        if place in chosen:
            parts += [gap if parts else "", sentence.statement.text]
            gap = ""
    return "".join(parts)
