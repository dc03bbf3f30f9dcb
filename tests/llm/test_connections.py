"""Connections to an endpoint: tried again, ended well, trusted as the environment says, and never read without end."""

from __future__ import annotations

import asyncio
import gzip
import ssl
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import cache
from pathlib import Path
from typing import Any

import certifi
import pytest

from memorybank import calls
from memorybank.embedding.endpoint import EndpointEmbedder
from memorybank.errors import MemoryBankError
from memorybank.llm import listing, loop
from memorybank.llm.around import RetryingChat
from memorybank.llm.connection import http_library, open_client
from memorybank.llm.faults import AttemptError, retry_after
from memorybank.llm.loop import LoopThread
from memorybank_lab.scripted import FAULTS, Faulty, Script, Scripted, ScriptedServer, error_reply
from tests.llm.asking import ask, client, settings, threads
from tests.tools.web.servers import Handler, Route, site
from tests.waiting import wait_until


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
    ("script", "attempts"),
    [
        *((Faulty(Script(default="x"), FAULTS[fault]), 1) for fault in LASTING),
        *((error_reply(status, "no"), 1) for status in (400, 401, 403, 404, 501)),
        *((error_reply(status, "later"), 3) for status in (408, 409, 425, 429, 500, 502, 503, 504, 529)),
    ],
)
def test_only_what_may_pass_is_tried_again_and_the_last_failure_tells_all(script: Scripted, attempts: int) -> None:
    with ScriptedServer(script) as server, retrying(server) as chat:
        with pytest.raises(AttemptError, match="tried 3 times" if attempts > 1 else None) as caught:
            chat.complete(ask())
        assert caught.value.attempts == len(server.chats) == attempts
        waited = [note.partition(":")[0] for note in caught.value.notes if "waited" in note]
        assert waited == [str(caught.value.status)] * (attempts - 1)


def test_the_server_is_waited_for_as_long_as_it_asks() -> None:
    script = [error_reply(429, "slow down", retry_after=0.3), error_reply(503, "busy", retry_after=3600), "Lima."]
    with ScriptedServer(script) as server, retrying(server, longest=0.5) as chat:
        reply = chat.complete(ask())
    assert reply.notes == ("429: waited 0.3 s as asked", "503: waited 0.5 s of 3600 s asked")


def test_retry_after_in_all_its_forms() -> None:
    now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    later, skewed, earlier = (format_datetime(now + timedelta(seconds=s), usegmt=True) for s in (90, 60, -86_400))
    cases = {"2": 2.0, "1.5": 1.5, later: 90.0, earlier: 0.0, "": None, "soon": None, "-3": None, "9" * 40: None}
    for text, seconds in cases.items():
        assert retry_after({"retry-after": text}, now.timestamp()) == seconds, text
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


def test_a_loop_that_is_busy_ends_by_itself_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the session is closed while the client's package is still being imported: a second or two."""
    monkeypatch.setattr(loop, "_CLOSING", 0.05)
    begun, imported, closed = threading.Event(), threading.Event(), threading.Event()

    async def imports() -> None:
        begun.set()
        imported.wait(60)  # nothing else runs on the loop meanwhile
        await asyncio.sleep(60)

    async def last() -> None:
        closed.set()

    busy = LoopThread("memorybank-test")
    busy.begin(imports)
    assert begun.wait(5)
    busy.close(last)
    assert not closed.is_set()
    imported.set()
    assert closed.wait(5), "connections are closed all the same"
    wait_until(lambda: not threads("memorybank-test"), 5)


async def answered() -> str:
    return "answered"


def test_a_thread_that_could_not_be_started_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    line = LoopThread("memorybank-test")
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        with pytest.raises(RuntimeError, match="can't start"):
            line.run(answered)
    assert line.run(answered) == "answered"
    line.close()


def test_who_waits_on_a_thread_that_has_died_is_told() -> None:
    line = LoopThread("memorybank-test")
    line.run(answered)

    async def never() -> None:
        line._loop.stop()  # as whatever ends the thread behind the callers' backs
        await asyncio.sleep(3_600)

    with pytest.raises(RuntimeError, match="memorybank-test has ended"):
        line.run(never)


