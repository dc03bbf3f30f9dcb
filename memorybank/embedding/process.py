"""One embedding process for all sessions of a Python process.

The model loads in a child process in the background, so no page waits for torch and one model serves ten sessions.
Threads ask, one dispatcher thread talks to the child:

    documents() -> clean, cut -> memo? in flight? -> BatchQueue -> dispatcher -> Child -> memo -> mean pool
    parse()     -> memo? in flight? -> BatchQueue -> dispatcher -> Child -> memo
"""

from __future__ import annotations

import atexit
import os
import threading
import traceback
import weakref
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal

import numpy as np

from memorybank import calls
from memorybank.embedding.base import CosineScale, Matrix
from memorybank.embedding.batches import Asked, BatchQueue, Item, Memo, Row, key_of
from memorybank.embedding.child import Child, ChildEndedError, Loaded, ModelServer
from memorybank.embedding.encoders import Kind
from memorybank.embedding.models import ModelChoice, ModelSpec
from memorybank.embedding.pieces import Counter, TextPiece, clean, counter, cut, pool
from memorybank.errors import ModelUnavailableError, Notice
from memorybank.language.parse import Parsed

GLANCE = 0.1
"""Seconds between two looks at whether the asking call was stopped."""
_FAILURE = 500
"""The most characters of a failure that are told in its one line."""
_PARSED, _LETTERS = 16_384, 4
"""Sentences whose words are remembered, some 50 MB: a megabyte of text, which each stage reads from its beginning; and
letters that count as a token of a batch."""
_SHORT, _CUT = 2_000, 16_384
"""Characters of a text, and number of texts, whose pieces are remembered: a summary is asked for again with every
neighbour, and counting its tokens takes 0.3 ms.
"""


