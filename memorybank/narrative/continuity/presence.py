"""Who is dead by now and acts all the same, and who is somewhere else."""

from __future__ import annotations

from collections.abc import Iterator

from memorybank.narrative.continuity.deeds import DOES, KIN_DOES
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.kinship import relative
from memorybank.narrative.continuity.scene import Scene, word_re
from memorybank.narrative.extraction.mentions import Named
from memorybank.narrative.extraction.statements import Statement
from memorybank.narrative.types import EntityKey, Fact


def dead_return(scene: Scene) -> Iterator[Finding]:
    for one in scene.all(DOES, KIN_DOES, "give"):
        who = _who(scene, one)
        if who is None or one.denied or _of_another_time(scene, one):
            continue
        fact = scene.record.status(who.key, word_re("dead", scene.lang))
        if fact is not None:
            yield scene.finding(FindingKind.DEAD_RETURNS, one.sentence, fact, "dead_returns", name=who.name)


def _of_another_time(scene: Scene, one: Statement) -> bool:
    """Looked back upon, thought of, or seen in a picture."""
    return scene.up_to("past", one) or scene.before("mind", one) or scene.after("image", one)


def _who(scene: Scene, one: Statement) -> Named | None:
    """The one who acts or is given something; "her father came in" names him by his kin."""
    if one.event == KIN_DOES:
        return relative(scene, one.object, one.word)
    return one.to if one.event == "give" else one.subject


def elsewhere(scene: Scene) -> Iterator[Finding]:
    """Someone is told to be in one place while another is on record, and has not gone there in the draft."""
    moved: set[EntityKey] = set()
    for one in scene.statements:
        if one.subject is None:
            continue
        if one.event in ("arrive", "leave", "heads"):
            moved.add(one.subject.key)
        elif one.event == "born":
            yield from _born(scene, one)
        elif one.event == "lies_in" or (one.event == "be_in" and one.subject.key not in moved):
            yield from _place(scene, one)


def _place(scene: Scene, one: Statement) -> Iterator[Finding]:
    subject, place = one.subject, one.object
    if subject is None or place is None or one.denied or subject.key == place.key:
        return
    if scene.has("back", one.sentence) and not scene.has("still", one.sentence):
        return
    known = [fact for fact in scene.record.of(subject.key, "LOCATED_IN") if not _buried(scene, fact)]
    if known and not any(_fits(scene, fact.object, place) for fact in known):
        yield scene.finding(
            FindingKind.CONTRADICTS, one.sentence, known[-1], "place", name=subject.name, other=place.name
        )


def _born(scene: Scene, one: Statement) -> Iterator[Finding]:
    if one.subject is None or one.object is None or one.denied:
        return
    known = scene.record.of(one.subject.key, "BORN_IN")
    if known and not any(_fits(scene, fact.object, one.object) for fact in known):
        yield scene.finding(
            FindingKind.CONTRADICTS, one.sentence, known[-1], "place", name=one.subject.name, other=one.object.name
        )


def _buried(scene: Scene, fact: Fact) -> bool:
    dead = scene.record.status(fact.subject, word_re("dead", scene.lang))
    return dead is not None or any(word_re("grave", scene.lang).search(value) for value in fact.properties.values())


def _fits(scene: Scene, known: EntityKey, place: Named) -> bool:
    """Whether one place is the other or lies within it, as far as is on record."""
    return (
        place.key in _around(scene, known) or known in _around(scene, place.key) or _named_within(scene, known, place)
    )


def _named_within(scene: Scene, known: EntityKey, place: Named) -> bool:
    """ "永宁城以南" speaks of 永宁城: near it, if not in it."""
    name = scene.record.name(known)
    return place.name in name or name in place.name


def _around(scene: Scene, key: EntityKey, steps: int = 5) -> set[EntityKey]:
    """The place and what it lies in."""
    found = {key}
    frontier = {key}
    for _ in range(steps):
        frontier = {fact.object for one in frontier for fact in scene.record.of(one, "LOCATED_IN")} - found
        found |= frontier
    return found
