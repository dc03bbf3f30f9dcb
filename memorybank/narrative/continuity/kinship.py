"""Kin, marriage, teacher and pupil: a draft's words for two people beside what is on record between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.scene import Scene, word_re
from memorybank.narrative.extraction.kin_terms import INVERSE, Kin, kin_of_word
from memorybank.narrative.extraction.mentions import Named
from memorybank.narrative.extraction.statements import Statement
from memorybank.narrative.types import EntityKey, EntityKind, Fact
from memorybank.types import Lang

PREDICATES: Final = {
    "PARENT_OF": "parent", "CHILD_OF": "child", "SIBLING_OF": "sibling", "MARRIED_TO": "spouse", "MASTER_OF": "master",
}  # fmt: skip
MENTORS: Final = frozenset({"master", "disciple"})
ONE_ALONE: Final = frozenset({"spouse", "master"})
"""Relations of which the check takes a person to have one: another one is a finding."""


# -- on record --------------------------------------------------------------------------------------------------------


def between(scene: Scene, one: EntityKey, other: EntityKey) -> list[tuple[Kin, Fact]]:
    """What `one` is to `other`, by every fact that says so, directly or the other way round."""
    found = []
    for fact in scene.record.about(one):
        relation = PREDICATES.get(fact.predicate)
        if relation is None or {fact.subject, fact.object} != {one, other}:
            continue
        role = _role(fact, scene.lang)
        if fact.subject == one:
            found.append((role or Kin(relation, "", ""), fact))
        else:
            inner = role.relation if role else relation
            order = {"elder": "younger", "younger": "elder"}.get(role.order if role else "", "")
            found.append((Kin(INVERSE[inner], "", order), fact))
    return found


def _role(fact: Fact, lang: Lang) -> Kin | None:
    """The exact word on record for the subject, as {"role": "姐姐"}."""
    return next((kin for value in fact.properties.values() if (kin := kin_of_word(value.strip(), lang))), None)


def gender(scene: Scene, key: EntityKey) -> str:
    roles = (_role(fact, scene.lang) for fact in scene.record.about(key) if fact.subject == key)
    return next((role.gender for role in roles if role and role.gender), "")


def relative(scene: Scene, of: Named | None, word: str) -> Named | None:
    """The one person on record whom a kinship term can mean: her father."""
    said = kin_of_word(word, scene.lang)
    if of is None or said is None:
        return None
    found: dict[EntityKey, None] = {}
    for fact in scene.record.about(of.key):
        other = fact.subject if fact.object == of.key else fact.object
        for kin, _ in between(scene, other, of.key):
            sex = kin.gender or gender(scene, other)
            if kin.relation == said.relation and (not sex or not said.gender or sex == said.gender):
                found[other] = None
    if len(found) != 1:
        return None
    key = next(iter(found))
    return Named(key, EntityKind.CHARACTER, scene.record.name(key))


# -- the rules --------------------------------------------------------------------------------------------------------


def kinship(scene: Scene) -> Iterator[Finding]:
    for one in scene.all("kin_of", "kin_named", "kin_bare"):
        if one.subject is None or one.object is None or one.subject.key == one.object.key:
            continue
        said = kin_of_word(one.word, scene.lang)
        if said is None or one.denied or scene.clause_has("near_kin", one):
            continue
        fact = _against(scene, one.subject.key, one.object.key, said)
        if fact is not None:
            yield _finding(scene, one, fact)


def only_children(scene: Scene) -> Iterator[Finding]:
    """ "Her brother" of someone who is on record as an only child."""
    for one in scene.all("kin_unnamed", "kin_named", "kin_bare", "kin_of"):
        said = kin_of_word(one.word, scene.lang)
        if one.object is None or said is None or said.relation != "sibling" or one.denied:
            continue
        if scene.clause_has("near_kin", one):
            continue
        fact = next(
            (
                fact
                for fact in scene.record.about(one.object.key)
                if _is_child(fact, one.object.key) and any(map(word_re("only", scene.lang).search, _values(fact)))
            ),
            None,
        )
        if fact is not None:
            yield scene.finding(
                FindingKind.CONTRADICTS, one.sentence, fact, "only_child", name=one.object.name, word=one.word
            )


def too_many(scene: Scene) -> Iterator[Finding]:
    """Two daughters of someone whose only child is on record."""
    for one in scene.all("kin_count"):
        said = kin_of_word(one.word, scene.lang)
        if one.object is None or said is None or said.relation != "child":
            continue
        for fact in scene.record.of(one.object.key, "PARENT_OF"):
            if any(map(word_re("only", scene.lang).search, _values(fact))):
                yield scene.finding(
                    FindingKind.CONTRADICTS, one.sentence, fact, "only_child", name=one.object.name, word=one.word
                )


def siblings(scene: Scene) -> Iterator[Finding]:
    """Someone told to be an only child who has a brother or sister on record."""
    for one in scene.all("only_child"):
        if one.subject is None or one.denied or scene.clause_has("near_kin", one):
            continue
        known = [fact for fact in scene.record.about(one.subject.key) if fact.predicate == "SIBLING_OF"]
        if known:
            yield scene.finding(FindingKind.CONTRADICTS, one.sentence, known[0], "siblings", name=one.subject.name)


def _is_child(fact: Fact, key: EntityKey) -> bool:
    return (fact.predicate == "CHILD_OF" and fact.subject == key) or (
        fact.predicate == "PARENT_OF" and fact.object == key
    )


def _values(fact: Fact) -> list[str]:
    return [*fact.properties, *fact.properties.values()]


def _against(scene: Scene, one: EntityKey, other: EntityKey, said: Kin) -> Fact | None:
    """The fact that speaks against `one` being `said` to `other`."""
    known = [
        (kin, fact)
        for kin, fact in between(scene, one, other)
        if (kin.relation in MENTORS) == (said.relation in MENTORS)
    ]
    if known:
        if any(_agree(kin, said) for kin, _ in known):
            return None
        return known[0][1]
    return _taken(scene, one, other, said) or _taken(
        scene, other, one, Kin(INVERSE[said.relation], gender(scene, other), "")
    )


def _agree(known: Kin, said: Kin) -> bool:
    if known.relation != said.relation:
        return False
    return not _differ(known.gender, said.gender) and not _differ(known.order, said.order)


def _differ(one: str, other: str) -> bool:
    return bool(one and other and one != other)


def _taken(scene: Scene, one: EntityKey, other: EntityKey, said: Kin) -> Fact | None:
    """The fact by which someone else is already the one father, mother, husband, wife or teacher of `other`."""
    if said.relation not in ONE_ALONE and said.relation != "parent":
        return None
    for fact in scene.record.about(other):
        third = fact.subject if fact.object == other else fact.object
        for kin, _ in between(scene, third, other):
            if third == one or kin.relation != said.relation:
                continue
            if said.relation in ONE_ALONE:
                return fact
            sex = kin.gender or gender(scene, third)
            if sex and sex == (said.gender or gender(scene, one)):
                return fact
    return None


def _finding(scene: Scene, one: Statement, fact: Fact) -> Finding:
    assert one.subject is not None
    assert one.object is not None
    return scene.finding(
        FindingKind.CONTRADICTS,
        one.sentence,
        fact,
        "kin",
        name=one.subject.name,
        other=one.object.name,
        word=one.word,
    )
