"""The index behind "Why this memory", made once a run.

It may have to wait for the embedding model, so it is made beside the page, which says so and looks again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from memorybank.errors import MemoryBankError
from memorybank.hosting.run import Run
from memorybank.memory.events import SessionStarted
from memorybank.retrieval.recall import Recall
from memorybank.session.assembly import recall_for
from memorybank.ui.shell import memo, state
from memorybank.views.memory.why import Explanation, Question, Search
from memorybank.views.run.commits import Records

T = TypeVar("T")

PATIENCE = 0.5
"""Seconds a page waits, once; an index that only has to be built is there by then."""
DESK = "why-desk"


@dataclass(slots=True)
class Desk:
    """What a tab keeps for the questions to one run."""

    search: Future[Search]
    seen: Future[Any] | None = None
    """What the page has waited for already."""
    last: tuple[Any, Future[Explanation]] | None = None


def _begin(build: Callable[[], T]) -> Future[T]:
    """Beside the page, in a thread that holds up no server's end."""
    future: Future[T] = Future()

    def work() -> None:
        try:
            future.set_result(build())
        except (MemoryBankError, OSError) as error:  # raised again where the result is taken
            future.set_exception(error)
        except BaseException as error:
            future.set_exception(error)
            raise

    threading.Thread(target=work, name="why", daemon=True).start()
    return future


def desk(worker: Run, begun: SessionStarted) -> Desk:
    """The run's desk. Its index is being made, or is there."""
    begin = partial(_open, worker, begun, state.default_settings())
    return memo.kept((DESK, worker.run_id), lambda: Desk(_begin(begin)))


def forget() -> None:
    """Make the index anew, after its model could not be loaded."""
    memo.forget(DESK)


def _open(worker: Run, begun: SessionStarted, local: Any) -> Search:
    """On the run's own embedding model. Of a run that is only read, that model on this machine."""
    recall = Recall(worker.session.parts.embedder) if worker.session is not None else recall_for(begun, local)
    recall.index  # noqa: B018  # an endpoint is asked for its scale here, not on the page
    return Search(recall)


def arrived(future: Future[Any], kept: Desk) -> bool:
    """Whether it is there, in a moment. What it raises is raised where its result is taken."""
    try:
        future.exception(0 if future is kept.seen else PATIENCE)
    except NotYet:
        kept.seen = future
        return False
    return True


def found_for(
    question: Question, records: Records, kept: Desk, *, k: int, alpha: float, share: float
) -> Future[Explanation]:
    """Asked once for the same settings. The desk's index must be there; a large memory takes a moment to be indexed."""
    key = (question.seq, k, alpha, share)
    if kept.last is None or kept.last[0] != key:
        before = state.bank_at(records, question.seq - 1)
        kept.last = (key, _begin(partial(kept.search.result().again, question, before, k=k, alpha=alpha, share=share)))
    return kept.last[1]
