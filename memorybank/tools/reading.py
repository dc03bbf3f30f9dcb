"""`search` and `visit`: how an executor finds and reads the corpus, the ingested documents and, where allowed, the web.

The tools are the same with and without the web: `search` asks the web where there is a search service, else the
documents; `visit` takes the names of documents and URLs. What is shown may be an extract for a goal; what becomes
memory (the materials) is always the text itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Final, NamedTuple, Protocol, TypeVar

from memorybank import calls
from memorybank.errors import MemoryBankError, ToolError
from memorybank.language.text import fold_space, one_form, source_key
from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang, StagedImage, Value
from memorybank.prompts import say
from memorybank.prompts.tags import neutralise
from memorybank.runs.files.names import shown
from memorybank.tools.base import Material, Original, Tool, ToolResult
from memorybank.tools.extraction import Extraction
from memorybank.tools.pictures import Gallery, Picture, Pictures, no_pictures
from memorybank.tools.sources import Sources

MAX_RESULTS: Final = 10
MAX_QUERIES: Final = 8
MAX_PAGES: Final = 5
MOST_REST: Final = 5
"""Documents that were not found, up to which they are named."""
_FUSION: Final = 60
"""The constant of reciprocal rank fusion: the larger it is, the less the first ranks differ from later ones."""
SHORT_PAGE_TOKENS: Final = 1_500
"""A page up to here is shown, whatever the goal: an extract of it is about as long, and costs a model call."""
SHORT_RESULT_TOKENS: Final = 300
"""A document up to here, which memory does not have, is a result as a whole: its passages are about as long."""
SHOWN_CHARS: Final = 12_000
"""The most characters of a document shown in one visit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Value):
    source: str
    """URL, or the document's name: what `visit` takes."""
    excerpt: str
    at: int = 0
    """The place in a document where the excerpt begins, in characters."""
    whole: str = ""
    """All of a short document."""
    title: str = ""
    origin: str = ""
    """The publisher and the date, as the search service gives them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitedPage:
    """A document or a page of the web, read whole."""

    source: str
    text: str
    title: str = ""
    origin: str = ""
    """The author, the publisher and the date, as the page's own head gives them."""
    left: int = 0
    """The number of characters beyond what is read of one page."""
    original: Callable[[], Original | None] = field(default=lambda: None, compare=False)
    """Puts the file itself into the formal store, where there is one."""
    pictures: Pictures = field(default=no_pictures, compare=False)
    image: Picture | None = field(default=None, compare=False)
    """The image, where the address is that of an image and nothing else: there is no text."""


class Searcher(Protocol):
    def search(self, query: str, limit: int) -> Sequence[Result]:
        """Best first. Safe in threads. Raises ToolError."""


class PageReader(Protocol):
    def read(self, url: str) -> VisitedPage:
        """Safe in threads. Raises ToolError, or InputError for a URL that may not be visited."""


UnreferencedPictures = Callable[[Sequence[str], Callable[[str], bool], int], Sequence[Picture]]
"""The function (queries, whether one was met, how many) -> images of the corpus that no document shows."""


Standing = Callable[[], Mapping[str, str]]
"""The function that tells where each source that memory knows stands, in words, by `source_key`."""


