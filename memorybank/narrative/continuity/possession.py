"""Items in the wrong hands, and items that are lost or destroyed by now."""

from __future__ import annotations

from collections.abc import Iterator

from memorybank.narrative.continuity.deed import HANDLED
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.scene import Scene, word_re
from memorybank.narrative.extraction.mentions import Named
from memorybank.narrative.extraction.statements import Statement
from memorybank.narrative.types import EntityKey, EntityKind, Fact

TRANSFERS = ("gain", "take_from", "give")
STATES = ("own", "possessive")
USES = ("use", "holds")


def lost_return(scene: Scene) -> Iterator[Finding]:
    found: set[EntityKey] = set()
    for one in scene.all(*TRANSFERS, "own", HANDLED):
        item = one.object
        if item is None or item.kind is not EntityKind.ITEM or one.denied:
            continue
        if item.key in found or word_re("recovers", scene.lang).search(one.word):
            found.add(item.key)  # from here on the story has it back
            continue
        fact = _gone(scene, item)
        if fact is None or _of_another_time(scene, one):
            continue
        yield scene.finding(FindingKind.LOST_RETURNS, one.sentence, fact, "lost_returns", name=item.name)


def _gone(scene: Scene, item: Named) -> Fact | None:
    lost, destroyed = word_re("lost", scene.lang), word_re("destroyed", scene.lang)
    return scene.record.status(item.key, lost) or scene.record.status(item.key, destroyed)


def _of_another_time(scene: Scene, one: Statement) -> bool:
    """Looked back upon, thought of, or another thing: its pieces, a copy."""
    if scene.up_to("past", one) or scene.before("mind", one):
        return True
    if one.event != HANDLED and scene.clause_has("partial", one):
        return True
    return word_re("broken", scene.lang).search(scene.text[one.start : one.end + 8]) is not None


def wrong_hands(scene: Scene) -> Iterator[Finding]:
    """Someone has or uses what another owns, and the draft has not given it to them."""
    holders: dict[EntityKey, set[EntityKey]] = {}
    for one in scene.statements:
        item = one.object
        if item is None or not (
            item.kind is EntityKind.ITEM or (one.event == "own" and item.kind is EntityKind.LOCATION)
        ):
            continue
        if one.event in TRANSFERS:
            receiver = one.to if one.event == "give" else one.subject
            if receiver is not None and not one.denied:
                holders.setdefault(item.key, set()).add(receiver.key)
        elif one.event in (*STATES, *USES) and one.subject is not None and not one.denied:
            fact = _owned(scene, item, one.subject, holders.get(item.key, set()))
            if fact is not None and not _shared(scene, one, fact):
                yield _finding(scene, one, item, fact)


def _owned(scene: Scene, item: Named, holder: Named, given: set[EntityKey]) -> Fact | None:
    """The fact that someone else owns it."""
    owned = [*scene.record.to(item.key, "OWNS"), *scene.record.of(item.key, "OWNED_BY")]
    owners = {fact.subject if fact.predicate == "OWNS" else fact.object for fact in owned}
    if not owned or holder.key in owners or holder.key in given or holder.kind is not EntityKind.CHARACTER:
        return None
    return owned[-1]


def _shared(scene: Scene, one: Statement, fact: Fact) -> bool:
    """Borrowed, looked back upon, or in the owner's presence."""
    if scene.has("back", one.sentence) or scene.clause_has("possession_back", one):
        return True
    if _lent_before(scene, one) or (one.event == "possessive" and _had_it(scene, one)):
        return True
    if one.event in USES and word_re("wanted", scene.lang).search(scene.plain, one.start, one.end):
        return True
    owner = fact.subject if fact.predicate == "OWNS" else fact.object
    present = {mention.named.key for mention in scene.names.find(scene.sentence(one.sentence))}
    return one.event in USES and owner in present


def _lent_before(scene: Scene, one: Statement) -> bool:
    """Whether an earlier sentence, or this one up to here, lends the thing."""
    if one.object is None:
        return False
    for encoded in scene.encoded:
        end = min(encoded.piece.end, one.end)
        named = any(mention.named == one.object for mention in encoded.mentions)
        if named and word_re("lent", scene.lang).search(
            scene.plain, encoded.piece.start, max(encoded.piece.start, end)
        ):
            return True
    return False


def _had_it(scene: Scene, one: Statement) -> bool:
    """Whether it was theirs once: a dead master's sword keeps his name."""
    if one.subject is None or one.object is None:
        return False
    history = scene.record.facts.history(one.object.key)
    return any(fact.subject == one.subject.key and fact.predicate == "OWNS" for fact in history)


def _finding(scene: Scene, one: Statement, item: Named, fact: Fact) -> Finding:
    assert one.subject is not None
    stated = one.event in STATES
    return scene.finding(
        FindingKind.CONTRADICTS if stated else FindingKind.WITHOUT_CAUSE,
        one.sentence,
        fact,
        "owner" if stated else "used_without",
        name=item.name,
        other=one.subject.name,
    )
