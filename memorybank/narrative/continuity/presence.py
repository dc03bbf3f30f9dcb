"""Who is dead by now and acts all the same."""

from __future__ import annotations

from collections.abc import Iterator

from memorybank.narrative.continuity.deed import DOES
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.scene import Scene, word_re


def dead_return(scene: Scene) -> Iterator[Finding]:
    for statement in scene.all(DOES, "give"):
        who = statement.to if statement.event == "give" else statement.subject
        fact = scene.record.status(who.key, word_re("dead", scene.lang)) if who is not None else None
        if who is not None and fact is not None:
            yield scene.finding(FindingKind.DEAD_RETURNS, statement.sentence, fact, "dead_returns", name=who.name)