OUTSIDE, HERE = "https://models.example/v1", "http://127.0.0.1:8080/v1"


def trust_of(address: str, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """The context that the client's connections get."""
    library = http_library()
    given: list[ssl.SSLContext] = []
    made = library.AsyncClient.__init__

    def watched(self: object, **named: Any) -> None:
        given.append(named["verify"])
        made(self, **named)

    with monkeypatch.context() as patched:
        patched.setattr(library.AsyncClient, "__init__", watched)
        asyncio.run(open_client(address, "", timeout=1.0, account=False, most=1_000).close())
    return given[0]


def test_authorities_are_read_once_and_those_of_the_environment_only_for_the_world_outside(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    common = trust_of(OUTSIDE, monkeypatch)
    assert common.verify_mode is ssl.CERT_REQUIRED
    assert common.check_hostname
    assert trust_of(OUTSIDE, monkeypatch) is common
    assert trust_of(HERE, monkeypatch) is common

    one = tmp_path / "one.pem"
    bundle = Path(certifi.where()).read_text("utf-8")
    one.write_text(bundle[: bundle.index("END CERTIFICATE-----")] + "END CERTIFICATE-----\n", "utf-8")
    monkeypatch.setenv("SSL_CERT_FILE", str(one))
    own = trust_of(OUTSIDE, monkeypatch)
    assert len(own.get_ca_certs()) == 1 < len(common.get_ca_certs())
    assert trust_of(HERE, monkeypatch) is common


@cache
def _zeros() -> bytes:
    return gzip.compress(bytes(300_000_000), 9)


def _endless(status: int, packed: str = "") -> Route:
    """Sends on, as long as somebody reads; packed as a stream that never ends."""

    def route(handler: Handler) -> None:
        handler.head(status, {"Content-Type": "application/json", **({"Content-Encoding": packed} if packed else {})})
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        while not handler.site.over.is_set():
            block = b'{"error": "' + b"x" * 100_000
            handler.wfile.write(packer.compress(block) + packer.flush(zlib.Z_SYNC_FLUSH) if packed else block)

    return route


def _bomb(status: int, encoding: str = "gzip") -> Route:
    headers = {"Content-Type": "application/json", "Content-Encoding": encoding}
    return lambda handler: handler.answer(status, headers, _zeros())


def _chat(address: str) -> None:
    with client(address, timeout=20.0) as chat:
        chat.complete(ask())


def _models(address: str) -> None:
    listing.listed_models(settings(address))


def _embeddings(address: str) -> None:
    embedder = EndpointEmbedder("m", address, "", timeout=20.0, attempts=1)
    try:
        embedder.documents(["a text"])
    finally:
        embedder.close()


ASKED: dict[str, tuple[Callable[[str], None], str]] = {
    "chat": (_chat, "/chat/completions"),
    "models": (_models, "/models"),
    "embeddings": (_embeddings, "/embeddings"),
}


@pytest.mark.parametrize("what", ASKED)
@pytest.mark.parametrize(
    ("route", "words"),
    [
        (_endless(500), "500"),
        (_endless(404, "gzip"), "404"),
        (_bomb(503), "503"),
        (_bomb(302), "302"),
        (_bomb(400, "zstd"), "400"),
        (_bomb(200), "sent more than (?:32|64) MB"),
        (_bomb(200, "br"), "broke off|DecodingError"),
    ],
    ids=["endless", "endless, packed", "bomb", "bomb that redirects", "zstd", "bomb of success", "brotli of success"],
)
def test_no_more_of_a_body_is_held_than_is_read(
    monkeypatch: pytest.MonkeyPatch, what: str, route: Route, words: str
) -> None:
    monkeypatch.setattr(listing, "TIMEOUT", 20.0)  # a busy machine takes its time to unpack
    act, path = ASKED[what]
    _zeros()  # made before it is counted what is held
    with site({path: route}) as endpoint:
        tracemalloc.start()
        try:
            with pytest.raises(MemoryBankError, match=words):
                act(endpoint.url)
            assert tracemalloc.get_traced_memory()[1] < 200_000_000
        finally:
            tracemalloc.stop()