class EmbeddingProcess:
    """An `Embedder` whose model lives in a child process. Thread-safe; the constructor returns at once.

    What needs the model waits for it, and raises ModelUnavailableError when it cannot be loaded, its process died or
    was closed; `restart` tries again.
    """

    def __init__(
        self, choice: ModelChoice, begin: Callable[[ModelSpec], ModelServer] | None = None, *, remembered: int = 50_000
    ) -> None:
        """`begin` starts what serves the model, a child if it is not given; `remembered` vectors are kept."""
        self._begin = begin
        self.choice = choice
        self.name = choice.spec.name
        self.embedded = 0
        """Texts, or pieces of long ones, that the child embedded so far: what the memo could not answer."""
        self._changed = threading.Condition()
        self._queue = BatchQueue()
        self._memo = Memo[Row](remembered)
        self._parsed = Memo[Parsed](min(_PARSED, remembered))
        self._in_flight: dict[bytes, Item] = {}
        self._counter: Counter | None = None
        self._counter_lock = threading.Lock()
        self._cut = lru_cache(maxsize=min(_CUT, remembered))(self._cut_anew)
        self._loaded: Loaded | None = None
        self._failure = ""
        self._tail = ""
        self._closed = False
        self._start()
        _open.add(self)

    # -- state --------------------------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        """`loading`, `ready`, `closed`, or `failed: ` and why."""
        if self._closed:
            return "closed"
        if self._failure:
            return f"failed: {self._failure}"
        if self._loaded is None:
            return "loading"
        return "ready" if self._child.alive else "failed: its process has ended"

    @property
    def pid(self) -> int:
        """Return the process id of the child."""
        return self._child.pid

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the model, at most `timeout` seconds, and say whether it is loaded. Raises when it cannot be."""
        with self._changed:
            self._changed.wait_for(lambda: self.state != "loading", timeout)
            self._check()
            return self._loaded is not None

    def restart(self) -> None:
        """Load the model anew after a failure; does nothing while its process lives. Vectors in the memo stay."""
        with self._changed:
            if self.state.startswith("failed"):
                self._fail("its process was restarted")
                self._start()

    def close(self) -> None:
        """End the process, for good; whoever waits for a vector gets ModelUnavailableError."""
        with self._changed:
            self._closed = True
            self._fail("it was closed")
        self._child.end()
        _open.discard(self)

    # -- Embedder -----------------------------------------------------------------------------------------------------

    @property
    def dim(self) -> int:
        return self.choice.spec.dim or self._when_loaded().dim

    @property
    def scale(self) -> CosineScale:
        return self.choice.spec.scale or self._when_loaded().scale

    def documents(self, texts: Sequence[str]) -> Matrix:
        """Do what `Embedder.documents` says. Raises ModelUnavailableError."""
        return self._embed(texts, "document")

    def queries(self, texts: Sequence[str]) -> Matrix:
        """Do what `Embedder.queries` says. Raises ModelUnavailableError."""
        return self._embed(texts, "query")

    def count_tokens(self, text: str) -> int:
        """See `Embedder.count_tokens`. Waits for the model only when its tokenizer comes from the hub."""
        return self._count(clean(text))

    # -- the asking threads -------------------------------------------------------------------------------------------

    def _embed(self, texts: Sequence[str], kind: Kind) -> Matrix:
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        cuts = self._cuts(texts)
        rows = iter(self.pieces([piece for pieces in cuts for piece in pieces], kind))
        return np.stack(
            [pool([next(rows) for _ in pieces], [piece.tokens for piece in pieces], self.dim) for pieces in cuts]
        )

    def _cuts(self, texts: Sequence[str]) -> list[list[TextPiece]]:
        limit = self.choice.spec.max_tokens or self._when_loaded().max_tokens
        return [self._cut(text, limit) if len(text) <= _SHORT else self._cut_anew(text, limit) for text in texts]

    def pieces(self, pieces: Sequence[TextPiece], kind: Kind) -> list[Row]:
        """Return a unit row for each piece, which must be clean and fit the model. Raises ModelUnavailableError."""
        with self._changed:
            items = self._ask(pieces, kind)
            self._wait_for(items)
        return [item.row for item in items if item.row is not None]

    def parse(self, sentences: Sequence[str]) -> tuple[Parsed, ...]:
        """Return each sentence with its words (language/parse.py); it waits its turn among the texts to embed.

        Raises ModelUnavailableError.
        """
        with self._changed:
            items = self._ask(_whole(sentences), "parse")
            self._wait_for(items)
        return tuple(item.parsed for item in items if item.parsed is not None)

    def ahead(self, texts: Sequence[str], kind: Literal["document", "parse"]) -> None:
        """Do what `WorksAhead.ahead` says. Raises ModelUnavailableError."""
        pieces = _whole(texts) if kind == "parse" else [piece for cut in self._cuts(texts) for piece in cut]
        with self._changed:
            self._ask(pieces, kind)

    def loaded(self) -> Loaded:
        """Return the model's properties, once it is loaded. Raises ModelUnavailableError."""
        return self._when_loaded()

    def _cut_anew(self, text: str, limit: int) -> list[TextPiece]:
        return cut(clean(text), limit, self._count)

    def _ask(self, pieces: Sequence[TextPiece], kind: Asked) -> list[Item]:
        """Queue what is not known yet; the caller holds the lock."""
        self._check()
        fresh: list[Item] = []
        items = [self._item(piece, kind, fresh) for piece in pieces]
        self._queue.put(fresh)
        self._changed.notify_all()
        return items

    def _item(self, piece: TextPiece, kind: Asked, fresh: list[Item]) -> Item:
        """Return the piece with its vector or words, if known; on its way, if already asked; else added to `fresh`."""
        key = key_of(piece.text, kind)
        item = self._in_flight.get(key)
        if item is None:
            row, parsed = (None, self._parsed.get(key)) if kind == "parse" else (self._memo.get(key), None)
            item = Item(key=key, text=piece.text, kind=kind, tokens=piece.tokens, row=row, parsed=parsed)
            if not item.settled:
                self._in_flight[key] = item
                fresh.append(item)
        return item

    def _wait_for(self, items: list[Item]) -> None:
        left = [item for item in items if not item.settled]

        def all_settled() -> bool:
            while left and left[-1].settled:
                left.pop()
            return not left

        while not self._changed.wait_for(all_settled, GLANCE):
            calls.check()  # whoever asked may have been stopped meanwhile; what was queued is remembered when it comes
        failure = next((item.failure for item in items if item.failure), "")
        if failure:
            raise self._error(failure)

    def _count(self, text: str) -> int:
        with self._counter_lock:
            if self._counter is None:
                from_hub = self.choice.spec.origin in ("hub", "cache")
                self._counter = counter(self.choice.spec, self._when_loaded().tokenizer if from_hub else "")
        return self._counter(text)

    def _when_loaded(self) -> Loaded:
        self.wait()
        assert self._loaded is not None
        return self._loaded

    def _check(self) -> None:
        if self._closed:
            raise self._error(Notice("embedding.closed"))
        if self._failure:
            raise self._error(self._failure)

    def _error(self, failure: str | Notice) -> ModelUnavailableError:
        error = ModelUnavailableError("embedding.stopped", name=self.name, reason=failure)
        if self._tail:
            error.add_note(self._tail)
        return error

    # -- the dispatcher thread ----------------------------------------------------------------------------------------

    def _start(self) -> None:
        """Start a child and its thread, which finds all that it looks at: the state is set first."""
        child = (self._begin or Child)(self.choice.spec)
        self._child = child
        self._loaded = None
        self._failure = self._tail = ""
        thread = threading.Thread(target=self._serve, args=(child,), name=f"embedding {self.name}", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # no more threads on this machine
            child.release()
            self._end(child, str(error), "")

    def _serve(self, child: ModelServer) -> None:
        try:
            loaded = child.loaded()
            with self._changed:
                if child is self._child:
                    self._loaded = loaded
                self._changed.notify_all()
            while batch := self._next_batch(child):
                if (kind := batch[0].kind) == "parse":
                    parsed = child.parse([item.text for item in batch])
                    with self._changed:
                        for item, sentence in zip(batch, parsed, strict=True):
                            item.parsed = sentence
                            self._parsed.put(item.key, sentence)
                            self._in_flight.pop(item.key, None)
                        self._changed.notify_all()
                else:
                    self._deliver(batch, child.embed([TextPiece(item.text, item.tokens) for item in batch], kind))
        except ChildEndedError as ended:
            self._end(child, str(ended), ended.tail)
        except BaseException as error:  # noqa: BLE001 - raised, with all it says, where somebody waits for a vector
            self._end(child, ": ".join(filter(None, (type(error).__name__, str(error)))), traceback.format_exc())
        finally:
            child.release()

    def _end(self, child: ModelServer, failure: str, tail: str) -> None:
        """This child serves no more: nobody may wait for it."""
        with self._changed:
            if child is self._child and not self._closed:
                self._failure, self._tail = " ".join(failure.split())[:_FAILURE], tail
                self._fail(self._failure)

    def _next_batch(self, child: ModelServer) -> list[Item]:
        """Return the texts to embed; empty when this child serves no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._closed or child is not self._child)
            return self._queue.take() if child is self._child and not self._closed else []

    def _deliver(self, batch: list[Item], rows: Matrix) -> None:
        with self._changed:
            for item, row in zip(batch, rows, strict=True):
                item.row = row.copy()  # not a view: that would keep the whole batch in the memo
                self._memo.put(item.key, item.row)
                self._in_flight.pop(item.key, None)
            self.embedded += len(batch)
            self._changed.notify_all()

    def _fail(self, failure: str) -> None:
        """Settle everything that waits; the caller holds the lock."""
        for item in self._in_flight.values():
            item.failure = failure
        self._in_flight.clear()
        self._queue.clear()
        self._changed.notify_all()


def _whole(sentences: Sequence[str]) -> list[TextPiece]:
    return [TextPiece(sentence, len(sentence) // _LETTERS) for sentence in sentences]


_open: weakref.WeakSet[EmbeddingProcess] = weakref.WeakSet()
_shared: dict[tuple[int, str], EmbeddingProcess] = {}
_shared_lock = threading.Lock()
_begun_by: Callable[[ModelChoice], EmbeddingProcess] = EmbeddingProcess


def share_by(begin: Callable[[ModelChoice], EmbeddingProcess]) -> None:
    """Let `shared` begin models with this from now on, in the place of a process of its own (service.py)."""
    global _begun_by
    _begun_by = begin


def shared(choice: ModelChoice) -> EmbeddingProcess:
    """Return a model's one process in this Python process: started on the first call, restarted if it had failed."""
    key = (os.getpid(), choice.spec.name)  # a forked child of ours must not speak into its parent's pipes
    with _shared_lock:
        process = _shared.get(key)
        if process is None or process.state == "closed":
            process = _shared[key] = _begun_by(choice)
        else:
            process.restart()
        return process


@atexit.register
def _close_all() -> None:
    for process in list(_open):
        process.close()
