"""Acts that break a trait, and acts that a bodily state rules out. The groups are in `extraction/traits.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.scene import Scene
from memorybank.narrative.extraction.lists import any_of, lists
from memorybank.narrative.extraction.narration import Telling
from memorybank.narrative.extraction.statements import Encoded
from memorybank.narrative.types import HAS_STATUS, HAS_TRAIT, EntityKind, Fact
from memorybank.types import Lang

_DENIED_RE: Final = re.compile(r"[不没未别莫非]|从不|\b(?:not|never|no|without|hardly)\b|n['’]t\b", re.IGNORECASE)
_BEYOND: Final = 60
"""Characters after the name within which an act is theirs, up to the next person."""


@cache
def _groups(lang: Lang, which: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """For each group: what the trait or state is called, and the acts that break it."""
    return tuple(
        (
            re.compile(any_of(group[lang]["is"], lang), re.IGNORECASE),
            re.compile(any_of(group[lang]["acts"], lang), re.IGNORECASE),
        )
        for group in lists("traits")[which].values()
    )


def out_of_character(scene: Scene) -> Iterator[Finding]:
    yield from _broken(scene, "traits", HAS_TRAIT, FindingKind.OUT_OF_CHARACTER, "trait")


def against_condition(scene: Scene) -> Iterator[Finding]:
    yield from _broken(scene, "conditions", HAS_STATUS, FindingKind.CONTRADICTS, "condition")


def _broken(scene: Scene, which: str, predicate: str, kind: FindingKind, reason: str) -> Iterator[Finding]:
    for encoded in scene.encoded:
        if scene.has("back", encoded.piece):
            continue
        for place, mention in enumerate(encoded.mentions):
            if mention.named.kind is not EntityKind.CHARACTER:
                continue
            for fact in scene.record.of(mention.named.key, predicate):
                act = _act(scene, encoded, place, fact, which)
                if act:
                    yield scene.finding(kind, encoded.piece, fact, reason, name=mention.named.name, word=act)


def _act(scene: Scene, encoded: Encoded, place: int, fact: Fact, which: str) -> str:
    """What the person does against the trait, told as happened; empty when there is nothing."""
    name = scene.record.name(fact.object)
    mention = encoded.mentions[place]
    others = [
        one.start
        for one in encoded.mentions[place + 1 :]
        if one.named.kind is EntityKind.CHARACTER and one.named.key != mention.named.key
    ]
    end = min(mention.end + _BEYOND, encoded.piece.end, *others)
    if scene.text[mention.end : mention.end + 2] in ("'s", "’s") or scene.text[mention.end : mention.end + 1] == "的":
        return ""
    for names, acts in _groups(scene.lang, which):
        match = acts.search(scene.text, mention.end, end) if names.search(name) else None
        if match and not _DENIED_RE.search(scene.text[max(mention.end, match.start() - 12) : match.start()]):
            told = next((one for one in scene.story.within(encoded.piece) if one.clause.end > match.start()), None)
            if told and told.telling_at(match.start() - told.clause.start) is Telling.HAPPENED:
                return match[0]
    return ""
