"""The continuity check: sentences of a draft that the facts on record speak against.

Only what the draft's narrator tells as happened counts (`reading.narration`), set beside the facts that hold as of
the chapter. Precision first: what may be meant otherwise is let pass. Each rule is a function from a scene to findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from memorybank.memory.types import Lang
from memorybank.narrative.continuity.findings import Finding
from memorybank.narrative.continuity.possession import lost_return, wrong_hands
from memorybank.narrative.continuity.presence import dead_return
from memorybank.narrative.continuity.scene import Scene, distinct, scene
from memorybank.narrative.hub.contracts import FactLayer

Rule = Callable[[Scene], Iterator[Finding]]

RULES: Final[tuple[Rule, ...]] = (dead_return, lost_return, wrong_hands)
"""Where two rules find the same sentence at odds with the same fact, the earlier one tells it."""


def check(text: str, chapter: int, lang: Lang, facts: FactLayer) -> tuple[Finding, ...]:
    """What in a draft of `chapter` does not fit, in the order of the draft; reasons in `lang`.

    The draft may be in either language. Raises StoreUnavailableError.
    """
    return findings_of(scene(text, chapter, lang, facts))


def findings_of(drafted: Scene) -> tuple[Finding, ...]:
    """The same of a draft that is read already. Raises StoreUnavailableError."""
    return distinct([finding for rule in RULES for finding in rule(drafted)])
