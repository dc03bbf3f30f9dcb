"""The queue of texts to embed: requests of many threads, shared out in micro-batches.

First come, first served by the batch: a request gives up to 32 texts, of long ones fewer, and goes to the back of the
queue, so a short query waits for one batch of each session before it and never for the thousand sentences of another.
Texts of several small requests fill one batch.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding.encoders import Kind
from memorybank.language.parse import Parsed

T = TypeVar("T")

BATCH = 32
BATCH_TOKENS = 2_048
"""A batch ends with the text that reaches them: 0.6 s of MiniLM on one core, and more at once are no faster."""

Row = NDArray[np.float32]
Asked = Kind | Literal["parse"]
"""The thing that is asked of a text: its vector of one kind, or its words."""


@dataclass(slots=True, eq=False)
class Item:
    """A text on its way to a vector; threads that ask for the same text share one."""

    key: bytes
    text: str
    kind: Asked
    tokens: int
    """The length in tokens: texts of one length go together."""
    row: Row | None = None
    parsed: Parsed | None = None
    failure: str = ""

    @property
    def settled(self) -> bool:
        return self.row is not None or self.parsed is not None or bool(self.failure)


def key_of(text: str, kind: Asked) -> bytes:
    return blake2b(text.encode(), digest_size=16, person=kind.encode()).digest()


class BatchQueue:
    """Queues requests and takes from them in turn. Not thread-safe: its owner holds a lock."""

    def __init__(self) -> None:
        self._requests: deque[tuple[Asked, deque[Item]]] = deque()

    def __bool__(self) -> bool:
        return bool(self._requests)

    def put(self, items: Iterable[Item]) -> None:
        """Queue a request: items of one kind, to embed by length, so that a batch holds texts of nearly one length."""
        ordered = deque(sorted(items, key=lambda item: 0 if item.kind == "parse" else item.tokens))
        if ordered:
            self._requests.append((ordered[0].kind, ordered))

    def take(self) -> list[Item]:
        """Take up to 32 texts of one kind and `BATCH_TOKENS` from the front; the rest of a request goes to the back."""
        kind = self._requests[0][0]
        batch: list[Item] = []
        kept: deque[tuple[Asked, deque[Item]]] = deque()
        unfinished: deque[tuple[Asked, deque[Item]]] = deque()
        room = BATCH_TOKENS
        while self._requests and room > 0 and len(batch) < BATCH:
            request_kind, items = self._requests.popleft()
            if request_kind != kind:
                kept.append((request_kind, items))
                continue
            while items and room > 0 and len(batch) < BATCH:
                room -= items[0].tokens
                batch.append(items.popleft())
            if items:
                unfinished.append((request_kind, items))
        self._requests = kept + self._requests + unfinished
        return batch

    def clear(self) -> None:
        self._requests.clear()


class Memo(Generic[T]):
    """Keeps vectors, or words, by text and forgets the least recently used first. 50,000 vectors are some 90 MB."""

    def __init__(self, size: int = 50_000) -> None:
        self._rows: OrderedDict[bytes, T] = OrderedDict()
        self._size = size

    def __len__(self) -> int:
        return len(self._rows)

    def get(self, key: bytes) -> T | None:
        row = self._rows.get(key)
        if row is not None:
            self._rows.move_to_end(key)
        return row

    def put(self, key: bytes, row: T) -> None:
        self._rows[key] = row
        if len(self._rows) > self._size:
            self._rows.popitem(last=False)
