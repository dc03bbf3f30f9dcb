"""What someone is or can: membership and leadership, abilities, age, and by which name they go."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.scene import Scene
from memorybank.narrative.extraction.mentions import Mention
from memorybank.narrative.extraction.numerals import number
from memorybank.narrative.types import EntityKey, EntityKind, Fact
from memorybank.text import Piece

_GENERIC: Final = frozenset({"man", "woman"})
_SINCE: Final = 5
"""The same, where the record only says that they are older by now."""
_YEARS: Final = 1
"""By so many years a draft may be later than the record without a birthday having been told."""


def membership(scene: Scene) -> Iterator[Finding]:
    for one in scene.all("member", "rank_named"):
        if one.subject is None or one.object is None or one.denied or scene.has("back", one.sentence):
            continue
        known = scene.record.of(one.subject.key, "MEMBER_OF", "LEADS")
        if not known or any(fact.object == one.object.key for fact in known) or one.word.lower() in _GENERIC:
            continue
        yield scene.finding(
            FindingKind.CONTRADICTS, one.sentence, known[-1], "member", name=one.subject.name, other=one.object.name
        )


def leadership(scene: Scene) -> Iterator[Finding]:
    for one in scene.all("lead", "head_named"):
        if one.subject is None or one.object is None or one.denied or scene.has("back", one.sentence):
            continue
        known = scene.record.to(one.object.key, "LEADS")
        if known and all(fact.subject != one.subject.key for fact in known):
            yield scene.finding(
                FindingKind.CONTRADICTS, one.sentence, known[-1], "head", name=one.subject.name, other=one.object.name
            )


def abilities(scene: Scene) -> Iterator[Finding]:
    """An ability used by someone who does not have it, while the story gave it to another; or one denied."""
    learned: set[tuple[str, str]] = set()
    for one in scene.all("learn", "perform", "can", "lacks"):
        if one.subject is None or one.object is None:
            continue
        pair = (str(one.subject.key), str(one.object.key))
        own = [fact for fact in scene.record.of(one.subject.key, "HAS_ABILITY") if fact.object == one.object.key]
        if one.event == "learn" and not one.denied:
            learned.add(pair)
        if one.event == "learn" or scene.clause_has("back", one):
            continue
        if one.denied or one.event == "lacks":
            if own and one.event in ("can", "lacks"):
                yield _ability(scene, one.sentence, own[0], "inability", one.subject.name, one.object.name)
            continue
        others = scene.record.to(one.object.key, "HAS_ABILITY")
        against = _lost_ability(scene, one.subject.key, one.object.key, own)
        if against is None and others and not own:
            against = others[-1]
        if against is None or pair in learned or scene.clause_has("ability_gone", one):
            continue
        if not scene.has("partial", one.sentence):
            yield _ability(scene, one.sentence, against, "ability", one.subject.name, one.object.name)


def _lost_ability(scene: Scene, key: EntityKey, ability: EntityKey, own: Sequence[Fact]) -> Fact | None:
    """The fact that someone lost an ability: it says so, or ended before this chapter."""
    told = [one for one in scene.record.of(key, "LOST_ABILITY") if one.object == ability]
    if told or own:
        return told[-1] if told and all(told[-1].since >= one.since for one in own) else None
    past = (one for one in scene.record.facts.history(key) if one.predicate == "HAS_ABILITY")
    return next((one for one in past if one.object == ability and _ended(scene, one)), None)


def _ended(scene: Scene, fact: Fact) -> bool:
    return fact.until is not None and fact.until <= scene.record.chapter


def _ability(scene: Scene, sentence: Piece, fact: Fact, reason: str, name: str, other: str) -> Finding:
    kind = FindingKind.WITHOUT_CAUSE if reason == "ability" else FindingKind.CONTRADICTS
    return scene.finding(kind, sentence, fact, reason, name=name, other=other)


def ages(scene: Scene) -> Iterator[Finding]:
    for one in scene.all("age", "age_named"):
        years = number(one.word)
        if one.subject is None or years is None or one.denied or scene.has("back", one.sentence):
            continue
        if scene.clause_has("once", one):
            continue
        fact = _age(scene, one.subject.key)
        known = number(fact.properties.get("value", scene.record.name(fact.object))) if fact else None
        if fact is None or known is None:
            continue
        later = _YEARS if fact.until is None or fact.until > scene.record.chapter else _SINCE
        if not known <= years <= known + later:
            yield scene.finding(
                FindingKind.CONTRADICTS, one.sentence, fact, "age", name=one.subject.name, word=one.word
            )


def _age(scene: Scene, key: EntityKey) -> Fact | None:
    """The age on record, or the last one there was: nobody grows younger."""
    ages = [one for one in scene.record.facts.history(key) if one.subject == key and one.predicate == "AGE"]
    return max((one for one in ages if one.since < scene.record.chapter), key=lambda one: one.since, default=None)


def names(scene: Scene) -> Iterator[Finding]:
    """Someone is called by a name that is another's."""
    for one in scene.all("named_as", "apposed"):
        if one.subject is None or one.object is None or one.subject.key == one.object.key:
            continue
        told = (one.subject.name.lower(), one.object.name.lower())
        if one.event == "apposed" and not any(name.startswith("the ") for name in told):
            continue  # "Mara, Tomas," are two; "Mara, the Widow," is one
        whose = scene.record.name(one.object.key)
        known = scene.record.about(one.object.key)
        if known:
            yield scene.finding(
                FindingKind.CONTRADICTS,
                one.sentence,
                known[0],
                "name",
                name=one.subject.name,
                other=whose,
                word=one.object.name,
            )


