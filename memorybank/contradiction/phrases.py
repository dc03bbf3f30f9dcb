"""What a sentence is taken apart into, in either language: predicates over phrases.

`clauses_en` and `clauses_zh` read sentences into these; `readers` turn them into the frames that are compared. Nothing
here knows a language, except that an English name is a tuple of words and a Chinese one a tuple of characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from memorybank.contradiction.words_en import STANDING as _STANDING_EN
from memorybank.contradiction.words_zh import STANDING as _STANDING_ZH
from memorybank.language.dates import Date
from memorybank.language.han import is_han
from memorybank.language.values import Quantity

STANDING = _STANDING_EN | _STANDING_ZH

NAMESAKES = frozenset({"new", "north", "south", "east", "west", "upper", "lower", "新", "北", "南", "东", "西"})
"""Before a name they make another one: what was named after it, or a part of it."""

Units = tuple[str, ...]
"""A name as it is compared: lower-case words of a Latin name, characters of a Chinese one."""


def joined(units: Units) -> str:
    """A name as a lower-case text writes it."""
    return ("".join if units and is_han(units[0]) else " ".join)(units)


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A proper name: `sentence[start:end]`."""

    text: str
    start: int
    end: int
    units: Units
    proper: bool = True
    """Certainly a proper name; a run of Chinese may be a common noun, unless it is quoted or ends as names do."""
    quoted: bool = False
    """Written in 《》 or “”."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A quantity with what it counts ("105 superconducting qubits": noun qubit, modifiers superconduct)."""

    quantity: Quantity
    noun: str = ""
    noun_text: str = ""
    counter: str = ""
    """The Chinese measure word: 幅, 块."""
    modifiers: frozenset[str] = frozenset()
    scope: frozenset[str] = frozenset()
    """Words beside it that restrict it: each, average, per …"""
    near: frozenset[str] = frozenset()
    """Keys of the few words before it: "a length of", "weighs"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A word for a part that one thing plays for another: `sentence[start:end]`, and the role's own name."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A part of a predicate: its subject, its object, or what follows a preposition (`role`)."""

    start: int
    end: int
    text: str
    role: str = ""
    """Empty: subject or object. Else the preposition; Chinese ones are given the English name (由 is by, 于 is in)."""
    names: tuple[Name, ...] = ()
    keys: frozenset[str] = frozenset()
    """Content words, names left out: stems or classes in English, pairs of characters in Chinese."""
    attributes: frozenset[str] = frozenset()
    """The keys that say what of the named thing is spoken of: "length" in "the length of the Rhine"."""
    head: str = ""
    """Key of the head noun."""
    measures: tuple[Measure, ...] = ()
    dates: tuple[Date, ...] = ()
    back: bool = False
    """Refers back: "it", "the chip", 该芯片."""
    listed: bool = False
    """Several things joined by and, 和."""
    roles: tuple[Role, ...] = ()
    """Roles it speaks of: chief executive, capital, 作者."""
    marks: frozenset[str] = frozenset()
    """Ordinals, versions and the like in it, which tell one thing from its sisters."""
    possessive: bool = False
    """Its own: "its headquarters", 其总部."""
    scope: frozenset[str] = frozenset()
    """Words in it that restrict what is measured: average, main, 最高."""
    indefinite: bool = False
    """One of several: "a bridge", 一座桥."""

    @property
    def units(self) -> Units:
        return tuple(unit for name in self.names for unit in name.units)


