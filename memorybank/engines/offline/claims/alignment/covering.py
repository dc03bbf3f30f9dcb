"""Whether two clauses cover each other: what is left over on a side must narrow nothing."""

from __future__ import annotations

import re

from memorybank.engines.offline.claims.alignment.frames import Atom, Frame
from memorybank.engines.offline.claims.alignment.names import is_spelt, same_name, stands_in_names
from memorybank.engines.offline.claims.alignment.subjects import lean_apart, relation
from memorybank.engines.offline.claims.alignment.words import (
    GENERIC_HAN,
    GENERIC_STEMS,
    LIGHT_HAN,
    SCOPE_STEMS,
    stem,
)
from memorybank.engines.offline.claims.phrases import is_han

_LARGER_COVER = 0.34
"""Share of the longer clause that the shorter one must cover."""
_LEANS_ON_RE = re.compile(
    r"\s+(?:of|in|inside|at|on|before|behind|beside|next to|near|opposite|above|below|under|outside|around)\s+"
    r"(?:the|this|that|its|their|[A-Z])"
)
_RANKS = frozenset({"first", "second", "current", "former", "later"})


def fit(left: Frame, right: Frame) -> bool:
    """Whether the two clauses cover each other and speak of the same."""
    rest_left, rest_right = _uncovered(left, right), _uncovered(right, left)
    shared_left, shared_right = len(left.atoms) - len(rest_left), len(right.atoms) - len(rest_right)
    subject = relation(left, right, min(shared_left, shared_right))
    if not subject or (subject == "named" and lean_apart(left, right)):
        return False
    if subject == "carried":
        rest_left = [atom for atom in rest_left if not atom.name]
        rest_right = [atom for atom in rest_right if not atom.name]
    heavy_left, heavy_right = _heavy(rest_left, left), _heavy(rest_right, right)
    if heavy_left and heavy_right:
        return False
    lone, frame = (heavy_left, left) if heavy_left else (heavy_right, right)
    if lone and _narrows(lone, frame):
        return False
    if left.kind == "negation" and min(shared_left, shared_right) < _weight(left, right):
        return False
    larger = max(
        len(left.atoms) - len(rest_left) + len(heavy_left), len(right.atoms) - len(rest_right) + len(heavy_right)
    )
    return left.kind == "name" or larger == 0 or 1 - len(lone) / larger >= _LARGER_COVER


def equal_but_for_value(left: Frame, right: Frame) -> bool:
    """Whether nothing that tells is left over on either side."""
    return not _heavy(_uncovered(left, right), left) and not _heavy(_uncovered(right, left), right)


def _weight(left: Frame, right: Frame) -> int:
    """Atoms that a statement and its denial must share: characters tell less than words."""
    return 4 if is_han(left.sentence) and is_han(right.sentence) else 2


def _uncovered(frame: Frame, other: Frame) -> list[Atom]:
    """The atoms the other lacks: names without a match, words, characters outside shared pairs."""
    return [atom for at, atom in enumerate(frame.atoms) if not _is_covered(frame, at, atom, other)]


def _is_covered(frame: Frame, at: int, atom: Atom, other: Frame) -> bool:
    if atom.name:
        known = len(atom.name) == 1 and stem(atom.key) in other.keys  # a capital that only opens the sentence
        return known or any(same_name(atom.name, one.name) for one in other.names) or is_spelt(atom, other)
    if is_han(atom.key):
        return _in_pair(frame, at, other.keys) or stands_in_names(frame, atom.start, other)
    return atom.key in other.keys or any(
        name.name == (name.key,) and stem(name.key) == atom.key for name in other.names
    )


def _in_pair(frame: Frame, at: int, pairs: frozenset[str]) -> bool:
    """Whether a character stands in a pair that the other side has too."""
    own, atom = frame.atoms, frame.atoms[at]
    if at > 0 and own[at - 1].end == atom.start and own[at - 1].key + atom.key in pairs:
        return True
    return at + 1 < len(own) and own[at + 1].start == atom.end and atom.key + own[at + 1].key in pairs


def _heavy(rest: list[Atom], frame: Frame) -> list[Atom]:
    """What is left over and tells something: no light word, no generic noun."""
    generic: set[int] = set()
    for word in GENERIC_HAN if any(is_han(atom.key) for atom in rest) else ():
        begin = frame.sentence.find(word)
        if begin >= 0:
            generic.update(range(begin, begin + len(word)))
    return [atom for atom in rest if atom.name or not (atom.start in generic or _is_light(atom, frame))]


def _is_light(atom: Atom, frame: Frame) -> bool:
    if is_han(atom.key):
        return atom.key in LIGHT_HAN
    return atom.key in GENERIC_STEMS or frame.sentence[atom.start : atom.end].endswith("ly")


def _narrows(rest: list[Atom], frame: Frame) -> bool:
    """Whether what only one side says may restrict its statement: in a denial anywhere, else between name and value."""
    scoped = any(atom.key in SCOPE_STEMS for atom in rest)
    if frame.kind == "negation":
        return frame.negated or scoped
    if frame.kind == "name":
        return scoped or any(atom.key in _RANKS for atom in rest)
    if scoped:
        return True
    first = min((atom.start for atom in frame.atoms if atom not in rest), default=-1)
    return any((first < atom.start < frame.start or _is_head(atom, frame)) and not atom.name for atom in rest)


def _is_head(atom: Atom, frame: Frame) -> bool:
    """Whether what both sides name only says where or whose it is: "the café of the museum" is no museum."""
    return _LEANS_ON_RE.match(frame.sentence, atom.end) is not None
