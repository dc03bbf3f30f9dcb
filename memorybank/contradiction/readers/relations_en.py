"""English sentences into the frames of known relations: the name or place beside the words of a relation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from memorybank.contradiction import words_en
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.relation_words import (
    KINDS,
    LISTS,
    WORD_RE,
    Trigger,
    Value,
    is_past,
    relation_frame,
    triggers,
)
from memorybank.language import dates
from memorybank.language.dates import Date

_UP = "A-ZÀ-ÖØ-ÞĀĆČĐĒĘĚĞİŁŃŇŌŐŘŚŠŞŤŪŮŹŻŽ"
_WORD = rf"(?:(?:[{_UP}]\.)+|[{_UP}][\w’'&-]*)"
NAME = rf"{_WORD}(?:\s+(?:(?:de|van|von|der|den|la|bin|al)\s+)?{_WORD})*(?:\s+\d{{1,2}}(?![\d:.-]|,\s\d{{4}}))?"
_NAME_RE = re.compile(NAME)
_TOKEN_RE = re.compile(r"[^\W_][\w’'&.-]*[^\W_]|[^\W_]|\S")
_OF_NAME_RE = re.compile(
    rf"\s*(?:of|for|at|in)\s+(?:the\s+)?(?:(?:movie|film|show|novel|book)\s+)?[\"“‘']?(?P<name>{NAME})"
)
_BEFORE_NAME_RE = re.compile(rf"(?P<name>{NAME})(?:['’]s)?\s*$")
_QUOTED_RE = re.compile(r"[\"“‘'](?P<name>[A-Z][^\"“”‘’]{1,40})[\"”’']")
_FILLERS_RE = re.compile(
    r"(?:[\s,]|\([^()]*\)|(?:(?<=\s)|(?<=^))(?:has|have|had|is|was|also|then|who|later|been|just|already|will|today|once|"
    r"co-founded|[a-z]+ly|on \w+day|and|then|the|eventual|\$?[\d.,]+|billion|million)(?=\s))*$"
)
_PASSIVE_RE = re.compile(r"\b(?:was|were|is|are|be|been|being)\s+(?:\w+ly\s+)?$", re.IGNORECASE)
_BY_RE = re.compile(r"\s+by\b")
_APPOSITION_RE = re.compile(
    rf"(?:^|[.;:·]\s|\.\.\.\s)\W*(?P<name>{NAME})(?:\s*\([^()]*\))?,\s+(?:a|an|the|who|which|whose)\s[^;.]*,\s*$"
)
"""X, a teacher in Las Vegas, … : the subject before its apposition."""
_AGREED_RE = re.compile(rf"(?:^|[.;:·]\s|\.\.\.\s)\W*(?P<name>{NAME})\s+[a-z][^;]{{0,90}}\bto\s+$")
"""X announced that it had agreed to …"""
_GOVERNED_RE = re.compile(r"\b(?:in|of|for|at|by|from|with|to|against|over|after|as)\s+(?:the\s+)?$")
_LIKE_DEMONYM_RE = re.compile(r"[a-z]{3,}(?:ian|ish|ese|born|based)$")
_STOPS = frozenset(
    "and with after who which that when while but from on than or if before since until during including like".split()
)
_FRONTED_RE = re.compile(r"(?:^|[.;:·]\s|\.\.\.\s)\W*(?:After\s+)?[Hh]aving\b(?:\s+[a-z]+ly)?(?:\s+[a-z]+)?$")
_FRONTED_NAME_RE = re.compile(
    rf"[^,;.]{{0,80}},\s+(?P<name>{NAME})\s+(?:[a-z]+ed|is|was|has|had|will|would|became|went|now)\b"
)
"""Having staged it in 2008, X is …: the subject behind what it did."""
_LED_BY_TITLE_RE = re.compile(r"\s(?:To|Of|In|At|By|For|On|As|Is|Was|Are|Be|The|And|With|From|Over|After|Has)(?=\s|$)")
"""A headline has a capital on every word: the name ends before such a one, and before its verb."""
_HEADLINE_VERB_RE = re.compile(r"\s[A-Z][a-z]+(?:ed|s)$")
_ON_DAY_RE = re.compile(r",?\s+on\s+(?:\w+day,?\s+)?$")
_IN_CITY_RE = re.compile(
    rf"^[\s,]*(?:(?:at|the|in)\s+)*(?:{NAME}[\s,]+in\s+)?(?:the\s+)?(?P<name>{NAME}(?:,\s+{NAME})?)"
)
_MARK_RE = re.compile(
    r"\b(?:(?:season|part|episode|round|chapter|volume)\s+(?:\d+|[ivxl]+)|\d+(?:st|nd|rd|th)|first|second|third|fourth|"
    r"fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)\b",
    re.IGNORECASE,
)
_OPENING_RE = re.compile(
    r"\W*(?:(?:the|a|an|in)\s+)?(?:\d{4}\s+)?\W*|[A-Z][a-z]{2} \d+, \d{4} \.\.\. .{0,8}", re.IGNORECASE
)
_IS_RE = re.compile(r"\s+(?:is|was|were|has been|have been)\s+")
_OPPOSING_RE = re.compile(
    r"beats?|defeat(?:s|ed)|bt|lost|lose|lost\s+to|losing\s+to|(?:defeated|beaten)\s+by", re.IGNORECASE
)
_PRIZES = frozenset({"prize", "award", "medal", "oscar"})
_PRIZE_FOR_RE = re.compile(r"(?P<prize>\s+(?:prize|award|medal))?\s+(?:in|for)\s+(?:the\s+)?(?P<field>[\w’'-]+)")
"""The Prize in Physics is not the Prize in Literature."""
_MOST_FILLERS = 5
_NOT_NAMES = words_en.FUNCTION | words_en.PERIODS | words_en.DEMONYMS
_CONTESTS = LISTS.words("contests_en")
_HEADLINE_VERBS = LISTS.words("headline_verbs_en")
_TITLES = LISTS.words("titles_en")


def fold(text: str) -> str:
    """Lower case, without accents."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(char for char in plain if not unicodedata.combining(char)).casefold().replace("’", "'")


