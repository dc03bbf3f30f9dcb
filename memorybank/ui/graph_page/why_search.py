"""The index behind "Why this memory", made once a run, and the vectors of typed queries.

Both may have to wait for the embedding model, so both are made beside the page: it says so and looks again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from memorybank.errors import MemoryBankError
from memorybank.hosting.run import Run
from memorybank.memory.events import SessionStarted
from memorybank.memory.state import MemoryState
from memorybank.retrieval.recall import Recall, pack
from memorybank.session.assembly import recall_for
from memorybank.ui.shell import memo, state
from memorybank.views.memory.why import Explanation, Question, Search
from memorybank.views.run.commits import Records

T = TypeVar("T")

PATIENCE = 0.5
"""Seconds a page waits, once; an index that only has to be built is there by then."""
MOST_TYPED = 20
DESK = "why-desk"


@dataclass(slots=True)
class Desk:
    """What a tab keeps for the questions to one run."""

    search: Future[tuple[Search, Recall]]
    typed: dict[str, Future[bytes]] = field(default_factory=dict)
    """Vectors by query."""
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


def _open(worker: Run, begun: SessionStarted, local: Any) -> tuple[Search, Recall]:
    """On the run's own embedding model. Of a run that is only read, that model on this machine."""
    recall = Recall(worker.session.parts.embedder) if worker.session is not None else recall_for(begun, local)
    recall.index  # noqa: B018  # an endpoint is asked for its scale here, not on the page
    return Search(recall), recall


def arrived(future: Future[Any], kept: Desk) -> bool:
    """Whether it is there, in a moment. What it raises is raised where its result is taken."""
    try:
        future.exception(0 if future is kept.seen else PATIENCE)
    except NotYet:
        kept.seen = future
        return False
    return True


def vector_of(text: str, kept: Desk) -> Future[bytes]:
    """The typed query's vector, by the run's own model. The desk's index must be there."""
    if text not in kept.typed:
        for old in list(kept.typed)[: max(0, len(kept.typed) - MOST_TYPED + 1)]:
            del kept.typed[old]
        _, recall = kept.search.result()
        kept.typed[text] = _begin(lambda: pack(recall.embedder.queries([text])[0]))
    return kept.typed[text]


def bank_before(question: Question, records: Records, moment_bank: MemoryState) -> MemoryState:
    """The memory that a question was put to: just before its event, or what the page looks at."""
    return state.bank_at(records, question.seq - 1) if question.seq else moment_bank


def found_for(
    question: Question, bank: Callable[[], MemoryState], at: int, kept: Desk, *, k: int, alpha: float, share: float
) -> Future[Explanation]:
    """Asked once for the same settings. The desk's index must be there; a large memory takes a moment to be indexed."""
    key = (question.seq, question.text, 0 if question.seq else at, k, alpha, share)
    if kept.last is None or kept.last[0] != key:
        search, _ = kept.search.result()
        kept.last = (key, _begin(partial(search.again, question, bank(), k=k, alpha=alpha, share=share)))
    return kept.last[1]