def search_tool(
    sources: Sources,
    lang: Lang,
    web: Searcher | None = None,
    gallery: Gallery | None = None,
    unreferenced: UnreferencedPictures | None = None,
    standing: Standing = dict,
) -> Tool:
    def search(query: list[str] | str, limit: int = MAX_RESULTS) -> ToolResult:
        requested = [query] if isinstance(query, str) else query
        queries, note = _first([shown(fold_space(words)) for words in requested], MAX_QUERIES, "query", lang)
        met: tuple[StagedImage, ...] = ()
        if web is None and gallery is not None and unreferenced is not None:
            met = gallery.take(unreferenced(queries, gallery.has_met, gallery.room))
        if web is None and not met and not sources.all():
            return ToolResult(text=say("nothing_to_search", lang), empty=True)
        searcher = web or _Documents(sources)
        count = max(1, min(limit, MAX_RESULTS))
        further = 1 if web is None else 0  # one document more says whether there is any
        outcomes = in_order(lambda words: searcher.search(words, count + further), queries)
        _raise_if_all_failed(outcomes)
        by_query = [outcome for outcome in outcomes if not isinstance(outcome, MemoryBankError)]
        is_cut = any(len(results) > count for results in by_query)
        hits = _merged([results[:count] for results in by_query])
        known = standing() if hits else {}
        for place, hit in enumerate(hits):
            if hit.first.whole and source_key(hit.first.source) not in known:
                hits[place] = replace(hit, excerpts=(hit.first.whole,))
        lines = _problems(queries, outcomes, lang)
        if hits:  # a reader who is told of results alone searches again for what is not there
            found, total = len(hits), 0 if web is not None else len(sources.all())
            key = "search_found" if found >= total else "search_best" if is_cut else "search_fitting"
            rest = _rest(hits, sources, lang) if key == "search_fitting" else ""
            lines.append(say(key, lang, count=found, total=total, rest=rest))
        lines += [_shown_hit(number, hit, known, lang) for number, hit in enumerate(hits, start=1)]
        materials = [
            Material(source=hit.first.source, text=excerpt, excerpt=True) for hit in hits for excerpt in hit.excerpts
        ]
        text = neutralise("\n".join([*lines, *_named(met, lang), *note]))
        return ToolResult(text=text, materials=tuple(materials), met=met)

    where = say("search_documents" if web is None else "search_web", lang)
    return Tool(search, "search", say("search_tool", lang, where=where, most=MAX_QUERIES))


def visit_tool(
    sources: Sources,
    lang: Lang,
    web: PageReader | None = None,
    extraction: Extraction | None = None,
    gallery: Gallery | None = None,
) -> Tool:
    def visit(url: list[str] | str, goal: str = "", offset: int = 0) -> ToolResult:
        names, note = _first([url] if isinstance(url, str) else url, MAX_PAGES, "url", lang)

        def visit_one(name: str) -> _Visit:
            page = _read(name, sources, web)
            if page.image is not None:
                size = {"width": page.image.image.width, "height": page.image.image.height}
                return _Visit(page, say("visit_image", lang, source=_display_name(page), **size), [page.image])
            pictures = _pictures(page, gallery) if offset <= 0 else ()
            extracts = goal.strip() and offset <= 0 and estimate(page.text) > SHORT_PAGE_TOKENS
            if extracts and extraction is not None:
                return _Visit(page, _for_goal(page, shown(fold_space(goal)), extraction, lang), pictures)
            return _Visit(page, _part(page, max(0, offset), lang), pictures, in_parts=True)

        outcomes = in_order(visit_one, names)
        _raise_if_all_failed(outcomes)
        texts: list[str] = []
        materials: dict[str, Material] = {}
        pictures: list[Picture] = []
        for outcome in outcomes:
            if isinstance(outcome, MemoryBankError):
                texts.append(say("visit_failed", lang, reason=outcome))
                continue
            page = outcome.page
            if outcome.in_parts and len(names) > 1:
                texts.append(say("visit_one_of_several", lang, source=_display_name(page)))
            texts.append(outcome.text)
            pictures += outcome.pictures
            if page.image is None and page.source not in materials:
                materials[page.source] = Material(source=page.source, text=page.text, original=page.original())
        met = gallery.take(pictures) if gallery is not None else ()
        if not met and not materials:
            note = [say("visit_image_known", lang), *note]
        text = neutralise("\n\n".join([*texts, *_named(met, lang), *note]))
        in_parts = [outcome.in_parts for outcome in outcomes if isinstance(outcome, _Visit)]
        return ToolResult(text=text, materials=tuple(materials.values()), met=met, takes_offset=in_parts == [True])

    def knows(name: str) -> bool:
        return sources.get(name) is not None or (web is not None and _is_url(name) and len(name.split()) == 1)

    what = say("visit_documents" if web is None else "visit_pages", lang)
    return Tool(visit, "visit", say("visit_tool", lang, what=what, most=MAX_PAGES), knows)


