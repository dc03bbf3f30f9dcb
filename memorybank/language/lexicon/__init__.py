"""Word lists: data in YAML, beside this module or in the folder of the only reader, read when first asked for.

A list is words parted by blanks; phrases of several words are YAML lists; of a list of classes each word is written
"class=word,word".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

try:  # the C loader reads the lists ten times faster, where PyYAML was built with it
    from yaml import CSafeLoader as SafeLoader
except ImportError:
    from yaml import SafeLoader  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The lists of one file. An unknown name is a KeyError: a list and its reader ship together."""

    lists: dict[str, Any]

    def words(self, name: str) -> frozenset[str]:
        return frozenset(self.lists[name].split())

    def ordered(self, name: str) -> tuple[str, ...]:
        return tuple(self.lists[name].split())

    def characters(self, name: str) -> frozenset[str]:
        return frozenset("".join(self.lists[name].split()))

    def phrases(self, name: str) -> tuple[str, ...]:
        """Entries that may hold blanks."""
        return tuple(self.lists[name])

    def classes(self, name: str) -> dict[str, tuple[str, ...]]:
        """Class: its words, written "class=word,word"; a class may be written more than once."""
        by_label: dict[str, tuple[str, ...]] = {}
        for entry in self.lists[name].split():
            label, _, words = entry.partition("=")
            by_label[label] = (*by_label.get(label, ()), *filter(None, words.split(",")))
        return by_label

    def inverted(self, name: str) -> dict[str, str]:
        """Word: its class. A word of two classes takes the last."""
        return {word: label for label, listed in self.classes(name).items() for word in listed}

    def entries(self, name: str) -> tuple[str, ...]:
        """Words parted by blanks, or the entries of a YAML list."""
        return entries_of(self.lists[name])

    def pairs(self, name: str) -> tuple[tuple[str, str], ...]:
        """ "open/closed hot/cold" as pairs."""
        return tuple((left, right) for left, _, right in (pair.partition("/") for pair in self.ordered(name)))


@cache
def lexicon(name: str) -> Lexicon:
    """The lists of `name`.yaml beside this module."""
    return Lexicon(load(__package__, name))


@cache
def load(package: str, name: str) -> dict[str, Any]:
    """What `name`.yaml of a package holds; it is shared, and must not be changed."""
    text = (files(package) / f"{name}.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.load(text, Loader=SafeLoader)
    return loaded


def entries_of(listed: str | Iterable[str]) -> tuple[str, ...]:
    """A list as its words: parted by blanks, or one an entry where one of them holds blanks."""
    return tuple(listed.split() if isinstance(listed, str) else listed)


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of the words, tried in their order."""
    return "|".join(words)


def whole(words: Iterable[str]) -> str:
    """A pattern for any of the words, each between borders of words."""
    return rf"\b(?:{any_of(words)})\b"
