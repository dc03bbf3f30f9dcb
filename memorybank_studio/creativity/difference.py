"""How far drafts differ: by meaning, as the embedding model measures it, and by the planned step they bring about.

Two drafts of one scene read alike until they part, so that their texts alone do not tell a paraphrase from another
course of things; what each says it brings about is measured too, and the mean of both counts. Where `TOO_ALIKE` comes
from: pairs of short scenes, three paraphrases and six that end otherwise, of which three begin alike, by language.

                              all-MiniLM-L6-v2, English   multilingual-e5-small, English   the same, Chinese
    the same in other words   .84 .90 .94                 .72 .87 .87                      .92 .93 .98
    another course of things  .50 .72 .77 and lower       .52 .52 .76 and lower            .74 .81 .91 and lower

By `hashed-ngrams` a paraphrase has .34 to .49: it finds repeated words alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from memorybank.embedding.base import Embedder, Matrix
from memorybank_studio.creativity.options import Draft

TOO_ALIKE: Final = 0.87
"""Similarity from which two drafts are one proposal in other words."""


def similarities(drafts: Sequence[Draft], embedder: Embedder) -> Matrix:
    """Of each draft to each, in [0, 1] on the model's scale: of the texts, and of what both bring about where both say
    so, the mean. Shape (len(drafts), len(drafts))."""
    texts = _similarities([draft.text for draft in drafts], embedder)
    events = _similarities([draft.event for draft in drafts], embedder)
    told = np.array([bool(draft.event) for draft in drafts])
    near: Matrix = np.where(told[:, None] & told, (texts + events) / 2, texts)
    return near


def _similarities(texts: Sequence[str], embedder: Embedder) -> Matrix:
    vectors, scale = embedder.documents(texts), embedder.scale
    near: Matrix = np.clip((vectors @ vectors.T - scale.lo) / (scale.hi - scale.lo), 0, 1)
    return near


def alike(draft: Draft, others: Sequence[Draft], embedder: Embedder) -> int | None:
    """The place of the other draft that it is too much like; None: it differs from all of them."""
    if not others:
        return None
    near = similarities([*others, draft], embedder)[-1, :-1]
    place = int(near.argmax())
    return place if near[place] >= TOO_ALIKE else None
