"""The histories of all tasks: queues that are checked against the journal at every use, and rebuilt from it.

A queue may be new (a start), emptied (Redis came back without its data), doubled (an answer that was lost on its way)
or written to by someone else. What its turns are tells, not only how many; then it is filled again.
"""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol, cast
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from memorybank.errors import InputError, StoreUnavailableError
from memorybank_studio.journal.desk import KEPT, Desk
from memorybank_studio.journal.events import HistoryExpired
from memorybank_studio.types import Task, TaskId, TaskState, Turn

if TYPE_CHECKING:
    from redis import Redis

_QUOTES_RE: Final = re.compile(r"\n\n\[1\] .*\Z", re.DOTALL)
_MARK_RE: Final = re.compile(r"(?:\[\d+\])+")
_TURNS: Final = TypeAdapter(tuple[Turn, ...])


def without_quotes(answer: str) -> str:
    """An answer's own sentences; one that is nothing but quotes stays."""
    return _MARK_RE.sub("", _QUOTES_RE.sub("", answer))


class Histories:
    """Every turn of a task that is kept, and of no other."""

    def __init__(self, desk: Desk, queues: HistoryQueues, *, kept_seconds: float) -> None:
        self._desk = desk
        self._queues = queues
        self._kept_seconds = kept_seconds
        self._filling = threading.Lock()

    def added(self, task: TaskId, turn: Turn) -> None:
        """Take in a turn that is in the journal. Raises StoreUnavailableError; the turn is not lost."""
        self._queues.append(task, turn)

    def turns(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        """Turns `first` … `last` (None: the newest) of a task that has a history.

        Raises InputError when the history is gone, StoreUnavailableError.
        """
        for _ in range(3):  # a filling that began before the latest turn may end after it
            known = self._desk.task(task)
            self.check_kept(task)
            end = known.turns if last is None else min(last, known.turns)
            turns = self._queues.turns(task, first, end) if first <= end else ()
            if list(map(hash, turns)) == self._desk.hashes(task, first, end):
                return turns
            self._fill_all()
        raise StoreUnavailableError("redis.not_kept", task=task)

    def standing(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        """The same without answers in whose place there is another. Raises as `turns`."""
        replaced = self._desk.state.replaced.get(task, frozenset())
        return tuple(turn for turn in self.turns(task, first, last) if turn.number not in replaced)

    def told(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        """Those that stand, as a model is told them. Raises as `turns`."""
        return self.as_told(task, self.standing(task, first, last))

    def as_told(self, task: TaskId, turns: Iterable[Turn]) -> tuple[Turn, ...]:
        """Of an answer to a question the sentences, without the lines that it quotes: they are on record, and looked up
        anew where they matter."""
        replies = self._desk.state.replies
        return tuple(
            replace(turn, text=without_quotes(turn.text))
            if (reply := replies.get((task, turn.number))) is not None and reply.cited
            else turn
            for turn in turns
        )

    def closed(self, task: TaskId) -> None:
        """The task was settled: its queue is kept for a while."""
        with suppress(StoreUnavailableError):  # the studio lets it go in time, whether or not the queue knows
            self._queues.keep(task, self._kept_seconds)

    def opened(self, task: TaskId) -> None:
        with suppress(StoreUnavailableError):  # a queue that goes all the same is filled again
            self._queues.keep(task, None)

    def dropped(self, task: TaskId) -> None:
        with suppress(StoreUnavailableError):  # nothing reads it any more
            self._queues.drop(task)

    def expired(self) -> tuple[TaskId, ...]:
        """Tasks that were settled too long ago to keep their histories."""
        now = self._desk.clock()
        return tuple(task.id for task in self._desk.tasks() if self._seconds_left(task, now) <= 0)

    def let_go(self, task: TaskId) -> None:
        """Drop the history of such a task, if it still is one. Call it with the task's lock held."""
        now = self._desk.clock()
        if self._seconds_left(self._desk.task(task), now) <= 0:
            self._desk.append(HistoryExpired(task=task, at=now))
            self.dropped(task)

    def _seconds_left(self, task: Task, now: float) -> float:
        if task.state is not TaskState.CLOSED or task.closed_at is None:
            return float("inf")
        return task.closed_at + self._kept_seconds - now

    def check_kept(self, task: TaskId) -> None:
        """Raises InputError, with the way out, for a task whose history is gone."""
        known = self._desk.task(task)
        if known.state is TaskState.EXPIRED:
            raise InputError("history.gone", task=known.id, title=known.title[:60], hours=self._kept_seconds / 3600)
        if known.state not in KEPT:
            raise InputError("history.discarded", task=known.id, title=known.title[:60])

    def _fill_all(self) -> None:
        """One reading of the journal for all queues: whatever emptied one has mostly emptied all."""
        with self._filling:
            for task, turns in self._desk.histories().items():
                if self._queues.turns(task) == turns:
                    continue
                self._queues.fill(task, turns)
                left = self._seconds_left(self._desk.task(task), self._desk.clock())
                self._queues.keep(task, None if left == float("inf") else left)


# -- queues of turns ---------------------------------------------------------------------------------------------------


class HistoryQueues(Protocol):
    """One queue a task. Every method may raise StoreUnavailableError."""

    def append(self, task: TaskId, turn: Turn) -> None: ...

    def turns(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        """From turn `first` to turn `last`, both included; None: to the end."""

    def fill(self, task: TaskId, turns: Sequence[Turn]) -> None:
        """Replace the whole queue at once."""

    def keep(self, task: TaskId, seconds: float | None) -> None:
        """Let the queue go after this time; None: keep it."""

    def drop(self, task: TaskId) -> None: ...

    def close(self) -> None: ...


class MemoryQueues:
    """Queues in this process. What is kept only for a time goes when the studio drops it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queues: dict[TaskId, list[Turn]] = {}

    def append(self, task: TaskId, turn: Turn) -> None:
        with self._lock:
            self._queues.setdefault(task, []).append(turn)

    def turns(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        with self._lock:
            return tuple(self._queues.get(task, [])[first - 1 : last])

    def fill(self, task: TaskId, turns: Sequence[Turn]) -> None:
        with self._lock:
            self._queues[task] = list(turns)

    def keep(self, task: TaskId, seconds: float | None) -> None:
        """Nothing to do: the studio drops what has expired."""

    def drop(self, task: TaskId) -> None:
        with self._lock:
            self._queues.pop(task, None)

    def close(self) -> None:
        with self._lock:
            self._queues.clear()


# -- queues on Redis ---------------------------------------------------------------------------------------------------


PREFIX: Final = "memorybank-studio"
ANSWER_SECONDS: Final = 2.0
"""A Redis on a network of one's own answers in milliseconds; the author should not wait longer for one that is gone."""
_TURN: Final = TypeAdapter(Turn)


class RedisQueues:
    """Queues on the server of a `redis://` or `rediss://` URL. Nothing is asked of it before the first call."""

    def __init__(self, url: str, studio: str) -> None:
        """Raises InputError for a URL that is none, StoreUnavailableError where the redis package is missing."""
        self._prefix = f"{PREFIX}:{studio}"
        self._server = _server(url)
        self._client, self._error = _client(url)

    def append(self, task: TaskId, turn: Turn) -> None:
        with self._answers():
            self._of_a_list(task, lambda: self._client.rpush(self._key(task), _written(turn)))

    def turns(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        """What cannot be read as a turn is left out: the caller sees by the numbers that some are missing."""
        with self._answers():
            end = -1 if last is None else last - 1
            lines = self._of_a_list(task, lambda: self._client.lrange(self._key(task), first - 1, end))
        return tuple(turn for turn in map(_read, cast(list[bytes], lines or [])) if turn is not None)

    def fill(self, task: TaskId, turns: Sequence[Turn]) -> None:
        with self._answers(), self._client.pipeline(transaction=True) as pipe:
            pipe.delete(self._key(task))
            if turns:
                pipe.rpush(self._key(task), *map(_written, turns))
            pipe.execute()

    def keep(self, task: TaskId, seconds: float | None) -> None:
        with self._answers():
            if seconds is None:
                self._client.persist(self._key(task))
            else:
                self._client.expire(self._key(task), max(1, math.ceil(seconds)))

    def drop(self, task: TaskId) -> None:
        with self._answers():
            self._client.delete(self._key(task))

    def close(self) -> None:
        self._client.close()

    def _key(self, task: TaskId) -> str:
        return f"{self._prefix}:{task}"

    def _of_a_list(self, task: TaskId, ask: Callable[[], object]) -> object:
        """None where another program put something else under the key: that goes, and the journal fills the queue."""
        try:
            return ask()
        except self._error as error:
            if "WRONGTYPE" not in str(error):
                raise
            self._client.delete(self._key(task))
            return None

    @contextmanager
    def _answers(self) -> Iterator[None]:
        try:
            yield
        except self._error as error:
            raise StoreUnavailableError(
                "redis.unreachable", address=self._server, reason=type(error).__name__
            ) from None


def _client(url: str) -> tuple[Redis, type[Exception]]:
    try:
        from redis import Redis
        from redis.backoff import NoBackoff
        from redis.exceptions import RedisError
        from redis.retry import Retry
    except ImportError:
        raise StoreUnavailableError("redis.not_installed") from None
    make = cast(Callable[..., Any], Redis.from_url)
    try:
        client: Redis = make(
            url,
            socket_connect_timeout=ANSWER_SECONDS,
            socket_timeout=ANSWER_SECONDS,
            retry=Retry(NoBackoff(), 1),  # once more: an idle connection may have been closed since
        )
    except ValueError:
        raise InputError("redis.bad_url", text=_server(url)) from None
    return client, RedisError


def _server(url: str) -> str:
    """Host and port alone: a URL may hold a password."""
    try:
        parts = urlsplit(url)
        return f"{parts.hostname or '?'}:{parts.port or 6379}"
    except ValueError:
        return "the address given"


def _written(turn: Turn) -> str:
    return json.dumps(_TURN.dump_python(turn, mode="json"))


def _read(line: bytes) -> Turn | None:
    try:
        return _TURN.validate_json(line)
    except ValidationError:
        return None
