"""What a question asks for: the relation, what it is asked of, and the year or number that singles it out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memorybank.engines.offline.claims import dates, words_en
from memorybank.engines.offline.claims.describe import is_chinese
from memorybank.engines.offline.claims.phrases import is_han
from memorybank.engines.offline.claims.slots.english import fold, words_of
from memorybank.engines.offline.claims.slots.relations import LISTS

_ASKING_HAN_RE = re.compile(
    r"[？?！!，,。：:《》“”\s]|是谁|谁|什么|时候|哪一?[个年里届国]?|多少|在哪|城市|国家|时间|日期|电影|小说|[是的在了吗呢叫]|\d+年?"
)


_LONG_NAME = 4
"""Words of a name, or runs of one, that texts hardly ever write out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`subject`: the folded words, or runs of Han characters, of what the question is about."""

    relations: frozenset[str]
    subject: frozenset[str]
    years: frozenset[int]

    def names(self, text: str) -> bool:
        """Whether a text names most of what the question is about; of a long name half of it."""
        least = len(self.subject) / 2 if len(self.subject) >= _LONG_NAME else len(self.subject) // 2 + 1
        return bool(self.subject) and len(self._named(text)) >= least

    def names_in_both(self, left: str, right: str) -> bool:
        """Whether two texts name most of it, and not each a thing of its own: a question may ask of two telescopes."""
        shared = self._named(left) & self._named(right)
        return self.names(left) and self.names(right) and 2 * len(shared) >= len(self.subject)

    def _named(self, text: str) -> frozenset[str]:
        low = fold(text)
        return frozenset(word for word in self.subject if _stands_in(word, low))

    def fits(self, years: frozenset[int]) -> bool:
        """Whether a text that states these years may speak of the one in question."""
        return not (self.years and years) or bool(self.years & years)


def _stands_in(word: str, text: str) -> bool:
    """Whether a word stands in a text; of a run of Han, half of its pairs of characters."""
    if not is_han(word):
        return re.search(rf"(?<![a-z]){re.escape(word)}", text) is not None
    pairs = [word[at : at + 2] for at in range(max(1, len(word) - 1))]
    return 2 * sum(pair in text for pair in pairs) >= len(pairs)


@lru_cache(maxsize=256)
def read(question: str) -> Asked | None:
    """None for a goal that asks for none of the relations."""
    chinese = is_chinese(question)
    listed = LISTS.classes("asked_zh" if chinese else "asked_en")
    low = question if chinese else frozenset(words_of(question))
    relations = frozenset(relation for relation, words in listed.items() if any(word in low for word in words))
    if not relations:
        return None
    years = frozenset(year for day in dates.scan(question) for year in (day.first[0], day.last[0]) if year)
    subject = _subject_han(question, listed) if chinese else _subject_en(question, listed)
    return Asked(relations=relations, subject=subject, years=years)


def _subject_en(question: str, listed: dict[str, tuple[str, ...]]) -> frozenset[str]:
    asking = (
        {word for words in listed.values() for word in words} | words_en.FUNCTION | {"movie", "film", "new", "name"}
    )
    named = words_of(" ".join(re.findall(r"(?<=\s)[\"“]?[A-Z][\w’'.-]*", question)))
    for candidates in (named, words_of(question)):
        words = frozenset(word for word in candidates if len(word) > 2 and word not in asking and not word.isdigit())
        if words:
            return words
    return frozenset()


def _subject_han(question: str, listed: dict[str, tuple[str, ...]]) -> frozenset[str]:
    for word in sorted((word for words in listed.values() for word in words), key=len, reverse=True):
        question = question.replace(word, " ")
    runs = _ASKING_HAN_RE.sub(" ", question).split()
    return frozenset(fold(run) for run in runs if any(char.isalnum() for char in run))
