"""The continuity check: sentences of a draft that facts, plans or the course of the story speak against.

Only what the draft's narrator tells as happened counts (`extraction.narration`), set beside the facts that hold as of
the chapter. Precision first: what may be meant otherwise is let pass. Each rule is a function from a scene to findings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Protocol

from memorybank.narrative.continuity.findings import Finding
from memorybank.narrative.continuity.kinship import kinship
from memorybank.narrative.continuity.naming import names
from memorybank.narrative.continuity.planned import plans_as_done
from memorybank.narrative.continuity.possession import lost_return, wrong_hands
from memorybank.narrative.continuity.presence import dead_return
from memorybank.narrative.continuity.scene import Scene, kept, scene
from memorybank.narrative.hub.contracts import FactLayer, PlanLayer
from memorybank.text import detect_lang
from memorybank.types import Lang

Rule = Callable[[Scene], Iterator[Finding]]

RULES: Final[tuple[Rule, ...]] = (
    dead_return,
    lost_return,
    wrong_hands,
    kinship,
    names,
    plans_as_done,
)
"""Where two rules find the same sentence at odds with the same fact, the earlier one tells it."""


class Layers(Protocol):
    """The two graph layers; `creativity.lookups.Stores` has them."""

    @property
    def facts(self) -> FactLayer: ...

    @property
    def plans(self) -> PlanLayer: ...


def check(text: str, chapter: int, lang: Lang, stores: Layers) -> tuple[Finding, ...]:
    """What in a draft of `chapter` does not fit, in the order of the draft; reasons in `lang`.

    The draft may be in either language. Raises StoreUnavailableError.
    """
    drafted = scene(text, chapter, detect_lang(text), lang, stores.facts, stores.plans)
    return kept([finding for rule in RULES for finding in rule(drafted)])
