"""Who is dead by now and acts all the same."""

from __future__ import annotations

from collections.abc import Iterator

from memorybank.narrative.continuity.deed import DOES
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.scene import Scene, word_re
from memorybank.narrative.extraction.statements import Statement


def dead_return(scene: Scene) -> Iterator[Finding]:
    for one in scene.all(DOES, "give"):
        who = one.to if one.event == "give" else one.subject
        if who is None or one.denied or _of_another_time(scene, one):
            continue
        fact = scene.record.status(who.key, word_re("dead", scene.lang))
        if fact is not None:
            yield scene.finding(FindingKind.DEAD_RETURNS, one.sentence, fact, "dead_returns", name=who.name)


def _of_another_time(scene: Scene, one: Statement) -> bool:
    """Looked back upon, thought of, or seen in a picture."""
    return scene.up_to("past", one) or scene.before("mind", one) or scene.after("image", one)
