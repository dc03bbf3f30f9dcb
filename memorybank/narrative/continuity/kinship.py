"""Kin, marriage, teacher and pupil: a draft's words for two people beside what is on record between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.scene import Scene
from memorybank.narrative.extraction.kin_terms import INVERSE, Kin, kin_of_word, pair_of_word
from memorybank.narrative.extraction.statements import Statement
from memorybank.narrative.types import EntityKey, Fact
from memorybank.types import Lang

MENTORS: Final = frozenset({"master", "disciple"})
ONE_ALONE: Final = frozenset({"spouse", "master"})
"""Relations of which the check takes a person to have one: another one is a finding."""
_BESIDE: Final = frozenset({"spouse", "cousin"})
"""Two may be both to one another."""


# -- on record --------------------------------------------------------------------------------------------------------


def between(scene: Scene, one: EntityKey, other: EntityKey) -> list[tuple[Kin, Fact]]:
    """What `one` is to `other`, by every fact that says so, directly or the other way round."""
    found = []
    for fact in scene.record.about(one):
        if {fact.subject, fact.object} != {one, other}:
            continue
        kin = _told_by(fact)
        if kin is not None:
            found.append((kin if fact.subject == one else _turned(kin), fact))
    return found


def _told_by(fact: Fact) -> Kin | None:
    """What a fact says that its subject is to its object: by its role, as {"role": "姐姐"}, and its predicate."""
    role = next((kin for value in fact.properties.values() if (kin := _of_any(value.strip()))), None)
    if fact.predicate == "KIN_OF":
        return role
    general = _GENERAL.get(fact.predicate)
    word = fact.predicate.removesuffix("_OF").replace("_", " ").lower()
    named = Kin(general, "", "") if general else kin_of_word(word, "en") if fact.predicate.endswith("_OF") else None
    return role if named is not None and role is not None and role.relation == named.relation else named


_GENERAL: Final = {
    "MARRIED_TO": "spouse", "PARENT_OF": "parent", "CHILD_OF": "child", "SIBLING_OF": "sibling",
    "GRANDPARENT_OF": "grandparent", "GRANDCHILD_OF": "grandchild", "MASTER_OF": "master",
}  # fmt: skip
"""Predicates that say nothing of the sex."""


def _of_any(word: str) -> Kin | None:
    return kin_of_word(word, "zh") or kin_of_word(word, "en")


def _turned(kin: Kin) -> Kin:
    """The same seen from the other side; of the other's sex it says nothing."""
    order = {"elder": "younger", "younger": "elder"}.get(kin.order, "")
    return Kin(INVERSE[kin.relation], "", order)


# -- the rules --------------------------------------------------------------------------------------------------------


def kinship(scene: Scene) -> Iterator[Finding]:
    for one in scene.all("kin_of", "kin_named", "kin_bare", "kin_calls", "kin_pair"):
        if one.subject is None or one.object is None or one.subject.key == one.object.key:
            continue
        if one.denied or scene.clause_has("near_kin", one):
            continue
        said = _said(one, scene.lang)
        against = [_against(scene, one.subject.key, one.object.key, kin) for kin in said]
        if against and all(against) and against[0] is not None:
            yield _finding(scene, one, against[0])


def _said(one: Statement, lang: Lang) -> list[Kin]:
    """What a statement may make the one of the other: two who are "father and son" either way."""
    if one.event == "kin_pair":
        return [Kin(relation, "", "") for relation in pair_of_word(one.word, lang)]
    kin = kin_of_word(one.word, lang)
    return [kin] if kin else []


def _against(scene: Scene, one: EntityKey, other: EntityKey, said: Kin) -> Fact | None:
    """The fact that speaks against `one` being `said` to `other`."""
    known = [
        (kin, fact)
        for kin, fact in between(scene, one, other)
        if (kin.relation in MENTORS) == (said.relation in MENTORS)
    ]
    if known:
        beside = any({kin.relation, said.relation} == _BESIDE for kin, _ in known)
        return None if beside or any(_agree(kin, said) for kin, _ in known) else known[0][1]
    return _taken(scene, one, other, said) or _taken(scene, other, one, Kin(INVERSE[said.relation], "", ""))


def _agree(known: Kin, said: Kin) -> bool:
    if known.relation != said.relation:
        return False
    return not _differ(known.gender, said.gender) and not _differ(known.order, said.order)


def _differ(one: str, other: str) -> bool:
    return bool(one and other and one != other)


def _taken(scene: Scene, one: EntityKey, other: EntityKey, said: Kin) -> Fact | None:
    """The fact by which someone else is already the one husband, wife or teacher of `other`."""
    if said.relation not in ONE_ALONE:
        return None
    for fact in scene.record.about(other):
        third = fact.subject if fact.object == other else fact.object
        if third != one and any(kin.relation == said.relation for kin, _ in between(scene, third, other)):
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
