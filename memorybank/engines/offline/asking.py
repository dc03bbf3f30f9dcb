"""What a part of a question asks: of whom, which kind of value, and by which words.

Questions are not read as statements are: the entity is what is named, the kind follows from the word that asks, what is
counted follows "how many", and the words that are left say what of the entity is asked. A statement answers when it is
about that entity, states a value of that kind, and says all of these words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from memorybank.contradiction import words_en, words_zh
from memorybank.contradiction.entity_names import head_of, names_in, same_name
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.keys import key
from memorybank.language.han import HAN, is_han
from memorybank.language.inflection import lemma_of
from memorybank.language.tokens import query_tokens, tokenize
from memorybank.memory.types import ClaimKind

_NUMBER_RE = re.compile(r"(?<![\d年])(?!(?:1[5-9]|20)\d\d(?!\d))\d|[一二三四五六七八九十百千万亿两]+[个米克度万亿亩吨]")
"""A number that is not a year."""
_DATE_RE = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b|\d+\s*[年月日]|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_NAME_RE = re.compile(rf"(?<!^)\b[A-Z][a-z]+(?:\s+[A-Z][a-z]+)+|(?:由|与|和|是|教授|博士|团队)[{HAN}·]{{2,}}")

_SIZES: Final = {
    "long": "length span duration time", "tall": "height", "high": "height", "deep": "depth", "wide": "width",
    "thick": "thickness", "heavy": "weight", "fast": "speed", "old": "age", "far": "distance", "hot": "temperature",
    "cold": "temperature", "长": "length span duration time", "高": "height", "深": "depth", "宽": "width",
    "厚": "thickness", "重": "weight", "快": "speed", "远": "distance", "久": "duration time", "老": "age",
}  # fmt: skip
"""The attributes that a word of size asks for; empty: any."""
_COUNTED_RE = re.compile(
    r"\bhow many\s+(?P<en>[a-z -]+?)(?=\s+(?:does|do|did|is|are|was|were|has|have|had|can|could|will|would|in|on|at|of|"
    r"per|[A-Z])|[^\w\s-]|$)|(?:多少|几)(?P<zh>[^，。？?（(]*)",
    re.IGNORECASE,
)
_SIZE_RE = re.compile(
    r"\bhow (?P<en>long|large|big|far|high|tall|deep|wide|thick|old|heavy|fast|cold|hot|much)\b"
    r"|多(?P<zh>[大高长重远久深宽厚快])",
    re.IGNORECASE,
)
_WHEN_RE = re.compile(
    r"\b(?:when|(?:in|on) (?:what|which) (?:year|date|day|month)|what (?:year|date))\b"
    r"|何时|什么时候|何年|哪[一]?[年天日月]|什么日期|日期",
    re.IGNORECASE,
)
_WHO_RE = re.compile(r"\b(?:who|whom)\b|谁|哪位", re.IGNORECASE)
_WHERE_RE = re.compile(
    r"\b(?:where|(?:in|from) (?:what|which) (?:city|country|place|town))\b"
    r"|哪里|哪儿|何处|何地|什么地方|哪[个座]?(?:城市|国家|地方|省|发射场|发射中心)",
    re.IGNORECASE,
)
_COMPARED_RE = re.compile(r",?\s*\b(?:compared|in comparison) (?:with|to) .*$|[，,]?(?:和|与|跟|同)[^，,]*相比[^，,]*$")
_CARRIED_RE = re.compile(r"\s*\((?P<names>[^()]+)\)$")
_HAN_IDLE_RE = re.compile(r"[的是在了于从由被有吗呢]|请问|一共|总共|总计|大约|大概|到底|究竟|分别|它|其|该")
_HAN_COUNTER_RE = re.compile(r"^[个块位名人座条台颗枚间层部艘架枝支根项次种份件家]")
_IDLE: Final = frozenset("mani much number date year day time compar one ones name call".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    text: str
    names: tuple[str, ...]
    """What it is about, as it is written; empty for a question that names nothing."""
    certain: bool
    """They are written as names are; else they are what a Chinese clause begins with."""
    words: frozenset[str]
    """Content words (Chinese: pairs of characters); all words where there are no others."""
    kinds: tuple[re.Pattern[str], ...]
    """What a sentence holds that can answer: a date, a number, a name; empty where the question does not say."""
    wanted: frozenset[ClaimKind]
    counted: str
    """What "how many" counts."""
    sizes: frozenset[str]
    """Attributes that a word of size asks for: how tall, 多重."""
    aspect: tuple[str, ...]
    """The words that say what of the entity is asked, besides these."""

    def is_held_by(self, sentence: str) -> bool:
        """Whether the sentence holds the kind of thing that is asked for; a number only beside what is counted."""
        return any(
            kind.search(sentence) and (kind is not _NUMBER_RE or self._is_counted_in(sentence)) for kind in self.kinds
        )

    def _is_counted_in(self, sentence: str) -> bool:
        """Whether a sentence names what "how many" counts; a single Han character (人) is said in too many ways."""
        if is_han(self.counted):
            return len(self.counted) < 2 or self.counted[-2:] in sentence
        last = tokenize(self.counted)[-1:]
        return set(last) <= set(tokenize(sentence))

    def is_about(self, name: str) -> bool:
        return any(same_name(own_name, name) for own_name in self.names)

    def is_answered_by(self, fact: Frame) -> bool:
        """Whether a fact states what is asked, of what it is asked of."""
        return fact.kind in self.wanted and self.is_about(entity_name(fact)) and self._is_stated_by(fact)

    def is_answered_within(self, fact: Frame) -> bool:
        """Whether a fact on a thing without a name of its own (the lighthouse at its end) says all that is asked.

        A text on what the question names means that one's. A single word is too little to tell by.
        """
        if fact.entity.units or len(self.aspect) < 2:
            return False
        holds = fact.kind in self.wanted or (fact.kind == "text" and self.is_held_by(fact.sentence))
        return holds and self._is_stated_by(fact)

    def _is_stated_by(self, fact: Frame) -> bool:
        if fact.hedged or not fact.polarity:
            return False
        if fact.kind == "number" and not self._measures(fact):
            return False
        return all(_says(fact, word) for word in self.aspect)

    def _measures(self, fact: Frame) -> bool:
        """Whether a number counts, or measures, what is asked."""
        measure = fact.measure
        if measure is None:
            return False
        if self.counted:
            noun = measure.noun_text or (measure.quantity.unit.name if measure.quantity.unit else "")
            return _is_noun(self.counted, noun) or _is_noun(self.counted, fact.value)
        named = {key[1:] for key in fact.attribute if key.startswith("@")}
        dimension = measure.quantity.dimension.partition(":")[0]
        return bool(measure.quantity.unit) and (not self.sizes or bool(self.sizes & (named or {dimension})))


@lru_cache(maxsize=1024)
def question_of(text: str) -> Question:
    """`text` is a part of a goal, with the names that it only means in brackets behind it (planning.aspects)."""
    carried = _CARRIED_RE.search(text)
    own = text[: carried.start()] if carried else text
    own = own.rstrip("?？ ")
    own = _COMPARED_RE.sub("", own)
    names = _carried(carried["names"]) if carried else _names(own)
    counted, sizes = _counted(own), _sizes(own)
    wanted: set[ClaimKind] = set()
    if _SIZE_RE.search(own) or _COUNTED_RE.search(own):
        wanted.add("number")
    for asks, kind in ((_WHEN_RE, "date"), (_WHO_RE, "name"), (_WHERE_RE, "place")):
        if asks.search(own):
            wanted.add(kind)  # type: ignore[arg-type]
    kinds = (("number", _NUMBER_RE), ("date", _DATE_RE), ("name", _NAME_RE))
    return Question(
        text=text,
        names=names,
        certain=bool(names_in(text)),
        words=frozenset(query_tokens(text, limit=len(text) + 1)),
        kinds=tuple(kind for name, kind in kinds if name in wanted),
        wanted=frozenset(wanted),
        counted=counted,
        sizes=sizes,
        aspect=_aspect(own, names, counted),
    )


def _carried(names: str) -> tuple[str, ...]:
    return tuple(name for whole in names.split(", ") for name in names_in(whole) or (whole,))


def _names(text: str) -> tuple[str, ...]:
    head = head_of(text) if is_han(text) else ""
    names = names_in(text)
    return names or ((head,) if head else ())


def _counted(text: str) -> str:
    match = _COUNTED_RE.search(text)
    if match is None:
        return ""
    if match["en"]:
        return match["en"].strip()
    return _HAN_COUNTER_RE.sub("", re.split(r"[的了]", match["zh"])[0]).strip()


def _sizes(text: str) -> frozenset[str]:
    match = _SIZE_RE.search(text)
    word = (match["en"] or match["zh"]).casefold() if match else ""
    return frozenset(_SIZES.get(word, "").split())


def _aspect(text: str, names: Sequence[str], counted: str) -> tuple[str, ...]:
    """What is left of a question without names, the words that ask, and what is counted."""
    rest = text
    for pattern in (_COUNTED_RE, _SIZE_RE, _WHEN_RE, _WHO_RE, _WHERE_RE):
        rest = pattern.sub(" ", rest)
    for name in names:
        rest = re.sub(rf"(?:\w+['’]s?\s+)?{re.escape(name)}(?:['’]s?\b)?", " ", rest)
    if is_han(text):
        rest = _without_owner(text, rest, names)
        pieces = re.split(r"[\s，,、“”‘’《》]+", _HAN_IDLE_RE.sub(" ", rest))
        return tuple(piece for piece in pieces if piece and piece not in words_zh.GENERIC)
    words = [word for word in re.findall(r"[A-Za-z][\w'’-]*", rest) if query_tokens(word) and tokenize(word)]
    plain = [word for word in words if word.casefold() not in words_en.FUNCTION | words_en.GENERIC_NOUNS]
    return tuple(word for word in plain if not _IDLE.intersection(tokenize(word)))


def _without_owner(text: str, rest: str, names: Sequence[str]) -> str:
    """Without what stands directly before a name and is whose it is, or another name of it: 谷歌的Willow."""
    for name in names:
        match = re.search(rf"(?P<owner>[{HAN}]+?)的?[“《]?{re.escape(name)}", text)
        if match and not any(word in match["owner"] for word in words_zh.VERB_CLASS if len(word) > 1):
            rest = rest.replace(match["owner"], " ", 1)
    return rest


# -- a fact against a question ----------------------------------------------------------------------------------------


_GENERIC_KEYS: Final = frozenset(map(key, words_en.GENERIC_NOUNS))


def means_back(fact: Frame) -> bool:
    """Whether a fact is on what the text named before: "it", "the chip"; but not "the bakery" in one on an island."""
    entity = fact.entity
    head = entity.head
    return bool(entity.carried) and (not head or is_han(head) or head in _GENERIC_KEYS)


def entity_name(fact: Frame) -> str:
    """What a fact is about, or what "it" stands for in it."""
    entity = fact.entity
    if entity.units or not entity.carried:
        return entity.text
    return "".join(entity.carried) if is_han(entity.carried[0]) else " ".join(entity.carried)


def _is_noun(asked_noun: str, noun: str) -> bool:
    """Whether a count's noun is what is asked for: its last word, and no word that only the question has."""
    if is_han(asked_noun):
        return bool(noun) and (asked_noun in noun or noun in asked_noun or noun[-2:] == asked_noun[-2:])
    wanted, stated = tokenize(asked_noun), tokenize(noun)
    return bool(wanted and stated) and wanted[-1] == stated[-1]


def _says(fact: Frame, word: str) -> bool:
    """Whether a fact says a word of the question, or another that means the same."""
    if is_han(word):
        meaning = words_zh.VERB_CLASS.get(word)
        verb = fact.verb or fact.relation.rpartition(":")[2]
        if meaning is not None and meaning in words_zh.EVENTS and fact.kind != "number":
            return meaning == verb
        meanings = {words_zh.VERB_CLASS.get(word), words_zh.ATTRIBUTE_OF.get(word)} - {None}
        return word in fact.sentence or verb in meanings or any(f"@{meaning}" in fact.attribute for meaning in meanings)
    lemma = lemma_of(word.casefold())
    meanings = {lemma, words_en.VERB_CLASS.get(lemma, lemma), words_en.NOMINAL.get(lemma, lemma)}
    verbs = {fact.verb, fact.relation.rpartition(":")[2].lstrip("&")}
    if fact.kind != "number" and meanings & words_en.EVENTS:
        return bool(meanings & verbs)
    return bool(meanings & verbs) or set(tokenize(word)) <= set(tokenize(fact.sentence))
