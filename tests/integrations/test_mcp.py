"""The MCP server as a client meets it: a real process, the official client, both transports."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import httpx
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import BaseModel

from memorybank.integrations.bank_tools import BankTools
from memorybank.integrations.foreign import Handover
from memorybank.integrations.mcp import Calls
from memorybank.memory.contracts import StructureInput, StructureOutput
from memorybank.memory.events import ConflictClosed
from memorybank.runs.run_folder import load, state_at
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from tests.command_line import memorybank
from tests.lending import lent
from tests.raw_http import FOREIGN, NAMED, OWN, ask, hosts
from tests.scripted import parts

ROOT = Path(__file__).parents[2]
WILLOW = """Willow is a quantum processor that Google announced in December 2024. It has 105 qubits.
It was made in a clean room in Santa Barbara."""
WRONG = "Willow was announced by Google in December 2024. Willow has 98 qubits."
ZH = "悟空是一台超导量子计算机，于2024年1月上线，搭载72个计算量子比特。"
WAIT = 600
"""Seconds, more than any call takes."""
TOOLS = {"ingest", "search_memory", "deep_retrieval", "insight_doc", "conflicts", "resolve"}


def _in_a_thread(work: Callable[..., Coroutine[Any, Any, None]], *given: Any) -> None:
    """Run a coroutine in a thread of its own: in a whole test run the browser's event loop sits in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(anyio.run, work, *given).result()


def command(run: Path, *options: str) -> list[str]:
    return ["-m", "memorybank", "mcp", str(run), "--embedding-model", "hashed-ngrams", *options]


def environment() -> dict[str, str]:
    kept = ("PATH", "HOME", "XDG_STATE_HOME", "OMP_NUM_THREADS", "LANG")
    return {name: os.environ[name] for name in kept if name in os.environ} | lent()


@asynccontextmanager
async def over_stdio(run: Path, *options: str) -> AsyncIterator[ClientSession]:
    server = StdioServerParameters(command=sys.executable, args=command(run, *options), env=environment())
    async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
        yield client


