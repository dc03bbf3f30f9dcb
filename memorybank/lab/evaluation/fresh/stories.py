"""The made-up stories of `story.en.yaml` and `story.zh.yaml`: what their passages state, and drafts that may break it.

The head of `story.en.yaml` explains the form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal

import yaml

from memorybank.lab.evaluation.story_hub import Hub, hub_of
from memorybank.memory.types import Lang

LANGS: Final[tuple[Lang, ...]] = ("en", "zh")

Telling = Literal["happened", "intended", "supposed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryStatement:
    subject: str
    predicate: str
    object: str
    telling: Telling = "happened"

    @property
    def kind(self) -> str:
        """What the studio's author would call it: kinship, possession, death …"""
        if self.predicate == "HAS_STATUS":
            return "death" if self.object in DEAD else "status"
        return KINDS.get(self.predicate, "relation")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryPassage:
    chapter: int
    text: str
    facts: tuple[StoryStatement, ...]
    may: tuple[StoryStatement, ...]
    """Right where it is read, no loss where it is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftPassage:
    chapter: int
    kind: str
    error: bool
    text: str
    sentence: str
    """The part that contradicts the record; the whole passage where it is one sentence."""
    against: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FreshStory:
    title: str
    lang: Lang
    names: tuple[Mapping[str, Any], ...]
    passages: tuple[StoryPassage, ...]
    drafts: tuple[DraftPassage, ...]
    record: tuple[Mapping[str, Any], ...]
    plans: tuple[Mapping[str, Any], ...]

    def hub_of_names(self) -> Hub:
        """Everybody and everything on record, and nothing known of them."""
        return hub_of(self.names, (), ())

    def hub_of_record(self) -> Hub:
        return hub_of(self.names, self.record, self.plans)


DEAD: Final = frozenset({"dead", "死"})
KINDS: Final = {
    "PARENT_OF": "kinship", "CHILD_OF": "kinship", "SIBLING_OF": "kinship", "MARRIED_TO": "kinship",
    "COUSIN_OF": "kinship", "OWNS": "possession", "LOCATED_IN": "place", "BORN_IN": "place", "HAS_TRAIT": "trait",
    "KILLED": "death", "HAS_ABILITY": "ability", "LOST_ABILITY": "ability", "PROMISED": "promise",
    "KNOWS": "knowledge", "ALIAS": "name", "MEMBER_OF": "membership", "LEADS": "membership", "AGE": "time",
    "BEFORE": "time", "IN_CHAPTER": "event", "TOOK_PART_IN": "event", "CAUSES": "event",
}  # fmt: skip


@cache
def stories(lang: Lang) -> tuple[FreshStory, ...]:
    told = yaml.safe_load((resources.files(__package__) / f"story.{lang}.yaml").read_text("utf-8"))
    return tuple(_story(one, lang) for one in told)


def _story(told: Mapping[str, Any], lang: Lang) -> FreshStory:
    return FreshStory(
        title=told["title"],
        lang=lang,
        names=tuple(told["names"]),
        passages=tuple(
            StoryPassage(
                chapter=one["chapter"],
                text=one["text"],
                facts=_statements(one["facts"]),
                may=_statements(one.get("may", ())),
            )
            for one in told["passages"]
        ),
        drafts=tuple(
            DraftPassage(
                chapter=one["chapter"],
                kind=one["kind"],
                error=one["error"],
                text=one["text"],
                sentence=one.get("sentence", one["text"]),
                against=one.get("against", ""),
            )
            for one in told["drafts"]
        ),
        record=tuple(told["record"]),
        plans=tuple(told.get("plans", ())),
    )


def _statements(lines: Sequence[str]) -> tuple[StoryStatement, ...]:
    """Of lines `subject | predicate | object`, then `intended` or `supposed`."""
    split = [[part.strip().strip('"') for part in line.split("|")] for line in lines]
    return tuple(
        StoryStatement(subject=parts[0], predicate=parts[1], object=parts[2], telling=_telling(parts[3:]))
        for parts in split
    )


def _telling(rest: Sequence[str]) -> Telling:
    match rest:
        case ["intended"]:
            return "intended"
        case ["supposed"]:
            return "supposed"
        case _:
            return "happened"
