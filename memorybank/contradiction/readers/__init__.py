"""Readers: each only produces frames from a text. Who compares them is not their business."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final, get_args

from memorybank.contradiction.frame import Reading
from memorybank.contradiction.readers import claims, denials, relations
from memorybank.language.text import one_form
from memorybank.memory.types import Reader

READERS: Final[tuple[Reader, ...]] = get_args(Reader)
"""Parsed claims; what one text says there is not; known relations in loose prose. The first that finds counts."""
_CACHE_SIZE = 4096
"""Parsed texts kept. A node's summary is compared with many others in a row, so parsing is paid once."""


@lru_cache(maxsize=_CACHE_SIZE)
def read(text: str, topic: str = "") -> Reading:
    """The frames of all readers, of the text in one form. `topic` names what it is about where it only says "it"."""
    text = one_form(text)
    parsed = claims.read(text, one_form(topic))
    about = parsed.topic if parsed.sentences > 1 else ()
    return replace(parsed, frames=(*parsed.frames, *denials.read(text, about), *relations.read(text)))


__all__ = ["READERS", "read"]