@contextmanager
def http_server(run: Path, *options: str, log: Path | None = None, **variables: str) -> Iterator[str]:
    """A server on a free port; gives its URL. What it prints after that is in `log` at the end."""
    process = subprocess.Popen(
        [sys.executable, *command(run, "--http", "0", *options)],
        stderr=subprocess.PIPE,
        text=True,
        env=environment() | variables,
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/mcp", line)
        assert found, line + process.stderr.read()
        yield found[0]
    finally:
        process.terminate()
        printed = process.communicate(timeout=20)[1]
        if log is not None:
            log.write_text(printed, "utf-8")


@asynccontextmanager
async def over_http(url: str) -> AsyncIterator[ClientSession]:
    async with streamable_http_client(url) as streams, ClientSession(*streams[:2]) as client:
        yield client


def on_the_wire(answer: BaseModel) -> dict[str, Any]:
    """The answer by the protocol's own names, which version 2 of the package spells in another way than 1."""
    return answer.model_dump(mode="json", by_alias=True)


async def call(client: ClientSession, tool: str, **arguments: Any) -> Any:
    result = on_the_wire(await client.call_tool(tool, {"wait": WAIT, **arguments}))
    assert not result["isError"], result["content"]
    return result["structuredContent"]


async def refused(client: ClientSession, tool: str, **arguments: Any) -> str:
    result = on_the_wire(await client.call_tool(tool, {"wait": WAIT, **arguments}))
    assert result["isError"]
    text: str = result["content"][0]["text"]
    return text


async def use_everything(client: ClientSession) -> None:
    """A client that files two texts which contradict each other, and settles it."""
    began = on_the_wire(await client.initialize())
    assert began["serverInfo"]["name"] == "memorybank"
    assert "resolve" in began["instructions"]
    listed = on_the_wire(await client.list_tools())["tools"]
    assert {tool["name"] for tool in listed} == TOOLS
    assert all(
        tool["description"] and tool["outputSchema"] and tool["inputSchema"]["properties"]["wait"] for tool in listed
    )
    read_only = {tool["name"] for tool in listed if tool["annotations"]["readOnlyHint"]}
    assert read_only == TOOLS - {"ingest", "resolve"}

    assert (await call(client, "search_memory", query="anything"))["memories"] == []
    first = await call(client, "ingest", text=WILLOW, source="willow.md")
    assert first["new_nodes"]
    assert (await call(client, "ingest", text=WILLOW, source="again.md"))["known"] is True
    (conflict_id,) = (await call(client, "ingest", text=WRONG, source="wrong.txt"))["conflicts"]
    (conflict,) = (await call(client, "conflicts"))["conflicts"]
    assert (conflict["id"], conflict["status"]) == (conflict_id, "open")
    assert "105" in conflict["left"]["summary"]
    assert [(point["left"], point["right"], point["status"]) for point in conflict["points"]] == [("105", "98", "open")]
    memories = (await call(client, "search_memory", query="how many qubits has Willow", k=2))["memories"]
    assert memories[0]["disputed"] == conflict_id
    assert (await call(client, "insight_doc"))["open_conflicts"] == 1

    assert "winner" in await refused(client, "resolve", conflict_id=conflict_id, status="resolved", reasoning="x")
    settled = await call(
        client,
        "resolve",
        conflict_id=conflict_id,
        status="resolved",
        winner="left",
        value="105",
        reasoning="Google's own announcement says 105",
    )
    assert settled["conflict"]["closed_by"] == "MCP client"
    assert [(point["status"], point["value"]) for point in settled["conflict"]["points"]] == [("resolved", "105")]
    merged = settled["merged_into"]
    raw = await call(client, "deep_retrieval", node_id=conflict["right"]["node_id"])
    assert merged in raw["result"]
    assert "98 qubits" in raw["result"]
    top = (await call(client, "search_memory", query="how many qubits has Willow"))["memories"][0]
    assert "105 qubits" in top["summary"]
    assert "98 qubits [refuted by check c1: “98”]." in top["summary"]
    assert top["summary"].count("98") == 2, "nowhere unmarked"
    assert [check["refuted"] for check in top["checks"]] == [["98"]]

    assert "n77" in await refused(client, "deep_retrieval", node_id="n77")
    assert "or equal to 1" in await refused(client, "search_memory", query="x", k=0)
    assert await refused(client, "search_memory")
    talk = [{"speaker": "Ana", "text": "I moved to Lisbon in March.", "time": "2024-03-02"}]
    assert (await call(client, "ingest", turns=talk, source="talk"))["new_nodes"]


def check_run(run: Path) -> None:
    """What the client did is in the journal, and it replays."""
    records = load(run)
    bank = state_at(records)
    assert [record.event.closed_by for record in records if isinstance(record.event, ConflictClosed)] == ["MCP client"]
    assert {entry.source for entry in bank.tree.entries.values()} >= {"willow.md", "wrong.txt", "talk", "MCP client"}
    assert bank.progress.result == "filed"


def test_stdio_from_an_empty_folder_and_again(tmp_path: Path) -> None:
    run = tmp_path / "run"

    async def both() -> None:
        async with over_stdio(run) as client:
            await use_everything(client)
        check_run(run)
        async with over_stdio(run) as client:
            await client.initialize()
            found = await call(client, "search_memory", query="where does Ana live")
            assert "Lisbon" in json.dumps(found)

    _in_a_thread(both)


HEADERS = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"


def post(url: str, body: bytes, head: str = "Host: 127.0.0.1\r\n") -> tuple[int, str]:
    return ask(url, "POST /mcp", head + HEADERS, body)


def opened(url: str) -> str:
    """The head of a session's further requests."""
    begun = httpx.post(url, content=message("initialize", INITIAL), headers=PLAIN)
    assert begun.status_code == 200
    head = f"Host: 127.0.0.1\r\nmcp-session-id: {begun.headers['mcp-session-id']}\r\n"
    assert post(url, b'{"jsonrpc": "2.0", "method": "notifications/initialized"}', head)[0] == 202
    return head


INITIAL = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
PLAIN = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def message(method: str, given: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": given}).encode()


def called(url: str, head: str, tool: str, **arguments: object) -> dict[str, Any]:
    """The tool's result, read from the event that brings it."""
    answer = httpx.post(
        url,
        content=message("tools/call", {"name": tool, "arguments": {"wait": WAIT, **arguments}}),
        headers={**PLAIN, "mcp-session-id": head.split("mcp-session-id: ")[1].strip()},
        timeout=WAIT,  # the first text is read by parsers that have to be loaded
    )
    result: dict[str, Any] = json.loads(answer.text.partition("data: ")[2])["result"]
    return result


UNREADABLE = {
    "nested deeply": (b"[" * 200_000, "nested too deeply"),
    "nested in arguments": (message("ping", {"a": json.loads("[" * 60 + "]" * 60)}), "nested too deeply"),
    "nested beyond Python": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b"[" * 5_000, "nested too deeply"),
    "a huge id": (b'{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b',"method":"ping"}', "too long"),
    "a huge number": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"k":-' + b"9" * 9_000 + b"}}", "too long"),
    "not UTF-8": (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', "UTF-8"),
    "UTF-16": (message("ping", {}).decode().encode("utf-16"), "UTF-8"),
    "broken": (b"{", "Parse error"),
    "empty": (b" ", "Parse error"),
    "NaN as id": (b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}', "NaN is no JSON number"),
}


def test_http_answers_its_own_hosts_and_what_cannot_be_read_with_an_error(tmp_path: Path) -> None:
    """On the socket: hosts, pages of others, broken JSON, halves of characters, a query without end."""
    ping = message("ping", {})
    with http_server(tmp_path / "run", log=tmp_path / "log", ALLOWED_HOSTS=NAMED) as url:
        page = url.removesuffix("/mcp")
        for host in (*hosts(OWN, url), NAMED, f"{NAMED}.:9"):
            assert post(url, message("initialize", INITIAL), f"Host: {host}\r\n")[0] == 200, host
        for head in (*(f"Host: {host}\r\n" for host in hosts(FOREIGN, url)), "", "Host: localhost\r\nHost: evil\r\n"):
            status, said = post(url, ping, head)
            assert (status, "not one of this server's own" in said) == (421, True) or status == 400, head[:80]
            assert ask(url, "GET /", head)[0] in (400, 421), "whatever the path"
        own = "Host: " + page.removeprefix("http://") + "\r\n"
        assert post(url, message("initialize", INITIAL), f"{own}Origin: {page}\r\n")[0] == 200
        for origin in (
            "http://127.0.0.1:9999",
            "http://localhost",
            "http://evil.example",
            "null",
            "http://127.0.0.1:evil",
        ):
            assert post(url, message("initialize", INITIAL), f"{own}Origin: {origin}\r\n")[0] == 403, origin

        head = opened(url)
        for name, (body, says) in UNREADABLE.items():
            status, said = post(url, body, head)
            assert (status, says in said) == (400, True), (name, status, said)
            assert json.loads(said)["error"]["code"] < 0, name
        assert post(url, b'{"method": "' + b"x" * 5_000_000 + b'"}', head)[0] == 413

        filed = called(url, head, "ingest", text=f"{WILLOW} \ud800", source="a\udc00.txt")
        assert filed["structuredContent"]["new_nodes"], filed
        assert called(url, head, "search_memory", query="qubits \udfff")["structuredContent"]["memories"]
        long = called(url, head, "search_memory", query="x" * 1_000_000)
        assert long["isError"]
        assert "query has 1,000,000 characters: give at most 4,000" in long["content"][0]["text"]
    assert "Traceback" not in (tmp_path / "log").read_text("utf-8")


def test_half_a_character_over_stdio_is_answered(tmp_path: Path) -> None:
    texts = message("tools/call", {"name": "ingest", "arguments": {"text": f"{WILLOW} \ud800", "wait": WAIT}})
    lines = (message("initialize", INITIAL), b'{"jsonrpc": "2.0", "method": "notifications/initialized"}', texts)
    with subprocess.Popen(
        [sys.executable, *command(tmp_path / "run")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line in lines:
            process.stdin.write(line + b"\n")
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(2)]
        process.stdin.close()
    assert answers[1]["result"]["structuredContent"]["new_nodes"], answers[1]


def test_http_on_loopback_with_two_clients(tmp_path: Path) -> None:
    run = tmp_path / "run"

    async def both(url: str) -> None:
        async with over_http(url) as client, over_http(url) as other:
            await use_everything(client)
            await other.initialize()
            assert (await call(other, "insight_doc"))["nodes"] >= 2
            async with anyio.create_task_group() as together:
                together.start_soon(lambda: call(client, "ingest", text=ZH, source="zh.txt"))
                together.start_soon(lambda: call(other, "search_memory", query="Willow"))
            assert "悟空" in json.dumps(await call(other, "search_memory", query="悟空"), ensure_ascii=False)

    with http_server(run, log=tmp_path / "log") as url:
        _in_a_thread(both, url)
        elsewhere = httpx.post(url, json={}, headers={"Host": "evil.example", "Accept": "application/json"})
        assert elsewhere.status_code == 421, "a page that renames itself to this machine is refused"
        from_a_page = httpx.post(url, json={}, headers={"Origin": "https://evil.example"})
        assert from_a_page.status_code in (403, 406)
        port = url.split(":")[2].split("/")[0]
        taken = refused_here(tmp_path / "other", "--http", port)
        assert taken == (2, f"memorybank: port {port} cannot be used: choose another with --http PORT")
        locked = refused_here(run)
        assert locked[0] == 2
        assert "being written by another session" in locked[1]
    assert "Traceback" not in (tmp_path / "log").read_text("utf-8"), "clients that left"
    check_run(run)


def refused_here(run: Path, *options: str) -> tuple[int, str]:
    """What the command says in this process, where the server does not come up."""
    done = memorybank(*command(run, *options)[2:])
    assert done.stdout == ""
    return done.returncode, done.stderr.strip()


def test_a_task_is_shown_in_the_insight_doc(tmp_path: Path) -> None:
    run = tmp_path / "run"

    async def ask() -> None:
        async with over_stdio(run, "--task", "How many qubits has Willow?") as client:
            await client.initialize()
            await call(client, "ingest", text=WILLOW, source="willow.md")
            doc = await call(client, "insight_doc")
            assert doc["task_goal"] == "How many qubits has Willow?"
            assert doc["current_task"]

    _in_a_thread(ask)
    assert refused_here(run, "--task", "Another?") == (
        2,
        "memorybank: run already holds a run: give --task only with an empty folder",
    )


def test_bad_arguments_are_refused(tmp_path: Path) -> None:
    code, said = refused_here(tmp_path / "run", "--http", "99999")
    assert (code, said) == (2, "memorybank: port 99999 cannot be used: choose another with --http PORT")
    (tmp_path / "file").write_text("x")
    assert refused_here(tmp_path / "file") == (2, "memorybank: file is a file: name a folder")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


class Held:
    """A structure agent that works once it is let."""

    def __init__(self) -> None:
        self.let = threading.Event()

    def run(self, given: StructureInput) -> StructureOutput:
        assert self.let.wait(WAIT)
        return StructureOutput(summary=given.content.strip())


def test_a_call_that_nobody_waits_for_goes_on_and_the_same_call_has_its_result(run_dir: Path) -> None:
    held, ready = Held(), parts()
    ready.engine.structure = held  # type: ignore[misc]

    def begin(sources: Sequence[Source]) -> Session:
        return Session.start(run_dir, replace(ready, executor=Handover("agent")), sources=sources)

    told: list[str] = []

    async def noted(seconds: float, doing: str) -> None:
        told.append(doing)
        held.let.set()

    async def both() -> None:
        calls = Calls(bank)
        text = {"text": "willow qubits: 105\n", "source": "a.txt"}
        pending = on_the_wire(await calls.call("ingest", {**text, "wait": 0}, noted))["structuredContent"]
        assert pending["pending"]
        assert not pending["new_nodes"]
        done = on_the_wire(await calls.call("ingest", {**text, "wait": WAIT}, noted))["structuredContent"]
        assert (done["new_nodes"], done["known"], done["pending"]) == (["n1"], False, ""), "it was not begun anew"
        for wrong in (-1, "long", True, 10**400, float("nan")):
            refusal = on_the_wire(await calls.call("insight_doc", {"wait": wrong}, noted))
            assert refusal["isError"]
            assert refusal["content"][0]["text"].startswith("wait is no number")

    with BankTools(None, begin=begin) as bank:
        _in_a_thread(both)
    assert told, "the client was told what it was at"
