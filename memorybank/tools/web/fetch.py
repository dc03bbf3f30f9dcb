"""GET a page from the web, bounded in every way: where it may lead, how much may come, how long it may take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from memorybank.errors import ToolError
from memorybank.memory.types import Lang, Value
from memorybank.tools.web.exchange import HttpResponse, TransferError, exchange, within
from memorybank.tools.web.guard import Guard
from memorybank.tools.web.media import ACCEPT, ACCEPT_IMAGE, Media, MediaKind
from memorybank.tools.web.robots import Robots
from memorybank.tools.web.urls import Target, join_url, parse_url

_REDIRECTS: Final = (301, 302, 303, 307, 308)
_LANGUAGES: Final = {"en": "en, *;q=0.5", "zh": "zh-CN, zh;q=0.9, en;q=0.6, *;q=0.4"}
_Out = TypeVar("_Out")


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchLimits(Value):
    body_bytes: int = 5_000_000
    """Unpacked, and as it is sent."""
    seconds: float = 25.0
    """From the first look-up to the last byte, redirects and robots.txt included."""
    redirects: int = 5
    image_seconds: float = 15.0
    """For all images of one page together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched(Value):
    url: str
    """Where the redirects ended, without fragment."""
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
        trust: str = "",
        lang: Lang = "en",
        robots: Mapping[str, Any] | None = None,
    ) -> None:
        """`robots`: what is known of sites, as `self.robots.sites` tells it."""
        self.guard = guard or Guard()
        self._limits = limits or FetchLimits()
        self._trust = trust
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
            with exchange(target, addresses, headers=headers, trust=self._trust) as answer:
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
