"""A plan that is not completed, told as done: a step, or the short or long outline that contains it.

A sentence tells a plan when what the narrator states as happened holds the plan's people and nearly all words of its
title. What is only spoken of, intended or supposed is left out first, so that a plan spoken of as a plan is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memorybank.engines.offline.claims.inflection_en import stem
from memorybank.language.han import HAN_RE
from memorybank.narrative.continuity.findings import Finding
from memorybank.narrative.continuity.scene import Scene, word_re
from memorybank.narrative.extraction.mentions import Mention
from memorybank.narrative.extraction.narration import Telling
from memorybank.narrative.extraction.verbs_en import base_of, finite_of, is_participle, past_of
from memorybank.narrative.types import EntityKey, EntityKind, Plan, PlanKind, PlanStatus
from memorybank.text import Piece

TOLD: Final = (PlanKind.STEP, PlanKind.SHORT, PlanKind.LONG)
"""What one sentence may tell as done. Of a general outline, the whole story, none does."""
SHARE: Final = 0.75
"""Of a title's words that must be in the sentence; its people must all be."""
FEWEST: Final = 3
"""Words and names without which a title says too little to be recognised."""
_EMPTY_HAN: Final = frozenset("的了在与和把被之于是到从给向其新又再")
_WORD_RE: Final = re.compile(r"[A-Za-z]{2,}")
_SHORT: Final = 2
"""Letters of an English word that says too little."""
_EMPTY_EN: Final = frozenset(
    "the and for with from into that his her their them are was has have had back over again new".split()
)
_BEFORE_BASE: Final = frozenset("to could would did does do can may might must shall will should".split())
"""After these "shut" and "read" are no past."""
_DENIED: Final = frozenset({"not", "never", "nor", "hardly", "nearly", "almost", "without"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a plan's title names."""

    plan: Plan
    people: frozenset[EntityKey]
    things: frozenset[EntityKey]
    words: frozenset[str]
    deeds: frozenset[str]
    """Of an English title: its verbs, as their base."""

    @property
    def size(self) -> int:
        return len(self.people) + len(self.things) + len(self.words)


def plans_as_done(scene: Scene) -> Iterator[Finding]:
    wanted = [
        one
        for status in (PlanStatus.PENDING, PlanStatus.IN_PROGRESS)
        for kind in TOLD
        for plan in scene.plans.all(kind=kind, status=status)
        if (one := _wanted(scene, plan)).size >= FEWEST and one.words
    ]
    for piece in scene.story.sentences if wanted else ():
        happened = _happened(scene, piece)
        done = _done(happened, scene)
        if done is None:
            continue
        told, people = _mentions(scene, piece)
        words = _words(happened, scene)
        finished = word_re("finished", scene.lang).search(happened) is not None
        for one in wanted:
            begun = one.plan.status is PlanStatus.IN_PROGRESS  # that it goes on is no news; that it is done, is
            deed = not one.deeds or bool(one.deeds & done)
            things = all(key in told or _head(scene.record.name(key), scene) <= words for key in one.things)
            if deed and things and _tells(one, told, people, words) and (finished or not begun):
                yield scene.plan_finding(piece, one.plan)


def _wanted(scene: Scene, plan: Plan) -> Wanted:
    mentions = scene.names.find(plan.title)
    rest = _without(plan.title, mentions, 0)
    people = frozenset(one.named.key for one in mentions if one.named.kind is EntityKind.CHARACTER)
    things = frozenset(one.named.key for one in mentions) - people
    deeds = _deeds(rest) if scene.lang == "en" else frozenset()
    return Wanted(plan, people, things, _words(rest, scene), deeds)


def _deeds(title: str) -> frozenset[str]:
    """The verbs of an English title without its names: the word it begins with, and those after "and"; else all."""
    found = [match[0].lower() for match in _WORD_RE.finditer(title)]
    verbs = [word for place, word in enumerate(found) if place == 0 or found[place - 1] == "and"]
    leading = frozenset(base for word in verbs if (base := finite_of(word)))
    return leading or frozenset(base for word in found if (base := finite_of(word)))


def _done(happened: str, scene: Scene) -> frozenset[str] | None:
    """The bases of what an English sentence tells as done, in Chinese nothing; None where nothing is."""
    if scene.lang == "zh":
        told = word_re("done", "zh").search(happened) and not word_re("undone", "zh").search(happened)
        return frozenset() if told else None
    found = list(_WORD_RE.finditer(happened))
    done = set()
    for place, match in enumerate(found):
        low = match[0].lower()
        before = {one[0].lower() for one in found[max(0, place - 3) : place]}
        short = "n't" in happened[max(0, match.start() - 8) : match.start()]
        infinitive = place > 0 and found[place - 1][0].lower() in _BEFORE_BASE
        if (past_of(low) or is_participle(low)) and not before & _DENIED and not short and not infinitive:
            done.add(base_of(low))
    return frozenset(done) or None


def _happened(scene: Scene, piece: Piece) -> str:
    """What the narrator tells as happened in a sentence."""
    return "，".join(
        scene.text[told.clause.start : told.clause.end]
        for told in scene.story.within(piece)
        if told.telling is Telling.HAPPENED and not told.clause.spoken
    )


def _mentions(scene: Scene, piece: Piece) -> tuple[frozenset[EntityKey], frozenset[EntityKey]]:
    """All that the sentence names or means by a pronoun, and the people among them."""
    named = [mention.named for one in scene.encoded if one.piece == piece for mention in one.mentions]
    people = frozenset(one.key for one in named if one.kind is EntityKind.CHARACTER)
    return frozenset(one.key for one in named), people


def _words(text: str, scene: Scene) -> frozenset[str]:
    if scene.lang == "zh":
        return frozenset(HAN_RE.findall(text)) - _EMPTY_HAN
    found = (match[0].lower() for match in _WORD_RE.finditer(text))
    return frozenset(stem(base_of(word)) for word in found if len(word) > _SHORT and word not in _EMPTY_EN)


def _without(text: str, mentions: tuple[Mention, ...], start: int) -> str:
    for one in reversed(mentions):
        text = text[: one.start - start] + " " + text[one.end - start :]
    return text


def _tells(one: Wanted, told: frozenset[EntityKey], people: frozenset[EntityKey], words: frozenset[str]) -> bool:
    """Whether a sentence has a plan's names and words. Where it names nobody at all it may leave out who did it: "the
    bell was cast". Of two deeds ("casts and hangs the bell") one tells the plan."""
    everyone = one.people <= told or (bool(one.deeds) and not people)
    wanted = one.words - frozenset(stem(deed) for deed in one.deeds) | (one.words & words)
    wanted = wanted if len(one.deeds) > 1 else one.words
    return everyone and len(wanted & words) >= SHARE * len(wanted)


def _head(name: str, scene: Scene) -> frozenset[str]:
    """What a thing's name ends in, by which alone it may be called: the House, 图."""
    if scene.lang == "zh":
        return frozenset(name[-1:])
    return _words(name.split()[-1], scene)
