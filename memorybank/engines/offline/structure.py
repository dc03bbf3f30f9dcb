"""The structure agent without a model of language: an extractive summary that keeps the facts.

What counts is numbers, dates, names and content words that no chosen sentence says yet (`cover`). A text of a few
sentences stays whole. The sentences stand in the summary word for word, whole and in their order, so that what it
claims is what the source claims.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace

from memorybank.contradiction.reading import read
from memorybank.embedding.base import Embedder, WorksAhead
from memorybank.engines.offline.cover import FACT, Sentence, best_cover
from memorybank.engines.offline.phrases import terms
from memorybank.engines.offline.statements import Statement, joined, statements
from memorybank.engines.offline.units import PRONOUN_RE, plain, width
from memorybank.language.parse import Parse
from memorybank.memory.contracts import StructureInput, StructureOutput

FEWEST_SENTENCES = 3
_FEWEST_TO_CHOOSE = 200
"""Han characters, or `_LETTERS` times as many letters: below that a text stays whole. Half of its few sentences would
be half of its facts, and what it is made of, what colour it has or whether it is allowed is no number, date or name
that could be told from filler. A fact that is not in the summary can be neither found nor contradicted."""
_LETTERS = 3
_FACT_WEIGHT = 6.0
"""The weight of a number, date or name; a content word weighs a quarter or little more."""
_CLAIM_WEIGHT = 24.0
"""The weight of a value on the text's subject: that is what can be found again, or contradicted."""
_UNCERTAIN_WEIGHT = 1.0
"""The weight of a name that the parser alone takes for one."""


class OfflineStructure:
    """Sentences of the content; tables, code and headings as they are."""

    def __init__(self, embedder: Embedder, parse: Parse) -> None:
        self._embedder, self._parse = embedder, parse

    def run(self, request: StructureInput) -> StructureOutput:
        summary = summarise(request.content, self._parse)
        if isinstance(self._embedder, WorksAhead):  # filing asks for its vector, after all summaries are written
            self._embedder.ahead([summary], "document")
        return StructureOutput(summary=summary)


def summarise(content: str, parse: Parse | None = None) -> str:
    """Return the content's facts in 30 to 50 % of its length, without marks of Markdown.

    A text under 3 sentences, 200 Han characters or 600 letters stays whole, and so do tables and code.
    """
    stated = statements(content)
    loose = [place for place, statement in enumerate(stated) if not statement.whole]
    if len(loose) < FEWEST_SENTENCES or is_short(content):
        return joined(stated)
    parts = _sentences(stated, parse, _claimed(content, parse) if parse else ())
    chosen = best_cover(parts)
    if all(parts[place].statement.whole for place in chosen):  # no sentence is so short, or none says anything
        chosen.add(max(loose, key=lambda place: (round(sum(parts[place].features.values()), 6), -place)))
    return joined(_kept(stated, chosen))


def is_short(text: str, fewest: int = _FEWEST_TO_CHOOSE) -> bool:
    """Whether a text stays whole for its size: fewer Han characters than that, or `_LETTERS` times as many letters."""
    han = width(text) - len(text)
    return han + (len(text) - han) / _LETTERS < fewest


def _sentences(stated: Sequence[Statement], parse: Parse | None, claimed: Container[str]) -> list[Sentence]:
    listed: list[Sentence] = []
    frequency = Counter(word for statement in stated for word in statement.words)
    certain = {mention.key for statement in stated for mention in statement.mentions if mention.certain}
    names = _names(stated, parse) if parse else {}

    for at, statement in enumerate(stated):
        answers = at > 0 and stated[at - 1].text.endswith(("?", "？"))
        leans = answers or bool(PRONOUN_RE.match(statement.text))
        keys = {mention.key for mention in statement.mentions}
        features = {word: math.sqrt(frequency[word]) / 4 for word in sorted(statement.words)}
        features |= {f"{FACT}{key}": _UNCERTAIN_WEIGHT for key in sorted(names.get(at, set()))}
        features |= {f"{FACT}{key}": _FACT_WEIGHT for key in sorted(keys & certain)}
        if plain(statement.text) in claimed:
            features[f"{FACT}!{at}"] = _CLAIM_WEIGHT
        listed.append(Sentence(statement=statement, features=features, leans=leans))
    return listed


def _claimed(content: str, parse: Parse) -> frozenset[str]:
    """Return the sentences that give a value of what the text speaks of first."""
    given = [item for item in read(content, parse).statements if item.value is not None]
    main = next((item.anchor for item in given if item.anchor), frozenset[str]())
    return frozenset(plain(item.claim.text) for item in given if item.anchor <= main or main <= item.anchor)


def _names(stated: Sequence[Statement], parse: Parse) -> dict[int, set[str]]:
    """Return the names that the parser finds in sentences, by their places."""
    loose = [place for place, statement in enumerate(stated) if not statement.whole]
    parsed = parse([plain(stated[place].text) for place in loose])
    return {
        place: {term.key for term in terms(sentence) if term.name} if sentence.tokens else set()
        for place, sentence in zip(loose, parsed, strict=True)
    }


def _kept(stated: Sequence[Statement], chosen: Container[int]) -> Iterator[Statement]:
    """Yield the chosen statements, on a new line where the source began one since the last that was kept."""
    gap = ""
    for place, statement in enumerate(stated):
        gap = "\n" if "\n" in (gap, statement.gap) else statement.gap
        if place in chosen:
            yield replace(statement, gap=gap)
            gap = ""