def words_of(name: str) -> tuple[str, ...]:
    return tuple(re.sub(r"'s?$", "", word) for word in re.findall(r"[\w'-]+", fold(name)))


def frames(sentence: str) -> Iterator[tuple[int, Frame]]:
    """The frames of a sentence, each with the characters between the words of the relation and the value."""
    days = dates.scan(sentence)
    undated = _without_days(sentence, days)
    words = frozenset(WORD_RE.findall(sentence.casefold()))
    for trigger in triggers("en"):
        if words.isdisjoint(trigger.firsts):
            continue
        for match in trigger.pattern.finditer(undated if KINDS[trigger.relation] == "place" else sentence):
            if is_past(trigger, sentence[: match.start()]):
                continue
            span = _value(sentence, trigger, match)
            if span is None:
                continue
            start, end = span
            yield max(start - match.end(), match.start() - end), relation_frame(
                trigger.relation, sentence, span,
                units=words_of(sentence[start:end]), days=days,
                subjects=_subjects(sentence, trigger, match, start, end),
                periods=frozenset(mark[0].lower() for mark in _MARK_RE.finditer(sentence)),
            )  # fmt: skip


def _without_days(sentence: str, days: tuple[Date, ...]) -> str:
    """The sentence with its days blanked out, of the same length: "held on 3 May 2014, at" is held at."""
    for day in days:
        lead = _ON_DAY_RE.search(sentence[: day.start])
        if lead:
            end = day.end + (sentence[day.end : day.end + 1] == ",")
            sentence = sentence[: lead.start()] + " " * (end - lead.start()) + sentence[end:]
    return sentence


def _value(sentence: str, trigger: Trigger, match: re.Match[str]) -> Value | None:
    kind = KINDS[trigger.relation]
    if trigger.after and kind == "place":
        return _place_after(sentence, match.end())
    return _name_after(sentence, match.end(), kind) if trigger.after else _name_before(sentence, match, kind)


def _place_after(sentence: str, at: int) -> Value | None:
    match = _IN_CITY_RE.match(sentence[at:])
    if not match or set(words_of(match["name"])) & (_NOT_NAMES | _CONTESTS):
        return None
    return at + match.start("name"), at + match.end("name")


def _name_after(sentence: str, at: int, kind: str) -> tuple[int, int] | None:
    of = _OF_NAME_RE.match(sentence, at)
    at = of.end() if of else at
    skipped = 0
    first = True
    while token := _TOKEN_RE.search(sentence, at):
        word = token[0]
        if word in ".!?;" and not first:
            return None
        if re.match(rf"[{_UP}]", word):
            name = _NAME_RE.match(sentence, token.start())
            assert name is not None
            span = _trimmed(sentence, name.start(), name.end(), kind)
            if span and not _LIKE_DEMONYM_RE.fullmatch(fold(sentence[slice(*span)])):
                return span
            at = name.end()
            skipped += 1
        else:
            if word.isalnum() and (word in _STOPS or skipped >= _MOST_FILLERS):
                return None
            skipped += word.isalnum()
            at = token.end()
        if skipped > _MOST_FILLERS:
            return None
        first = False
    return None


