"""Frames in plain words: the public claim of a frame, and the reason of a contradiction, in its language."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memorybank.contradiction import words_en, words_zh
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.matter import listed, matter, quoted, short
from memorybank.contradiction.relation_words import LISTS
from memorybank.language import values
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
    words = _han_words(frame.sentence, wanted) if is_chinese(frame.sentence) else _words(frame.sentence, wanted)
    return min(words, key=lambda word: (abs(word[1] - frame.start), -len(word[0])), default=("", 0))[0]


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
    lang = detect_lang(left.sentence)
    subject = topic or (left if left.entity.units or not right.entity.units else right).entity.text
    if left.kind in ("negation", "text") or right.kind in ("negation", "text"):
        return listed([quoted(short(frame.value)) for frame in (left, right)], matter(subject, ""), lang)
    # The chief engineer of the bridge: the subject says it already.
    attribute = "" if left.relation.startswith("role:") else attribute_of(left)
    return reason_of([claim_of(left), claim_of(right)], attribute, subject, lang)


def reason_of(claims: Sequence[Claim], attribute: str, subject: str, lang: Lang) -> str:
    """Values of one thing that stand against each other; the attribute is left out where they say it."""
    values = [shown(claim) for claim in claims]
    about = matter(subject, "" if any(attribute in value for value in values) else attribute, claims)
    return listed(values, about, lang)


_BOUND_RE = re.compile(
    r"(?:more than|less than|fewer than|over|about|around|roughly|nearly|almost|at least|at most|up to|some)\s+$"
    r"|(?:超过|不到|大约|将近|接近|至少|最多|多达|约为?|近)$",
    re.IGNORECASE,
)


def _bounded(claim: Claim) -> str:
    """A value with the word before it that says it is a bound, or about right: more than 2,600."""
    value = claim.value.strip()
    before = claim.text.partition(value)[0]
    bound = _BOUND_RE.search(before) if value[:1].isdigit() else None
    return f"{bound[0]}{value}" if bound else value


def shown(claim: Claim) -> str:
    """A value with what it counts, as the text writes it: 105 superconducting qubits, 76个光子; but 2.8吨 as it is."""
    value, unit = _bounded(claim), claim.unit.strip()
    if (
        not unit
        or unit.casefold() in value.casefold()
        or any(quantity.unit is not None for quantity in values.scan(value))
    ):
        return value
    written = re.search(rf"{re.escape(value)}[^,.;:()，。；：、（）]{{0,24}}?{re.escape(unit)}", claim.text)
    return written[0] if written else value