class _Visit(NamedTuple):
    """The result of visiting one address."""

    page: VisitedPage
    text: str
    pictures: Sequence[Picture]
    in_parts: bool = False
    """The page's own text is shown, and goes on at an offset."""


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
        return [
            Result(
                source=hit.document.name,
                excerpt=hit.excerpt,
                at=hit.document.text.find(hit.excerpt),
                whole=hit.document.text if estimate(hit.document.text) <= SHORT_RESULT_TOKENS else "",
            )
            for hit in hits
        ]


def _first(arguments: Sequence[str], limit: int, name: str, lang: Lang) -> tuple[list[str], list[str]]:
    """Return the first arguments, each once, and a note when some are left out. Raises ToolError for none."""
    distinct = list(dict.fromkeys(argument.strip() for argument in arguments if argument.strip()))
    if not distinct:
        raise ToolError("tool.argument_empty", name=name)
    note = [say("only_first", lang, count=limit, total=len(distinct))] if len(distinct) > limit else []
    return distinct[:limit], note


def _raise_if_all_failed(outcomes: Sequence[object]) -> None:
    errors = [outcome for outcome in outcomes if isinstance(outcome, MemoryBankError)]
    if errors and len(errors) == len(outcomes):
        raise ToolError("text.outside", text="; ".join(dict.fromkeys(map(str, errors)))) from errors[0]


@dataclass(frozen=True, slots=True)
class _Hit:
    """A source that one or more queries found."""

    first: Result
    excerpts: tuple[str, ...]
    """The passages that answer the queries, each once, in the order of the source."""


def _merged(by_query: Sequence[Sequence[Result]]) -> list[_Hit]:
    """Return one list of the results of all queries: each source once, what several of them found well first.

    Ranks are fused as in retrieval literature (reciprocal rank fusion: Cormack et al., SIGIR 2009).
    """
    scores: dict[str, float] = {}
    of_source: dict[str, list[Result]] = {}
    for results in by_query:
        for rank, result in enumerate(results, start=1):
            key = source_key(result.source)
            scores[key] = scores.get(key, 0.0) + 1 / (_FUSION + rank)
            of_source.setdefault(key, []).append(result)
    hits: list[_Hit] = []
    for key in sorted(of_source, key=lambda key: -round(scores[key], 9)):
        by_place = sorted(of_source[key], key=lambda result: result.at)
        hits.append(_Hit(of_source[key][0], tuple(dict.fromkeys(result.excerpt for result in by_place))))
    return hits


def _problems(queries: Sequence[str], outcomes: Sequence[object], lang: Lang) -> list[str]:
    """Say for which queries there was nothing, and which could not be asked."""
    lines: list[str] = []
    for query, outcome in zip(queries, outcomes, strict=True):
        if isinstance(outcome, MemoryBankError):
            lines.append(say("search_failed", lang, query=query, reason=outcome))
        elif not outcome:
            lines.append(say("search_nothing", lang, query=query))
    return lines


def _rest(hits: Sequence[_Hit], sources: Sources, lang: Lang) -> str:
    """Name the documents that were not found, where they are few: who does not know them searches for them again."""
    found = {source_key(hit.first.source) for hit in hits}
    rest = [shown(each.name) for each in sources.all() if source_key(each.name) not in found]
    return say("search_between", lang).join(rest) if 0 < len(rest) <= MOST_REST else say("search_others", lang)


def _shown_hit(number: int, hit: _Hit, known: Mapping[str, str], lang: Lang) -> str:
    source = shown(hit.first.source)
    head = fold_space(shown(hit.first.title)) or source
    mark = known.get(source_key(hit.first.source), say("search_whole", lang) if hit.first.whole in hit.excerpts else "")
    if mark and lang == "en":
        mark = f" {mark}"
    below = [
        source if hit.first.title else "",
        fold_space(shown(hit.first.origin)),
        *one_form("\n…\n".join(hit.excerpts)).split("\n"),
    ]
    return "\n   ".join([f"{number}. {head}{mark}", *(line for line in below if line.strip())])


