"""The votes in the evidence of a verdict, whoever stated it: one rule for both engines.

A vote is a passage that stands word for word in the source named for it; the source is no party and repeats none that
was counted. A resolved point stands on at least one such source, a third value on two; each on more than any other.

Two documents that share a passage are one source, by shingles after Broder (1997), "On the resemblance and containment
of documents": runs of words, or of Han characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from memorybank.language.figures import states
from memorybank.language.quotation import names, place
from memorybank.language.text import HAN, is_han, one_form, source_key
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import SIDES, ClaimVerdict, ConflictStatus, Evidence, Lang
from memorybank.prompts import say


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePassage:
    source: str
    """Name of the document; passages of one document share one vote."""
    text: str
    """A passage or the whole document, in one form."""
    party: Literal["left", "right"] | None = None
    """The document that the left or right side of the conflict stands in."""
    shown_by: str = ""
    """The page or document that shows the image whose text this is: it speaks there, once. Empty for others."""

    def __post_init__(self) -> None:
        """Brings the text to one form."""
        object.__setattr__(self, "text", one_form(self.text))

    @property
    def document(self) -> str:
        return self.shown_by or self.source


def judged(
    piece: Evidence, home: SourcePassage, parties: Iterable[SourcePassage], heard: Iterable[SourcePassage]
) -> Evidence:
    """Return a passage that speaks for a value with what it counts for: it is a vote, a party, or a copy of another.

    `home` is the source that it stands in; `heard` are the sources that were counted before it on the same point.
    """
    parties = list(parties)
    if any(home.document == party.document for party in parties):
        return replace(piece, independent=False, refused="party")
    for other in (*parties, *heard):  # of one document are an image and the page that shows it
        is_one, is_same = home.document == other.document, home.source == other.source
        if not is_same if is_one else near_identical(home.text, other.text):
            return replace(piece, independent=False, refused="copy", copy_of=other.source)
    return piece


_WORDS = 6
_CHARACTERS = 10
_CONTAINED = 0.6
"""Share of the shorter text's shingles found in the longer one."""
_LONG_RUN = 20
"""Shared shingles that make a copied passage of any two documents: 25 words, or 29 characters."""
_TOKEN_RE = re.compile(rf"[{HAN}]|[^\W_{HAN}]+")


def near_identical(left: str, right: str) -> bool:
    """Whether one text is mostly contained in the other, or the two share a long passage."""
    left_shingles, right_shingles = _shingles(left), _shingles(right)
    if not left_shingles or not right_shingles:
        return _TOKEN_RE.findall(left.lower()) == _TOKEN_RE.findall(right.lower())
    shared = len(left_shingles & right_shingles)
    return shared >= _LONG_RUN or shared / min(len(left_shingles), len(right_shingles)) >= _CONTAINED


@lru_cache(maxsize=2048)
def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    tokens = tuple(_TOKEN_RE.findall(text.lower()))
    han = sum(map(is_han, tokens))
    size = _CHARACTERS if 2 * han > len(tokens) else _WORDS
    return frozenset(tokens[at : at + size] for at in range(len(tokens) - size + 1))


def checked(evidence: Iterable[Evidence], sources: Sequence[SourcePassage]) -> tuple[Evidence, ...]:
    """Return the evidence with each source by its own name; what is no vote although it was stated as one says why.

    `sources`: the passages that the parties stand on, and the text of every document that was read or is in memory.
    """
    parties = [source for source in sources if source.party]
    heard: list[tuple[SourcePassage, Evidence]] = []
    result = []
    for piece in evidence:
        home = _home(piece, sources)
        named = replace(piece, source=home.source) if home else piece
        if home is None or place(home.text, piece.quote) is None:
            named = replace(named, independent=False, refused="not_there" if home else "no_source")
        elif _is_vote(named):
            every = set(named.contradictions)  # one that names no point is on each
            alike = [
                to for to, other in heard if not every or not other.contradictions or every & {*other.contradictions}
            ]
            named = judged(named, home, parties, alike)
            heard += [(home, named)] if named.independent else []
        result.append(named)
    return tuple(result)


