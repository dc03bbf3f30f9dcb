"""Why something is so ("because …", 因为…), and which event led to which or came before which ("A caused B", A导致B).

Events are on record, or on a card of the turns. In words that the author settles an event may also be a phrase that
nobody has on record yet: "Settled: the burning of the mill caused the feud".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from memorybank.engines.offline.claims.words_zh import SURNAMES
from memorybank.narrative.extraction.dating import chapters_named
from memorybank.narrative.extraction.lists import any_of, lists
from memorybank.narrative.extraction.mentions import Mention, Named, Names
from memorybank.narrative.extraction.statements import Statement
from memorybank.narrative.types import BEFORE, CAUSES, EntityKind, entity_key
from memorybank.text import sentences
from memorybank.types import Lang

REASONED: Final = frozenset({"love", "hate", "know", "kill", "join", "own", "gain", "take_from", "give", "learn"})
"""Events of statements that have a reason of their own."""
_FOR: Final = frozenset({"love", "hate"})
"""Of these an English reason may stand after "for"."""
_LONGEST: Final = 120
"""Characters of a reason."""


# -- reasons ----------------------------------------------------------------------------------------------------------


def reason_of(one: Statement, text: str, lang: Lang) -> str:
    """Why it is so, in the words of its sentence; empty: none is said."""
    if one.event not in REASONED:
        return ""
    sentence = text[one.sentence.start : one.sentence.end]
    start, end = one.start - one.sentence.start, one.end - one.sentence.start
    found = _after(sentence[end:], one, lang) or _ahead(sentence[:start], lang)
    if not found and lang == "zh":
        verb = sentence.rfind(one.word, start, end) if one.word else -1
        found = _inside(sentence[start:verb]) if verb > start else ""
    return found.strip(" 　，,。.；;！!？?“”\"'’」』")[:_LONGEST]


def _after(rest: str, one: Statement, lang: Lang) -> str:
    match = _after_re(lang).match(rest)
    if match is None and lang == "en" and one.event in _FOR:
        match = _FOR_RE.match(rest)
    return match["why"] if match else ""


def _ahead(head: str, lang: Lang) -> str:
    match = _ahead_re(lang).search(head)
    return match["why"] if match else ""


def _inside(head: str) -> str:
    match = _inside_re().search(head)
    return match["why"] if match else ""


_REST: Final = r"[\w’'-]*"
"""Of a name: a statement ends within the one it ends with."""
_FOR_RE: Final = re.compile(
    rf"{_REST}(?:\s[A-Z]{_REST})*" + r"\s+for\s+(?P<why>(?!ever\b|good\b|years\b|a\s+(?:long|short)\b)[^.;!?,]{3,})"
)


@cache
def _after_re(lang: Lang) -> re.Pattern[str]:
    listed = lists(f"causes.{lang}")
    because, between = any_of(listed["because"], lang), any_of(listed["between"], lang)
    if lang == "zh":
        return re.compile(
            rf"(?![^，。；！？因由]*(?:并非|不))[^，。；！？]{{0,6}}?[，,]?(?:{between})?(?:{because})(?!此|而|着)"
            r"(?P<why>[^。；！？]+?)(?=[。；！？]|$|[，,](?:所以|因此|便|就|于是|但|可|却|故))"
        )
    return re.compile(
        rf"{_REST}(?:\s+(?!and\b|but\b|while\b|not\b)\w+){{0,4}}?,?\s+(?:(?:{between})\s+)?(?:{because})\s+"
        r"(?P<why>[^.;!?]+?)(?=[.;!?]|$|,\s+(?:and|but|so|yet|while)\b)",
        re.IGNORECASE,
    )


@cache
def _ahead_re(lang: Lang) -> re.Pattern[str]:
    because = any_of(lists(f"causes.{lang}")["because"], lang)
    if lang == "zh":
        return re.compile(
            rf"(?:^|[，,“])(?:{because})(?!此|而)(?P<why>[^。；！？]{{1,60}}?)[，,](?:所以|因此|便|就|故|于是)?$"
        )
    return re.compile(rf"^[\s“\"]*(?:{because})\s+(?P<why>[^.;!?]{{2,100}}?),\s+(?:\w+\s+){{0,2}}$", re.IGNORECASE)


@cache
def _inside_re() -> re.Pattern[str]:
    because = any_of(lists("causes.zh")["because"], "zh")
    return re.compile(rf"(?<!不)(?<!不是)(?:{because})(?!此)(?P<why>[^，。；！？]{{2,20}}?)(?:而|便|就|才|更|遂)?$")


# -- events -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tie:
    """One event led to another one, or came before it."""

    first: Named
    predicate: str
    second: Named
    place: int
    """Of the words that say so, in characters of the text."""
    start: int
    end: int
    """Of the sentence."""
    modal: bool
    """Said of what will or may come."""


def ties(text: str, lang: Lang, events: Names, *, settled: bool = False) -> Iterator[Tie]:
    """What the text says of known events; of new ones too when it is the author's settled wording."""
    mentions = events.find(text)
    if not mentions and not settled:
        return
    at = 0
    for piece in sentences(text):
        first = at
        while at < len(mentions) and mentions[at].end <= piece.end:
            at += 1
        found = mentions[first:at]
        said = list(_known(text, lang, found, piece.start, piece.end))
        if not said and settled:
            said = list(_phrases(text, lang, events, piece.start, piece.end))
        yield from said


def _known(text: str, lang: Lang, found: Sequence[Mention], start: int, end: int) -> Iterator[Tie]:
    for one, other in pairwise(found):
        between = text[one.end : other.start]
        for regex, trailer, predicate, forward in _forms(lang):
            match = regex.fullmatch(between)
            if match is None or (trailer and not trailer.match(text, other.end, end)):
                continue
            first, second = (one.named, other.named) if forward else (other.named, one.named)
            if first.key != second.key:
                modal = bool(match.groupdict().get("modal"))
                yield Tie(first, predicate, second, one.end + match.start("verb"), start, end, modal)
            break


