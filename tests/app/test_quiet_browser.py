"""A page that was opened says nothing by itself: what it said would name it, and undo a link followed just then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, WebSocketRoute
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.app.looking import at_rest
from tests.serving import RUN, served_run
from tests.waiting import wait_until
from tests.watching import expect

LATE = 6_000
"""Milliseconds: longer than a graph waits for its code on a line that is not slow."""
GRAPH_CODE = b"__memorybank_graph = {"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served_run(tmp_path_factory.mktemp("app")) as url:
        yield url


class SlowLine:
    """What the page asks for; what it is sent from the graph's code on waits for `go_on`."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.held: list[str | bytes] | None = None
        self._is_slow = True

    def join(self, page: WebSocketRoute) -> None:
        self._page, server = page, page.connect_to_server()

        def ask(frame: str | bytes) -> None:
            message = BackMsg()
            message.ParseFromString(frame if isinstance(frame, bytes) else frame.encode())
            if message.WhichOneof("type") == "rerun_script" and not message.rerun_script.is_auto_rerun:
                self.asked.append(message.rerun_script.fragment_id)
            server.send(frame)

        def answer(frame: str | bytes) -> None:
            if self._is_slow and isinstance(frame, bytes) and GRAPH_CODE in frame:
                self.held = self.held or []
            if self.held is None:
                page.send(frame)
            else:
                self.held.append(frame)

        page.on_message(ask)
        server.on_message(answer)

    def go_on(self) -> None:
        self._is_slow, held = False, self.held or []
        self.held = None
        for frame in held:
            self._page.send(frame)


def test_a_saved_run_that_was_opened_asks_for_nothing_until_a_link_is_followed(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page, line, missing = context.new_page(), SlowLine(), list[str]()
    page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
    page.route_web_socket("**/_stcore/stream", line.join)
    page.goto(f"{address}/graph?run={RUN}&lang=en")
    expect(page.locator(".graph")).to_have_count(1)

    def is_held() -> bool:
        page.wait_for_timeout(100)
        return line.held is not None

    wait_until(is_held, 60)
    page.wait_for_timeout(LATE)
    assert line.asked == [""], "the graph's code is under way, and is not asked for"

    line.go_on()
    expect(page.locator(".graph canvas")).to_have_count(1)
    at_rest(page)
    page.wait_for_timeout(2_000)  # nothing is waited for: it is that nothing comes
    assert line.asked == [""], "the first page, and no more"

    page.get_by_role("link", name="Replay").click()
    expect(page.locator("[data-moment]")).to_have_count(1)
    page.wait_for_timeout(2_000)
    assert line.asked == ["", ""]
    assert missing == [], "the server is sought where it is, and not below the address of the page"
    expect(page.locator("body")).not_to_contain_text("Opening “")
    context.close()
