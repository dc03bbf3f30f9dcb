from __future__ import annotations

import contextlib
import inspect
import io
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import openai
import pytest
from openai import OpenAI

from memorybank.llm.base import TokenUsage
from memorybank_lab import scripted
from memorybank_lab.scripted import FAULTS, Faulty, Script, ScriptedReply, ScriptedServer, asks, on, tool_reply
from tests.raw_http import FOREIGN, OWN, ask, hosts

KEY = "sk-proj-AbCdEfGhIjKlMnOpQrStUvWx"
SCHEMA = {
    "type": "object",
    "properties": {"ref": {"type": "integer"}, "said": {"type": "string"}},
    "required": ["ref", "said"],
}


@contextlib.contextmanager
def _client(server: ScriptedServer, **options: Any) -> Iterator[OpenAI]:
    with OpenAI(base_url=server.base_url, api_key=KEY, max_retries=0, **{"timeout": 5.0, **options}) as client:
        yield client


def _ask(client: OpenAI, text: Any = "Hi", **options: Any) -> Any:
    return client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}], **options)


def _format(name: str = "answer") -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": name, "schema": SCHEMA, "strict": True}}


def test_only_own_hosts_and_own_pages_are_answered() -> None:
    with ScriptedServer(["one"]) as server:
        for host in hosts(OWN, server.base_url):
            assert ask(server.base_url, "GET /v1/models", f"Host: {host}\r\nConnection: close\r\n")[0] == 200, host
        asked = len(server.requests)
        heads = [f"Host: {host}\r\n" for host in hosts(FOREIGN, server.base_url)]
        for head in (*heads, "", "Host: localhost\r\nHost: localhost\r\n"):
            assert ask(server.base_url, "POST /v1/chat/completions", head, b"{}")[0] == 421, head[:80]
        foreign = "Host: localhost\r\nOrigin: http://localhost:1\r\n"
        assert ask(server.base_url, "POST /v1/chat/completions", foreign, b"{}")[0] == 403
        assert len(server.requests) == asked, "and no answer of the script is spent"


def test_the_example_in_the_docstring_runs() -> None:
    lines = inspect.cleandoc(scripted.__doc__ or "").splitlines()
    start = next(at for at, line in enumerate(lines) if line.startswith("    from memorybank"))
    end = next(at for at, line in enumerate(lines) if line.startswith("**An answer**"))
    source = "\n".join(line[4:] for line in lines[start:end])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(source, {})
    expected = [line.partition("# ")[2] for line in source.splitlines() if "print(" in line]
    assert printed.getvalue().splitlines() == expected == ["Hello!", '{"city": "Lyon", "sure": true}', "Hi"]


def test_rules_come_first_then_the_sequence_then_the_default() -> None:
    script = Script(
        rules=[
            on(asks(schema="analysis"), {"judged": 1}, {"judged": 2}),
            on(asks(contains="weather"), "rain", ends=True),
        ],
        sequence=["first", lambda request: f"second, to {request.prompt}"],
        default=ScriptedReply(text="default"),
    )
    with ScriptedServer(script) as server, _client(server) as client:

        def said(text: str = "Hi", **options: Any) -> str:
            return str(_ask(client, text, **options).choices[0].message.content)

        assert [said(), said("the weather?"), said("the weather?"), said()] == [
            "first",
            "rain",
            "second, to the weather?",
            "default",
        ]
        judged = [said(response_format=_format("analysis")) for _ in range(3)]
        assert judged == ['{"judged": 1}', '{"judged": 2}', '{"judged": 2}']
        assert said(response_format=_format("planning")) == "default"
        assert len(server.select(asks(schema="analysis"))) == 3
    with ScriptedServer(["only one"]) as server, _client(server) as client:
        _ask(client)
        with pytest.raises(openai.BadRequestError, match="the script has no answer for request 2"):
            _ask(client)


def test_a_reply_carries_tool_calls_thoughts_finish_and_usage_streamed_or_not() -> None:
    call = tool_reply(("search", {"query": ["黄河"]}), ("visit", {}), text="I look.")
    thought = ScriptedReply(
        text="Done.", reasoning="I think.", finish="length", usage=TokenUsage(input_tokens=7, output_tokens=5)
    )
    with ScriptedServer([call, thought, call, thought]) as server, _client(server) as client:
        first, second = _ask(client).choices[0], _ask(client)
        assert first.finish_reason == "tool_calls"
        assert [(one.id, one.function.name) for one in first.message.tool_calls] == [
            ("call_1", "search"),
            ("call_2", "visit"),
        ]
        assert json.loads(first.message.tool_calls[0].function.arguments) == {"query": ["黄河"]}
        assert second.choices[0].finish_reason == "length"
        assert second.choices[0].message.reasoning_content == "I think."
        assert (second.usage.prompt_tokens, second.usage.completion_tokens) == (7, 5)
        streamed = list(_ask(client, stream=True))
        deltas = [delta for chunk in streamed for delta in chunk.choices[0].delta.tool_calls or ()]
        assert "".join(one.function.arguments for one in deltas if one.index == 0) == '{"query": ["黄河"]}'
        assert streamed[-1].choices[0].finish_reason == "tool_calls"
        streamed = list(_ask(client, stream=True, stream_options={"include_usage": True}))
        assert "".join(chunk.choices[0].delta.content or "" for chunk in streamed[:-1]) == "Done."
        assert streamed[-1].usage.total_tokens == 12


