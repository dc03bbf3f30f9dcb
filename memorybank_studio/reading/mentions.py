"""Entities of the story that a text names, with their kinds. The names are found by `memorybank_studio.names`."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from memorybank.language.numbers import HAN_NUMBER
from memorybank.language.text import HAN
from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import entries_of, load
from memorybank_studio.counting import NUMBER_WORDS, ROMAN, chapter_number
from memorybank_studio.hub.facts import Facts
from memorybank_studio.names import Cast
from memorybank_studio.types import BEARERS, BEFORE_THE_STORY, EntityKey, EntityKind, Origin, TaskId, entity_key


@dataclass(frozen=True, slots=True)
class Named:
    key: EntityKey
    kind: EntityKind
    name: str
    """The name as it stands on record: its own name or one of its aliases."""


class Mention(NamedTuple):
    """A place in a text, `text[start:end]`, with the name that stands there."""

    start: int
    end: int
    named: Named


class Names:
    """Names to look for. Built once for a check or an extraction."""

    def __init__(self, known: Iterable[Named]) -> None:
        self._known: dict[str, Named] = {}
        for named in known:
            for written in written_forms(named.name):
                self._known.setdefault(written, named)
        self._cast = Cast((written, written) for written in self._known)

    @property
    def all(self) -> tuple[Named, ...]:
        """Return every name with whose it is; one of several spellings once."""
        return tuple(dict.fromkeys(self._known.values()))

    @classmethod
    def of(cls, facts: Facts) -> Names:
        """Return every name on record of the kinds in `BEARERS`."""
        return cls(Named(key, kind, name) for kind in BEARERS for name, key in facts.names((kind,)).items())

    def named(self, name: str) -> Named | None:
        """Return what is on record under this name, as it is written; None for nobody's."""
        return self._known.get(name)

    def whole(self, who: Named, facts: Facts) -> str:
        """Return the name of which somebody's key is made."""
        entity = facts.entity(who.key)
        own = (named.name for named in self._known.values() if entity_key(named.kind, named.name) == who.key)
        return entity.name if entity is not None else next(own, who.name)

    def find(self, text: str) -> tuple[Mention, ...]:
        """Return the mentions in order, none within another; a name that two bear is the one on record first."""
        return tuple(
            Mention(match.start, match.end, self._known[match.names[0]]) for match in self._cast.mentions(text)
        )

    def with_short(self) -> Names:
        """Add the parts of people's names that are one person's alone, and no other name: to look up who may be
        meant, never to settle it."""
        parts = [
            Named(named.key, named.kind, part)
            for named in self.all
            if named.kind is EntityKind.CHARACTER
            for part in parts_of(named.name)
        ]
        bearers = Counter(part for part, _ in {(part.name, part.key) for part in parts})
        return Names([*self.all, *(part for part in parts if bearers[part.name] == 1 and part.name not in self._known)])


def names_to_look_up(facts: Facts, kinds: Iterable[EntityKind] = ()) -> dict[str, EntityKey]:
    """Return the names on record, and what people are called for short where it is one person's alone."""
    short = Names.of(facts).with_short()
    return {named.name: named.key for named in short.all} | dict(facts.names(kinds))


_ARTICLE_RE: Final = re.compile(r"(?:the|a|an)\s+(?=\S)", re.IGNORECASE)
_WORD_RE: Final = re.compile(r"[A-Z][\w’'-]+")
_CHINESE_RE: Final = re.compile(rf"[{HAN}]{{3,4}}")


def written_forms(name: str) -> Iterable[str]:
    """Yield a name as it may stand in a text: an English one also without article, and at a sentence's beginning."""
    yield name
    bare = _ARTICLE_RE.sub("", name, count=1) if _ARTICLE_RE.match(name) else name
    if bare != name and (" " in bare or bare[:1].isupper()):
        yield bare
    if name[:1].islower():
        yield name[:1].upper() + name[1:]


def parts_of(name: str) -> Iterator[str]:
    """Return what a person may be called alone: first and last name, or the last two characters of a Chinese name."""
    words = name.split()
    if len(words) > 1:
        yield from (word for word in dict.fromkeys((words[0], words[-1])) if _WORD_RE.fullmatch(word))
    elif "·" in name:
        yield from (part for part in dict.fromkeys(name.split("·")) if len(part) > 1)
    elif _CHINESE_RE.fullmatch(name):
        yield name[-2:]


QUOTED: Final = 160
"""Characters of a line in a reason, and in an origin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    task: TaskId
    lang: Lang
    """The language of the text."""
    told_in: Lang
    """The language of the reasons."""
    chapter: int | None = None
    turns: tuple[int, ...] = ()

    @property
    def since(self) -> int:
        return BEFORE_THE_STORY if self.chapter is None else self.chapter

    def origin(self, words: str) -> Origin:
        return Origin(task=self.task, chapter=self.chapter, source=words[:QUOTED], turns=self.turns)


def reason(key: str, lang: Lang, **values: str) -> str:
    return str(lists(f"reading.{lang}")[key]).format_map(values)


def lists(name: str) -> dict[str, Any]:
    """Return the contents of `name`.yaml of this package."""
    return load(__package__, name)


def words(listed: str | Iterable[str]) -> tuple[str, ...]:
    """A list is words parted by blanks, or YAML entries where one holds blanks. Longest first, so that it is met."""
    return tuple(sorted(entries_of(listed), key=lambda word: (-len(word), word)))


# -- in which chapter --------------------------------------------------------------------------------------------------
# 第一百二十一章, 第１２章, chapter twelve, ch. 1,200      121, 12, 12, 1200


_WRITTEN: Final = rf"\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d{{1,6}}(?!\d)|{NUMBER_WORDS}|(?-i:(?!I\s+[a-z]){ROMAN})(?!\w)"
_CHAPTER_RE: Final = re.compile(
    rf"第\s*(?P<zh>\d{{1,6}}|[{HAN_NUMBER}]{{1,12}})\s*[章回]|\b(?:chapters?|chap\.|ch\.)\s*(?P<en>{_WRITTEN})",
    re.IGNORECASE,
)


class ChapterReference(NamedTuple):
    """A chapter that a text names, in `text[start:end]`."""

    start: int
    end: int
    chapter: int


def chapter_references(text: str) -> Iterator[ChapterReference]:
    """Yield the references to chapters, in order."""
    for match in _CHAPTER_RE.finditer(text):
        chapter = chapter_number(unicodedata.normalize("NFKC", match["zh"] or match["en"]))
        if chapter is not None:
            yield ChapterReference(match.start(), match.end(), chapter)


def first_chapter_named(text: str) -> int | None:
    """Return the first chapter that the text refers to; None when it refers to none."""
    return next((reference.chapter for reference in chapter_references(text)), None)


def without_chapter_ahead(text: str) -> str:
    """Return the text without the chapter that it begins with: "In chapter 3, Mara leaves", 在第3章，林霜离家."""
    named = next(chapter_references(text), None)
    if named is None or text[: named.start].strip().lower() not in ("", "in", "在"):
        return text
    return text[named.end :].lstrip("，,：: ")


class StoryTime:
    """`last`: the story's last chapter; 0: it has none, and nothing is to come."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.reached = last
        """The last chapter that the turns have told as happened so far."""

    def is_ahead(self, chapter: int | None) -> bool:
        """Whether what is told of this chapter is still to come; the one after the last is being written."""
        return bool(self.last) and chapter is not None and chapter > self.reached + 1

    def advance(self, chapter: int | None) -> None:
        if not self.is_ahead(chapter):
            self.reached = max(self.reached, chapter or 0)
