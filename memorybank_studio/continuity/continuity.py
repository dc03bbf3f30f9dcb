"""The continuity check of a studio, for whoever has a draft: the author's desk, a chapter in the making.

A language model reads the draft beside the record; without one nothing is read, and the report says so. What the author
has let stand before, in the same words against the same fact, is no finding again.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from memorybank.errors import Notice
from memorybank.memory.types import Lang
from memorybank_studio.continuity.by_model import ModelReader
from memorybank_studio.continuity.findings import Intention, Report


class Continuity:
    """Stateless but for what it asks its hub. Thread-safe."""

    def __init__(
        self, reader: ModelReader | None = None, *, intended: Callable[[], Container[Intention]] = frozenset
    ) -> None:
        """`reader`: None without a language model. `intended`: what the author has let stand so far."""
        self._reader = reader
        self._intended = intended

    @property
    def can_check(self) -> bool:
        return self._reader is not None

    def checked(self, text: str, chapter: int, lang: Lang, so_far: Sequence[str] = ()) -> Report:
        """What in a draft of `chapter` does not fit; reasons in `lang`, the draft may be in either language.

        `so_far`: what the chapter has told before this draft of it, a line each (who is where, who has learned what).
        Raises StoreUnavailableError, Cancelled.
        """
        if self._reader is None:
            return Report(findings=(), failure=Notice("continuity.no_model"))
        return self._reader.read(text, chapter, lang, so_far).parted(text, self._intended())
