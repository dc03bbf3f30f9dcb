"""The process that fetches and reads one page; its task is one line of JSON on standard input, and so is its answer.

    page       {"url", "kind", …}: with `title`, `origin`, `text`, `left`, `images`, or of a PDF or image its `data`
    images     {"images": [{"url", "data"}, …]}
    service    {"answer": …}
    any        {"refused": NOTICE, "error": its class}, the notice as it is stored; {"sites": what robots.txt says}

A hostile page can waste only this process, which has little memory and processor time, no keys in its environment, and
is killed at its deadline. PDFs are read in their own (`documents.pdf_worker`).
"""

from __future__ import annotations

import base64
import json
import logging
import re
import signal
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import partial
from html import unescape
from typing import Any, Final
from urllib.parse import urljoin

from memorybank.documents.encoding import SUPERSETS, decode, decode_page
from memorybank.documents.pdf_worker import bound
from memorybank.documents.webpage import read_webpage
from memorybank.errors import InputError, Notice, ToolError
from memorybank.language.text import fold_space
from memorybank.tools.pictures import Picture, accept_pictures, picture
from memorybank.tools.web.exchange import within
from memorybank.tools.web.fetch import Fetcher, FetchLimits
from memorybank.tools.web.guard import Guard
from memorybank.tools.web.reading_process import ReadingLimits
from memorybank.tools.web.service import NO_TEXT_RE, Service
from memorybank.tools.web.urls import parse_url

_MOST_SOURCE: Final = 1_500_000
"""The most characters of HTML that are parsed; both extractors take seconds for them, and the kept text is shorter."""
_ENOUGH: Final = 250
"""Characters of main text below which the second extractor is asked too."""
_TITLE_RE: Final = re.compile(r"<title[^>]{0,200}>([^<]{1,1000})", re.IGNORECASE)
_META_RE: Final = re.compile(r"<meta\b([^>]{1,2000})>", re.IGNORECASE)
_ATTRIBUTE_RE: Final = re.compile(
    r"""\b(name|property|itemprop|content)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE
)
_ORIGIN: Final = (
    ("author", "article:author", "dc.creator", "parsely-author"),
    ("og:site_name", "dc.publisher"),
    ("article:published_time", "datepublished", "date", "dc.date", "pubdate", "publishdate", "parsely-pub-date"),
)
"""Names under which a page's head tells who wrote it, who publishes it, and when; the first that is there."""
_MOST_HEAD: Final = 200_000
"""The most characters of HTML that are looked through for them."""
_MOST_NAME: Final = 100
_IMG_RE: Final = re.compile(r"<img\b", re.IGNORECASE)
_BASE_RE: Final = re.compile(r"<base\b[^>]{0,200}?\bhref\s*=\s*[\"']([^\"'>]{1,2000})[\"']", re.IGNORECASE)
_MOST_IMAGES: Final = 50
_BODY_RE: Final = re.compile(r"<body\b", re.IGNORECASE)
_HTML5_RE: Final = re.compile(
    r"<(?:article|aside|details|figure|footer|header|hgroup|main|nav|search|section)\b", re.IGNORECASE
)


def main() -> None:
    task: Mapping[str, Any] = json.loads(sys.stdin.buffer.readline())
    limits = task.get("reading") or asdict(ReadingLimits())
    seconds = limits["seconds"] + task.get("fetching", {}).get("seconds", 0)
    bound({"memory_bytes": limits["memory_bytes"], "seconds": seconds})
    logging.disable()
    try:
        answer = {"page": _page, "images": _images, "service": _service}[task["do"]](task)
    except (ToolError, InputError) as error:
        kind = "ToolError" if isinstance(error, ToolError) else type(error).__name__
        answer = {"refused": error.notice.stored(), "error": kind}
    except (MemoryError, RecursionError):
        answer = {"refused": Notice("web.too_much_memory", url=task.get("url", "")[:200]).stored()}
    sys.stdout.buffer.write(json.dumps(answer).encode("ascii"))


def _fetcher(task: Mapping[str, Any]) -> Fetcher:
    return Fetcher(
        Guard.restored(task["guard"]), limits=FetchLimits(**task["fetching"]), lang=task["lang"], robots=task["sites"]
    )


def _page(task: Mapping[str, Any]) -> dict[str, Any]:
    fetcher = _fetcher(task)
    fetched = fetcher.get(task["url"])
    answer = {"url": fetched.url, "kind": fetched.kind, "sites": fetcher.robots.sites}
    if fetched.kind in ("image", "pdf"):
        return {**answer, "data": _as_text(fetched.data)}
    options = {"url": fetched.url[:200], "kind": fetched.kind, "charset": fetched.media.charset}
    if hasattr(signal, "setitimer"):  # ends the process, also in the middle of a parser that no exception reaches
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, task["reading"]["seconds"])
    try:
        return {**answer, **read_fetched(fetched.data, {**options, "characters": task["reading"]["characters"]})}
    except InputError as error:
        raise ToolError(error.notice) from error