def _read(name: str, sources: Sources, web: PageReader | None) -> VisitedPage:
    """Read a URL from the web even when a document has its name: that may be an excerpt a search brought."""
    if _is_url(name) and web is not None:
        return web.read(name)
    document = sources.get(name)
    if document is not None:
        return VisitedPage(
            source=document.name, text=document.text, original=document.original, pictures=document.pictures
        )
    shown_name = shown(name)[:200]
    if _is_url(name):
        raise ToolError("web.not_visited", name=shown_name)
    raise ToolError("tool.no_document", name=shown_name)


def _is_url(name: str) -> bool:
    return "://" in name or name.startswith("www.")


def _for_goal(page: VisitedPage, goal: str, extraction: Extraction, lang: Lang) -> str:
    extract = extraction.extract(goal, page.source, page.text)
    if not extract:
        nothing = say("visit_nothing", lang, source=_display_name(page), goal=goal)
        return f"{nothing}\n{_part(page, len(_head(page)), lang)}"
    tail = [say("visit_whole", lang, count=len(page.text)), *_truncation_note(page, lang)]
    return "\n".join([say("visit_for_goal", lang, source=_display_name(page), goal=goal), extract, *tail])


def _part(page: VisitedPage, offset: int, lang: Lang) -> str:
    """Return the text to show from an offset on, which counts in the page with its head."""
    whole, end = _head(page) + page.text, offset + SHOWN_CHARS
    lines = [one_form(whole[offset:end])]
    if len(whole) > end:
        lines.append(say("deep_more", lang, left=len(whole) - end, offset=end))
    else:
        lines += _truncation_note(page, lang)
    return "\n".join(lines)


def _head(page: VisitedPage) -> str:
    return f"{_display_name(page)}\n" if page.title else ""


def _truncation_note(page: VisitedPage, lang: Lang) -> list[str]:
    return [say("page_left", lang, left=page.left)] if page.left else []


def _display_name(page: VisitedPage) -> str:
    named = " · ".join(fold_space(shown(part)) for part in (page.title, page.origin) if part)
    return f"{named} ({shown(page.source)})" if named else shown(page.source)


# -- several waits at once, their outcomes and their reported calls in the order of the input --------------------------

In = TypeVar("In")
Out = TypeVar("Out")
_AT_ONCE: Final = 4


def in_order(work: Callable[[In], Out], items: Sequence[In]) -> list[Out | MemoryBankError]:
    """`work` on each, at most four at a time; an error of ours stands in the place of its outcome.

    Whoever watches this call (calls.py) watches the threads too: a stop ends them all and raises Cancelled here, and
    what they report is reported by input order, however they were scheduled. No thread is left behind.
    """
    if len(items) <= 1:
        return [_attempt(work, item) for item in items]
    with ThreadPoolExecutor(min(_AT_ONCE, len(items)), "tool") as pool:
        begun = [pool.submit(_watched(work, item)) for item in items]
        done = [future.result() for future in begun]
    for _, reported in done:
        for call in reported:
            calls.report(call)
    return [outcome for outcome, _ in done]


def _watched(work: Callable[[In], Out], item: In) -> Callable[[], tuple[Out | MemoryBankError, list[calls.ChatCall]]]:
    """Return the work in the caller's context, under a watch of its own that stops when the caller's does."""
    outside, inside = copy_context(), copy_context()

    def run() -> tuple[Out | MemoryBankError, list[calls.ChatCall]]:
        # A copy each time: a context cannot be entered twice at once, and whoever works below may ask in threads.
        with calls.watch(lambda: outside.copy().run(calls.stopped)) as reported:
            calls.check()
            return _attempt(work, item), reported

    return lambda: inside.run(run)


def _attempt(work: Callable[[In], Out], item: In) -> Out | MemoryBankError:
    try:
        return work(item)
    except MemoryBankError as error:
        return error
