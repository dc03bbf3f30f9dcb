"""A question is one call that says all it took, and the same question is asked once."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorybank import calls
from memorybank.errors import EndpointError
from memorybank.llm.base import ChatMessage, ChatReply, ChatRequest, ImagePart, TokenUsage, ToolCall, ToolSpec
from memorybank.llm.build import build_chat
from memorybank.llm.cache import CachedChat, request_key
from memorybank_lab.scripted import Script, ScriptedReply, ScriptedServer, error_reply, tool_reply
from tests.llm.asking import KEY, ask, client, settings, threads


@contextlib.contextmanager
def caching(script: Any, path: Path) -> Iterator[tuple[ScriptedServer, CachedChat]]:
    """A cache in front of a client of a scripted server."""
    with ScriptedServer(script) as server, client(server) as inner:
        chat = CachedChat(inner, path)
        yield server, chat
        chat.close()


MESSAGE = ChatMessage(role="user", content="Read it", images=(ImagePart(data=b"one", media_type="image/png"),))
REQUEST = ChatRequest(messages=(MESSAGE,), schema={"type": "object"}, tools=(), stop=("x",))


def test_the_same_question_is_asked_once(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "answers.sqlite"
    with ScriptedServer(Script(default=lambda request: f"answer {request.number}")) as server:
        with client(server) as inner:
            chat = CachedChat(inner, path, endpoint=server.base_url)
            first = chat.complete(ask("a"))
            again = chat.complete(ask("a"))
            assert (first.cached, again.cached) == (False, True)
            assert again == replace(first, cached=True, attempts=0)
            assert chat.complete(ask("b")).text == "answer 2"
            chat.close()
        with client(server) as inner:
            chat = CachedChat(inner, path, endpoint=server.base_url)
            assert chat.complete(ask("a")).text == "answer 1", "a later session knows it too"
            assert not CachedChat(inner, path, endpoint="http://elsewhere/v1").complete(ask("a")).cached
            chat.close()
        assert len(server.chats) == 3
    assert path.stat().st_mode & 0o077 == 0
    assert all(KEY.encode() not in file.read_bytes() for file in path.parent.iterdir())
    assert b"Read" not in path.read_bytes()


def test_the_window_is_known_without_the_server(tmp_path: Path) -> None:
    """A session repeated from the cache alone must ask the same questions, and they are made to fit the window."""
    path = tmp_path / "answers.sqlite"
    with ScriptedServer("x", context_window=1000) as server, client(server) as inner:
        address = server.base_url
        chat = CachedChat(inner, path, endpoint=address)
        assert chat.context_window == chat.context_window == 1000
        chat.close()
    with client(address) as inner:
        chat = CachedChat(inner, path, endpoint=address)
        assert chat.context_window == chat.context_window == 1000
        assert CachedChat(inner, path, endpoint="http://elsewhere/v1").context_window is None
        chat.close()


def test_the_key_covers_everything_that_changes_the_answer() -> None:
    image = replace(MESSAGE, images=(ImagePart(data=b"two", media_type="image/png"),))
    tool = ToolSpec(name="t", description="d", parameters={"type": "object"})
    called = replace(MESSAGE, tool_calls=(ToolCall(id="1", name="t", arguments="{}"),))
    other = [replace(MESSAGE, content="Read this"), replace(MESSAGE, role="system"), replace(MESSAGE, tool_call_id="1")]
    changes: dict[str, Sequence[Any]] = {
        "messages": [*((one,) for one in (image, called, *other)), (MESSAGE, MESSAGE)],
        "temperature": [0.5], "top_p": [0.5], "max_tokens": [5], "schema": [{"type": "array"}, None],
        "schema_name": ["other"], "tools": [(tool,), (replace(tool, description="e"),)], "stop": [()],
    }  # fmt: skip
    others = [replace(REQUEST, **{name: value}) for name, values in changes.items() for value in values]
    keys = [request_key(request, model="m", endpoint="e") for request in (REQUEST, *others)]
    keys += [request_key(REQUEST, model="n", endpoint="e"), request_key(REQUEST, model="m", endpoint="f")]
    assert len(set(keys)) == len(keys)
    assert request_key(replace(REQUEST), model="m", endpoint="e") == keys[0]


@pytest.mark.parametrize(
    "bad",
    [
        ScriptedReply(text='{"a": ', finish="length"),
        ScriptedReply(refusal="no"),
        ScriptedReply(finish="content_filter"),
        ScriptedReply(text=""),
        error_reply(400, "no"),
    ],
    ids=["cut off", "refused", "filtered", "empty", "failed"],
)
def test_an_answer_that_is_none_is_asked_for_again(tmp_path: Path, bad: ScriptedReply) -> None:
    with caching([bad, "good", "unused"], tmp_path / "answers.sqlite") as (server, chat):
        with contextlib.suppress(EndpointError):
            chat.complete(ask())
        assert chat.complete(ask()).text == "good"
        assert chat.complete(ask()).cached
        assert len(server.chats) == 2


def test_native_tool_calls_are_kept(tmp_path: Path) -> None:
    with caching([tool_reply(("search", {"query": ["a"]}))], tmp_path / "answers.sqlite") as (_, chat):
        request = ask(tools=(ToolSpec(name="search", description="", parameters={}),))
        first = chat.complete(request)
        assert chat.complete(request).tool_calls == first.tool_calls != ()


@pytest.mark.parametrize("damage", ["not a database", "torn"])
def test_a_broken_file_is_set_aside(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "answers.sqlite"
    with caching(Script(default="ok"), path) as (_, chat):
        for number in range(60):
            chat.complete(ask(f"{number} {'x' * 200}"))
    data = path.read_bytes()
    path.write_bytes(b"this is no database at all " * 99 if damage == "not a database" else data[:4096] + b"\7" * 9000)
    with caching(Script(default="ok"), path) as (_, chat):
        reply = chat.complete(ask("5 " + "x" * 200))
        assert (reply.text, reply.cached) == ("ok", False)
        assert any("set aside" in note for note in reply.notes)
        assert [file.name for file in tmp_path.iterdir() if "broken" in file.name] == ["answers.sqlite.broken-1"]
        assert chat.complete(ask("5 " + "x" * 200)).cached


def test_a_file_that_cannot_be_used_costs_no_answer(tmp_path: Path) -> None:
    folder = tmp_path / "answers.sqlite"
    folder.mkdir()
    with caching(Script(default="ok"), folder) as (_, chat):
        reply = chat.complete(ask())
        assert reply.text == "ok"
        assert any("cannot be used" in note for note in reply.notes)


def test_an_entry_of_another_version_is_asked_for_again(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with caching(Script(default="ok"), path) as (_, chat):
        chat.complete(ask())
        with sqlite3.connect(path) as database:
            database.execute("""UPDATE answers_1 SET reply = '{"text": 1, "from": "the future"}'""")
        database.close()
        assert not chat.complete(ask()).cached
        assert chat.complete(ask()).cached


WRITER = """
import sys
from pathlib import Path
from typing import Any
from memorybank.llm.base import ChatMessage, ChatReply, ChatRequest
from memorybank.llm.cache import CachedChat

