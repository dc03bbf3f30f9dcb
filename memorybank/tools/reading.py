"""`search` and `visit`: how an executor finds and reads the corpus, the ingested documents and, where allowed, the web.

The tools are the same with and without the web: `search` asks the web where there is a search service, else the
documents; `visit` takes the names of documents and URLs. What is shown may be an extract for a goal; what becomes
memory (the materials) is always the text itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, Protocol

from memorybank.errors import MemoryBankError, ToolError
from memorybank.language.tags import neutralise
from memorybank.language.text import fold_space
from memorybank.memory.types import Lang, StagedImage, Value
from memorybank.prompts import say
from memorybank.runs.files.names import shown
from memorybank.tools.base import Material, Original, Tool, ToolResult
from memorybank.tools.extraction import Extraction
from memorybank.tools.parallel import in_order
from memorybank.tools.pictures import Gallery, Picture, Pictures, no_pictures
from memorybank.tools.sources import Sources

MAX_RESULTS: Final = 10
MAX_QUERIES: Final = 5
MAX_PAGES: Final = 5
SHOWN_CHARS: Final = 12_000
"""Characters of a document shown in one visit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Value):
    """One result of a search."""

    source: str
    """URL, or the document's name: what `visit` takes."""
    excerpt: str
    title: str = ""
    origin: str = ""
    """Who publishes it and when, as the search service says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitedPage:
    """A document or a page of the web, read whole."""

    source: str
    text: str
    title: str = ""
    left: int = 0
    """Characters beyond what is read of one page."""
    original: Callable[[], Original | None] = field(default=lambda: None, compare=False)
    """Puts the file itself into the formal store, where there is one."""
    pictures: Pictures = field(default=no_pictures, compare=False)
    image: Picture | None = field(default=None, compare=False)
    """What was visited is an image and nothing else: there is no text."""


class Searcher(Protocol):
    def search(self, query: str, limit: int) -> Sequence[Result]:
        """Best first. Safe in threads. Raises ToolError."""


class PageReader(Protocol):
    def read(self, url: str) -> VisitedPage:
        """Safe in threads. Raises ToolError, or InputError for a URL that may not be visited."""


UnreferencedPictures = Callable[[Sequence[str], Callable[[str], bool], int], Sequence[Picture]]
"""(queries, whether one was met, how many) -> images of the corpus that no document shows."""


def search_tool(
    sources: Sources,
    lang: Lang,
    web: Searcher | None = None,
    gallery: Gallery | None = None,
    unreferenced: UnreferencedPictures | None = None,
) -> Tool:
    def search(query: list[str] | str, limit: int = MAX_RESULTS) -> ToolResult:
        """Search the web, or where no search service is set the corpus and all ingested documents.

        Several queries may be given at once. Returns for each query the best results with title, source and an
        excerpt, best first; read one with `visit`.
        """
        requested = [query] if isinstance(query, str) else query
        queries, note = _first([shown(fold_space(words)) for words in requested], MAX_QUERIES, "query", lang)
        met: tuple[StagedImage, ...] = ()
        if web is None and gallery is not None and unreferenced is not None:
            met = gallery.take(unreferenced(queries, gallery.has_met, gallery.room))
        if web is None and not met and not sources.all():
            return ToolResult(text=say("nothing_to_search", lang), empty=True)
        searcher = web or _Documents(sources)
        count = max(1, min(limit, MAX_RESULTS))
        outcomes = in_order(lambda words: searcher.search(words, count), queries)
        _raise_if_all_failed(outcomes)
        lines: list[str] = []
        materials: dict[tuple[str, str], Material] = {}
        for one, outcome in zip(queries, outcomes, strict=True):
            if isinstance(outcome, MemoryBankError):
                lines.append(say("search_failed", lang, query=one, reason=outcome))
                continue
            lines.append(say("search_found" if outcome else "search_nothing", lang, query=one, count=len(outcome)))
            for number, result in enumerate(outcome, start=1):
                lines.append(_shown_result(number, result))
                material = Material(source=result.source, text=result.excerpt, excerpt=True)
                materials.setdefault((material.source, material.text), material)
        text = neutralise("\n".join([*lines, *_named(met, lang), *note]))
        return ToolResult(text=text, materials=tuple(materials.values()), met=met)

    return Tool(search, "search")


def visit_tool(
    sources: Sources,
    lang: Lang,
    web: PageReader | None = None,
    extraction: Extraction | None = None,
    gallery: Gallery | None = None,
) -> Tool:
    def visit(url: list[str] | str, goal: str = "", offset: int = 0) -> ToolResult:
        """Read pages or documents: URLs, or names of documents as `search` gave them; several may be given at once.

        With a goal, what bears on it is shown: passages and a summary. Without one the text is shown, long ones in
        parts; go on with the offset that is given. Images are not shown: they are recognised in a task of their own.
        """
        names, note = _first([url] if isinstance(url, str) else url, MAX_PAGES, "url", lang)

        def visit_one(name: str) -> tuple[VisitedPage, str, Sequence[Picture]]:
            page = _read(name, sources, web)
            if page.image is not None:
                size = {"width": page.image.image.width, "height": page.image.image.height}
                return page, say("visit_image", lang, source=_display_name(page), **size), [page.image]
            pictures = _pictures(page, gallery) if offset <= 0 else ()
            if goal.strip() and offset <= 0 and extraction is not None:
                return page, _for_goal(page, shown(fold_space(goal)), extraction, lang), pictures
            return page, _part(page, max(0, offset), lang), pictures

        outcomes = in_order(visit_one, names)
        _raise_if_all_failed(outcomes)
        texts: list[str] = []
        materials: dict[str, Material] = {}
        pictures: list[Picture] = []
        for outcome in outcomes:
            if isinstance(outcome, MemoryBankError):
                texts.append(say("visit_failed", lang, reason=outcome))
                continue
            page, text, shown_pictures = outcome
            texts.append(text)
            pictures += shown_pictures
            if page.image is None and page.source not in materials:
                materials[page.source] = Material(source=page.source, text=page.text, original=page.original())
        met = gallery.take(pictures) if gallery is not None else ()
        if not met and not materials:
            note = [say("visit_image_known", lang), *note]
        text = neutralise("\n\n".join([*texts, *_named(met, lang), *note]))
        return ToolResult(text=text, materials=tuple(materials.values()), met=met)

    return Tool(visit, "visit")


def _pictures(page: VisitedPage, gallery: Gallery | None) -> Sequence[Picture]:
    """Return the images of the page, unless they were collected before."""
    if gallery is None or not gallery.of_a_page or gallery.has_met(page.source):
        return ()
    return page.pictures(gallery.of_a_page)


def _named(met: Sequence[StagedImage], lang: Lang) -> list[str]:
    """Return a line that names the images a call has met; none when there are none."""
    return [say("images_met", lang, names=", ".join(image.name for image in met))] if met else []


class _Documents:
    """The corpus and what was ingested, as a searcher."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._lock = Lock()  # the index is made by the first who asks, once

    def search(self, query: str, limit: int) -> list[Result]:
        with self._lock:
            hits = self._sources.search(query, limit)
        return [Result(source=hit.document.name, excerpt=hit.excerpt) for hit in hits]


