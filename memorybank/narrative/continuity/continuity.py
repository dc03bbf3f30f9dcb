"""The continuity check of a studio, for whoever has a draft: the author's desk, a chapter in the making, an option.

Rules come first. What the author has let stand before, in the same words against the same fact, is no finding again.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from memorybank.memory.types import Lang
from memorybank.narrative.continuity.causes import effects_before_causes
from memorybank.narrative.continuity.check import findings_of
from memorybank.narrative.continuity.findings import Intention, Report
from memorybank.narrative.continuity.scene import distinct, scene
from memorybank.narrative.hub.stores import Stores


class Continuity:
    """Stateless but for what it asks its hub. Thread-safe."""

    def __init__(self, stores: Stores, *, intended: Callable[[], Container[Intention]] = frozenset) -> None:
        """`intended`: what the author has let stand so far."""
        self._stores = stores
        self._intended = intended

    def checked(self, text: str, chapter: int, lang: Lang) -> Report:
        """What in a draft of `chapter` does not fit; reasons in `lang`, the draft may be in either language.

        Raises StoreUnavailableError.
        """
        drafted = scene(text, chapter, lang, self._stores.facts)
        findings = distinct((*findings_of(drafted), *effects_before_causes(drafted, self._stores)))
        let_stand = self._intended()
        intended = tuple(finding for finding in findings if finding.intention(text) in let_stand)
        return Report(findings=tuple(finding for finding in findings if finding not in intended), intended=intended)
