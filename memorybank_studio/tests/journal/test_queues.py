"""The contract of history queues, over both kinds; a damaged queue is put right from the journal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memorybank.errors import InputError, StoreUnavailableError
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.histories import PREFIX, HistoryQueues, MemoryQueues, RedisQueues
from memorybank_studio.tests.conftest import RedisServer
from memorybank_studio.tests.tasks.studio import open_studio
from memorybank_studio.types import TaskId, Turn
from tests.hostile import PAYLOADS

A, B = TaskId("t1"), TaskId("t2")


def turn(number: int, text: str = "words") -> Turn:
    return Turn(number=number, role="author" if number % 2 else "assistant", text=text, at=1.5)


@pytest.fixture(params=["memory", "redis"])
def queues(request: pytest.FixtureRequest) -> Iterator[HistoryQueues]:
    if request.param == "memory":
        yield MemoryQueues()
    else:
        opened = RedisQueues(request.getfixturevalue("redis_server").url, "studio")
        yield opened
        opened.close()


def test_each_task_has_its_own_turns_in_order(queues: HistoryQueues) -> None:
    for number in range(1, 6):
        queues.append(A, turn(number))
    queues.append(B, turn(1, "another"))
    assert queues.turns(A) == tuple(turn(number) for number in range(1, 6))
    assert queues.turns(A, 2, 3) == (turn(2), turn(3))
    assert queues.turns(A, 4) == (turn(4), turn(5))
    assert queues.turns(A, 6) == ()
    assert queues.turns(B) == (turn(1, "another"),)
    assert queues.turns(TaskId("t9")) == ()


def test_a_queue_is_replaced_whole_and_dropped_whole(queues: HistoryQueues) -> None:
    queues.append(A, turn(1))
    queues.append(B, turn(1))
    queues.fill(A, [turn(1, "x"), turn(2, "y")])
    assert [one.text for one in queues.turns(A)] == ["x", "y"]
    queues.fill(A, [])
    assert queues.turns(A) == ()
    queues.drop(B)
    queues.drop(B)
    assert queues.turns(B) == ()


@pytest.mark.parametrize("name", sorted(PAYLOADS))
def test_hostile_text_comes_back_as_it_went(queues: HistoryQueues, name: str) -> None:
    queues.append(A, turn(1, PAYLOADS[name]))
    assert queues.turns(A)[0].text == PAYLOADS[name]


def test_redis_lets_a_closed_queue_go_and_keeps_an_open_one(redis_server: RedisServer) -> None:
    from redis import Redis

    queues, client = RedisQueues(redis_server.url, "abc"), Redis.from_url(redis_server.url)
    queues.append(A, turn(1))
    queues.append(B, turn(1))
    assert sorted(client.keys("*")) == [f"{PREFIX}:abc:{task}".encode() for task in (A, B)]
    queues.keep(A, 86_400.0)
    assert 86_390 < client.ttl(f"{PREFIX}:abc:{A}") <= 86_400
    assert client.ttl(f"{PREFIX}:abc:{B}") == -1, "an open task is kept"
    queues.keep(A, None)
    assert client.ttl(f"{PREFIX}:abc:{A}") == -1
    client.close()
    queues.close()


@pytest.mark.parametrize(
    "url", ["", "http://host", "redis://user:geheim42@host:notaport/0", "redis://u:geheim42@host:1/x/y?db=z", "🗝"]
)
def test_a_url_that_is_none_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(InputError, match="Redis URL") as refused:
        RedisQueues(url, "s")
    assert "geheim42" not in str(refused.value)


def test_a_redis_that_is_not_there_says_what_to_do_and_hides_its_password(tmp_path: Path) -> None:
    queues = RedisQueues("redis://author:geheim42@127.0.0.1:9/0", "s")
    with pytest.raises(StoreUnavailableError, match=r"127\.0\.0\.1:9.*start Redis") as down:
        queues.append(A, turn(1))
    assert "geheim42" not in str(down.value)
    assert "\n" not in str(down.value)
    queues.close()


# -- put right from the journal ---------------------------------------------------------------------------------------


DAMAGES = ["emptied", "doubled", "renumbered", "another task's", "reworded", "wrong type", "shuffled", "no turn"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_queue_that_was_damaged_is_filled_again(
    tmp_path: Path, stores: Stores, redis_server: RedisServer, damage: str
) -> None:
    from redis import Redis

    studio = open_studio(tmp_path / "s", stores, queues=lambda name: RedisQueues(redis_server.url, name))
    task, other = studio.open_task("One"), studio.open_task("Two")
    for number in range(3):
        studio.gateway.handle(f"words {number}", task=task)
        studio.gateway.handle(f"other words {number}", task=other)
    before = studio.gateway.history(task)
    client = Redis.from_url(redis_server.url)
    name = next(key for key in client.keys("*") if key.endswith(f":{task}".encode()))
    lines = client.lrange(name, 0, -1)
    foreign = client.lrange(name.replace(f":{task}".encode(), f":{other}".encode()), 0, -1)
    assert len(lines) == len(foreign) == 6
    damaged = {
        "emptied": [],
        "doubled": [*lines[:3], lines[2], *lines[3:]],
        "renumbered": [*lines[:2], lines[1].replace(b'"number": 2', b'"number": 7'), *lines[3:]],
        "another task's": [*lines[:2], foreign[2], *lines[3:]],
        "reworded": [*lines[:2], lines[2].replace(b"words 1", b"words 2"), *lines[3:]],
        "shuffled": lines[::-1],
        "no turn": [*lines[:-1], b'{"number": 6, "role": "root", "text": "", "at": 0}'],
    }
    client.delete(name)
    if damage == "wrong type":
        client.set(name, "a string")
    elif damaged[damage]:
        client.rpush(name, *damaged[damage])
    raw = RedisQueues(redis_server.url, name.decode().split(":")[1])
    if damage == "wrong type":
        studio.gateway.handle("and on", task=task)  # a queue that cannot even be appended to
    else:
        assert raw.turns(task) != before, "it is damaged"
        assert studio.gateway.history(task) == before
        studio.gateway.handle("and on", task=task)
    history = studio.gateway.history(task)
    assert history[:6] == before
    assert [one.text for one in history[6:]] == ["and on", "echo: and on"]
    assert raw.turns(task) == history, "and the queue itself is whole again"
    assert client.type(name) == b"list"
    assert [one.text for one in studio.gateway.history(other)][::2] == [f"other words {n}" for n in range(3)]
    client.close()
    raw.close()
    studio.gateway.close()


def test_redis_down_at_the_start_and_in_the_middle_loses_no_word(
    tmp_path: Path, stores: Stores, redis_server: RedisServer
) -> None:
    redis_server.kill()
    studio = open_studio(tmp_path / "s", stores, queues=lambda name: RedisQueues(redis_server.url, name))
    task = studio.open_task("Siege")
    with pytest.raises(StoreUnavailableError, match="start Redis"):
        studio.gateway.handle("first words", task=task)
    redis_server.start()
    assert studio.gateway.resume(task).text == "echo: first words"
    studio.gateway.handle("second words", task=task)

    redis_server.kill()
    with pytest.raises(StoreUnavailableError):
        studio.gateway.handle("third words", task=task)
    with pytest.raises(StoreUnavailableError):
        studio.gateway.history(task)
    studio.gateway.close()

    redis_server.start()  # empty: it keeps nothing on a disk
    again = open_studio(tmp_path / "s", stores, queues=lambda name: RedisQueues(redis_server.url, name))
    assert again.gateway.resume(task).text == "echo: third words"
    texts = [one.text for one in again.gateway.history(task)]
    assert texts == [
        said for words in ("first words", "second words", "third words") for said in (words, f"echo: {words}")
    ]
    again.gateway.close()
