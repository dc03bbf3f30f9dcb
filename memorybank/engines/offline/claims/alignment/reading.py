"""Texts into frames: sentences into clauses, clauses into what they state of numbers, dates, places, persons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memorybank.engines.offline.claims import dates
from memorybank.engines.offline.claims.alignment import moments, negations, numbers, persons, places
from memorybank.engines.offline.claims.alignment.clauses import Clause
from memorybank.engines.offline.claims.alignment.frames import Frame
from memorybank.engines.offline.claims.alignment.names import Span, find_names, units_of
from memorybank.engines.offline.claims.alignment.words import LISTS, any_of
from memorybank.engines.offline.claims.describe import is_chinese
from memorybank.engines.offline.claims.phrases import Units
from memorybank.engines.offline.claims.sources import source_en, source_zh
from memorybank.engines.offline.claims.tokens_en import capitalised
from memorybank.text import sentences

_CACHE_SIZE = 4096
_LONGEST_SENTENCE = 400
"""Characters; anything longer is a table or a dump and is left alone."""
_LONGEST_HEADING = 60

_CUT_RE = re.compile(
    r"[，；：。！？;:!?]|,(?!\d{3})\s|\s[-–—]+\s|——|[()（）]"
    r"|(?:,\s|\s)(?:and|but|while|whereas|which|who|because)\s"
    r"(?=[^,;]*\b(?:was|were|is|are|has|had|have|could|can|did|does|not|[a-z]+ed)\b)"
)
_DATE_ALONE_RE = re.compile(
    r"\s*[在于]?[\d一二三四五六七八九〇零十]{1,4}[年月日][\d一二三四五六七八九十年月日初底中末旬春夏秋冬季]*"
)
_SPEAKER_RE = re.compile(
    r"\s*[\u4e00-\u9fff]{1,8}(?<![小传学据听解演名简俗通])(?:说|称|表示|介绍|指出|透露|写道|回忆)(?=这里|那里|此处|它|该)"
)
_PLACE_TAIL_RE = re.compile(r"\b(?:in|at|from|near|of)\s+[A-ZÀ-Þ][\w’'.-]*(?:\s+[A-ZÀ-Þ][\w’'.-]*)*\s*$")
_UNSURE_EN_RE = re.compile(
    rf"\bmay\b|(?i:\b(?:{any_of((*LISTS.ordered('unsure_en'), *LISTS.phrases('unsure_phrases_en')))})\b)"
)
_UNSURE_ZH_RE = re.compile(any_of(LISTS.ordered("unsure_han")))


@lru_cache(maxsize=_CACHE_SIZE)
def read(text: str, topic: str = "") -> tuple[Frame, ...]:
    """The frames of a text, in order; `topic` says what it is about when it only says "it"."""
    known = capitalised(text)
    topics = _topic_names(topic, known)
    carried: tuple[Units, ...] = ()
    frames: list[Frame] = []
    heading = ""
    for piece in sentences(text):
        sentence = text[piece.start : piece.end].strip()
        if not sentence or len(sentence) > _LONGEST_SENTENCE:
            continue
        names = tuple(find_names(sentence, known))
        if not frames and not heading and _is_heading(sentence):
            heading = sentence
        elif not sentence.endswith(("?", "？")) and not _is_denied(sentence):
            found = _frames(sentence, names, carried, topics)
            frames += (frame for frame in found if not (frame.kind == "place" and frame.value[:2] in heading))
        carried = tuple(units for _, _, units in names) or carried
    return tuple(frames)


def _topic_names(topic: str, known: frozenset[str]) -> tuple[Units, ...]:
    named = tuple(units for _, _, units in find_names(topic, known | frozenset(topic.lower().split())))
    return named or ((units_of(topic),) if topic else ())


def _is_denied(sentence: str) -> bool:
    """Whether it opens with a source that holds what it tells to be wrong."""
    source = source_zh(sentence) if is_chinese(sentence) else source_en(sentence)
    return source is not None and source.doubts


def _is_heading(sentence: str) -> bool:
    return sentence.startswith("#") or (len(sentence) < _LONGEST_HEADING and sentence[-1] not in ".。!！?？")


def _frames(
    sentence: str, names: tuple[Span, ...], carried: tuple[Units, ...], topics: tuple[Units, ...]
) -> Iterator[Frame]:
    days = dates.scan(sentence)
    inside = tuple(units for _, _, units in names)
    for start, end in _spans(sentence):
        earlier = tuple(units for at, _, units in names if at < start)
        known = (*reversed(earlier), *topics) if earlier else (*carried, *topics, *inside)
        clause = Clause(
            sentence=sentence, start=start, end=end, names=tuple(name for name in names if start <= name[0] < end),
            days=days, carried=tuple(dict.fromkeys(known)), chinese=is_chinese(sentence[start:end]),
        )  # fmt: skip
        yield from _stated(clause)


def _stated(clause: Clause) -> Iterator[Frame]:
    if (_UNSURE_ZH_RE if clause.chinese else _UNSURE_EN_RE).search(clause.text):
        return
    yield from negations.frames(clause)
    if negations.NEGATION_RE.search(clause.text):
        return
    yield from numbers.frames(clause)
    yield from moments.frames(clause)
    yield from places.frames(clause)
    yield from persons.frames(clause)


def _spans(sentence: str) -> Iterator[tuple[int, int]]:
    """Where the clauses of a sentence begin and end."""
    start = 0
    for match in _CUT_RE.finditer(sentence):
        if match[0].startswith(",") and _is_place_comma(sentence, match):
            continue
        if _DATE_ALONE_RE.fullmatch(sentence, start, match.start()):
            continue  # 1961年，他……: the date is of what follows
        if match.start() > start:
            yield _after_speaker(sentence, start, match.start()), match.start()
        start = match.end()
    if start < len(sentence):
        yield _after_speaker(sentence, start, len(sentence)), len(sentence)


def _after_speaker(sentence: str, start: int, end: int) -> int:
    """Where the words of a speaker begin, if they begin with a reference back: 主人说这里占地230亩."""
    match = _SPEAKER_RE.match(sentence, start, end)
    return match.end() if match else start


def _is_place_comma(sentence: str, match: re.Match[str]) -> bool:
    """The comma in "near Kourou, French Guiana", "9 May, 2020": it parts no clauses."""
    follower = sentence[match.end() : match.end() + 1]
    return (follower.isupper() and bool(_PLACE_TAIL_RE.search(sentence[: match.start()]))) or follower.isdigit()
