"""`search` and `visit` as a session's settings want them: the one place where the web is joined to the documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from memorybank.embedding.base import Embedder
from memorybank.llm.base import Chats
from memorybank.memory.types import Lang
from memorybank.settings.config import WebSettings
from memorybank.settings.llm import LLMSettings
from memorybank.tools.base import Tool
from memorybank.tools.extraction import Extraction, ModelExtraction, QuoteExtraction
from memorybank.tools.pictures import Gallery
from memorybank.tools.reading import Standing, UnreferencedPictures, search_tool, visit_tool
from memorybank.tools.sources import Sources
from memorybank.tools.web import jina, serper
from memorybank.tools.web.guard import Guard
from memorybank.tools.web.jina import JinaReader
from memorybank.tools.web.pages import DirectReader, Store, WebPages
from memorybank.tools.web.reading_process import PageProcesses
from memorybank.tools.web.serper import SerperSearch


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """Where the services live and what may be reached. Only tests and self-hosted services give other ones."""

    serper_url: str = serper.BASE_URL
    jina_url: str = jina.BASE_URL
    guard: Guard = field(default_factory=Guard)
    trust: str = ""
    """A file of authorities for all of them, instead of the system's and certifi's."""


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
    searcher = (
        SerperSearch(web.serper_key, base_url=endpoints.serper_url, trust=endpoints.trust) if web.serper_key else None
    )
    pages = _pages(web, lang, endpoints, store) if web.visit else None
    return [
        search_tool(sources, lang, searcher, gallery, unreferenced, standing),
        visit_tool(sources, lang, pages, extraction, gallery),
    ]


def _pages(web: WebSettings, lang: Lang, endpoints: Endpoints, store: Store) -> WebPages:
    guard, trust = endpoints.guard, endpoints.trust
    jina = JinaReader(web.jina_key, guard=guard, base_url=endpoints.jina_url, trust=trust) if web.jina_key else None
    return WebPages(DirectReader(PageProcesses(guard, trust=trust, lang=lang)), jina, store)


def extraction_for(
    embedder: Embedder,
    lang: Lang,
    *,
    chats: Chats | None = None,
    settings: LLMSettings | None = None,
    count_tokens: Callable[[str], int] | None = None,
    chunk_ratio: float = 0.9,
) -> Extraction:
    """Return how `visit` extracts what bears on a goal: by the model where one is given, else by quoting."""
    quoting = QuoteExtraction(embedder, lang)
    if chats is None:
        return quoting
    return ModelExtraction(
        chats, settings or LLMSettings(), count_tokens or embedder.count_tokens, quoting, lang, chunk_ratio=chunk_ratio
    )
