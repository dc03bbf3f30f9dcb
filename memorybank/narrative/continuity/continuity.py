"""The continuity check of a studio, for whoever has a draft: the author's desk, a chapter in the making, an option.

Rules come first, then the language model where there is one; where it fails the rules' marks stand. What the author has
let stand before, in the same words against the same fact, is no finding again.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from memorybank.memory.types import Lang
from memorybank.narrative.continuity.by_model import ModelReader, ModelReading
from memorybank.narrative.continuity.causes import effects_before_causes
from memorybank.narrative.continuity.check import findings_of
from memorybank.narrative.continuity.findings import Intention, Report
from memorybank.narrative.continuity.scene import distinct, scene
from memorybank.narrative.hub.stores import Stores


class Continuity:
    """Stateless but for what it asks its hub. Thread-safe."""

    def __init__(
        self,
        stores: Stores,
        reader: ModelReader | None = None,
        *,
        intended: Callable[[], Container[Intention]] = frozenset,
    ) -> None:
        """`reader`: None for rules alone. `intended`: what the author has let stand so far."""
        self._stores = stores
        self._reader = reader
        self._intended = intended

    def checked(self, text: str, chapter: int, lang: Lang, so_far: Sequence[str] = ()) -> Report:
        """What in a draft of `chapter` does not fit; reasons in `lang`, the draft may be in either language.

        `so_far`: what the chapter has told before this draft of it, a line each (who is where, who has learned what).
        Raises StoreUnavailableError, Cancelled.
        """
        drafted = scene(text, chapter, lang, self._stores.facts)
        ruled = distinct((*findings_of(drafted), *effects_before_causes(drafted, self._stores)))
        reading = self._reader.read(drafted, ruled, so_far) if self._reader else ModelReading(ruled, 0, 0)
        report = Report(
            findings=reading.findings,
            passages=reading.passages,
            read=reading.read,
            failure=reading.failure,
        )
        return report.parted(text, self._intended())
