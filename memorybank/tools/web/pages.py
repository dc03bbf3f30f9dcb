"""Pages of the web as a `Reader`, direct or through Jina. The last ones are kept, so that paging costs nothing."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final
from urllib.parse import unquote, urlsplit

from memorybank.documents.document import Document
from memorybank.files.names import base_name
from memorybank.tools.base import Original
from memorybank.tools.reading import Page
from memorybank.tools.web.fetch import Fetcher
from memorybank.tools.web.jina import JinaReader
from memorybank.tools.web.reading_process import PageText, ReadingLimits, read_page
from memorybank.tools.web.urls import parse_url
from memorybank.types import AttachmentType

Store = Callable[[Document], Original | None]
"""Keeps a document's file in the formal store (intake.store_original)."""
_KEPT: Final = 16


class DirectReader:
    """Fetches the page itself. Raises as `Fetcher.get` and `read_page`."""

    def __init__(self, fetcher: Fetcher, limits: ReadingLimits | None = None) -> None:
        self._fetcher = fetcher
        self._limits = limits

    def read(self, url: str) -> PageText:
        return read_page(self._fetcher.get(url), self._limits)


class WebPages:
    """A `Reader` over one of the two; safe in threads."""

    def __init__(self, reader: DirectReader | JinaReader, store: Store = lambda _: None) -> None:
        self._reader = reader
        self._store = store
        self._lock = Lock()
        self._pages: OrderedDict[str, PageText] = OrderedDict()

    def read(self, url: str) -> Page:
        """The page a URL leads to. Raises ToolError, InputError for a URL that may not be visited, Cancelled."""
        page = self._page(url)
        return Page(
            source=page.url, text=page.text, title=page.title, left=page.left, original=lambda: self._original(page)
        )

    def _page(self, url: str) -> PageText:
        key = parse_url(url).url
        with self._lock:
            if key in self._pages:
                return self._pages[key]
        page = self._reader.read(url)
        with self._lock:
            self._pages[key] = page
            if len(self._pages) > _KEPT:
                self._pages.popitem(last=False)
        return page

    def _original(self, page: PageText) -> Original | None:
        if not page.pdf:
            return None
        name = base_name(unquote(urlsplit(page.url).path), default="page")
        return self._store(
            Document(
                name=name if name.lower().endswith(".pdf") else f"{name}.pdf",
                text=page.text,
                kind="pdf",
                media_type="application/pdf",
                sha256=hashlib.sha256(page.pdf).hexdigest(),
                original=page.pdf,
                attachment=AttachmentType.DOCUMENT,
            )
        )