def _home(piece: Evidence, sources: Sequence[SourcePassage]) -> SourcePassage | None:
    """Return the source that is named; where none is, the one document that has the quote."""
    key = source_key(piece.source.strip())
    named = [source for source in sources if source_key(source.source) == key]
    saying = [source for source in named or sources if place(source.text, piece.quote)]
    if named:
        return (saying or named)[0]
    akin = [source for source in saying if names(piece.source, source.source)] or saying  # “[n2: a.md]”
    return akin[0] if len({source.document for source in akin}) == 1 else None


def _is_vote(piece: Evidence) -> bool:
    return piece.independent and piece.supports != "neither"


# -- whether a verdict stands -----------------------------------------------------------------------------------------


def speaking(ruled: StatedVerdict | ClaimVerdict, evidence: Iterable[Evidence]) -> list[Evidence]:
    """Return what supports a ruling, independent sources first; what was refused does not."""
    said = (piece for piece in evidence if piece.supports == (ruled.winner or "other") and _is_on(piece, ruled))
    return sorted((piece for piece in said if not piece.refused), key=lambda piece: not piece.independent)


def _is_on(piece: Evidence, ruled: StatedVerdict | ClaimVerdict) -> bool:
    return isinstance(ruled, StatedVerdict) or is_on(piece, ruled.contradiction)


def third_value(piece: Evidence, ruled: str) -> str:
    """Return the value beside both sides that a passage states, its own or the verdict's; empty for none."""
    values = (piece.value, ruled) if piece.supports == "other" else ()
    return next((value for value in values if value and states(piece.quote, value)), "")


def is_on(piece: Evidence, point: int) -> bool:
    """Whether a passage speaks on a point of its conflict; one that names no point speaks on each."""
    return not piece.contradictions or point in piece.contradictions


def unproven(verdict: StatedVerdict, lang: Lang) -> list[tuple[StatedVerdict | ClaimVerdict, str]]:
    """Return rulings for a side that the checked evidence does not bear, each with a sentence on what it lacks."""
    rulings: Sequence[StatedVerdict | ClaimVerdict] = verdict.claims or (verdict,)
    lacking = [(ruled, lack) for ruled in rulings if ruled.status.merges and (lack := _lack(ruled, verdict, lang))]
    return [
        (ruled, say("point_unproven", lang, id=verdict.conflict, number=ruled.contradiction, lack=lack))
        if isinstance(ruled, ClaimVerdict)
        else (ruled, say("verdict_unproven", lang, id=verdict.conflict, lack=lack))
        for ruled, lack in lacking
    ]


def _lack(ruled: StatedVerdict | ClaimVerdict, verdict: StatedVerdict, lang: Lang) -> str:
    """Return what a ruling lacks to stand; empty where it lacks nothing.

    Of several points, a passage that names none may speak for each, and is held against none.
    """
    own = [piece for piece in verdict.evidence if _is_on(piece, ruled)]
    named = [piece for piece in own if piece.contradictions or len(verdict.claims) < 2]
    side = ruled.winner or "other"
    votes = _votes(own, side)
    needed = 2 if ruled.status is ConflictStatus.BOTH_WRONG else 1
    if votes >= needed:
        most = max(_votes(named, rival) + (rival != "other") for rival in (*SIDES, "other") if rival != side)
        outvoted = votes + (side != "other") <= most  # each side has the voice of its own document as well
        return say("evidence_outvoted", lang) if outvoted else ""
    refused = [
        say(f"evidence_{piece.refused}", lang, quote=piece.quote, source=piece.source)
        for piece in own
        if piece.refused and piece.supports == side
    ]
    lacking = say("evidence_lacking", lang, count=votes, needed=needed)
    return say("evidence_between", lang).join([lacking, *refused])


def _votes(evidence: Iterable[Evidence], side: str) -> int:
    return len({piece.source for piece in evidence if _is_vote(piece) and piece.supports == side})
