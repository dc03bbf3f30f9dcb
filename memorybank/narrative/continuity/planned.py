"""A plan that is not completed, told as done.

A sentence tells a plan when what the narrator states as happened holds the plan's people and nearly all words of its
title. What is only spoken of, intended or supposed is left out first, so that a plan spoken of as a plan is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memorybank.engines.offline.claims.inflection_en import lemma_of, stem
from memorybank.narrative.continuity.findings import Finding
from memorybank.narrative.continuity.scene import Scene, word_re
from memorybank.narrative.extraction.mentions import Mention
from memorybank.narrative.extraction.narration import Telling
from memorybank.narrative.types import EntityKey, EntityKind, Plan, PlanKind, PlanStatus
from memorybank.text import CJK, Piece

SHARE: Final = 0.75
"""Of a title's words that must be in the sentence; its people must all be."""
FEWEST: Final = 3
"""Words and names without which a title says too little to be recognised."""
_EMPTY_HAN: Final = frozenset("的了在与和把被之于是到从给向其新又再")
_HAN_RE: Final = re.compile(f"[{CJK}]")
_WORD_RE: Final = re.compile(r"[A-Za-z]{3,}")
_EMPTY_EN: Final = frozenset(
    "the and for with from into that his her their them are was has have had back over again new".split()
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a plan's title names."""

    plan: Plan
    people: frozenset[EntityKey]
    things: frozenset[EntityKey]
    words: frozenset[str]

    @property
    def size(self) -> int:
        return len(self.people) + len(self.things) + len(self.words)


def plans_as_done(scene: Scene) -> Iterator[Finding]:
    wanted = [
        one
        for status in (PlanStatus.PENDING, PlanStatus.IN_PROGRESS)
        for plan in scene.plans.all(kind=PlanKind.STEP, status=status)
        if (one := _wanted(scene, plan)).size >= FEWEST and one.words
    ]
    for piece in scene.story.sentences if wanted else ():
        happened = _happened(scene, piece)
        if not happened or not word_re("done", scene.lang).search(happened):
            continue
        mentions = _mentions(scene, piece)
        words = _words(happened, scene)
        finished = word_re("finished", scene.lang).search(happened) is not None
        for one in wanted:
            begun = one.plan.status is PlanStatus.IN_PROGRESS  # that it goes on is no news; that it is done, is
            if _tells(one, mentions, words) and (finished or not begun):
                yield scene.plan_finding(piece, one.plan)


def _wanted(scene: Scene, plan: Plan) -> Wanted:
    mentions = scene.names.find(plan.title)
    rest = _without(plan.title, mentions, 0)
    people = frozenset(one.named.key for one in mentions if one.named.kind is EntityKind.CHARACTER)
    things = frozenset(one.named.key for one in mentions) - people
    return Wanted(plan, people, things, _words(rest, scene))


def _happened(scene: Scene, piece: Piece) -> str:
    """What the narrator tells as happened in a sentence."""
    return "，".join(
        scene.text[told.clause.start : told.clause.end]
        for told in scene.story.within(piece)
        if told.telling is Telling.HAPPENED and not told.clause.spoken
    )


def _mentions(scene: Scene, piece: Piece) -> frozenset[EntityKey]:
    """Those whom the sentence names or means by a pronoun."""
    encoded = next((one for one in scene.encoded if one.piece == piece), None)
    return frozenset(one.named.key for one in encoded.mentions) if encoded else frozenset()


def _words(text: str, scene: Scene) -> frozenset[str]:
    if scene.lang == "zh":
        return frozenset(_HAN_RE.findall(text)) - _EMPTY_HAN
    found = (match[0].lower() for match in _WORD_RE.finditer(text))
    return frozenset(stem(lemma_of(word)) for word in found if word not in _EMPTY_EN)


def _without(text: str, mentions: tuple[Mention, ...], start: int) -> str:
    for one in reversed(mentions):
        text = text[: one.start - start] + " " + text[one.end - start :]
    return text


def _tells(one: Wanted, mentions: frozenset[EntityKey], words: frozenset[str]) -> bool:
    return one.people <= mentions and len(one.words & words) >= SHARE * len(one.words)