def _images(task: Mapping[str, Any]) -> dict[str, Any]:
    """Return the accepted ones as they were fetched; when the time of all is over, further tries fail at once."""
    fetcher, until = _fetcher(task), time.monotonic() + task["fetching"]["image_seconds"]
    data: dict[str, bytes] = {}

    def attempt(url: str) -> Picture:
        with within(until - time.monotonic()):
            fetched = fetcher.get_image(url)
            data[fetched.url] = fetched.data
            return picture("image", fetched.data, fetched.url)

    accepted = accept_pictures((partial(attempt, url) for url in task["urls"]), task["limit"])
    images = [{"url": met.found_in, "data": _as_text(data[met.found_in])} for met in accepted]
    return {"images": images, "sites": fetcher.robots.sites}


def _as_text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _service(task: Mapping[str, Any]) -> dict[str, Any]:
    if task["leads_to"]:
        Guard.restored(task["guard"]).route(parse_url(task["leads_to"]))
    service = Service(**{part.name: task[part.name] for part in fields(Service)})
    return {"answer": service.carry_out(task["path"], task["body"])}


def read_fetched(data: bytes, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return title, origin, text and images of what was fetched, and how much of it is left."""
    title, origin, characters_left = "", "", 0
    images: list[str] = []
    if options["kind"] == "page":
        html = _decoded(data, options, page=True)
        characters_left = max(0, len(html) - _MOST_SOURCE)
        origin = _origin(html[:_MOST_HEAD])
        title, text, images = _main_text(html[:_MOST_SOURCE])
    else:
        text = _decoded(data, options, page=False)
    text = NO_TEXT_RE.sub("", text).strip()
    if not text:
        raise InputError("web.no_text", url=options["url"])
    limit = options["characters"]
    characters_left += max(0, len(text) - limit)
    return {"title": title, "origin": origin, "text": text[:limit], "left": characters_left, "images": images}


def _decoded(data: bytes, options: Mapping[str, Any], *, page: bool) -> str:
    """Decode by the byte order mark, as UTF-8 where it is that, else by the server's charset, else the page's own."""
    charset: str = options["charset"].lower()
    label = SUPERSETS.get(charset, charset)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        try:
            text = data.decode(label, "replace") if label and not data.startswith((b"\xff\xfe", b"\xfe\xff")) else ""
        except LookupError:  # no encoding of text has this name
            text = ""
        if text and text.count("\ufffd") * 1000 <= len(text):
            return text
    return decode_page(options["url"], data) if page else decode(options["url"], data)


def _main_text(html: str) -> tuple[str, str, list[str]]:
    """Return the title, main text, and the images in it as the page names them.

    The text is trafilatura's; where that finds little, the longer of it and of our own extractor's.
    """
    html = _with_body(html)
    title = fold_space(unescape(found[1])) if (found := _TITLE_RE.search(html)) else ""
    text, images = _extracted(html), list[str]()
    if len(text) < _ENOUGH or _IMG_RE.search(html):
        own, sources = read_webpage(html)
        base = _BASE_RE.search(html)
        images = [_absolute(name, unescape(base[1]) if base else "") for name in sources[:_MOST_IMAGES]]
        text = max(text, own, key=len) if len(text) < _ENOUGH else text
    if text and title and not text.lstrip().startswith("# "):
        text = f"# {title}\n\n{text}"
    return title[:300], text, images


def _origin(html: str) -> str:
    """Return the author, publisher and date as the page's head gives them for machines; main text seldom keeps them."""
    values: dict[str, str] = {}
    for tag in _META_RE.findall(html):
        attributes = {name.lower(): double or single for name, double, single in _ATTRIBUTE_RE.findall(tag)}
        name = attributes.get("name") or attributes.get("property") or attributes.get("itemprop", "")
        value = fold_space(unescape(attributes.get("content", "")))
        if value and "://" not in value:  # an author's profile is no name
            values.setdefault(name.lower(), value[:_MOST_NAME])
    parts = [next((values[name] for name in names if name in values), "") for names in _ORIGIN]
    return " · ".join(part for part in dict.fromkeys(parts) if part)


def _absolute(name: str, base: str) -> str:
    """Resolve against the page's own `<base>`; against its URL the parent does it, which knows that."""
    try:
        return urljoin(base, name) if base and name[:5].lower() != "data:" else name
    except ValueError:
        return name


def _with_body(html: str) -> str:
    """Add a left-out `<body>`: without it, libxml2 puts the elements of HTML 5, unknown to it, into the head."""
    first = _HTML5_RE.search(html)
    if first is None or _BODY_RE.search(html):
        return html
    return f"{html[: first.start()]}<body>{html[first.start() :]}"


def _extracted(html: str) -> str:
    import trafilatura  # half a second, for pages alone

    return trafilatura.extract(html, output_format="markdown", include_comments=False, include_tables=True) or ""
