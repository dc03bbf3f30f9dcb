"""What a question asks: its words, the kind of thing wanted, and what it asks it of."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memorybank.engines.offline.claims.entity import Entity, same
from memorybank.engines.offline.claims.extract import read
from memorybank.engines.offline.claims.phrases import Match, is_han
from memorybank.retrieval.tokens import query_tokens

_NUMBER_RE = re.compile(r"(?<![\d年])(?!(?:1[5-9]|20)\d\d(?!\d))\d|[一二三四五六七八九十百千万亿两]+[个米克度万亿亩吨]")
"""A number that is not a year."""
_DATE_RE = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b|\d+\s*[年月日]|\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_NAME_RE = re.compile(r"(?<!^)\b[A-Z][a-z]+(?:\s+[A-Z][a-z]+)+|(?:由|与|和|是|教授|博士|团队)[\u4e00-\u9fff·]{2,}")

_ASKS = (
    (re.compile(r"\bwhen\b|\bwhat (?:year|date)\b|何时|什么时候|哪[一]?年|日期", re.IGNORECASE), _DATE_RE),
    (
        re.compile(
            r"\bhow (?:many|much|long|large|big|far|high|tall|deep|wide|thick|old|heavy|fast|cold|hot)\b"
            r"|多少|几个|多[大高长重远久深宽厚快]",
            re.IGNORECASE,
        ),
        _NUMBER_RE,
    ),
    (re.compile(r"\bwho\b|\bwhom\b|谁|哪位", re.IGNORECASE), _NAME_RE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    text: str
    words: frozenset[str]
    """Content words (Chinese: pairs of characters); all words where there are no others."""
    kinds: tuple[re.Pattern[str], ...]
    """What a sentence holds that can answer: a date, a number, a name; empty where the question does not say."""
    subject: Entity | None

    def is_held_by(self, sentence: str) -> bool:
        """Whether the sentence holds the kind of thing that is asked for."""
        return any(kind.search(sentence) for kind in self.kinds)

    def subject_in(self, sentence: str, title: str) -> Match:
        """Whether a sentence says something of what the question is about, or only of something else.

        `title` names what a sentence with "it" speaks of.
        """
        if self.subject is None:
            return "unknown"
        found = {self._compared(fact.entity, sentence) for fact in read(sentence, title).facts}
        if "same" in found:
            return "same"
        return "different" if found == {"different"} else "unknown"

    def _compared(self, entity: Entity, sentence: str) -> Match:
        """A name that only says where something stands is not the subject: "the bridge beside the academy"."""
        assert self.subject is not None
        name = self.subject.text
        if entity.text and name.startswith(entity.text) and name in sentence:  # 云顶塔高…: read as 云顶's 塔高
            return "same"
        named = same(self.subject, entity)
        other = bool(entity.head) and entity.head != self.subject.head and not self._names(entity.head)
        if named == "same" and entity.units and other:
            return "different"
        return "unknown" if named == "different" and self._speaks_of(entity) else named

    def _speaks_of(self, entity: Entity) -> bool:
        """Whether the question names it too, beside its subject."""
        words = set(query_tokens(entity.text, limit=len(entity.text) + 1))
        return bool(words) and words <= self.words

    def _names(self, head: str) -> bool:
        return head in self.text if is_han(head[0]) else head in self.words


def asked(text: str) -> Question:
    facts = read(text.rstrip("?？ ")).facts  # of a question as such no fact is read
    named = [fact.entity for fact in facts if fact.entity.name]
    return Question(
        text=text,
        words=frozenset(query_tokens(text, limit=len(text) + 1)),
        kinds=tuple(kind for asks, kind in _ASKS if asks.search(text)),
        subject=named[0] if named else None,
    )
