"""Noun phrases of a parsed sentence, in English by its dependencies and in Chinese as runs of nouns and names.

Where a sentence was not parsed (code, tables, an install without parsers) its long words stand for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from memorybank.language import dates
from memorybank.language.parse import Parse, Parsed, Token
from memorybank.language.text import HAN, sentences
from memorybank.language.tokens import says_nothing

_NOUNS: Final = ("NOUN", "PROPN")
_MODIFIERS: Final = ("NOUN", "PROPN", "ADJ", "NUM", "VERB", "ADV")
_EDGES: Final = ("PUNCT", "PART", "ADV", "SYM")
_LONGEST_RUN: Final = 3
"""The most words of a run of Chinese nouns; a longer one is several phrases side by side."""
_QUOTED_RE: Final = re.compile(r"[“「《]([^“”「」《》，。；\n]{2,12})[”」》]")
_WORD_RE: Final = re.compile(rf"[A-Za-z\u00c0-\u024f][\w'’-]{{3,}}|[{HAN}]{{2,8}}")


class Phrase(NamedTuple):
    """Words `first` to `last` of a sentence, the last of which heads the phrase unless "of" follows it."""

    first: int
    last: int
    name: bool


class Term(NamedTuple):
    """A phrase as it is written."""

    text: str
    key: str
    """The same for one word in several forms: "qubit" and "qubits"."""
    name: bool
    whole: bool = True
    """False for the head of a longer phrase alone."""


def written(sentence: Parsed, first: int, last: int) -> str:
    """Return the words from one to another as they stand in the sentence."""
    return sentence.text[sentence.tokens[first].start : sentence.tokens[last].end]


def phrase_at(sentence: Parsed, at: int, *, owned: bool = True, of: bool = False) -> Phrase:
    """Return the phrase that a word of an English sentence heads, less articles.

    `owned`: with whose it is ("the museum's roof"). `of`: with what follows in "the harbour of Rotterdam".
    """
    words = sentence.tokens
    first = at
    while first and _modifies(sentence, first - 1, at, owned):
        first -= 1
    while first < at and words[first].pos in _EDGES and sentence.text[words[first].end] != "-":
        first += 1
    name = words[at].pos == "PROPN"
    if at + 2 < len(words) and words[at + 1].lemma == "of" and words[at + 1].head == at and (of or name):
        objects = (place for place in range(at + 2, len(words)) if words[place].role == "pobj")
        below = next((place for place in objects if words[place].head == at + 1), None)
        if below is not None and words[below].pos in _NOUNS and (of or words[below].pos == "PROPN"):
            last = phrase_at(sentence, below).last
            while last + 2 < len(words) and words[last + 2].pos == "PROPN" and words[last + 1].lemma in ("of", "and"):
                if words[last + 2].head not in (below, last + 1):
                    break
                last += 2  # University of Science and Technology
            return Phrase(first, last, name)
    return Phrase(first, at, name)


def _modifies(sentence: Parsed, place: int, at: int, owned: bool) -> bool:
    word = sentence.tokens[place]
    head, steps = place, 0
    while head != at and steps < 6 and sentence.tokens[head].head != head:
        head, steps = sentence.tokens[head].head, steps + 1
    joins = word.pos in ("PUNCT", "SYM") and sentence.text[word.start : word.end] in "-–/$€£"
    return head == at and (word.pos in _MODIFIERS or joins or (owned and word.role == "case"))


def noun_phrases(sentence: Parsed) -> list[Phrase]:
    """Return the phrases of a parsed sentence in order."""
    if sentence.lang == "zh":
        return list(_runs(sentence))
    phrases: list[Phrase] = []
    at = len(sentence.tokens) - 1
    while at >= 0:
        if sentence.tokens[at].pos in _NOUNS:
            phrase = phrase_at(sentence, at, owned=False)
            phrases = [phrase, *(each for each in phrases if each.last > phrase.last)]  # none within another
            at = phrase.first
        at -= 1
    return phrases


def _runs(sentence: Parsed) -> Iterator[Phrase]:
    """Yield what stands in quotation marks, as a name, and runs of nouns."""
    words = sentence.tokens
    quoted = [match.span(1) for match in _QUOTED_RE.finditer(sentence.text)]
    first = at = 0
    while at <= len(words):
        name = next((span for span in quoted if at < len(words) and words[at].start == span[0]), None)
        if name is not None:
            last = next((place for place in range(at, len(words)) if words[place].end == name[1]), None)
            if last is not None:
                yield Phrase(at, last, True)
                first = at = last + 1
                continue
        if at < len(words) and _goes_on(words, first, at):
            at += 1
            continue
        last = at - 1
        if last > first and at < len(words) and words[at].pos == "NUM":
            last -= 1  # 大桥|全长|55公里
        if first <= last:
            start = max(first, last + 1 - _LONGEST_RUN)
            yield Phrase(start, last, "PROPN" in (words[start].pos, words[last].pos))
        first = at = at + 1


def _goes_on(words: Sequence[Token], first: int, at: int) -> bool:
    if words[at].lemma == "·":
        return first < at and at + 1 < len(words) and words[at - 1].pos == words[at + 1].pos == "PROPN"
    return words[at].pos in _NOUNS and words[at].role not in ("f", "s")


def names_in(text: str, parse: Parse) -> Iterator[tuple[int, int]]:
    """Yield where names stand in a text by the parser."""
    pieces = sentences(text)
    for piece, sentence in zip(pieces, parse([text[start:end] for start, end in pieces]), strict=True):
        for phrase in noun_phrases(sentence):
            if phrase.name:
                first, last = sentence.tokens[phrase.first], sentence.tokens[phrase.last]
                yield piece.start + first.start, piece.start + last.end


@lru_cache(maxsize=16_384)  # of a text, then of each of its topics, then of its summary; some 1 kB a sentence
def terms(sentence: Parsed) -> tuple[Term, ...]:
    """Return what a sentence names: its phrases, less numbers before them and dates, and the heads of longer ones."""
    if not sentence.tokens:
        found = (match[0] for match in _WORD_RE.finditer(sentence.text) if not says_nothing(match[0]))
        return tuple(Term(word, word.casefold(), word[0].isupper()) for word in found)
    return tuple(_terms(sentence))


def _terms(sentence: Parsed) -> Iterator[Term]:
    days = dates.scan(sentence.text)
    for phrase in noun_phrases(sentence):
        first, last, name = phrase
        start, end = sentence.tokens[first].start, sentence.tokens[last].end
        counted = first < last and sentence.tokens[first].pos == "NUM" and sentence.tokens[first + 1].pos != "PUNCT"
        when = sentence.tokens[last].role == "npadvmod" or any(day.start < end and start < day.end for day in days)
        if counted or when:
            continue
        yield from _term(sentence, first, last, name, whole=True)
        if sentence.lang == "zh":
            for at in range(first, last):
                if sentence.tokens[at].pos == "PROPN":
                    yield from _term(sentence, at, at, True, whole=len(sentence.tokens[at].lemma) > 2)
        if first < last and not name and sentence.tokens[last - 1].pos != "PUNCT":
            yield from _term(sentence, last, last, False, whole=False)


def _term(sentence: Parsed, first: int, last: int, name: bool, *, whole: bool) -> Iterator[Term]:
    text = written(sentence, first, last).rstrip(".")
    key = (text[: sentence.tokens[last].start - sentence.tokens[first].start] + sentence.tokens[last].lemma).casefold()
    if sum(char.isalpha() for char in text) > 1 and not says_nothing(text):
        yield Term(text, key, name, whole)
