"""`search` and `visit` as a session's settings want them: the one place where the web is joined to the documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from memorybank.embedding.base import Embedder
from memorybank.errors import ToolError
from memorybank.language.text import detect_lang, one_line
from memorybank.llm.base import Chats
from memorybank.memory.types import Lang
from memorybank.settings.config import WebSettings
from memorybank.settings.llm import LLMSettings
from memorybank.tools.base import Tool
from memorybank.tools.extraction import Extraction, ModelExtraction, QuoteExtraction
from memorybank.tools.pictures import Gallery
from memorybank.tools.reading import Result, Standing, UnreferencedPictures, search_tool, visit_tool
from memorybank.tools.sources import Sources
from memorybank.tools.web.guard import Guard
from memorybank.tools.web.pages import JINA_URL, DirectReader, JinaReader, Store, WebPages
from memorybank.tools.web.reading_process import PageProcesses
from memorybank.tools.web.service import Service, text_of

# -- web search by Serper (https://serper.dev): Google's results as JSON, ten a query ----------------------------------

SERPER_URL: Final = "https://google.serper.dev"
_PLACES: Final = {"en": {"gl": "us", "hl": "en"}, "zh": {"gl": "cn", "hl": "zh-cn"}}
_MOST_QUERY: Final = 2_000
"""The most characters of a query."""


class SerperSearch:
    """A `Searcher`. The language of each query decides in which one is searched."""

    def __init__(self, key: str, *, base_url: str = SERPER_URL, seconds: float = 20.0) -> None:
        self._service = Service(
            name="the search service",
            key_name="SERPER_API_KEY",
            base_url=base_url,
            headers={"X-API-KEY": key},
            seconds=seconds,
            most_bytes=2_000_000,
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


# -- the tools --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """The addresses of the services, and what may be reached. Only tests and self-hosted services give other ones."""

    serper_url: str = SERPER_URL
    jina_url: str = JINA_URL
    guard: Guard = field(default_factory=Guard)


def reading_tools(
    web: WebSettings,
    sources: Sources,
    *,
    lang: Lang,
    extraction: Extraction | None = None,
    store: Store = lambda _: None,
    endpoints: Endpoints | None = None,
    gallery: Gallery | None = None,
    unreferenced: UnreferencedPictures | None = None,
    standing: Standing = dict,
) -> list[Tool]:
    """`search` (Serper with a key, else the documents) and `visit` (documents, and URLs where the settings allow it).

    Nothing is reached before a tool is used. Keys go into request headers and nowhere else.
    """
    endpoints = endpoints or Endpoints()
    searcher = SerperSearch(web.serper_key, base_url=endpoints.serper_url) if web.serper_key else None
    pages = _pages(web, lang, endpoints, store) if web.visit else None
    return [
        search_tool(sources, lang, searcher, gallery, unreferenced, standing),
        visit_tool(sources, lang, pages, extraction, gallery),
    ]


def _pages(web: WebSettings, lang: Lang, endpoints: Endpoints, store: Store) -> WebPages:
    guard = endpoints.guard
    jina = JinaReader(web.jina_key, guard=guard, base_url=endpoints.jina_url) if web.jina_key else None
    return WebPages(DirectReader(PageProcesses(guard, lang=lang)), jina, store)


def extraction_for(
    embedder: Embedder,
    lang: Lang,
    *,
    chats: Chats | None = None,
    settings: LLMSettings | None = None,
    chunk_ratio: float = 0.9,
) -> Extraction:
    """Return how `visit` extracts what bears on a goal: by the model where one is given, else by quoting."""
    quoting = QuoteExtraction(embedder, lang)
    if chats is None:
        return quoting
    return ModelExtraction(
        chats, settings or LLMSettings(), embedder.count_tokens, quoting, lang, chunk_ratio=chunk_ratio
    )
