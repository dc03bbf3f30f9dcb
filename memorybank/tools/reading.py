"""`search` and `visit`: how an executor reads the corpus and the ingested documents. No network is touched here."""

from __future__ import annotations

from memorybank.errors import ToolError
from memorybank.prompts import say
from memorybank.tools.base import Material, Tool, ToolResult
from memorybank.tools.sources import Sources
from memorybank.types import Lang

MAX_RESULTS = 10
SHOWN_CHARS = 12_000
"""Characters of a document shown in one visit."""


def search_tool(sources: Sources, lang: Lang) -> Tool:
    def search(query: str | list[str], limit: int = 5) -> ToolResult:
        """Search the corpus and all ingested documents. Several queries may be given at once.

        Returns for each query the best documents with their best passage, best first; read one with `visit`.
        """
        queries = [query] if isinstance(query, str) else query
        lines: list[str] = []
        materials: dict[str, Material] = {}
        for one in queries[:5]:
            found = sources.search(one, max(1, min(limit, MAX_RESULTS)))
            key = "search_found" if found else "search_nothing"
            lines.append(say(key, lang, query=one, count=len(found)))
            for number, hit in enumerate(found, start=1):
                lines.append(f"{number}. {hit.document.name}\n   {hit.excerpt}")
                material = Material(source=hit.document.name, text=hit.excerpt, excerpt=True)
                materials.setdefault(f"{material.source}\0{material.text}", material)
        return ToolResult(text="\n".join(lines), materials=tuple(materials.values()))

    return Tool(search, "search")


def visit_tool(sources: Sources, lang: Lang) -> Tool:
    def visit(source: str, offset: int = 0) -> ToolResult:
        """Read a document that `search` named. Long ones are shown in parts; go on with the offset that is given."""
        document = sources.get(source)
        if document is None:
            raise ToolError(f"there is no document {source!r}; use a name that search returned")
        end = max(0, offset) + SHOWN_CHARS
        shown = document.text[max(0, offset) : end]
        if len(document.text) > end:
            shown += "\n" + say("deep_more", lang, left=len(document.text) - end, offset=end)
        material = Material(source=document.name, text=document.text, original=document.original())
        return ToolResult(text=shown, materials=(material,))

    return Tool(visit, "visit")