def test_a_request_is_recorded_without_the_key() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    content = [{"type": "text", "text": "What is it?"}, picture]
    tool = {"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {}}}}
    with ScriptedServer("ok") as server, _client(server) as client:
        messages: Any = [{"role": "system", "content": "Be short."}, {"role": "user", "content": content}]
        options: dict[str, Any] = {"tools": [tool], "response_format": _format(), "temperature": 0.2}
        client.chat.completions.create(model="m", messages=messages, **options)
        httpx.post(f"{server.base_url}/chat/completions", content=b"no json")
        (seen, bare) = server.chats
        assert (seen.number, seen.kind, seen.model, seen.authorized) == (1, "chat", "m", True)
        assert seen.text == "Be short.\nWhat is it?"
        assert (seen.prompt, seen.images, seen.tools) == ("What is it?", 1, ("search",))
        assert (seen.answer_format, seen.schema_name, seen.schema) == ("json_schema", "answer", SCHEMA)
        assert seen.body["temperature"] == 0.2
        assert KEY not in repr(server.requests)
        assert "authorization" not in seen.headers
        assert (bare.body, bare.authorized, bare.schema) == ({}, False, None)
        assert client.models.list().data[0].id == "scripted"
        assert [request.kind for request in server.requests] == ["chat", "chat", "models"]
        with pytest.raises(openai.NotFoundError):
            client.responses.create(model="m", input="Hi")


def test_delay_and_the_number_in_flight() -> None:
    with ScriptedServer("ok", delay=0.3) as server, _client(server) as client:
        with ThreadPoolExecutor(4) as threads:
            pending = [threads.submit(_ask, client) for _ in range(4)]
            assert server.wait_for(4, 3.0)
            assert [one.result().choices[0].message.content for one in pending] == ["ok"] * 4
        assert 2 <= server.max_in_flight <= 4
        assert server.wait_until_idle()
        assert not server.wait_for(5, 0.05)


def test_a_program_with_many_open_files_gets_delayed_answers_too() -> None:
    """`select` takes no descriptor above 1,023: the server once took each such client for one that had gone."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (hard if hard == resource.RLIM_INFINITY else max(soft, min(hard, 4096)), hard)
    )
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(1_100)]
    try:
        with ScriptedServer("late", delay=0.02) as server:
            assert httpx.post(f"{server.base_url}/chat/completions", json={"messages": []}).status_code == 200
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_what_a_script_raises_is_not_lost() -> None:
    def broken(request: scripted.SeenRequest) -> str:
        raise KeyError("no such city")

    server = ScriptedServer(broken)
    with (
        pytest.raises(KeyError, match="no such city"),
        server,
        _client(server) as client,
        pytest.raises(openai.BadRequestError, match="the script failed on request 1"),
    ):
        _ask(client)
    server.close()


@pytest.mark.parametrize("name", ["never_answers", "endless_body", "slow_drip"])
def test_closing_ends_answers_in_flight_and_leaves_no_thread(name: str) -> None:
    before = set(threading.enumerate())
    server = ScriptedServer(Faulty(Script(default="a long answer " * 50), FAULTS[name]))
    with _client(server, timeout=20.0) as client, ThreadPoolExecutor(3) as threads:
        pending = [threads.submit(_ask, client) for _ in range(3)]
        assert server.wait_for(3)
        server.close()
        assert all(isinstance(one.exception(), Exception) for one in pending)
    assert {thread for thread in threading.enumerate() if thread.name.startswith("scripted")} <= before
    with pytest.raises(OSError):  # noqa: PT011 - the system's words differ
        socket.create_connection(("127.0.0.1", int(server.base_url.split(":")[2].split("/")[0])), 1.0).close()


def test_a_client_that_goes_away_frees_the_server() -> None:
    with ScriptedServer(ScriptedReply(delivery="never")) as server:
        with _client(server, timeout=1.0) as client, pytest.raises(openai.APITimeoutError):
            _ask(client)
        assert server.wait_until_idle(2.0)
        assert server.max_in_flight == 1


def test_it_is_served_from_the_command_line() -> None:
    command = [sys.executable, "-m", "memorybank_lab.scripted", "--port", "0", "--fault", "overloaded", "--times", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        name, _, url = process.stdout.readline().strip().partition("=")
        assert name == "LLM_BASE_URL"
        with OpenAI(base_url=url, api_key="any", max_retries=0, timeout=5) as client:
            with pytest.raises(openai.InternalServerError):
                _ask(client)
            assert "<answer>" in _ask(client).choices[0].message.content
        process.send_signal(signal.SIGINT)
        assert process.wait(5) == 0
    finally:
        process.kill()
        process.communicate()
