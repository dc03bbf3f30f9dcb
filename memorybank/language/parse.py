"""Sentences as two small parsers see them (embedding/parsers.py): plain tuples, which travel well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from memorybank.memory.types import Lang


class Token(NamedTuple):
    """A word at `text[start:end]` of its sentence."""

    start: int
    end: int
    lemma: str
    """Its basic form in lower case; names and Chinese words as they are written."""
    pos: str
    """Its universal part of speech; a word for a time is TIME in Chinese."""
    head: int
    """Place of the word it depends on, its own place at the root; always its own in Chinese."""
    role: str
    """The relation in which it depends on its head; in Chinese the tag of the lexical analysis."""


class Parsed(NamedTuple):
    """A sentence with its words; without words where it was not parsed."""

    text: str
    lang: Lang
    tokens: tuple[Token, ...] = ()


class Place(Protocol):
    """A thing that stands at `text[start:end]`: a word, a date, a quantity."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def meet(left: Place, right: Place) -> bool:
    """Whether two places of one text have a letter in common."""
    return left.start < right.end and right.start < left.end


Parse = Callable[[Sequence[str]], Sequence[Parsed]]


def is_capital(sentence: Parsed, word: Token) -> bool:
    """Whether a word begins with a capital within its sentence, as names do, whatever the parser takes it for."""
    return word.start > 0 and sentence.text[word.start].isupper() and word.pos != "PRON"