_Form = tuple[re.Pattern[str], re.Pattern[str] | None, str, bool]
"""What stands between two events, what has to follow the second, the relation, and whether it leads to the second."""


@cache
def _forms(lang: Lang) -> tuple[_Form, ...]:
    listed = lists(f"causes.{lang}")

    def words(name: str) -> str:
        return any_of(listed[name], lang)

    def between(verbs: str, *, modal: str = "?") -> re.Pattern[str]:
        if lang == "zh":
            return re.compile(
                rf"[”》」]?[，,]?(?:{words('adverbs')})?(?P<modal>{words('modals')})?(?P<verb>{verbs})(?:了|出)?[“《「]?"
            )
        return re.compile(
            rf"[”\"]?,?\s+(?:(?:{words('adverbs')})\s+)?(?:(?P<modal>{words('modals')})\s+){modal}(?P<verb>{verbs})"
            r"\s+(?:the\s+|an?\s+|this\s+|that\s+)?[“\"]?",
            re.IGNORECASE,
        )

    if lang == "zh":
        ends = {name: re.compile(rf"[”》」]?(?:{words(name)})") for name in ("by_end", "before_end", "after_end")}
        return (
            (between(words("causes")), None, CAUSES, True),
            (between(words("caused_by")), None, CAUSES, False),
            (between(words("by")), ends["by_end"], CAUSES, False),
            (between(words("before")), None, BEFORE, True),
            (between(words("at")), ends["before_end"], BEFORE, True),
            (between(words("at")), ends["after_end"], BEFORE, False),
            (between(words("then")), None, BEFORE, True),
        )
    return (
        (between(words("causes")), None, CAUSES, True),
        (between(words("will_cause"), modal="{1}"), None, CAUSES, True),
        (between(words("caused_by")), None, CAUSES, False),
        (between(words("before")), None, BEFORE, True),
        (between(words("after")), None, BEFORE, False),
    )


def _phrases(text: str, lang: Lang, events: Names, start: int, end: int) -> Iterator[Tie]:
    """A whole settled sentence "one event caused another": the words on either side are the events."""
    chapter = next(chapters_named(text[start:end]), None)
    if chapter is not None and text[start : start + chapter.start].strip().lower() in ("", "in", "在"):
        start += chapter.end
        start += len(text[start:end]) - len(text[start:end].lstrip(" ,，:：里中"))
    match = _sentence_re(lang).fullmatch(text[start:end].strip())
    if match is None:
        return
    sides = [_event(match[name], lang, events) for name in ("first", "second")]
    first, second = sides
    if first is None or second is None or first.key == second.key:
        return
    if match.groupdict().get("back"):
        first, second = second, first
    place = text.index(match[0], start) + match.start("verb")
    yield Tie(first, CAUSES, second, place, start, end, bool(match["modal"]))


@cache
def _sentence_re(lang: Lang) -> re.Pattern[str]:
    listed = lists(f"causes.{lang}")
    causes, back, modals = (any_of(listed[name], lang) for name in ("causes", "caused_by", "modals"))
    if lang == "zh":
        return re.compile(
            rf"(?P<first>[^，。；：！？]{{2,30}}?)(?:{any_of(listed['adverbs'], lang)})?(?P<modal>{modals})?"
            rf"(?P<verb>{causes}|(?P<back>{back}))了?(?P<second>[^，。；：！？]{{2,30}})[。！]?"
        )
    coming = any_of(listed["will_cause"], lang)
    return re.compile(
        rf"(?P<first>[^,;:.!?]{{3,60}}?)\s+(?P<verb>{causes}|(?P<modal>{modals})\s+{coming}|(?P<back>{back}))"
        r"\s+(?P<second>[^,;:.!?]{3,60})[.!]?",
        re.IGNORECASE,
    )


def _event(phrase: str, lang: Lang, events: Names) -> Named | None:
    """The event that a phrase names: one on record, else a new one. None: it names somebody, or nothing."""
    phrase = phrase.strip(' “”"「」《》')
    whole = [one.named for one in events.find(phrase) if one.end - one.start >= len(phrase) - len("the ")]
    if whole:
        return whole[0]
    if phrase.lower() in lists(f"causes.{lang}")["no_event"] or not _tells_of_a_deed(phrase, lang):
        return None
    name = _ARTICLE_RE.sub("", phrase) if lang == "en" else phrase
    return Named(entity_key(EntityKind.EVENT, name), EntityKind.EVENT, name)


_ARTICLE_RE: Final = re.compile(r"^(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_OPENS_RE: Final = re.compile(r"(?:[Tt]he|[Aa]n?|[Hh]is|[Hh]er|[Tt]heir)\s|[\w’-]+['’]s\s|[a-z]|[A-Z][a-z]+ing\s")


def _tells_of_a_deed(phrase: str, lang: Lang) -> bool:
    """Not a bare name: "Lin caused the feud" makes no event of Lin."""
    if lang == "zh":
        return not (len(phrase) <= _NAME_ZH and phrase[:1] in SURNAMES) and phrase[:1] not in "这那他她它此"
    return _OPENS_RE.match(phrase) is not None


_NAME_ZH: Final = 3
"""Characters of a Chinese name, at most."""


def new_events(text: str, lang: Lang) -> frozenset[str]:
    """Names of the events that a settled text brings in by a phrase: no other name stands in them."""
    none = Names(())
    return frozenset(end.name for tie in ties(text, lang, none, settled=True) for end in (tie.first, tie.second))
