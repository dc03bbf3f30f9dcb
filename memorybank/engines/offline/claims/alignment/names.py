"""Names by their form: quoted or dotted Chinese, capitals and codes in Latin script; and when two are one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memorybank.engines.offline.claims.alignment.frames import Atom, Frame, overlaps
from memorybank.engines.offline.claims.alignment.words import GENERIC, NOT_NAMES
from memorybank.engines.offline.claims.phrases import Units, is_han, match_units

Span = tuple[int, int, Units]
"""`text[start:end]` and the name it writes."""

_QUOTED_RE = re.compile(
    r"[“「『《](?P<name>[^”」』》“「]{2,12})[”」』》]"
    r"(?P<mark>[一二三四五六七八九十\d]+(?:号|代|期|\.\d+)|[号]|[A-Z0-9][\w-]*)?"
)
_LATIN_RE = re.compile(r"[A-Z][\w’'-]*(?:\.\d+)*(?: (?:[A-Z][\w-]*|r?\d[\w-]*(?:\.\d+)*)(?![,.]\d))*|[a-z]+[A-Z]\w*")
_GOES_ON_RE = re.compile(r"[一二三四五六七八九十\d]+[号代期.]|[A-Z\d]|号")


def find_names(text: str, known: frozenset[str]) -> Iterator[Span]:
    """The names of a text; `known` are words it writes with a capital inside a sentence."""
    taken: list[tuple[int, int]] = []
    for match in _QUOTED_RE.finditer(text):
        if is_han(match["name"]) or len(match["name"].split()) < 4:
            taken.append(match.span())
            yield *match.span(), units_of(match["name"] + (match["mark"] or ""))
    for match in _LATIN_RE.finditer(text):
        if overlaps(*match.span(), taken):
            continue
        start, end = match.span()
        while (first := re.match(r"[\w’'-]+ ?", text[start:end])) and first[0].strip().lower() in NOT_NAMES:
            start += first.end()
        piece = re.sub(r"['’]s?$", "", text[start:end])
        if len(piece) > 1 and piece[0].isalpha() and not _plain_opening(text, start, piece, known):
            yield start, start + len(piece), units_of(piece)


def units_of(name: str) -> Units:
    return tuple(name) if is_han(name) else tuple(name.lower().replace("’s", "").replace("'s", "").split())


def _plain_opening(text: str, start: int, piece: str, known: frozenset[str]) -> bool:
    """Whether a capital only opens the sentence: "Engineers built", but not "Willow has"."""
    if " " in piece or re.search(r"\d|[A-Z].*[A-Z]|[a-z][A-Z]", piece) or text[:start].strip(" “\"'(#*-"):
        return False
    low = piece.lower()
    if low in known:
        return False
    return len(piece) < 3 or low in GENERIC or low.endswith(("s", "ing", "ly", "ed"))


@lru_cache(maxsize=65_536)
def same_name(left: Units, right: Units) -> bool:
    """One name, perhaps shortened or with a generic word; not one that goes on (Hubble, Hubble Deep Field)."""
    if left == right:
        return True
    if match_units(left, right, GENERIC) != "same":
        return False
    short, long = sorted((left, right), key=lambda units: (len(units), units))
    for at in range(len(long) - len(short) + 1):
        if long[at : at + len(short)] == short:
            return all(unit in GENERIC or unit in ("space", "号") for unit in long[at + len(short) :])
    return True


def is_spelt(atom: Atom, other: Frame) -> bool:
    """Whether a quoted name of one side is written without quotes in the other, and does not go on there."""
    spelt = "".join(atom.name)
    at = other.sentence.find(spelt) if is_han(spelt) else -1
    return at >= 0 and not _GOES_ON_RE.match(other.sentence[at + len(spelt) :])


def stands_in_names(frame: Frame, at: int, other: Frame) -> bool:
    """Whether the character at a place of the sentence stands in a name that the other side quotes."""
    for name in other.names:
        spelt = "".join(name.name)
        begin = frame.sentence.find(spelt) if is_han(spelt) else -1
        if begin >= 0 and begin <= at < begin + len(spelt):
            return True
    return False
