"""Denials of existence: "there is no man playing a guitar", "nobody was hurt", 没有人受伤, against a text that says so.

Such a denial names no thing to compare, so neither clause reader meets it. It denies every statement that has all of
its words: a woman who peels an onion is a person peeling one. What narrows the denial (a number, a date, a name,
another tense, another topic) must stand on both sides; what narrows the statement takes nothing from the contradiction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memorybank.engines.offline.claims import words_en
from memorybank.engines.offline.claims.describe import is_chinese, quoted
from memorybank.engines.offline.claims.extract import read as read_facts
from memorybank.engines.offline.claims.phrases import Units, match_units
from memorybank.language import dates
from memorybank.language.han import HAN
from memorybank.language.lexicon import any_of, lexicon, whole
from memorybank.language.text import sentences
from memorybank.memory.types import Claim, Contradiction
from memorybank.retrieval.tokens import tokenize

MOST = 4
"""Contradictions told of one pair of texts."""
CONFIDENCE = 0.7
LISTS = lexicon("denials")

NEGATION_RE = re.compile(
    rf"{whole(LISTS.phrases('negations_en'))}|{any_of(LISTS.ordered('negations_han'))}"
    rf"|(?<![时无])不(?![同少过仅断久锈错管论如可止足到得变])|(?<!从)未(?=[{HAN}])(?!来)",
    re.IGNORECASE,
)

_DENIED_EN_RE = re.compile(
    r"^\W*(?:(?:[a-z]+ly,?\s+)?there\s+(?:is|are|was|were)\s*(?:no|not\s+any|not\s+an?|n['’]t\s+an?y?)\s+(?P<none>.+)"
    r"|there\s+(?:is|are|was|were)\s+(?P<nobody>(?:no\s+one|nobody|nothing)\b.*)"
    r"|(?P<opening>(?:no\s+one|nobody|nothing)\b.*)"
    r"|no\s+(?!longer|more|less|fewer|later|earlier|doubt|matter|other|such)(?P<subject>.+))$",
    re.IGNORECASE | re.DOTALL,
)
_DENIED_ZH_RE = re.compile(
    r"^\W*(?:这里|那里|现场)?(?:没有(?:任何)?人|没人|无人|没有(?:任何|一[个名位只条辆]))(?P<none>.+)$", re.DOTALL
)
_NO_ONE_RE = re.compile(r"^no\s+one\b|^nobody\b", re.IGNORECASE)
_NOTHING_RE = re.compile(r"^nothing\b", re.IGNORECASE)
_EXCEPTION_RE = re.compile(
    rf"\b(?:but|except|besides|other than|only|yet|if|unless|until|than|like|as)\b|除了|除|只有|以外|之外|如果"
    rf"|{whole(LISTS.ordered('unsure_en'))}|{any_of(LISTS.ordered('unsure_han'))}",
    re.IGNORECASE,
)
_WORD_RE = re.compile(r"[A-Za-zÀ-ɏ]+|\d[\d.,]*")
_HAN_PAIR_RE = re.compile(f"(?=([{HAN}]{{2}}))")
_PAST_RE = re.compile(r"\b(?:was|were|had|did)\b")
_PRESENT_RE = re.compile(r"\b(?:is|are|has|does|do)\b")
_FEWEST = 2
"""Content words a denial must have; of pairs of Han characters one more."""
_EMPTY = words_en.FUNCTION | LISTS.words("light_en") | LISTS.words("hedging") | {"being", "someone", "something"}
"""Not compared. Kept as words, since stemming makes large of largely."""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    stems = tokenize(word.partition("’")[0].partition("'")[0])
    return stems[0] if stems else word.lower()


_KINDS = {stem(word): frozenset(map(stem, kinds)) for word, kinds in LISTS.classes("kinds_of").items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A sentence as a set of words. `denies` holds what it denies the existence of; None for a plain statement."""

    sentence: str
    topic: Units
    words: frozenset[str]
    dated: bool
    tense: str
    denies: frozenset[str] | None = None
    chinese: bool = False


