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
        for source in SOURCES:
            await client.call_tool("ingest", {"text": source.text, "source": source.name})
        for conflict in (await client.call_tool("conflicts")).structuredContent["conflicts"]:
            print(conflict["id"], conflict["description"])
            winner = "left" if "105" in conflict["left"]["summary"] else "right"
            verdict = {"conflict_id": conflict["id"], "status": "resolved", "winner": winner, "value": "105"}
            await client.call_tool("resolve", {**verdict, "reasoning": "the laboratory counted 105"})
        found = await client.call_tool("search_memory", {"query": "How many qubits has Willow?"})
        for memory in found.structuredContent["memories"]:
            print(memory["node_id"], memory["summary"])


anyio.run(main)
