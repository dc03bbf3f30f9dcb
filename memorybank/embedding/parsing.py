"""The parser of a session's sentences: its embedding model's process, or that of the built-in model beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from memorybank.embedding.base import Embedder
from memorybank.embedding.models import HASHED, resolve
from memorybank.language.parse import Parse, Parsed


@runtime_checkable
class Parser(Protocol):
    """An embedding model whose process holds the parsers, too."""

    def parse(self, sentences: Sequence[str]) -> Sequence[Parsed]: ...


def parse_beside(embedder: Embedder) -> Parse:
    """Return what parses sentences beside an embedding model; a model that is served elsewhere parses nothing itself,
    and a process without a model of meaning does it here, begun by the first sentence."""
    if isinstance(embedder, Parser):
        return embedder.parse
    from memorybank.embedding.process import shared

    return lambda sentences: shared(resolve(HASHED.name)).parse(sentences)
