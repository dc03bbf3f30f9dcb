"""How far drafts differ: by meaning, as the embedding model measures it, and by the planned step they bring about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from memorybank.embedding.base import Embedder, Matrix
from memorybank.narrative.creativity.options import Nearest, Offer, Option

TOO_ALIKE: Final = 0.9
"""Similarity from which two texts are one proposal in other words."""


def similarities(texts: Sequence[str], embedder: Embedder) -> Matrix:
    """Of each text to each, in [0, 1] on the model's scale. Shape (len(texts), len(texts))."""
    vectors, scale = embedder.documents(texts), embedder.scale
    near: Matrix = np.clip((vectors @ vectors.T - scale.lo) / (scale.hi - scale.lo), 0, 1)
    return near


def alike(text: str, others: Sequence[str], embedder: Embedder) -> int | None:
    """The place of the other text that it is too much like; None: it differs from all of them."""
    if not others:
        return None
    near = similarities([*others, text], embedder)[-1, :-1]
    place = int(near.argmax())
    return place if near[place] >= TOO_ALIKE else None


def compared(options: Sequence[Option], embedder: Embedder) -> tuple[Option, ...]:
    """The options, each with the other one that it is most like; a single one as it is."""
    if len(options) < 2:
        return tuple(options)
    near = similarities([option.draft.text for option in options], embedder)
    np.fill_diagonal(near, -1.0)
    numbers = range(1, len(options) + 1)
    return tuple(_with_nearest(option, row, options, numbers) for option, row in zip(options, near, strict=True))


def against(option: Option, parents: Sequence[Offer], embedder: Embedder) -> Option:
    """The option with the parent that it is most like."""
    near = similarities([option.draft.text, *(parent.option.draft.text for parent in parents)], embedder)[0, 1:]
    return _with_nearest(option, near, [parent.option for parent in parents], [parent.number for parent in parents])


def _with_nearest(option: Option, near: Matrix, others: Sequence[Option], numbers: Sequence[int]) -> Option:
    """`near`: how like each of the others it is; shape (len(others),)."""
    place = int(near.argmax())
    step = option.draft.step
    same_step = bool(step) and step == others[place].draft.step
    similarity = round(float(near[place]), 3)
    return replace(option, nearest=Nearest(number=numbers[place], similarity=similarity, same_step=same_step))
