"""By which name someone goes: a name of somebody else's is a finding."""

from __future__ import annotations

from collections.abc import Iterator

from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.scene import Scene


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