def _name_before(sentence: str, match: re.Match[str], kind: str) -> tuple[int, int] | None:
    if _BY_RE.match(sentence, match.end()):
        return None
    lead = sentence[: match.start()]
    if match[0][0] == "," and not match[0].endswith("of") and re.match(rf"\s+[{_UP}]", sentence[match.end() :]):
        return None  # ", director Mara Ellison" tells of who follows
    if _FRONTED_RE.search(sentence[: match.end()]):
        behind = _FRONTED_NAME_RE.match(sentence, match.end())
        return _trimmed(sentence, *behind.span("name"), kind) if behind else None
    if not re.search(r"\s", match[0]) and _PASSIVE_RE.search(lead):
        return None
    fillers = _FILLERS_RE.search(lead)
    rest = lead[: fillers.start()] if fillers else lead
    name = _APPOSITION_RE.search(lead) or _AGREED_RE.search(lead) or _BEFORE_NAME_RE.search(rest)
    if name is None or (match[0][0] != "," and _GOVERNED_RE.search(sentence[: name.start("name")])):
        return None  # but "in the office of X, CEO of …"
    return _trimmed(sentence, name.start("name"), name.end("name"), kind)


def _trimmed(sentence: str, start: int, end: int, kind: str) -> tuple[int, int] | None:
    """The name without what stands before it (Polish, Slovenia's, President); None if it is none of the kind."""
    words = list(re.finditer(r"\S+", _before_headline(sentence[start:end])))
    while words and _is_lead(words[0][0], len(words)):
        words.pop(0)
    if not words:
        return None
    begin, stop = start + words[0].start(), start + words[-1].end()
    value = re.sub(r"['’]s?$", "", sentence[begin:stop])
    plain = words_of(value)
    if plain[:1] and plain[0] in _HEADLINE_VERBS:
        return None
    if set(plain) & (_CONTESTS | words_en.MONTHS_AND_DAYS) or all(word in _NOT_NAMES for word in plain):
        return None
    if kind == "person" and not 2 <= len(plain) <= 4:
        return None
    if len(plain) > 5 or len(value) < 3:
        return None
    return begin, begin + len(value)


def _before_headline(run: str) -> str:
    """The name that a headline with a capital on every word opens with."""
    cut = _LED_BY_TITLE_RE.search(run)
    return _HEADLINE_VERB_RE.sub("", run[: cut.start()]) if cut and cut.start() else run


def _is_lead(word: str, count: int) -> bool:
    low = fold(word)
    parts = low.replace("-", " ").split()
    return (
        low in _NOT_NAMES
        or low.strip(".") in _TITLES
        or (count > 1 and bool(re.search(r"['’]s?$", word)))
        or all(part in words_en.DEMONYMS for part in parts)
    )


def _names(sentence: str) -> list[tuple[int, int, frozenset[str]]]:
    spans = []
    for pattern, group in ((_QUOTED_RE, "name"), (_NAME_RE, 0)):
        for match in pattern.finditer(sentence):
            words = frozenset(word for word in words_of(match[group]) if word not in _NOT_NAMES | _TITLES)
            if words:
                spans.append((match.start(group), match.end(group), words | _field(sentence, match.end(group), words)))
    return spans


def _field(sentence: str, end: int, words: frozenset[str]) -> frozenset[str]:
    """What a prize is given for, behind its name."""
    match = _PRIZE_FOR_RE.match(sentence, end)
    if match is None or not (match["prize"] or words & _PRIZES):
        return frozenset()
    return frozenset((*words_of(match["field"]), *words_of(match["prize"] or "")))


def _subjects(
    sentence: str, trigger: Trigger, match: re.Match[str], start: int, end: int
) -> tuple[frozenset[str], ...]:
    """What a relation may be said of: the name the sentence opens with, one after of, the nearest one, a quoted one.

    Behind "beat" stands who was beaten, who is not what is spoken of.
    """
    masked = _masked(sentence, (start, end), match.span())
    names = _names(masked)
    subjects = [words for at, _, words in names if _OPENING_RE.fullmatch(sentence[:at])]
    of = _OF_NAME_RE.match(masked, match.end())
    if of:
        subjects.append(frozenset(words_of(of["name"])) - _NOT_NAMES)
    follows = not trigger.after and not _OPPOSING_RE.fullmatch(match[0])
    subjects += [
        words
        for at, stop, words in names
        if 0 <= match.start() - stop <= 3
        or _IS_RE.fullmatch(masked, stop, match.start())
        or (follows and 0 <= at - match.end() <= 20)
    ]
    subjects += [words for at, _, words in names if at and sentence[at - 1] in "\"“‘'"]
    return tuple(
        dict.fromkeys(words for words in subjects if words - _CONTESTS - words_en.DEMONYMS - LISTS.words("forms_en"))
    )


def opening_name(text: str) -> frozenset[str]:
    """The words of the name that a text begins with; empty if it begins with another word."""
    return next((words for at, _, words in _names(text) if _OPENING_RE.fullmatch(text[:at])), frozenset())


def names_in(text: str) -> list[str]:
    """The names of a text as they are written, without those that are only a country or a month."""
    return [text[start:end] for start, end, _ in _names(text)]


def _masked(sentence: str, *spans: tuple[int, int]) -> str:
    """The sentence with stretches blanked out, of the same length: a name does not reach across them."""
    for start, end in spans:
        sentence = sentence[:start] + "\0" * (end - start) + sentence[end:]
    return sentence
