"""`memorybank mcp` as a tool server, used by the official MCP client over stdio.

For a desktop client the entry is: {"command": "memorybank", "args": ["mcp", "/path/to/a/folder"]}
"""

import os
import sys

import anyio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from setting import SOURCES, run_folder

folder = run_folder("mcp_client")
server = StdioServerParameters(
    command=sys.executable, args=["-m", "memorybank", "mcp", str(folder)], env=dict(os.environ)
)


async def main() -> None:
    async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
        await client.initialize()

        async def call(tool, **arguments):
            result = await client.call_tool(tool, {"wait": 600, **arguments})
            return result.model_dump(by_alias=True)["structuredContent"]

        for source in SOURCES:
            await call("ingest", text=source.text, source=source.name)
        for conflict in (await call("conflicts"))["conflicts"]:
            print(conflict["id"], conflict["description"])
            winner = "left" if "105" in conflict["left"]["summary"] else "right"
            verdict = {"conflict_id": conflict["id"], "status": "resolved", "winner": winner, "value": "105"}
            await call("resolve", **verdict, reasoning="the laboratory counted 105")
        for memory in (await call("search_memory", query="How many qubits has Willow?"))["memories"]:
            print(memory["node_id"], memory["summary"])


anyio.run(main)
