"""The structure agent without a model of language: an extractive summary that keeps the facts.

What counts is numbers, dates, names and content words that no chosen sentence says yet (`cover`). Of a text of a few
sentences every one with such a fact is kept. The sentences stand in the summary word for word and in their order, so
that what it claims is what the source claims; where whole ones leave facts out, one may stand without a clause that the
rest does not need (`shortening`).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from memorybank.contracts import StructureInput, StructureOutput
from memorybank.engines.offline.cover import FACT, Form, Sentence, best_cover, total_weight
from memorybank.engines.offline.salience import keys
from memorybank.engines.offline.shortening import forms
from memorybank.engines.offline.statements import statements
from memorybank.engines.offline.units import width
from memorybank.retrieval.tokens import query_tokens

FEWEST_SENTENCES = 3
FEWEST_CHARACTERS = 200
"""Texts under either stay whole."""
_FEWEST_TO_CHOOSE = 200
"""Han characters, or `_LETTERS` times as many letters. Below that a text has room for few facts, and half of its
sentences would be half of them: only what carries no fact is left out. A fact that is not in the summary can be neither
found nor contradicted."""
_LETTERS = 3
LEAST, MOST = 0.3, 0.5
"""What a summary is to have of its text's characters, by the specification; texts that are full of facts take a little
more (`cover.ROOM`), the others less."""
_FACT_WEIGHT = 6.0
"""Of a number, date or name; a content word weighs a quarter or little more."""
_UNCERTAIN_WEIGHT = 1.0
"""Of a capitalised word that only ever opens a sentence."""
_PRONOUN_RE = re.compile(
    r"\s*(?:(?:It|Its|He|His|She|Her|They|Their|This|That|These|Those|Such|Both)\b"
    r"|[他她它]们?|该|其(?!中|他|实|余)|这|那|此(?!外|后|前)|两者|前者|后者)"
)


class OfflineStructure:
    """Sentences of the content, some without a clause; tables, code and headings as they are."""

    def run(self, given: StructureInput) -> StructureOutput:
        return StructureOutput(summary=summarise(given.content))


def summarise(content: str) -> str:
    """The content's facts: in about half of its length at most, or, of a text of a few sentences, in what they take.

    A text under 3 sentences or 200 characters comes back as it is, without space around it.
    """
    given = _sentences(content)
    loose = [place for place, sentence in enumerate(given) if not sentence.statement.whole]
    if len(loose) < FEWEST_SENTENCES or len(content.strip()) < FEWEST_CHARACTERS:
        return content.strip()
    if _amount(content) < _FEWEST_TO_CHOOSE:
        telling = _telling(given)
        if _share(given, telling) >= LEAST:
            return _joined(given, {place: given[place].last for place in telling})
    chosen = best_cover(given)
    if all(given[place].statement.whole for place in chosen):  # no sentence is so short, or none says anything
        place = max(loose, key=lambda place: (total_weight(given[place].features), -place))
        chosen[place] = given[place].last
    return _joined(given, chosen)


def _telling(given: Sequence[Sentence]) -> set[int]:
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


def _share(given: Sequence[Sentence], chosen: set[int]) -> float:
    """Of the characters of what may be left out."""
    lengths = {place: one.length for place, one in enumerate(given) if not one.statement.whole}
    return sum(length for place, length in lengths.items() if place in chosen) / sum(lengths.values())


def _amount(text: str) -> float:
    han = width(text) - len(text)
    return han + (len(text) - han) / _LETTERS


def _words(text: str) -> frozenset[str]:
    return frozenset(query_tokens(text, limit=len(text) + 1))


def _sentences(content: str) -> list[Sentence]:
    found: list[Sentence] = []
    given = statements(content)
    frequency = Counter(word for statement in given for word in statement.words)
    certain = {mention.key for statement in given for mention in statement.mentions if mention.certain}

    def form(text: str, words: Iterable[str], known: Iterable[str]) -> Form:
        features = {word: math.sqrt(frequency[word]) / 4 for word in sorted(words)}
        features |= {f"{FACT}{key}": _FACT_WEIGHT for key in sorted(known) if key in certain}
        features |= {f"?{key}": _UNCERTAIN_WEIGHT for key in sorted(known) if key not in certain}
        return Form(text=text, features=features)

    for at, statement in enumerate(given):
        answers = at > 0 and given[at - 1].text.endswith(("?", "？"))
        leans = answers or bool(_PRONOUN_RE.match(statement.text))
        shorter = () if statement.whole else forms(statement.text)[:-1]
        said = [form(text, statement.words & _words(text), statement.keys & keys(text)) for text in shorter]
        said.append(form(statement.text, statement.words, statement.keys))
        found.append(Sentence(statement=statement, forms=tuple(said), leans=leans))
    return found


def _joined(given: Sequence[Sentence], chosen: Mapping[int, int]) -> str:
    """The sentences one after another; on a new line where the source began one since the last that was kept."""
    parts: list[str] = []
    gap = ""
    for place, sentence in enumerate(given):
        gap = "\n" if "\n" in (gap, sentence.statement.gap) else sentence.statement.gap
        if place in chosen:
            parts += [gap if parts else "", sentence.forms[chosen[place]].text]
            gap = ""
    return "".join(parts)
