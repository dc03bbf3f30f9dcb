"""What a browser made of hostile text: whether it ran, became an element, or is there as text.

Shadow trees are looked into, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import BrowserContext, Page

from memorybank.language.text import fold_space
from memorybank.views.text.display import plain
from tests.hostile import ELSEWHERE, OWNED, PAYLOADS

SIGN = 18
"""Characters of a payload that even a short label shows."""

SIGNS = {name: fold_space(plain(text))[:SIGN] for name, text in PAYLOADS.items()}

_LOOK = Path(__file__).with_suffix(".js").read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Sight:
    """One look at a page."""

    ran: str | None
    elements: list[str]
    links: list[str]
    invisible: list[str]
    """Where a direction mark or a control character stands."""
    text: str

    def seen(self) -> set[str]:
        """Names of the payloads whose beginning stands on the page, word for word."""
        return {name for name, sign in SIGNS.items() if sign in self.text}


def look(page: Page) -> Sight:
    found = page.evaluate(_LOOK, [OWNED, ELSEWHERE])
    text = fold_space(" ".join(found["texts"]))
    return Sight(found["ran"], found["elements"], found["links"], found["invisible"], text)


def faults(sight: Sight, address: str) -> list[str]:
    """What is wrong with a page that shows hostile text; empty when nothing is."""
    found = [f"it ran: {sight.ran}"] if sight.ran else []
    found += [f"became an element: {one}" for one in sight.elements[:3]]
    found += [f"became a link: {one}" for one in sight.links if not one.startswith((address, "#"))][:3]
    found += [f"a direction mark or control character: {one}" for one in sight.invisible[:3]]
    return found


def listen(context: BrowserContext, address: str, logged: Collection[str] = ("error",)) -> list[str]:
    """Requests that leave for elsewhere, and what is logged of these kinds; grows while the context is open."""
    heard: list[str] = []
    local = (address, address.replace("http", "ws"), "data:", "blob:")

    def note(url: str) -> None:
        if not url.startswith(local):
            heard.append(f"asked for {url[:200]}")

    def on_page(page: Page) -> None:
        page.on("request", lambda request: note(request.url))
        page.on("websocket", lambda socket: note(socket.url))
        page.on("dialog", lambda dialog: heard.append(f"dialog: {dialog.message[:200]}"))
        page.on("pageerror", lambda error: heard.append(f"error: {error}"))
        page.on("console", lambda told: heard.append(f"logged: {told.text[:300]}") if told.type in logged else None)

    context.on("page", on_page)
    return heard


def missing(seen: Iterable[str]) -> set[str]:
    return PAYLOADS.keys() - set(seen)