class Echo:
    name, context_window = "echo", None
    def complete(self, request): return ChatReply(text=request.messages[0].content)
    def close(self): pass

chat = CachedChat(Echo(), Path(sys.argv[1]))
for number in range(150):
    reply = chat.complete(ChatRequest(messages=(ChatMessage(role="user", content=str(number)),)))
    assert reply.text == str(number) and not reply.notes, reply
chat.close()
"""


def test_threads_and_processes_share_it(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path)]) for _ in range(2)]
    with caching(Script(default=lambda request: request.prompt), path) as (_, chat):

        def complete(number: int) -> ChatReply:
            return chat.complete(ask(str(number % 40)))

        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(complete, range(160)))
        assert [reply.text for reply in replies] == [str(number % 40) for number in range(160)]
        assert not any(reply.notes for reply in replies)
        assert [writer.wait(30) for writer in writers] == [0, 0]
    with sqlite3.connect(path) as database:
        assert database.execute("SELECT count(*) FROM answers_1").fetchone()[0] >= 150
    database.close()


USED = TokenUsage(input_tokens=40, cached_input_tokens=32, output_tokens=2)
SCHEMA = {"type": "object", "properties": {}}


def test_each_question_is_one_call_with_all_it_took(tmp_path: Path) -> None:
    before = threads()
    refused = error_reply(400, "response_format json_schema is not supported")
    answer = ScriptedReply(text="{}", reasoning="hm", usage=USED)
    script = Script(sequence=[error_reply(429, "slow down", retry_after=0.2), refused, answer])
    picture = b"\x89PNG picture"
    message = ChatMessage(role="user", content="看图", images=(ImagePart(data=picture, media_type="image/png"),))
    request = ChatRequest(messages=(message,), schema=SCHEMA)
    with ScriptedServer(script) as server:
        chat = build_chat(settings(server), tmp_path / "answers.sqlite")
        with calls.watch() as seen:
            first = chat.complete(request)
            second = chat.complete(request)
        chat.close()
    assert (first.cached, second.cached) == (False, True)
    real, cached = seen
    assert (real.model, real.attempts, real.cached) == ("scripted", 3, False)
    assert (real.input_tokens, real.cached_input_tokens, real.output_tokens) == (40, 32, 2)
    assert real.ms >= 200
    assert real.notes == ("429: waited 0.2 s as asked", "the server takes no JSON schema: asked in JSON mode")
    assert real.reply == "<think>hm</think>\n{}"
    (asked,) = json.loads(real.prompt)
    assert asked["content"] == "看图"
    digest = hashlib.sha256(picture).hexdigest()
    assert asked["images"] == [{"sha256": digest, "type": "image/png", "bytes": len(picture)}]
    assert (cached.cached, cached.attempts, cached.reply) == (True, 0, real.reply)
    assert KEY not in repr(seen)
    assert threads() == before


def test_a_failed_and_a_stopped_question_are_reported_too() -> None:
    script = Script(sequence=[error_reply(401, f"wrong key {KEY}")], default=ScriptedReply(delivery="never"))
    with ScriptedServer(script) as server:
        chat = build_chat(settings(server, cache=False, attempts=2), None)
        with calls.watch() as seen, pytest.raises(EndpointError):
            chat.complete(ask())
        assert seen[0].reply == ""
        assert seen[0].notes[0].startswith("failed: ")
        assert KEY not in repr(seen)
        stop = threading.Event()
        threading.Timer(0.2, stop.set).start()
        with calls.watch(stop.is_set) as seen, pytest.raises(calls.Cancelled):
            chat.complete(ask())
        assert seen[0].notes == ("stopped in flight",)
        chat.close()
