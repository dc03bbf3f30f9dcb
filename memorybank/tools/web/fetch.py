"""GET a page from the web, bounded in every way: where it may lead, how much may come, how long it may take."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeVar

from memorybank.errors import InputError, Notice, ToolError
from memorybank.memory.types import Lang, Value
from memorybank.tools.web.exchange import USER_AGENT, HttpResponse, TransferError, exchange, within
from memorybank.tools.web.guard import Guard
from memorybank.tools.web.urls import Target, join_url, parse_url

# -- what kind of thing an answer is: by its Content-Type, and by its first bytes where that says nothing --------------

MediaKind = Literal["page", "text", "pdf", "image"]

ACCEPT: Final = (
    "text/html, application/xhtml+xml, text/markdown, text/plain, application/pdf;q=0.9, application/json;q=0.8, "
    "application/xml;q=0.8, image/png;q=0.7, image/jpeg;q=0.7, image/webp;q=0.7, image/gif;q=0.7"
)
ACCEPT_IMAGE: Final = "image/png, image/jpeg, image/webp, image/gif"
_IMAGES: Final = frozenset(("image/png", "image/jpeg", "image/jpg", "image/pjpeg", "image/webp", "image/gif"))
_IMAGE_RE: Final = re.compile(rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP", re.DOTALL)
_PAGES: Final = frozenset(("text/html", "application/xhtml+xml"))
_TEXTS: Final = frozenset(
    "text/plain text/markdown text/x-markdown text/csv text/tab-separated-values text/x-rst text/xml application/xml "
    "application/json application/x-ndjson application/jsonl application/yaml text/yaml".split()
)
_UNTOLD: Final = frozenset(("", "application/octet-stream", "binary/octet-stream", "application/force-download"))
"""The server does not know either: the first bytes tell."""
_CHARSET_RE: Final = re.compile(r"""charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_HTML_RE: Final = re.compile(
    rb"\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body|title|meta)\b", re.I | re.S
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Media(Value):
    type: str
    """The media type in lower case, without parameters; empty when none was given."""
    charset: str = ""
    """The encoding as the server names it, unchecked."""

    @classmethod
    def of(cls, content_type: str) -> Media:
        media_type = content_type.partition(";")[0].strip().lower()[:80]
        charset = _CHARSET_RE.search(content_type[:500])
        return cls(type=media_type, charset=charset[1] if charset else "")

    @property
    def readable(self) -> bool:
        """Whether it is worth while to read the body; before that, an untold type is."""
        return self.type in _UNTOLD or self._named is not None

    @property
    def _named(self) -> MediaKind | None:
        if self.type in _PAGES:
            return "page"
        if (
            self.type in _TEXTS
            or self.type.endswith("+json")
            or (self.type.endswith("+xml") and "svg" not in self.type)
        ):
            return "text"
        if self.type in _IMAGES:
            return "image"
        return "pdf" if self.type in ("application/pdf", "application/x-pdf") else None

    def kind(self, data: bytes) -> MediaKind:
        """Return the kind to read the body as. Raises ToolError for a type that is not read."""
        if data[:1024].lstrip().startswith(b"%PDF-"):
            return "pdf"  # whatever it is called: as HTML it would be noise
        if _IMAGE_RE.match(data):
            return "image"  # the same
        if self.type in _UNTOLD:
            if b"\x00" in data[:1024]:
                raise self.refusal()
            return "page" if _HTML_RE.match(data[:2048]) else "text"
        if self._named is None or self._named == "image":
            raise self.refusal()
        return self._named

    def refusal(self) -> ToolError:
        return ToolError("web.unread_type", type=self.type or Notice("web.unknown_type"))


# -- robots.txt (RFC 9309), as `protego` reads it, asked before each page and kept by site, from process to process ----
#
# The agent chooses what to visit by itself, in a loop, so it is a robot in the sense of the RFC even though a person
# started it: what a site forbids to `agentic-memory-bank` is not visited, and the observation says so. A missing file
# (4xx) allows everything, an unreachable one (5xx, no answer) forbids everything for a while. Crawl-delay is no part of
# the RFC and not honoured: single pages are read, sites are not crawled.

_MOST_RULES: Final = 512_000
"""The bytes that are read of the file; the rest is left (RFC 9309 asks for 500 KiB)."""
_ROBOTS_SECONDS: Final = 8.0
_KEPT: Final = 3_600.0
_KEPT_UNREACHABLE: Final = 120.0

Get = Callable[[Target, Callable[[Target, HttpResponse], str]], str]
"""GET with redirects: (target, what to make of the last answer)."""


class Robots:
    """The rules of sites' robots.txt, each kept until it ends."""

    def __init__(self, get: Get, sites: Mapping[str, Any] | None = None) -> None:
        self._get = get
        self.sites: dict[str, Any] = dict(sites or {})
        """The rules by origin, as JSON values: their end (seconds since the epoch), and the file's text, or why it
        cannot be reached, so that nothing may be visited."""

    def check(self, target: Target) -> None:
        """Raise ToolError when the site does not want this page to be visited."""
        from protego import Protego

        known = self.sites.get(target.origin)
        if known is None or known["until"] < time.time():
            known = self.sites[target.origin] = self._ask(target)
        if "why" in known:
            raise ToolError("web.robots_unreachable", reason=Notice.restored(known["why"]))
        if not Protego.parse(known["text"]).can_fetch(target.url, USER_AGENT):
            raise ToolError("web.robots_forbid")

    def _ask(self, target: Target) -> dict[str, Any]:
        try:
            with within(_ROBOTS_SECONDS):
                text = self._get(replace(target, path="/robots.txt"), _rules)
        except (TransferError, InputError) as error:  # InputError: it leads to where nothing is visited
            return {"until": time.time() + _KEPT_UNREACHABLE, "why": error.notice.stored()}
        return {"until": time.time() + _KEPT, "text": text}


def _rules(_: Target, answer: HttpResponse) -> str:
    """Return the rules as text, empty where there are none. Raises TransferError where the site cannot say."""
    if 200 <= answer.status < 300:
        return answer.body(_MOST_RULES, cut=True).decode("utf-8", "replace").removeprefix("\ufeff")
    if answer.status >= 500:
        raise TransferError("web.robots_answers", status=answer.status_line)
    return ""


# -- a page -----------------------------------------------------------------------------------------------------------

_REDIRECTS: Final = (301, 302, 303, 307, 308)
_LANGUAGES: Final = {"en": "en, *;q=0.5", "zh": "zh-CN, zh;q=0.9, en;q=0.6, *;q=0.4"}
_Out = TypeVar("_Out")


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchLimits(Value):
    body_bytes: int = 5_000_000
    """The most bytes of a body, both unpacked and as it is sent."""
    seconds: float = 25.0
    """The most seconds from the first look-up to the last byte, redirects and robots.txt included."""
    redirects: int = 5
    image_seconds: float = 15.0
    """The most seconds for all images of one page together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched(Value):
    url: str
    """The address at which the redirects ended, without fragment."""
    kind: MediaKind
    media: Media
    data: bytes = field(repr=False)


class Fetcher:
    """Reads pages, in one thread. Follows redirects by itself, keeps no cookies."""

    def __init__(
        self,
        guard: Guard | None = None,
        *,
        limits: FetchLimits | None = None,
        lang: Lang = "en",
        robots: Mapping[str, Any] | None = None,
    ) -> None:
        """`robots`: what is known of sites, as `self.robots.sites` tells it."""
        self.guard = guard or Guard()
        self._limits = limits or FetchLimits()
        self._headers = {"Accept-Language": _LANGUAGES[lang]}
        self.robots = Robots(self._follow, robots)

    def get(self, url: str) -> Fetched:
        """Raises ToolError that names the URL and the reason.

        A URL that may not be reached raises UnsafeInputError, one that is none InputError.
        """
        return self._get(url, ACCEPT)

    def get_image(self, url: str) -> Fetched:
        """Raises as `get`, also for what is no image."""
        fetched = self._get(url, ACCEPT_IMAGE)
        if fetched.kind != "image":
            raise ToolError("web.no_image", url=fetched.url[:200])
        return fetched

    def _get(self, url: str, accept: str) -> Fetched:
        target = parse_url(url)
        try:
            with within(self._limits.seconds):
                return self._follow(target, self._read, robots=self.robots, accept=accept)
        except ToolError as error:
            raise ToolError("text.at", place=target.url[:200], reason=error) from error

    def _follow(
        self,
        target: Target,
        use: Callable[[Target, HttpResponse], _Out],
        *,
        robots: Robots | None = None,
        accept: str = ACCEPT,
    ) -> _Out:
        """GET, and again where it is redirected; each hop is guarded. Gives what `use` makes of the last answer."""
        for _ in range(self._limits.redirects + 1):
            addresses = self.guard.route(target)
            if robots is not None:
                robots.check(target)
            headers = {"Accept": accept, **self._headers}
            with exchange(target, addresses, headers=headers) as answer:
                location = answer.header("Location")
                if answer.status not in _REDIRECTS or not location:
                    return use(target, answer)
            target = join_url(target, location)
        raise TransferError("web.too_many_redirects", most=self._limits.redirects)

    def _read(self, target: Target, answer: HttpResponse) -> Fetched:
        if not 200 <= answer.status < 300:
            raise ToolError("web.answers", status=answer.status_line)
        media = Media.of(answer.header("Content-Type"))
        if not media.readable:
            raise media.refusal()
        data = answer.body(self._limits.body_bytes)
        if not data.strip():
            raise ToolError("web.empty")
        return Fetched(url=target.url, kind=media.kind(data), media=media, data=data)
