"""The MCP server as a client meets it: a real process, the official client, both transports."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from memorybank.events import ConflictClosed
from memorybank.run_folder import load, state_at

ROOT = Path(__file__).parents[2]
WILLOW = """Willow is a quantum processor that Google announced in December 2024. It has 105 qubits.
It was made in a clean room in Santa Barbara."""
WRONG = "Google's quantum processor Willow was announced in December 2024. It has 98 qubits."
ZH = "悟空是一台超导量子计算机，于2024年1月上线，搭载72个计算量子比特。"
TOOLS = {"ingest", "search_memory", "deep_retrieval", "insight_doc", "conflicts", "resolve"}


def _in_a_thread(work: Callable[..., Coroutine[Any, Any, None]], *given: Any) -> None:
    """Run a coroutine in a thread of its own: in a whole test run the browser's event loop sits in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(anyio.run, work, *given).result()


def command(run: Path, *options: str) -> list[str]:
    return ["-m", "memorybank", "mcp", str(run), "--embedding-model", "hashed-ngrams", *options]


def environment() -> dict[str, str]:
    kept = ("PATH", "HOME", "XDG_STATE_HOME", "OMP_NUM_THREADS", "LANG")
    return {name: os.environ[name] for name in kept if name in os.environ} | {"PYTHONPATH": str(ROOT)}


@asynccontextmanager
async def over_stdio(run: Path, *options: str) -> AsyncIterator[ClientSession]:
    server = StdioServerParameters(command=sys.executable, args=command(run, *options), env=environment())
    async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
        yield client


@contextmanager
def http_server(run: Path, *options: str) -> Iterator[str]:
    """A server on a free port; gives its URL."""
    process = subprocess.Popen(
        [sys.executable, *command(run, "--http", "0", *options)],
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/mcp", line)
        assert found, line + process.stderr.read()
        yield found[0]
    finally:
        process.terminate()
        process.communicate(timeout=20)


@asynccontextmanager
async def over_http(url: str) -> AsyncIterator[ClientSession]:
    async with streamable_http_client(url) as (read, write, _), ClientSession(read, write) as client:
        yield client


async def call(client: ClientSession, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.isError, result.content
    return result.structuredContent


async def refused(client: ClientSession, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.isError
    text: str = result.content[0].text  # type: ignore[union-attr]
    return text


async def use_everything(client: ClientSession) -> None:
    """A client that files two texts which contradict each other, and settles it."""
    began = await client.initialize()
    assert began.serverInfo.name == "memorybank"
    assert "resolve" in (began.instructions or "")
    listed = (await client.list_tools()).tools
    assert {tool.name for tool in listed} == TOOLS
    assert all(tool.description and (tool.outputSchema or tool.name == "deep_retrieval") for tool in listed)
    read_only = {tool.name for tool in listed if tool.annotations and tool.annotations.readOnlyHint}
    assert read_only == TOOLS - {"ingest", "resolve"}

    assert (await call(client, "search_memory", query="anything"))["memories"] == []
    first = await call(client, "ingest", text=WILLOW, source="willow.md")
    assert first["new_nodes"]
    assert (await call(client, "ingest", text=WILLOW, source="again.md"))["known"] is True
    (conflict_id,) = (await call(client, "ingest", text=WRONG, source="wrong.txt"))["conflicts"]
    (conflict,) = (await call(client, "conflicts"))["conflicts"]
    assert (conflict["id"], conflict["status"]) == (conflict_id, "open")
    assert "105" in conflict["left"]["summary"]
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
    merged = settled["merged_into"]
    raw = await call(client, "deep_retrieval", node_id=conflict["right"]["node_id"])
    assert merged in raw["result"]
    assert "98 qubits" in raw["result"]
    top = (await call(client, "search_memory", query="how many qubits has Willow"))["memories"][0]
    assert "105 qubits" in top["summary"]
    assert "98" not in top["summary"]

    assert "n77" in await refused(client, "deep_retrieval", node_id="n77")
    assert "empty" in await refused(client, "ingest", text="  ")
    assert "not both" in await refused(client, "ingest", text="x", turns=[{"speaker": "A", "text": "y"}])
    assert "1 to 50" in await refused(client, "search_memory", query="x", k=0)
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

    with http_server(run) as url:
        _in_a_thread(both, url)
        elsewhere = httpx.post(url, json={}, headers={"Host": "evil.example", "Accept": "application/json"})
        assert elsewhere.status_code == 421, "a page that renames itself to this machine is refused"
        from_a_page = httpx.post(url, json={}, headers={"Origin": "https://evil.example"})
        assert from_a_page.status_code in (403, 406)
        port = url.split(":")[2].split("/")[0]
        taken = server_says(tmp_path / "other", "--http", port)
        assert taken == (2, f"memorybank: port {port} cannot be used: choose another with --http PORT")
        locked = server_says(run)
        assert locked[0] == 2
        assert "being written by another session" in locked[1]
    check_run(run)


def server_says(run: Path, *options: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, *command(run, *options)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
        check=False,
    )
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
    assert server_says(run, "--task", "Another?") == (
        2,
        "memorybank: run already holds a run: give --task only with an empty folder",
    )


def test_bad_arguments_are_refused(tmp_path: Path) -> None:
    code, said = server_says(tmp_path / "run", "--http", "99999")
    assert (code, said) == (2, "memorybank: port 99999 cannot be used: choose another with --http PORT")
    (tmp_path / "file").write_text("x")
    assert server_says(tmp_path / "file") == (2, "memorybank: file is a file: name a folder")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
