"""Pages of the web as a `PageReader`, direct or through Jina. The last ones are kept, so that paging costs nothing."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from threading import Lock
from typing import Final
from urllib.parse import unquote, urlsplit

from memorybank.documents.document import Document
from memorybank.documents.pdf import pdf_images
from memorybank.documents.shown_images import decorative, shown_in_markdown, without_images
from memorybank.errors import InputError, ToolError
from memorybank.language.text import fold_space
from memorybank.memory.types import AttachmentType
from memorybank.runs.files.names import base_name
from memorybank.tools.base import Original
from memorybank.tools.pictures import SUFFIXES, Picture, accept_pictures, picture, written_out
from memorybank.tools.reading import VisitedPage
from memorybank.tools.web.exchange import USER_AGENT
from memorybank.tools.web.guard import Guard
from memorybank.tools.web.reading_process import PageProcesses, PageText, ReadingLimits
from memorybank.tools.web.service import Service, text_of
from memorybank.tools.web.urls import join_url, parse_url

Store = Callable[[Document], Original | None]
"""Keeps a document's file in the formal store (intake.store_original)."""
_KEPT: Final = 16
JINA_URL: Final = "https://r.jina.ai"
_JINA_SECONDS: Final = 45.0


class DirectReader:
    """Reads pages and their images itself. Raises as `PageProcesses.read`."""

    def __init__(self, processes: PageProcesses | None = None) -> None:
        self._processes = processes or PageProcesses()

    def read(self, url: str) -> PageText | Picture:
        page = self._processes.read(url)
        if isinstance(page, PageText):
            return page
        try:
            return picture(_file_name(page.url), page.data, page.url)
        except InputError as error:
            raise ToolError("text.at", place=page.url[:200], reason=error) from error

    def pictures(self, page: PageText, limit: int) -> Sequence[Picture]:
        if page.pdf:
            inside = pdf_images(page.pdf, limit)
            return accept_pictures((partial(picture, name, data, page.url) for name, data in inside), limit)
        named = [url for name in page.images if not _is_data(name) and (url := _joined(page.url, name))]
        fetched = self._processes.images(list(dict.fromkeys(named)), limit) if limit else ()
        outside = (partial(picture, _file_name(shown.url), shown.data, page.url) for shown in fetched)
        inline = (partial(written_out, name, page.url) for name in page.images if _is_data(name))
        return accept_pictures(chain(outside, inline), limit)


class JinaReader:
    """Reads pages through Jina Reader (https://r.jina.ai), which fetches and renders them, and answers with Markdown.

    Images are named in that Markdown; they are taken out of the text and fetched directly. The guard looks at the
    target as for a direct visit, redirects apart (those are Jina's): an address of this machine's network is neither
    visited nor told to somebody else. robots.txt is asked by Jina, for the name we go by. The key is optional for Jina.
    """

    def __init__(self, key: str = "", *, guard: Guard | None = None, base_url: str = JINA_URL) -> None:
        self._guard = guard or Guard()
        self._service = Service(
            name="the reader service",
            key_name="JINA_API_KEY",
            base_url=base_url,
            headers={"X-Robots-Txt": USER_AGENT, **({"Authorization": f"Bearer {key}"} if key else {})},
            seconds=_JINA_SECONDS,
        )

    def read(self, url: str) -> PageText:
        """Raises ToolError, InputError for a URL that may not be visited, Cancelled when the call was stopped."""
        target = parse_url(url)
        answer = self._service.ask(target.url, leads_to=target.url, guard=self._guard)
        data = answer.get("data") if isinstance(answer, dict) else None
        content = text_of(data, "content")
        text = without_images(content).strip()
        if not text:
            raise ToolError("web.reader_found_nothing", url=target.url[:200])
        title = fold_space(text_of(data, "title"))[:300]
        published = fold_space(text_of(data, "publishedTime"))[:100]
        images = tuple(name for name in shown_in_markdown(content) if not decorative(name))
        page = PageText.cut(text, ReadingLimits(), url=target.url, title=title)
        return replace(page, origin=published, images=images)


class WebPages:
    """A `PageReader`, safe in threads. Jina, where it is used, reads pages; their images are fetched directly."""

    def __init__(self, direct: DirectReader, jina: JinaReader | None = None, store: Store = lambda _: None) -> None:
        self._direct = direct
        self._jina = jina
        self._store = store
        self._lock = Lock()
        self._pages: OrderedDict[str, PageText | Picture] = OrderedDict()

    def read(self, url: str) -> VisitedPage:
        """Return the page a URL leads to. Raises ToolError, InputError for a URL that may not be visited, Cancelled."""
        page = self._page(url)
        if isinstance(page, Picture):
            return VisitedPage(source=page.found_in, text="", image=page)
        return VisitedPage(
            source=page.url,
            text=page.text,
            title=page.title,
            origin=page.origin,
            left=page.left,
            original=lambda: self._original(page),
            pictures=lambda most: self._direct.pictures(page, most),
        )

    def _page(self, url: str) -> PageText | Picture:
        key = parse_url(url).url
        with self._lock:
            if key in self._pages:
                return self._pages[key]
        names_image = urlsplit(key).path.lower().endswith(SUFFIXES)
        page = self._direct.read(url) if self._jina is None or names_image else self._jina.read(url)
        with self._lock:
            self._pages[key] = page
            if len(self._pages) > _KEPT:
                self._pages.popitem(last=False)
        return page

    def _original(self, page: PageText) -> Original | None:
        if not page.pdf:
            return None
        name = _file_name(page.url, "page")
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


def _file_name(url: str, default: str = "image") -> str:
    return base_name(unquote(urlsplit(url).path), default=default)


def _is_data(name: str) -> bool:
    return name[:5].lower() == "data:"


def _joined(page: str, name: str) -> str:
    """Return the joined URL; empty for what is no URL, or leads elsewhere than to the web."""
    try:
        return join_url(parse_url(page), name).url
    except InputError:
        return ""