NOTHING = Phrase(start=0, end=0, text="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """One thing said of a subject."""

    verb: str
    """Class of the verb ("found"), or its lemma; "be" for copulas, empty for a sentence without a verb."""
    subject: Phrase
    phrases: tuple[Phrase, ...] = ()
    passive: bool = False
    negated: bool = False
    hedges: frozenset[str] = frozenset()
    """Words by which it says less than a plain statement: may, planned, 预计."""
    reduced: bool = False
    """A participle without its own verb ("a bridge built in 1937"): background, not a statement to deny."""
    start: int = 0
    end: int = 0
    extra: frozenset[str] = field(default_factory=frozenset)
    """Keys of words that are in no phrase: the verb itself, a second verb ("is used to cool")."""


Match = Literal["same", "different", "unknown"]


@lru_cache(maxsize=262_144)
def match_units(left: Units, right: Units, generic: frozenset[str] = frozenset()) -> Match:
    """Whether two names name one thing.

    Words may be added ("Google's Willow", "Willow") but not exchanged ("Google's Sycamore"), and a version on one side
    only ("Heron r2", "Heron") is another thing. Sharing generic words alone ("Tower Bridge", "London Bridge") is not
    enough.
    """
    if not left or not right:
        return "unknown"
    if left == right or _is_acronym(left, right) or _is_acronym(right, left):
        return "same"
    if {unit[0] for unit in left}.isdisjoint({unit[0] for unit in right}):
        return "different"
    gaps, shared = _align(left, right)
    if not any(_tells(unit, generic) for unit in shared) or (len(shared) < 2 and _single_character(shared)):
        return "different"
    if _names_another(gaps, left, right):
        return "different"
    for gap_left, gap_right in gaps:
        if gap_left and gap_right:
            return "different"
        if _is_version(gap_left) or _is_version(gap_right):
            return "different"
    return "same"


def _names_another(gaps: list[tuple[Units, Units]], left: Units, right: Units) -> bool:
    """Whether what one name has more makes it another thing: 长江大桥 beside 长江, Oxford University beside Oxford,
    新德里 beside 德里, New Delhi beside Delhi."""
    for extra, counterpart in (gaps[-1], gaps[-1][::-1]):
        tail = "".join(extra)
        if (
            extra
            and not counterpart
            and (tail in STANDING or any(tail.endswith(word) for word in STANDING if len(word) > 1 or tail == word))
        ):
            return True
    heads = tuple("".join(gap) for gap in gaps[0])
    if bool(heads[0]) != bool(heads[1]) and (heads[0] or heads[1]) in NAMESAKES:
        return True
    if not is_han(left[0]) or not is_han(right[0]):
        return False
    return any(gaps[0][side] and gaps[-1][side] and not gaps[0][1 - side] and not gaps[-1][1 - side] for side in (0, 1))


def _align(left: Units, right: Units) -> tuple[list[tuple[Units, Units]], Units]:
    """Longest common subsequence: the gaps between its members, pairwise, and its members."""
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            same = _same_unit(left[i], right[j])
            table[i][j] = table[i + 1][j + 1] + 1 if same else max(table[i + 1][j], table[i][j + 1])
    gaps: list[tuple[Units, Units]] = []
    shared: list[str] = []
    i = j = from_i = from_j = 0
    while i < len(left) and j < len(right):
        if _same_unit(left[i], right[j]) and table[i][j] == table[i + 1][j + 1] + 1:
            gaps.append((left[from_i:i], right[from_j:j]))
            shared.append(max(left[i], right[j], key=len))
            i, j = i + 1, j + 1
            from_i, from_j = i, j
        elif table[i + 1][j] >= table[i][j + 1]:
            i += 1
        else:
            j += 1
    gaps.append((left[from_i:], right[from_j:]))
    return gaps, tuple(shared)


def _same_unit(left: str, right: str) -> bool:
    if left == right:
        return True
    if left[0] != right[0] or left.isdigit() or right.isdigit() or is_han(left):
        return False
    if left in _ROMAN or right in _ROMAN:  # Halley V, Halley VI: no initial of it
        return False
    short, long = sorted((left.rstrip("."), right.rstrip(".")), key=len)
    if any(map(str.isdigit, long[len(short) :])):  # NGC104, NGC1049: a code of more digits is another one
        return False
    return len(short) == 1 or (len(short) >= 4 and long.startswith(short) and len(long) - len(short) <= 2)


def _tells(unit: str, generic: frozenset[str]) -> bool:
    return unit not in generic and (len(unit) > 1 or is_han(unit) or unit.isdigit())


def _single_character(shared: Units) -> bool:
    return len(shared) == 1 and len(shared[0]) == 1 and is_han(shared[0])


_ROMAN = frozenset("ii iii iv vi vii viii ix xi xii xiii xiv xv xvi xvii xviii xix xx".split())
_SERIES = _ROMAN | frozenset("pro max plus mini".split())
_HAN_VERSION_RE = re.compile(r"[一二三四五六七八九十甲乙丙丁\d]+(?:[号期代世型].*)?")


def _is_version(gap: Units) -> bool:
    """Whether what one name has more tells one of a series from the next: r2, 3, iii, b; 二号 (but 九章 does not)."""
    if not gap:
        return False
    if is_han("".join(gap)):
        return bool(_HAN_VERSION_RE.fullmatch("".join(gap)))
    return any(_is_serial(unit) for unit in gap)


def _is_serial(unit: str) -> bool:
    if any(char.isdigit() for char in unit) or unit in _SERIES:
        return True
    return len(unit) == 1 and unit.isascii() and unit.isalpha() and unit not in "aio"


def _is_acronym(short: Units, long: Units) -> bool:
    if len(short) != 1 or len(long) < 2 or is_han(short[0]):
        return False
    letters = short[0].replace(".", "")
    return 2 <= len(letters) <= 8 and letters == "".join(unit[0] for unit in long)
