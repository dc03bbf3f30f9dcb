"""The interface of an embedding model for the rest of the library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Matrix = NDArray[np.float32]
"""Shape (n, dim), rows L2-normalised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CosineScale:
    """The range in which a model's cosines lie: `lo` is what unrelated texts score, `hi` what near-equal ones do.

    Constants of the model, never of the corpus, so that alpha means the same everywhere.
    """

    lo: float
    hi: float

    def stretched(self, cosines: ArrayLike) -> NDArray[np.floating[Any]]:
        """Return each cosine within that range, from 0 to 1: clip((cosine - lo) / (hi - lo), 0, 1)."""
        near: NDArray[np.floating[Any]] = np.clip((np.asarray(cosines) - self.lo) / (self.hi - self.lo), 0, 1)
        return near


class Embedder(Protocol):
    """Turns texts into unit vectors. Long texts are cut to the model's length in pieces and mean-pooled."""

    @property
    def name(self) -> str:
        """Return the model's name, as it goes into the session's first event."""

    @property
    def dim(self) -> int: ...

    @property
    def scale(self) -> CosineScale: ...

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Embed texts to be found. Shape (len(texts), dim), float32, unit rows; an empty text gives a zero row."""

    def queries(self, texts: Sequence[str]) -> Matrix:
        """Embed texts to find with (e5 models tell the two apart by a prefix). Shape (len(texts), dim)."""

    def count_tokens(self, text: str) -> int:
        """Count the text's tokens by the model's own tokenizer, without special tokens and without a length limit."""


@runtime_checkable
class WorksAhead(Protocol):
    """A model beside this process, which can begin with texts before they are asked for."""

    def ahead(self, texts: Sequence[str], kind: Literal["document", "parse"]) -> None:
        """Queue texts to be embedded or parsed and return at once; who then asks for one gets what was made of it."""
