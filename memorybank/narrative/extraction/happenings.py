"""Events that an author's turn tells of by themselves: one on record that took place, or a whole sentence of a chapter.

    "In chapter 4 the mill fire broke out."  磨坊大火发生在第四章。       an event on record happened
    "In chapter 4 the bridge burned down."   第四章桥烧毁了。             an event of its own: the bridge burned down

A sentence is an event of its own only where it begins with its chapter, tells a deed as past, and gives no other row.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from memorybank.narrative.extraction.coming import Past, past_of_clause
from memorybank.narrative.extraction.dating import chapters_named
from memorybank.narrative.extraction.mentions import Named, Names
from memorybank.narrative.types import EntityKind, entity_key
from memorybank.text import Piece, sentences
from memorybank.types import Lang


@dataclass(frozen=True, slots=True)
class Happening:
    event: Named
    span: Piece
    """Of its sentence."""
    verb: int
    """Where the verb begins, in characters of the text."""
    whole: bool
    """The sentence is the event."""


def happenings(text: str, lang: Lang, events: Names, told: Collection[int]) -> Iterator[Happening]:
    """`told`: places in sentences that give rows of their own."""
    mentions = events.find(text)
    for piece in sentences(text):
        inside = [one for one in mentions if piece.start <= one.start < piece.end]
        known = next((one for one in inside if _took_place(text, one.start, one.end, lang)), None)
        if known is not None:
            yield Happening(known.named, piece, known.end, whole=False)
        elif not inside and not any(piece.start <= place < piece.end for place in told):
            yield from _of_its_own(text, piece, lang)


_VERBS_EN: Final = (
    r"(?:broke\s+out|breaks\s+out|took\s+place|takes\s+place"
    r"|happened|happens|occurred|occurs|began|begins|started|starts)"
)
_AFTER_RE: Final = {
    "en": re.compile(rf"[”\"]?\s+(?:then\s+|finally\s+|also\s+)?{_VERBS_EN}(?!\s+(?:before|after|because)\b)"),
    "zh": re.compile(r"[”》」]?(?:就|便|终于|才|也)?(?:发生|爆发|烧起来|开始)"),
}
_BEFORE_ZH: Final = re.compile(r"(?:发生|爆发)了?[“《「]?$")


def _took_place(text: str, start: int, end: int, lang: Lang) -> bool:
    if _AFTER_RE[lang].match(text, end):
        return True
    return lang == "zh" and _BEFORE_ZH.search(text, max(0, start - 5), start) is not None


_LONGEST: Final = {"en": 70, "zh": 24}
"""Characters of a sentence that is an event; what is longer tells of more than one."""
_NOBODY_RE: Final = {
    "en": re.compile(r"(?:I|we|you|he|she|it|they|this|that|there|nothing|nobody|no)\b", re.IGNORECASE),
    "zh": re.compile(r"[我你您他她它咱这那没有]"),
}
"""Who speaks, or whoever was spoken of before: such a sentence does not tell by itself what happened."""
_STATE_RE: Final = re.compile(r"\b(?:was|were|is|are|seemed|felt|looked|had)\b(?!\s+(?:\w+ly\s+)?\w+(?:ed|en|t)\b)")
_AHEAD: Final = ("", "in", "在")


def _of_its_own(text: str, piece: Piece, lang: Lang) -> Iterator[Happening]:
    said = text[piece.start : piece.end].rstrip()
    chapter = next(chapters_named(said), None)
    if chapter is None or said[: chapter.start].strip().lower() not in _AHEAD or said.endswith(("?", "？")):
        return
    start = chapter.end + len(said[chapter.end :]) - len(said[chapter.end :].lstrip(" ,，:：里中"))
    name = said[start:].rstrip(" .。!！;；")
    if not 3 <= len(name) <= _LONGEST[lang] or _NOBODY_RE[lang].match(name) or re.search('[，,；;：:“”"]', name):
        return
    past = past_of_clause(name, -1, lang)
    if past is Past.NO or (lang == "en" and _STATE_RE.search(name)) or len(tuple(chapters_named(said))) > 1:
        return
    event = Named(entity_key(EntityKind.EVENT, name), EntityKind.EVENT, name)
    yield Happening(event, piece, piece.start + start, whole=True)
