"""Where a name or words stand in a studio: on record, planned, in chapters, in what was said and typed. Reads only.

Without regard to case, white space folded; in a script with spaces whole words alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from memorybank.errors import InputError
from memorybank.language.han import HAN, is_han
from memorybank.memory.types import Value
from memorybank_studio.chapters.manuscript import Manuscript
from memorybank_studio.hub.stores import Stores
from memorybank_studio.types import Entity, TaskId, Turn

Found = Literal["entity", "fact", "plan", "setting", "archive", "manuscript", "discussion", "typed"]
KINDS: Final[tuple[Found, ...]] = (
    "entity",
    "fact",
    "plan",
    "setting",
    "archive",
    "manuscript",
    "discussion",
    "typed",
)
LONGEST: Final = 200
"""Characters of what is looked for."""
AROUND: Final = 80
"""Characters of a text that are shown on each side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordHit(Value):
    """A text with the words in it: of several places the first, and how many there are."""

    kind: Found
    where: str
    """Its title, its chapter, its task and turn."""
    text: str
    start: int
    end: int
    """Of the words within `text`, which may be cut from a longer one."""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Writings:
    """What a studio holds beside its stores."""

    manuscripts: tuple[Manuscript, ...]
    histories: Mapping[TaskId, tuple[Turn, ...]]
    typed: Mapping[str, str]


def find_words(words: str, stores: Stores, written: Writings) -> tuple[WordHit, ...]:
    """In the order of `KINDS`. Raises InputError for nothing to look for, StoreUnavailableError."""
    pattern = _pattern(words)
    texts = (*_on_record(stores), *_written(written))
    return tuple(hit for kind, where, text in texts if (hit := _hit(pattern, kind, where, text)) is not None)


def _pattern(words: str) -> re.Pattern[str]:
    parts = words.split()
    if not parts or len(words) > LONGEST:
        raise InputError("rename.no_words", limit=LONGEST)
    inside = r"\s+".join(map(re.escape, parts))
    before = "" if not parts[0][0].isalnum() or is_han(parts[0][0]) else rf"(?<![^\W_{HAN}])"
    after = "" if not parts[-1][-1].isalnum() or is_han(parts[-1][-1]) else rf"(?![^\W_{HAN}])"
    return re.compile(f"{before}{inside}{after}", re.IGNORECASE)


def _hit(pattern: re.Pattern[str], kind: Found, where: str, text: str) -> WordHit | None:
    matches = list(pattern.finditer(text))
    if not matches:
        return None
    first = matches[0]
    begin, end = max(0, first.start() - AROUND), min(len(text), first.end() + AROUND)
    return WordHit(
        kind=kind,
        where=where,
        text=text[begin:end],
        start=first.start() - begin,
        end=first.end() - begin,
        count=len(matches),
    )


_Text = tuple[Found, str, str]


def _on_record(stores: Stores) -> Iterator[_Text]:
    entities = stores.facts.entities(stores.facts.names().values())
    for entity in sorted(entities.values(), key=lambda entity: (entity.kind, entity.name)):
        yield "entity", entity.name, "\n".join((entity.name, *entity.aliases, entity.note)).strip()
    yield from _facts(list(entities.values()), stores)
    for plan in stores.plans.all():
        yield "plan", plan.title, f"{plan.title}\n{plan.text}".strip()
    for setting in stores.settings.all():
        yield "setting", setting.key, f"{setting.key}\n{setting.text}"
    for number, title in stores.archive.chapters():
        yield "archive", f"{number} {title}".strip(), "".join(chunk.text for chunk in stores.archive.chapter(number))


def _facts(entities: list[Entity], stores: Stores) -> Iterator[_Text]:
    """What is said of a fact, and the words it was read from."""
    facts = {fact.key: (entity, fact) for entity in entities for fact in stores.facts.history(entity.key)}
    for entity, fact in facts.values():
        words = "\n".join((*fact.properties.values(), fact.origin.source)).strip()
        if words:
            yield "fact", entity.name, words


def _written(written: Writings) -> Iterator[_Text]:
    for chapter in written.manuscripts:
        beats = (words for beat in chapter.beats for words in (beat.title, beat.happens, beat.outcome))
        yield (
            "manuscript",
            f"{chapter.number} {chapter.title}".strip(),
            "\n".join((chapter.title, chapter.outline, *beats, chapter.text)),
        )
    for task, turns in written.histories.items():
        for turn in turns:
            yield "discussion", f"{task} · {turn.number}", turn.text
    for field, text in written.typed.items():
        yield "typed", field, text
