"""The mark of a browser: which answers bring it, and that one which is there stays."""

from __future__ import annotations

from contextlib import suppress

import pytest

from memorybank.hosting.browser_mark import COOKIE, BrowserMark
from tests.tables import tables

CONFIG = "/app/_stcore/host-config"


def cookies(path: str, scheme: str = "http", kind: str = "http", **headers: str) -> list[str]:
    """What an answer sets."""
    sent: list[dict[str, object]] = []

    async def app(scope: object, receive: object, send: object) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x", b"y")]})  # type: ignore[operator]

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    given = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()]
    scope = {"type": kind, "path": path, "scheme": scheme, "headers": given}
    with suppress(
        StopIteration
    ):  # it waits for nothing, so that one step is all; a browser's test may have a loop here
        BrowserMark(app)(scope, None, send).send(None)  # type: ignore[arg-type, attr-defined]
    return [value.decode() for name, value in sent[0]["headers"] if name == b"set-cookie"]  # type: ignore[union-attr, attr-defined]


@pytest.mark.parametrize(("path", "headers", "brings"), tables(__file__)["answers"])
def test_the_mark_comes_with_what_only_a_page_of_ones_own_asks(
    path: str, headers: dict[str, str], brings: bool
) -> None:
    assert len(cookies(path, **headers)) == brings


def test_no_two_are_alike_and_no_script_nor_other_site_has_them() -> None:
    first, second = (cookies(CONFIG)[0] for _ in range(2))
    assert first != second
    assert first.startswith(f"{COOKIE}=")
    assert len(first.partition(";")[0]) == len(COOKIE) + 1 + 43
    assert first.endswith("; Path=/; HttpOnly; SameSite=Strict")
    assert cookies(CONFIG, "https")[0].endswith("; Secure")