def denied(left: str, right: str, left_topic: str = "", right_topic: str = "") -> tuple[Contradiction, ...]:
    """Where one text denies that there is what the other tells of; symmetric in its verdict."""
    one, other = read(left, left_topic), read(right, right_topic)
    found = [_told(first, second) for first in one for second in other if _clash(first, second)]
    return tuple(found[:MOST])


@lru_cache(maxsize=4096)
def read(text: str, topic: str = "") -> tuple[Saying, ...]:
    """The sentences that deny an existence or state something without a doubt."""
    facts = read_facts(text, topic)
    return tuple(_sayings(text, facts.topic if facts.sentences > 1 else ()))


def _sayings(text: str, topic: Units) -> Iterator[Saying]:
    for piece in sentences(text):
        sentence = text[piece.start : piece.end].strip()
        if not sentence or sentence.endswith(("?", "？")):
            continue
        chinese = is_chinese(sentence)
        denies = _denied(sentence, chinese)
        if denies is None and (NEGATION_RE.search(sentence) or _EXCEPTION_RE.search(sentence)):
            continue
        past, present = _PAST_RE.search(sentence), _PRESENT_RE.search(sentence)
        yield Saying(
            sentence=sentence, topic=topic, words=_content(sentence, chinese), dated=bool(dates.scan(sentence)),
            tense="past" if past and not present else "present" if present and not past else "", denies=denies,
            chinese=chinese,
        )  # fmt: skip


def _denied(sentence: str, chinese: bool) -> frozenset[str] | None:
    """The words of what is said not to be; None when the sentence denies no existence, or with an exception."""
    match = (_DENIED_ZH_RE if chinese else _DENIED_EN_RE).match(sentence)
    if match is None:
        return None
    what = next(group for group in match.groups() if group is not None)
    if NEGATION_RE.search(_NOTHING_RE.sub("", _NO_ONE_RE.sub("", what))) or _EXCEPTION_RE.search(what):
        return None
    words = _content(_NOTHING_RE.sub("", _NO_ONE_RE.sub("person", what)), chinese)
    return words if len(words) >= _FEWEST + chinese else None


def _content(text: str, chinese: bool) -> frozenset[str]:
    if chinese:
        return frozenset(_HAN_PAIR_RE.findall(text))
    words = (match[0].lower() for match in _WORD_RE.finditer(text))
    return frozenset(stem(word) for word in words if word not in _EMPTY)


def _clash(left: Saying, right: Saying) -> bool:
    if (left.denies is None) == (right.denies is None) or left.chinese != right.chinese:
        return False
    denial, statement = (left, right) if left.denies is not None else (right, left)
    assert denial.denies is not None
    if not _one_matter(denial, statement):
        return False
    return all(_is_said(word, statement.words) for word in denial.denies)


def _one_matter(denial: Saying, statement: Saying) -> bool:
    """Whether the two may speak of one time and thing: texts of several sentences must share their topic."""
    if denial.dated != statement.dated or {denial.tense, statement.tense} == {"past", "present"}:
        return False
    if not denial.topic and not statement.topic:
        return True
    return match_units(denial.topic, statement.topic) == "same"


def _is_said(word: str, words: frozenset[str]) -> bool:
    """Whether a statement has the word, or a narrower one: who denies any person denies a woman."""
    return word in words or not words.isdisjoint(_KINDS.get(word, ()))


def _told(left: Saying, right: Saying) -> Contradiction:
    if left.chinese:
        reason = f"一方说{quoted(left.sentence)}，另一方说{quoted(right.sentence)}"
    else:
        reason = f"one says {quoted(left.sentence)}, the other {quoted(right.sentence)}"
    return Contradiction(
        left=_claim(left), right=_claim(right), reason=reason, confidence=CONFIDENCE, found_by="denials"
    )  # fmt: skip


def _claim(saying: Saying) -> Claim:
    return Claim(
        text=saying.sentence, kind="negation" if saying.denies is not None else "text", subject=" ".join(saying.topic),
        attribute="存在" if saying.chinese else "existence", value=saying.sentence, polarity=saying.denies is None,
    )  # fmt: skip