def _first(arguments: Sequence[str], limit: int, name: str, lang: Lang) -> tuple[list[str], list[str]]:
    """The first arguments, each once, and a note when some are left out. Raises ToolError for none."""
    distinct = list(dict.fromkeys(argument.strip() for argument in arguments if argument.strip()))
    if not distinct:
        raise ToolError("tool.argument_empty", name=name)
    note = [say("only_first", lang, count=limit, total=len(distinct))] if len(distinct) > limit else []
    return distinct[:limit], note


def _raise_if_all_failed(outcomes: Sequence[object]) -> None:
    errors = [outcome for outcome in outcomes if isinstance(outcome, MemoryBankError)]
    if errors and len(errors) == len(outcomes):
        raise ToolError("text.outside", text="; ".join(dict.fromkeys(map(str, errors)))) from errors[0]


def _shown_result(number: int, result: Result) -> str:
    head = fold_space(shown(result.title)) or shown(result.source)
    below = [shown(result.source) if result.title else "", fold_space(shown(result.origin)), result.excerpt]
    return "\n   ".join([f"{number}. {head}", *(line for line in below if line)])


def _read(name: str, sources: Sources, web: PageReader | None) -> VisitedPage:
    """A URL is read from the web even when a document has its name: that may be an excerpt a search brought."""
    is_url = "://" in name or name.startswith("www.")
    if is_url and web is not None:
        return web.read(name)
    document = sources.get(name)
    if document is not None:
        return VisitedPage(
            source=document.name, text=document.text, original=document.original, pictures=document.pictures
        )
    shown_name = shown(name)[:200]
    if is_url:
        raise ToolError("web.not_visited", name=shown_name)
    raise ToolError("tool.no_document", name=shown_name)


def _for_goal(page: VisitedPage, goal: str, extraction: Extraction, lang: Lang) -> str:
    extract = extraction.extract(goal, page.source, page.text)
    if not extract:
        return (
            say("visit_nothing", lang, source=_display_name(page), goal=goal) + "\n" + _part(page, 0, lang, title=False)
        )
    tail = [say("visit_whole", lang, count=len(page.text)), *_truncation_note(page, lang)]
    return "\n".join([say("visit_for_goal", lang, source=_display_name(page), goal=goal), extract, *tail])


def _part(page: VisitedPage, offset: int, lang: Lang, *, title: bool = True) -> str:
    end = offset + SHOWN_CHARS
    lines = [_display_name(page)] if title and page.title else []
    lines.append(page.text[offset:end])
    if len(page.text) > end:
        lines.append(say("deep_more", lang, left=len(page.text) - end, offset=end))
    else:
        lines += _truncation_note(page, lang)
    return "\n".join(lines)


def _truncation_note(page: VisitedPage, lang: Lang) -> list[str]:
    return [say("page_left", lang, left=page.left)] if page.left else []


def _display_name(page: VisitedPage) -> str:
    title = fold_space(shown(page.title))
    return f"{title} ({shown(page.source)})" if title else shown(page.source)
