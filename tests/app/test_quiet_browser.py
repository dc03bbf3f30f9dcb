"""A page that was opened says nothing by itself: what it said would name it, and undo a link followed just then."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, WebSocket
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.serving import RUN, served_run
from tests.watching import expect


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served_run(tmp_path_factory.mktemp("app")) as url:
        yield url


def test_a_saved_run_that_was_opened_asks_for_nothing_until_a_link_is_followed(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []

    def hear(frame: str | bytes) -> None:
        message = BackMsg()
        message.ParseFromString(frame if isinstance(frame, bytes) else frame.encode())
        if message.WhichOneof("type") == "rerun_script" and not message.rerun_script.is_auto_rerun:
            asked.append(message.rerun_script.fragment_id)

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", hear)

    page.on("websocket", listen)
    page.goto(f"{address}/?run={RUN}&lang=en")
    expect(page.locator(".feed-text, .feed").first).to_be_visible(timeout=60_000)
    page.wait_for_timeout(2_000)  # nothing is waited for: it is that nothing comes
    assert asked == [""], "the first page, and no more"

    page.get_by_role("link", name="Replay").click()
    expect(page.locator("[data-moment]")).to_have_count(1, timeout=60_000)
    page.wait_for_timeout(2_000)
    assert asked == ["", ""]
    context.close()
