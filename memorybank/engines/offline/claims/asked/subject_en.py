"""What an English question is about, and whether a sentence speaks of it or of something that bears its name."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from memorybank.engines.offline.claims import dates, words_en
from memorybank.engines.offline.claims.asked.attributes import attributes
from memorybank.engines.offline.claims.lexicon import lexicon
from memorybank.engines.offline.claims.slots.english import words_of
from memorybank.engines.offline.claims.slots.relations import LISTS

_UP = "A-ZÀ-ÖØ-Þ"
_GENERIC = lexicon("asked").words("generic_en")
_ASKING = lexicon("asked").words("asking_en")
_CONTESTS = LISTS.words("contests_en")
"""Wimbledon Championships, Marathon results: no other thing."""
_LEAD_RE = re.compile(rf"\b(?P<word>[{_UP}][\w’'-]+)\s$")
_TAIL_RE = re.compile(
    rf"^(?:(?:[\s-]|,?\sthe\s(?=Elder|Younger|Second|Third|Great))(?P<word>[{_UP}][\w’'-]*|\d+\w*)|-\w)"
)
_PART_RE = re.compile(
    r"\b(?:the|an?|its)\s+(?:[\w-]+\s){0,2}?(?P<head>[\w-]+)\s+(?:of|under|underneath|beside|near|behind|beneath|below|above|"
    r"around|outside|opposite|next to|in front of|for|at|to|on)\s+(?:the\s+)?(?:[a-z]+\s){0,2}$",
    re.IGNORECASE,
)
"""The plinth under the statue: what is spoken of stands before the name."""
_BY_RE = re.compile(
    r"\b(?:next door to|close to|not far from|opposite|beside|near|behind)\s+(?:the\s+)?$", re.IGNORECASE
)
_WHERE_RE = re.compile(r"^[^,.]*,\s(?:where|(?:in|at|on|from) which|whose)\s(?:the\s)?$", re.IGNORECASE)
_GOES_ON_RE = re.compile(r"^[^,.]*,\s(?:is|was|are|were|has|had|belongs|belonged)\b")
"""The works, where it is printed, are owned by another."""
_PLACED_RE = re.compile(
    r"^(?:The|An?|Its)\s(?:[\w-]+\s){0,3}?(?P<head>[\w-]+)\s"
    r"(?:on|under|beneath|below|above|beside|near|behind|outside|opposite)\s(?:the\s)?$"
)
_PLACED_VERB_RE = re.compile(r"^[^,;:]*?\s(?:is|was|are|were|has|had|stands|stood|measures|weighs|holds|dates)\b")
_KIN_OF_RE = re.compile(
    rf"\b(?:{'|'.join(sorted(words_en.KIN, key=len, reverse=True))}|pupil|assistant|student|namesake|rival|colleague)"
    r"\s+(?:of|to)\s+(?:the\s+)?(?:[a-z]+\s){0,2}$"
)
"""Elder brother of the painter: who is spoken of has another name."""
_LINK_RE = re.compile(
    r"[\s“”\"']*(?:(?:of|the|and|in|for|at|on|a|an|&)[\s“”\"']+)*(?:(?:[Mm]ount|[Rr]iver|[Ll]ake)\s)?"
)
_BETWEEN_RE = re.compile(r"\s(?:(?:of|the|and|de|in)\s)*")
_WORD_RE = re.compile(r"[\w’'-]+")
_FEW = 2
"""Words of a name that a text has to write all."""
_ENOUGH = 0.6
"""Share of the words of a longer one."""


@dataclass(frozen=True, slots=True)
class EnglishSubject:
    text: str
    """As the question writes it."""
    question: str

    @property
    def words(self) -> frozenset[str]:
        return frozenset(words_of(self.text)) - words_en.FUNCTION - _GENERIC

    def names_own(self, sentence: str) -> bool | None:
        """Whether a sentence names it; False: only something else by a name with its name in it; None: neither."""
        words = self.words
        enough = len(words) if len(words) <= _FEW else math.ceil(_ENOUGH * len(words))
        spans = [match.span() for match in _WORD_RE.finditer(sentence) if set(words_of(match[0])) & words]
        if not spans or len(words & set(words_of(sentence))) < enough:
            return None
        start, end = _longest(spans, sentence)
        if len(words & set(words_of(sentence[start:end]))) < min(_FEW, len(words)):
            return None
        before = sentence[:start]
        part = _PART_RE.search(before)
        if self._is_longer(sentence, start, end) or _stands_aside(sentence, start, end) or _KIN_OF_RE.search(before):
            return False
        return part is None or self._is_asked(part["head"]) or _is_attribute(part["head"])

    def is_anothers(self, sentence: str, told_from: int, *, strictly: bool = False) -> bool:
        """English clauses say by their names and pronouns what they tell of."""
        return False

    def is_extended(self, named: str) -> bool:
        """Whether what a claim is about has the name only as a part of a longer one."""
        places = [match.span() for match in re.finditer(re.escape(self.text), named)]
        return bool(places) and all(self._is_longer(named, start, end) for start, end in places)

    def is_stood_by(self, sentence: str) -> bool:
        """Whether a sentence names it to say where something else stands, or what else it is about."""
        found = re.finditer(re.escape(self.text), sentence, re.IGNORECASE)
        return any(_stands_aside(sentence, *match.span()) for match in found)

    def is_placed_by(self, sentence: str) -> bool:
        """Whether a sentence is about something that lies there: "The fog station on Halvorsen was automated"."""
        found = (_PLACED_RE.match(sentence[: match.start()]) for match in re.finditer(re.escape(self.text), sentence))
        heads = [match["head"] for match in found if match]
        return bool(heads) and not any(map(self._is_asked, heads)) and _PLACED_VERB_RE.search(sentence) is not None

    def _is_longer(self, sentence: str, start: int, end: int) -> bool:
        """Whether a name goes on, or begins earlier, with a word that the question does not have.

        Not told in a headline, where every word has a capital.
        """
        if _is_headline(sentence[end:]):
            return False
        before = sentence[:start]
        lead, tail = _LEAD_RE.search(before), _TAIL_RE.match(sentence[end:])
        if tail and not (tail["word"] and (self._is_asked(tail["word"]) or tail["word"].casefold() in _CONTESTS)):
            return True
        if lead is None or lead.start() == 0 or self._is_asked(lead["word"]):
            return False
        opening = before[: lead.start()].rstrip()
        return bool(opening) and opening[-1] not in '.:;!?“"'

    def _is_asked(self, word: str) -> bool:
        plain = words_of(word)
        return bool(plain) and (plain[0] in words_of(self.question) or plain[0] in _GENERIC)


def _is_headline(sentence: str) -> bool:
    words: list[str] = [word for word in _WORD_RE.findall(sentence) if len(word) > _LITTLE]
    return 2 * sum(word[0].isupper() for word in words) > len(words) + 1


_LITTLE = 3
"""Letters of words that headlines may write small."""


@lru_cache(maxsize=256)
def _is_attribute(noun: str) -> bool:
    """The length of a tunnel is no part of it."""
    return any(one.tells["en"].fullmatch(noun) for one in attributes() if one.kind == "number")


def _stands_aside(sentence: str, start: int, end: int) -> bool:
    """Whether a name only says where something stands, or what is done there."""
    before = sentence[:start]
    return bool(_BY_RE.search(before) or (_WHERE_RE.match(before) and _GOES_ON_RE.match(sentence[end:])))


def _longest(spans: list[tuple[int, int]], sentence: str) -> tuple[int, int]:
    """The longest run of words of the name, parted by little words at most."""
    best, current = spans[0], spans[0]
    for start, end in spans[1:]:
        joins = _BETWEEN_RE.fullmatch(sentence, current[1], start)
        current = (current[0], end) if joins else (start, end)
        if current[1] - current[0] > best[1] - best[0]:
            best = current
    return best


def read(question: str, asking: tuple[str, ...]) -> EnglishSubject | None:
    """The first name of the question, without dates and `asking`; of one without names its first two plain words."""
    plain = question
    for day in reversed(dates.scan(question)):
        plain = plain[: day.start] + " " * (day.end - day.start) + plain[day.end :]
    for words in asking:
        plain = plain.replace(words, " " * len(words), 1)
    tokens = list(_WORD_RE.finditer(plain))[1:]
    told = [one for one in tokens if not set(words_of(one[0])) & (_GENERIC | words_en.FUNCTION)]
    named = [one for one in told if one[0][0].isupper() or one[0][0].isdigit()]
    if not named:
        named = [one for one in told if len(one[0]) > 2 and words_of(one[0])[0] not in _ASKING][:2]
    run = _first_run(named, question)
    return EnglishSubject(question[run[0].start() : run[-1].end()], question) if run else None


def _first_run(named: list[re.Match[str]], question: str) -> list[re.Match[str]]:
    """The first words with nothing but little words between them: a name, and not that of the office or the place."""
    run = named[:1]
    for one in named[1:]:
        if not _LINK_RE.fullmatch(question, run[-1].end(), one.start()):
            break
        run.append(one)
    return run
