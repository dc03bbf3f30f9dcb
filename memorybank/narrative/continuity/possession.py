"""Items in the wrong hands, and items that are lost or destroyed by now."""

from __future__ import annotations

from collections.abc import Iterator

from memorybank.narrative.continuity.deed import HANDLED
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.scene import Scene, word_re
from memorybank.narrative.reading.mentions import Named
from memorybank.narrative.reading.statements import Statement
from memorybank.narrative.types import EntityKey, EntityKind, Fact

TRANSFERS = ("gain", "take_from", "give")
USES = ("use", "holds")


def lost_return(scene: Scene) -> Iterator[Finding]:
    recovered: set[EntityKey] = set()
    for statement in scene.all(*TRANSFERS, "own", HANDLED):
        item = statement.object
        if item is None or item.kind is not EntityKind.ITEM:
            continue
        if item.key in recovered or word_re("recovers", scene.lang).search(statement.word):
            recovered.add(item.key)  # from here on the story has it back
            continue
        fact = _gone(scene, item)
        if fact is not None:
            yield scene.finding(FindingKind.LOST_RETURNS, statement.sentence, fact, "lost_returns", name=item.name)


def _gone(scene: Scene, item: Named) -> Fact | None:
    lost, destroyed = word_re("lost", scene.lang), word_re("destroyed", scene.lang)
    return scene.record.status(item.key, lost) or scene.record.status(item.key, destroyed)


def wrong_hands(scene: Scene) -> Iterator[Finding]:
    """Someone has or uses what another owns, and the draft has not given it to them."""
    holders: dict[EntityKey, set[EntityKey]] = {}
    for statement in scene.all(*TRANSFERS, "own", *USES):
        item, holder = statement.object, statement.to if statement.event == "give" else statement.subject
        if item is None or holder is None or item.kind is not EntityKind.ITEM:
            continue
        if statement.event in TRANSFERS:
            holders.setdefault(item.key, set()).add(holder.key)
        elif holder.key not in holders.get(item.key, ()):
            fact = _owned(scene, item, holder)
            if fact is not None and not (statement.event in USES and _owner_is_there(scene, statement, fact)):
                yield _finding(scene, statement, item, holder, fact)


def _owned(scene: Scene, item: Named, holder: Named) -> Fact | None:
    """The fact that someone else owns it."""
    owned = [*scene.record.to(item.key, "OWNS"), *scene.record.of(item.key, "OWNED_BY")]
    owners = {_owner(fact) for fact in owned}
    return owned[-1] if owned and holder.key not in owners and holder.kind is EntityKind.CHARACTER else None


def _owner(fact: Fact) -> EntityKey:
    return fact.subject if fact.predicate == "OWNS" else fact.object


def _owner_is_there(scene: Scene, statement: Statement, fact: Fact) -> bool:
    return any(mention.named.key == _owner(fact) for mention in scene.names.find(scene.sentence(statement.sentence)))


def _finding(scene: Scene, statement: Statement, item: Named, holder: Named, fact: Fact) -> Finding:
    own = statement.event == "own"
    return scene.finding(
        FindingKind.CONTRADICTS if own else FindingKind.WITHOUT_CAUSE,
        statement.sentence,
        fact,
        "owner" if own else "used_without",
        name=item.name,
        other=holder.name,
    )
