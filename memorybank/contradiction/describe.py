"""Frames in plain words: the public claim of a frame, and the reason of a contradiction, in its language."""

from __future__ import annotations

import re

from memorybank.contradiction import words, words_en, words_zh
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.relation_words import LISTS
from memorybank.language.inflection import lemma_of
from memorybank.language.text import detect_lang
from memorybank.memory.types import Claim, Lang


def is_chinese(text: str) -> bool:
    return detect_lang(text) == "zh"


_RELATIONS: dict[Lang, dict[str, tuple[str, ...]]] = {"en": LISTS.classes("told_en"), "zh": LISTS.classes("told_zh")}
_EXISTENCE: dict[Lang, str] = {"en": "existence", "zh": "存在"}


def claim_of(frame: Frame, topic: str = "") -> Claim:
    """The public form of a frame. `topic`: what it is said of, where its grammar does not tell."""
    time = next((frame.sentence[date.start : date.end] for date in frame.times if date is not frame.date), "")
    return Claim(
        text=frame.sentence, kind=frame.kind, subject=topic or frame.entity.text,
        attribute=attribute_of(frame), value=frame.value, unit=unit_of(frame), time=time, polarity=frame.polarity,
    )  # fmt: skip


def unit_of(frame: Frame) -> str:
    """The counted noun, or the unit's name; a unit of measure is part of the value as well."""
    if frame.measure is None:
        return ""
    return frame.measure.noun_text or (frame.measure.quantity.unit.name if frame.measure.quantity.unit else "")


def attribute_of(frame: Frame) -> str:
    """What is said of the subject, in a word of the sentence itself, or the relation's name; empty without one."""
    lang = detect_lang(frame.sentence)
    if frame.found_by == "relations":
        return " ".join(_RELATIONS[lang][frame.relation])
    if frame.found_by == "denials":
        return _EXISTENCE[lang]
    if frame.kind in ("negation", "text"):
        return frame.verb if frame.verb in frame.sentence.casefold() else ""
    if frame.kind == "number":
        return _measured(frame)
    return _written(frame, frame.relation.rpartition(":")[2].lstrip("&") or frame.verb)


def _measured(frame: Frame) -> str:
    """What is counted; of a quantity with a unit of measure what is measured."""
    measure = frame.measure
    assert measure is not None
    if measure.noun and not measure.quantity.unit:
        return measure.noun_text
    for key in sorted(key for key in frame.attribute if key.startswith("@")):
        if word := _written(frame, key[1:]):
            return word
    return ""


_WORD_RE = re.compile(r"[^\W\d_]+")


def _written(frame: Frame, wanted: str) -> str:
    """The word of the sentence that means a verb or an attribute, the one nearest to the value."""
    placed = _han_words(frame.sentence, wanted) if is_chinese(frame.sentence) else _words(frame.sentence, wanted)
    return min(placed, key=lambda word: (abs(word[1] - frame.start), -len(word[0])), default=("", 0))[0]


def _words(sentence: str, wanted: str) -> list[tuple[str, int]]:
    placed = []
    for match in _WORD_RE.finditer(sentence):
        low = match[0].casefold()
        lemma = lemma_of(low)
        meanings = {low, lemma, words_en.VERB_CLASS.get(lemma), words_en.NOMINAL.get(low), words_en.ROLE_OF.get(low)}
        if wanted in meanings | {words_en.ATTRIBUTE_OF.get(low), words_en.ATTRIBUTE_OF.get(lemma)}:
            placed.append((match[0], match.start()))
    return placed


def _han_words(sentence: str, wanted: str) -> list[tuple[str, int]]:
    known = {wanted} if wanted and wanted in sentence else set()
    for meanings in (words_zh.VERB_CLASS, words_zh.ATTRIBUTE_OF, words_zh.ROLE_OF):
        known.update(word for word, meaning in meanings.items() if meaning == wanted and word in sentence)
    whole = [word for word in known if not any(word != other and word in other for other in known)]
    return [(word, match.start()) for word in whole for match in re.finditer(re.escape(word), sentence)]


def reason(left: Frame, right: Frame, topic: str = "") -> str:
    """Why two frames contradict each other: subject, attribute and both values."""
    return words.reason(claim_of(left, topic), claim_of(right, topic))
