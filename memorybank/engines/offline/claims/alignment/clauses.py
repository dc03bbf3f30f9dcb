"""One clause of a sentence: its names and words in their places, and the words beside a value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memorybank.engines.offline.claims.alignment.frames import Atom, Frame, Kind, keys_of, overlaps
from memorybank.engines.offline.claims.alignment.names import Span
from memorybank.engines.offline.claims.alignment.words import HEDGING, LIGHT_STEMS, LISTS, any_of, stem, whole
from memorybank.engines.offline.claims.dates import Date
from memorybank.engines.offline.claims.phrases import Units, is_han
from memorybank.engines.offline.claims.words_en import FUNCTION, MONTHS_AND_DAYS

_WORD_RE = re.compile(r"[A-Za-zÀ-ɏ][\w’'-]*|[\u3400-\u9fff]|\d(?:[0-9A-Za-z.,%-]*[0-9A-Za-z])?")
_BACK_EN_RE = re.compile(r"^\W*(?:[a-z]+\s+)?(?:it|its|he|his|she|her|they|their|the|this)\b", re.IGNORECASE)
_BACK_ZH_RE = re.compile(r"^\W*(?:它|其|该|这|那里|此处|他|她|一共|共|总共|目前|如今)")
_LEAD_IN_RE = re.compile(r"(?:大约|约|将近|近|接近|超过|至少|最多|总共|一共|共|仅|只|为|有|达到|达|是|了|\s)+$")
_COUNTED_RE = re.compile(
    r"[多余]?[个台座条辆枚颗部本家所篇项款种层间张艘架只名位人件栋块片套根扇级次根支]?(?P<noun>[\u3400-\u9fff]{1,12})"
)
_NOUN_ENDS_RE = re.compile(r"[的和与及在，是由为了同来从以组拼时]")
_PERIODS = "|".join(sorted(word.capitalize() for word in MONTHS_AND_DAYS))
_SCOPE_RE = re.compile(
    f"{whole(LISTS.ordered('scope_en'))}|{any_of(LISTS.ordered('scope_han'))}|(?-i:\\b(?:{_PERIODS})s?\\b)",
    re.IGNORECASE,
)
_MOST_WORDS = 4
"""Words of a counted noun with what stands before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """`sentence[start:end]`, with the names in it, the dates of the whole sentence, and the names it may speak of."""

    sentence: str
    start: int
    end: int
    names: tuple[Span, ...]
    days: tuple[Date, ...]
    carried: tuple[Units, ...]
    chinese: bool

    @property
    def text(self) -> str:
        return self.sentence[self.start : self.end]

    def frame(self, kind: Kind, start: int, end: int, drop: tuple[tuple[int, int], ...] = ()) -> Frame:
        """The clause without the value at `start` to `end` and the spans to drop."""
        holes = [(start, end), *self.dated()]
        atoms = tuple(self._atoms([*holes, *drop]))
        back = (_BACK_ZH_RE if self.chinese else _BACK_EN_RE).search(self.text)
        return Frame(
            kind=kind, sentence=self.sentence, start=start, end=end, atoms=atoms, clause=self.text, keys=keys_of(atoms),
            carried=self.carried, names=tuple(atom for atom in atoms if atom.name),
            years=tuple(day for day in self.days if not (day.start <= start < day.end)), points_back=bool(back),
            scope=self._scope(holes),
        )  # fmt: skip

    def _atoms(self, holes: list[tuple[int, int]]) -> Iterator[Atom]:
        found: list[Atom] = []
        blocked = list(holes)
        for start, end, units in self.names:
            if not overlaps(start, end, holes):
                found.append(Atom(start=start, end=end, key=" ".join(units), name=units))
                blocked.append((start, end))
        for match in _WORD_RE.finditer(self.sentence, self.start, self.end):
            if overlaps(*match.span(), blocked):
                continue
            key = match[0] if is_han(match[0]) else stem(match[0])
            if is_han(key) or key not in LIGHT_STEMS:
                found.append(Atom(start=match.start(), end=match.end(), key=key))
        return iter(sorted(found, key=lambda atom: atom.start))

    def _scope(self, holes: list[tuple[int, int]]) -> frozenset[str]:
        found = _SCOPE_RE.finditer(self.sentence, self.start, self.end)
        return frozenset(match[0].lower() for match in found if not overlaps(*match.span(), holes))

    def dated(self) -> list[tuple[int, int]]:
        """Where the dates of the sentence stand."""
        return [(day.start, day.end) for day in self.days]

    def own_days(self) -> list[Date]:
        return [day for day in self.days if self.start <= day.start < self.end]

    def before(self, at: int) -> str:
        """The content word nearest before the value, in Chinese the last character of verb or attribute; no name."""
        text = self.sentence[self.start : at]
        if self.chinese:
            bare = _LEAD_IN_RE.sub("", text)
            return bare[-1:] if is_han(bare[-1:]) and not self._names_at(self.start + len(bare) - 1) else ""
        for match in reversed(list(_WORD_RE.finditer(text))):
            if self._names_at(self.start + match.start()):
                return ""
            if any(day.start <= self.start + match.start() < day.end for day in self.days):
                continue
            if (key := stem(match[0])) not in LIGHT_STEMS and not match[0][0].isdigit() and key not in HEDGING:
                return key
        return ""

    def after(self, at: int) -> str:
        """The words that follow the value directly, up to the next function word."""
        rest = self.sentence[at : self.end]
        if self.chinese:
            match = _COUNTED_RE.match(rest)
            return (_NOUN_ENDS_RE.split(match["noun"])[0] or match[0][:1]) if match else ""
        found: list[str] = []
        for match in re.finditer(r"\s?-?([A-Za-zÀ-ɏ][\w’'-]*)|\S", rest):
            word = match[1] or ""
            if not word or word.lower() in FUNCTION or self._names_at(at + match.start(1)) or len(found) == _MOST_WORDS:
                break
            found.append(stem(word))
        return " ".join(found)

    def _names_at(self, at: int) -> bool:
        return any(start <= at < end for start, end, _ in self.names)
