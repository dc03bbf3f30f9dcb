"""Web search by Serper (https://serper.dev): Google's results as JSON, ten a query."""

from __future__ import annotations

from typing import Any, Final

from memorybank.errors import ToolError
from memorybank.language.text import detect_lang, one_line
from memorybank.tools.reading import Result
from memorybank.tools.web.service import Service, text_of

BASE_URL: Final = "https://google.serper.dev"
_PLACES: Final = {"en": {"gl": "us", "hl": "en"}, "zh": {"gl": "cn", "hl": "zh-cn"}}
_MOST_QUERY: Final = 2_000
"""Characters."""


class SerperSearch:
    """A `Searcher`. The language of each query decides in which one is searched."""

    def __init__(self, key: str, *, base_url: str = BASE_URL, seconds: float = 20.0, trust: str = "") -> None:
        self._service = Service(
            name="the search service",
            key_name="SERPER_API_KEY",
            base_url=base_url,
            headers={"X-API-KEY": key},
            seconds=seconds,
            most_bytes=2_000_000,
            trust=trust,
        )

    def search(self, query: str, limit: int) -> list[Result]:
        """Return at most `limit` results, best first. Raises ToolError, without the key in its words."""
        body = {"q": query[:_MOST_QUERY], "num": limit, **_PLACES[detect_lang(query)]}
        answer = self._service.ask("search", body)
        listed = answer.get("organic", []) if isinstance(answer, dict) else None
        if not isinstance(listed, list):
            raise ToolError("web.no_results")
        return [result for entry in listed if (result := _result(entry)) is not None][:limit]


def _result(entry: Any) -> Result | None:
    """Return the result, None for an entry without a URL."""
    link = text_of(entry, "link")
    if not link:
        return None
    origin = [text_of(entry, "source") or link.partition("://")[2].partition("/")[0], text_of(entry, "date")]
    return Result(
        source=link,
        title=one_line(text_of(entry, "title")),
        excerpt=one_line(text_of(entry, "snippet")),
        origin=" · ".join(part for part in origin if part),
    )