_SIDE: Final = r"(?<=以)[东西南北]|[东西南北](?=[岸边面部侧境麓坡])|\b(?:north|south|east|west)(?=(?:ern)?\b)"
_SIDE_RE: Final = re.compile(_SIDE, re.IGNORECASE)
_AFTER_RE: Final = re.compile(
    rf"(?:这[座个片]|那[座个片]|位于|地处|坐落|建在|在|是)[^，。；！？望看向往朝去到从]{{0,8}}?(?P<side>{_SIDE})"
    rf"|,?\s+(?:lies|lay|stands|stood|sits|is|was|clings|clung|on|at)\b[^.,;!?]{{0,40}}?(?P<other>{_SIDE})",
    re.IGNORECASE,
)
"""A place's name, then where it lies: 望津渡这座南岸小镇, "Cairnholt lies on the western slope"."""
_BEFORE_RE: Final = re.compile(
    r"(?P<side>[东西南北])[岸边面部侧境麓坡]的?\Z"
    r"|\bon\s+the\s+(?P<other>north|south|east|west)(?:ern)?\s+\w+\s+of\b[^.;!?]{0,40},\s+\Z",
    re.IGNORECASE,
)
_OPPOSITE: Final = {
    "东": "西", "西": "东", "南": "北", "北": "南", "north": "south", "south": "north", "east": "west", "west": "east",
}  # fmt: skip
_PLACES: Final = frozenset({EntityKind.LOCATION, EntityKind.FACTION})


def directions(scene: Scene) -> Iterator[Finding]:
    """A place told to be on the other side than on record."""
    for encoded in scene.encoded:
        if scene.has("back", encoded.piece):
            continue
        for mention in encoded.mentions:
            side = _side_said(scene, encoded.piece, mention) if mention.named.kind in _PLACES else ""
            for fact in scene.record.of(mention.named.key, "LOCATED_IN") if side else ():
                if _OPPOSITE[side] in _sides(scene, fact) and side not in _sides(scene, fact):
                    name = mention.named.name
                    kind = FindingKind.CONTRADICTS
                    yield scene.finding(kind, encoded.piece, fact, "direction", name=name, word=side)


def _side_said(scene: Scene, piece: Piece, mention: Mention) -> str:
    """The side on which a sentence puts a place; empty when it says nothing of it."""
    match = _AFTER_RE.match(scene.text, mention.end, piece.end) or _BEFORE_RE.search(
        scene.text[piece.start : mention.start]
    )
    return (match["side"] or match["other"]).lower() if match else ""


def _sides(scene: Scene, fact: Fact) -> set[str]:
    told = " ".join((scene.record.name(fact.object), *fact.properties.values()))
    return {match[0].lower() for match in _SIDE_RE.finditer(told)}
