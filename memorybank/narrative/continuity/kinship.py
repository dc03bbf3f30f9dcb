"""Kin, marriage, teacher and pupil: a draft's words for two people beside what is on record between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.scene import Scene, word_re
from memorybank.narrative.extraction.kin_terms import INVERSE, Kin, kin_of_word, pair_of_word
from memorybank.narrative.extraction.mentions import Named
from memorybank.narrative.extraction.statements import Statement
from memorybank.narrative.types import EntityKey, EntityKind, Fact
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


def derived(scene: Scene, one: EntityKey, other: EntityKey) -> list[tuple[Kin, Fact]]:
    """What `one` must be to `other` because of what each is to a third: the mother's brother is an uncle."""
    found = []
    for near in scene.record.about(one):
        third = near.object if near.subject == one else near.subject
        if third in (one, other):
            continue
        for first, _ in between(scene, one, third):
            for second, fact in between(scene, third, other):
                relation = _THROUGH.get((first.relation, second.relation))
                if relation is not None:
                    found.append((Kin(relation, gender(scene, one), ""), fact))
    return found


_THROUGH: Final = {
    ("parent", "parent"): "grandparent", ("child", "child"): "grandchild", ("parent", "sibling"): "parent",
    ("sibling", "parent"): "uncle", ("child", "sibling"): "nephew", ("child", "parent"): "sibling",
    ("sibling", "sibling"): "sibling", ("sibling", "child"): "child", ("grandparent", "sibling"): "grandparent",
    ("sibling", "grandchild"): "grandchild", ("child", "uncle"): "cousin", ("spouse", "parent"): "parent",
    ("child", "spouse"): "child", ("spouse", "uncle"): "uncle", ("sibling", "uncle"): "uncle",
}  # fmt: skip
"""What someone is to a third, what the third is to the other: what follows."""


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


def gender(scene: Scene, key: EntityKey) -> str:
    """Of someone, by a word on record for them, by a pronoun of the draft, else by the husband or wife."""
    facts = scene.record.about(key)
    own = (kin.gender for fact in facts if fact.subject == key and (kin := _told_by(fact)) and kin.gender)
    spouses = (
        kin.gender
        for fact in facts
        if fact.object == key and (kin := _told_by(fact)) and kin.relation == "spouse" and kin.gender
    )
    opposite = ({"male": "female", "female": "male"}[sex] for sex in spouses)
    return next(own, "") or scene.pronoun_gender(key) or next(opposite, "")


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
    told = between(scene, one, other) or (derived(scene, one, other) if said.relation != "inlaw" else [])
    known = [(kin, fact) for kin, fact in told if (kin.relation in MENTORS) == (said.relation in MENTORS)]
    if known:
        beside = any({kin.relation, said.relation} == _BESIDE for kin, _ in known)
        return None if beside or any(_agree(kin, said) for kin, _ in known) else known[0][1]
    return (
        _taken(scene, one, other, said)
        or _taken(scene, other, one, Kin(INVERSE[said.relation], gender(scene, other), ""))
        or _other_parents(scene, one, other, said)
    )


def _other_parents(scene: Scene, one: EntityKey, other: EntityKey, said: Kin) -> Fact | None:
    """The fact that speaks against two being siblings: another father, another mother, or two others."""
    if said.relation != "sibling":
        return None
    mine, others = _parents(scene, one), _parents(scene, other)
    if not mine or not others or mine.keys() & others.keys():
        return None
    if len(mine) >= _BOTH or len(others) >= _BOTH:
        return next(iter(mine.values()))
    sexes = {gender(scene, key) for key in others} - {""}
    return next((fact for key, fact in mine.items() if gender(scene, key) in sexes), None)


_BOTH: Final = 2
"""Parents on record beside whom there is no other."""


def _parents(scene: Scene, of: EntityKey) -> dict[EntityKey, Fact]:
    """With the facts that say so."""
    found = {}
    for fact in scene.record.about(of):
        other = fact.subject if fact.object == of else fact.object
        if any(kin.relation == "parent" for kin, _ in between(scene, other, of)):
            found[other] = fact
    return found


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
    known = _parents(scene, other)
    if said.relation == "parent" and len(known) >= _BOTH and one not in known:
        return next(iter(known.values()))
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
