"""The answers of a text: values of the kind asked for, beside the attribute's words, in sentences on the subject."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from memorybank.engines.offline.claims.asked.answer import Answer
from memorybank.engines.offline.claims.asked.attributes import Attribute, Kind
from memorybank.engines.offline.claims.asked.marks import Marks, marks_at, marks_carried, restricted, within
from memorybank.engines.offline.claims.asked.measured import beside_words
from memorybank.engines.offline.claims.asked.question import Asked
from memorybank.engines.offline.claims.asked.setting_apart import other_years
from memorybank.engines.offline.claims.asked.subject import opens_with_another
from memorybank.engines.offline.claims.describe import is_chinese
from memorybank.engines.offline.claims.slots.english import fold
from memorybank.text import sentences
from memorybank.types import Lang

_LONGEST = 500
_CACHE_SIZE = 4096
_UNSURE_RE = re.compile(
    r"\b(?:if|may|might|could|would|perhaps|possibly|rumou?r\w*|not(?! (?:take |exceed |use |be )?(?:more|exceed)))\b"
    r"|如果|可能|或许|也许|传闻|并非|不是|尚未|没有",
    re.IGNORECASE,
)


@lru_cache(maxsize=_CACHE_SIZE)
def answers(text: str, asked: Asked) -> tuple[Answer, ...]:
    """In the order of the text, which is read once however many it is compared with.

    Sentences follow the one that names the subject until another thing is named.
    """
    return tuple(_answers(text, asked))


_SET_ASIDE: dict[Kind, frozenset[str]] = {
    "place": frozenset({"age", "sex", "year-part"}),
    "date": frozenset({"age", "sex", "year-part"}),
}
"""Born in June as the third of five children."""


def _answers(text: str, asked: Asked) -> Iterator[Answer]:
    spoken_of = False
    carried: Marks = frozenset()
    for piece in sentences(text):
        sentence = text[piece.start : piece.end].strip()
        named = asked.subject.names_own(sentence)
        if named is not None:
            spoken_of, carried = named, marks_carried(sentence)
        elif opens_with_another(sentence):
            spoken_of = False
        if not spoken_of or len(sentence) > _LONGEST or sentence.endswith(("?", "？")):
            continue
        for answer in _of_kind(sentence, asked):
            said = marks_at(sentence, answer.start, carried)
            said -= within(said, _SET_ASIDE.get(asked.attribute.kind, frozenset()))
            if not (
                asked.subject.is_anothers(sentence, answer.told_from, strictly=asked.attribute.object)
                or restricted(said, asked.marks)
                or other_years(sentence, asked.reference, (answer.start, answer.end))
            ):
                yield replace(answer, marks=said)


def _of_kind(sentence: str, asked: Asked) -> Iterator[Answer]:
    attribute = asked.attribute
    lang: Lang = "zh" if is_chinese(sentence) else "en"
    if attribute.object and not shares_object(sentence, asked):
        return
    if attribute.kind in ("property", "place", "word"):
        found = (_properties if attribute.kind == "property" else _shapes)(sentence, attribute, lang)
        near = min(found, key=lambda one: _from_object(one, asked), default=None) if attribute.object else None
        yield from [near] if near else found
    elif not _UNSURE_RE.search(sentence) or attribute.kind == "date":
        yield from beside_words(sentence, attribute, lang, asked.object)


def shares_object(sentence: str, asked: Asked) -> bool:
    """Whether a sentence has half of the words that the question has besides its subject and what it asks."""
    said = fold(sentence)
    return 2 * sum(word in said for word in asked.object) >= len(asked.object)


def _from_object(answer: Answer, asked: Asked) -> int:
    """Characters between a value and the nearest word of what it is asked of."""
    said = answer.sentence.casefold()
    places = [match.start() for word in sorted(asked.object) for match in re.finditer(re.escape(word), said)]
    return min((abs(answer.start - at) for at in places), default=answer.start)


def _properties(sentence: str, attribute: Attribute, lang: Lang) -> Iterator[Answer]:
    """Every place where it is said to hold or denied; words that deny have those of holding in them."""
    denied = [match.span() for match in attribute.denies[lang].finditer(sentence)]
    holds = [match.span() for match in attribute.tells[lang].finditer(sentence)]
    for start, end in denied:
        yield Answer(sentence=sentence, start=start, end=end, told_from=start, word="no")
    for start, end in holds:
        if not any(begin < end and start < stop for begin, stop in denied):
            yield Answer(sentence=sentence, start=start, end=end, told_from=start, word="yes")


def _shapes(sentence: str, attribute: Attribute, lang: Lang) -> Iterator[Answer]:
    for shape in attribute.reads[lang]:
        for match in shape.finditer(sentence):
            start, end = match.span("value")
            yield Answer(
                sentence=sentence, start=start, end=end, told_from=match.start(), word=match["value"].casefold()
            )
