from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from memorybank import calls
from memorybank.llm.faults import AttemptError, retry_after
from memorybank.llm.retry import RetryingChat
from memorybank_lab.scripted import FAULTS, Faulty, Script, Scripted, ScriptedServer, error_reply
from tests.llm.asking import ask, client


@contextmanager
def retrying(server: ScriptedServer, attempts: int = 3, **more: float) -> Iterator[RetryingChat]:
    with client(server, timeout=0.6) as chat:
        yield RetryingChat(chat, attempts, **{"first_wait": 0.05, **more})


PASSING = (
    "rate_limited server_error bad_gateway overloaded reset_before_answer cut_short never_answers slow_drip "
    "body_not_json no_choices error_in_200"
).split()


@pytest.mark.parametrize("fault", PASSING)
def test_what_passes_is_tried_again(fault: str) -> None:
    script = Faulty(Script(default="Lima. " * 30), FAULTS[fault], times=2)
    with ScriptedServer(script) as server, retrying(server) as chat:
        reply = chat.complete(ask())
        assert reply.text.startswith("Lima.")
        assert (reply.attempts, len(server.chats)) == (3, 3)
        assert len([note for note in reply.notes if "waited" in note]) == 2


LASTING = ("key_refused", "unknown_model", "quota_exhausted", "context_too_long")


@pytest.mark.parametrize(
    "script",
    [
        *(Faulty(Script(default="x"), FAULTS[fault]) for fault in LASTING),
        *(error_reply(status, "no") for status in (400, 401, 403, 404, 501)),
    ],
    ids=[*LASTING, "400", "401", "403", "404", "501"],
)
def test_what_does_not_pass_is_not_tried_again(script: Scripted) -> None:
    with ScriptedServer(script) as server, retrying(server) as chat:
        with pytest.raises(AttemptError) as caught:
            chat.complete(ask())
        assert caught.value.attempts == len(server.chats) == 1


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_the_last_failure_tells_all(status: int) -> None:
    with ScriptedServer(error_reply(status, "later")) as server, retrying(server) as chat:
        with pytest.raises(AttemptError, match="tried 3 times") as caught:
            chat.complete(ask())
        assert caught.value.attempts == len(server.chats) == 3
        assert [note.partition(":")[0] for note in caught.value.notes] == [str(status)] * 2


def test_the_server_is_waited_for_as_long_as_it_asks() -> None:
    script = [error_reply(429, "slow down", retry_after=0.3), error_reply(503, "busy", retry_after=3600), "Lima."]
    with ScriptedServer(script) as server, retrying(server, longest=0.5) as chat:
        reply = chat.complete(ask())
    assert reply.notes == ("429: waited 0.3 s as asked", "503: waited 0.5 s of 3600 s asked")


def test_retry_after_in_all_its_forms() -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    later = format_datetime(now + timedelta(seconds=90), usegmt=True)
    earlier = format_datetime(now - timedelta(days=1), usegmt=True)
    cases = {"2": 2.0, "1.5": 1.5, later: 90.0, earlier: 0.0, "": None, "soon": None, "-3": None, "9" * 40: None}
    for text, seconds in cases.items():
        assert retry_after({"retry-after": text}, now.timestamp()) == seconds, text
    skewed = format_datetime(now + timedelta(seconds=60), usegmt=True)
    assert retry_after({"retry-after": later, "date": skewed}) == 30.0, "by the server's own clock"
    assert retry_after({"retry-after-ms": "250", "retry-after": "9"}) == 0.25


def test_waiting_is_the_same_in_every_run_and_differs_between_calls() -> None:
    def waits(text: str) -> tuple[str, ...]:
        with ScriptedServer(error_reply(500, "x")) as server, retrying(server, 4) as chat:
            with pytest.raises(AttemptError) as caught:
                chat.complete(ask(text))
            return caught.value.notes

    assert waits("a") == waits("a")
    with ScriptedServer("x") as server, client(server) as chat:
        error = AttemptError("x")
        two = [RetryingChat(chat)._wait(error, ask(text), 3)[0] for text in ("a", "b")]
    assert two[0] != two[1]
    assert all(1.0 <= wait <= 2.0 for wait in two)


def test_a_stop_ends_the_waiting() -> None:
    with ScriptedServer(error_reply(429, "slow down", retry_after=30)) as server, retrying(server) as chat:
        stop = threading.Event()
        threading.Timer(0.5, stop.set).start()
        with calls.watch(stop.is_set), pytest.raises(calls.Cancelled):
            chat.complete(ask())
