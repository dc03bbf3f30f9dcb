"""What a question asks for: the relation, what it is asked of, and the year or number that singles it out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memorybank.engines.offline.claims import dates, words_en
from memorybank.engines.offline.claims.describe import is_chinese
from memorybank.engines.offline.claims.phrases import is_han
from memorybank.engines.offline.claims.slots.english import fold, words_of
from memorybank.engines.offline.claims.slots.relations import AGAIN, LISTS

_ASKING_HAN_RE = re.compile(
    r"[？?！!，,。：:《》“”\s]|是谁|谁|什么|时候|[在于]?哪[里儿]|哪一?[个年届国]?|多少|在哪|城市|国家|时间|日期|电影|小说|[是的在了吗呢叫]|\d+年?"
)


_LONG_NAME = 4
"""Words of a name, or runs of one, that texts hardly ever write out."""


_CHOICE_RE = re.compile(r"\b(?:or|between|either)\b|还是|或者?|之间", re.IGNORECASE)
_SHORTENED = 3
"""Characters of a name that may be short for a longer one: 青艺节 for 青年艺术节."""
_LEFT_OUT = "[\u3400-\u9fff]{0,2}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`subject`: the folded words, or runs of Han characters, of what the question is about."""

    relations: frozenset[str]
    subject: frozenset[str]
    years: frozenset[int]
    offers: bool = False
    """It names the answers that are to choose from."""

    def names(self, text: str) -> bool:
        """Whether a text names most of what the question is about; of a long name half of it."""
        least = len(self.subject) / 2 if len(self.subject) >= _LONG_NAME else len(self.subject) // 2 + 1
        return bool(self.subject) and len(self._named(text)) >= least

    def names_in_both(self, left: str, right: str) -> bool:
        """Whether two texts name most of it, and not each a thing of its own: a question may ask of two telescopes."""
        shared = self._named(left) & self._named(right)
        return self.names(left) and self.names(right) and 2 * len(shared) >= len(self.subject)

    def is_about(self, value: str) -> bool:
        """Whether a value only names what is asked about: it is not what is asked for, unless it is one of a choice."""
        if self.offers:
            return False
        if is_han(value):
            return any(value in word for word in self.subject)
        return set(words_of(value)) <= self.subject

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
    if 2 * sum(pair in text for pair in pairs) >= len(pairs):
        return True
    return len(word) >= _SHORTENED and re.search(f"{_LEFT_OUT}".join(map(re.escape, word)), text) is not None


@lru_cache(maxsize=256)
def read(question: str) -> Asked | None:
    """None for a goal that asks for none of the relations."""
    chinese = is_chinese(question)
    listed = LISTS.classes("asked_zh" if chinese else "asked_en")
    low = question if chinese else frozenset(words_of(question))
    relations = frozenset(relation for relation, words in listed.items() if any(word in low for word in words))
    if not relations:
        return None
    days = [day for day in dates.scan(question) if not (relations.isdisjoint(AGAIN) and _ends_name(question, day))]
    years = frozenset(year for day in days for year in (day.first[0], day.last[0]) if year)
    subject = _subject_han(question, listed) if chinese else _subject_en(question, listed)
    return Asked(relations=relations, subject=subject, years=years, offers=bool(_CHOICE_RE.search(question)))


def _ends_name(question: str, day: dates.Date) -> bool:
    """Whether a year is the end of a name ("Harbour Lights 1984"): of what is done once none has to be told."""
    return day.bare and re.search(r"\b[A-Z][\w’'-]*\s$", question[: day.start]) is not None


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
