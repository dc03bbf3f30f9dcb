"""History queues in Redis: a list a task, one JSON object a turn, under a prefix of the studio."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from memorybank.errors import InputError, StoreUnavailableError
from memorybank_studio.types import TaskId, Turn

if TYPE_CHECKING:
    from redis import Redis

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
