"""Denials of existence: "there is no man playing a guitar", "nobody was hurt", 没有人受伤, against a text that says so.

Such a denial names no thing to compare, so neither clause reader meets it. It denies every statement that has all of
its words: a woman who peels an onion is a person peeling one. What narrows the denial (a number, a date, a name,
another tense, another topic) must stand on both sides; what narrows the statement takes nothing from the contradiction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memorybank.contradiction import words_en
from memorybank.contradiction.describe import is_chinese
from memorybank.contradiction.entity import Entity, spell
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.phrases import Units
from memorybank.language import dates
from memorybank.language.han import HAN
from memorybank.language.lexicon import any_of, lexicon, whole
from memorybank.language.text import sentences
from memorybank.language.tokens import tokenize

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


_WIDER: dict[str, frozenset[str]] = {}
for _wide, _narrow in LISTS.classes("kinds_of").items():
    for _word in map(stem, _narrow):
        _WIDER[_word] = _WIDER.get(_word, frozenset()) | {stem(_wide)}


def read(text: str, topic: Units) -> Iterator[Frame]:
    """The sentences that deny an existence or state something without a doubt."""
    for piece in sentences(text):
        sentence = text[piece.start : piece.end].strip()
        if not sentence or sentence.endswith(("?", "？")):
            continue
        denied = _denied(sentence)
        if denied is None and (NEGATION_RE.search(sentence) or _EXCEPTION_RE.search(sentence)):
            continue
        yield Frame(
            found_by="denials", kind="text" if denied is None else "negation", relation="existence",
            sentence=sentence, start=0, end=len(sentence), entity=Entity(text=spell(topic), units=topic),
            attribute=_stated(sentence) if denied is None else denied, verb=_tense(sentence),
            times=dates.scan(sentence), polarity=denied is None,
        )  # fmt: skip


def _tense(sentence: str) -> str:
    past, present = _PAST_RE.search(sentence), _PRESENT_RE.search(sentence)
    return "past" if past and not present else "present" if present and not past else ""


def _stated(sentence: str) -> frozenset[str]:
    """The words of a statement, and the wider ones: who denies that there is a person denies a woman."""
    words = _content(sentence)
    return words.union(*(_WIDER.get(word, frozenset()) for word in words))


def _denied(sentence: str) -> frozenset[str] | None:
    """The words of what is said not to be; None when the sentence denies no existence, or with an exception."""
    chinese = is_chinese(sentence)
    match = (_DENIED_ZH_RE if chinese else _DENIED_EN_RE).match(sentence)
    if match is None:
        return None
    what = next(group for group in match.groups() if group is not None)
    if NEGATION_RE.search(_NOTHING_RE.sub("", _NO_ONE_RE.sub("", what))) or _EXCEPTION_RE.search(what):
        return None
    words = _content(_NOTHING_RE.sub("", _NO_ONE_RE.sub("person", what)))
    return words if len(words) >= _FEWEST + chinese else None


def _content(text: str) -> frozenset[str]:
    if is_chinese(text):
        return frozenset(_HAN_PAIR_RE.findall(text))
    words = (match[0].lower() for match in _WORD_RE.finditer(text))
    return frozenset(stem(word) for word in words if word not in _EMPTY)
