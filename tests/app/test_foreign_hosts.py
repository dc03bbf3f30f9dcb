"""DNS rebinding: a page whose name was led to this machine gets one sentence, and the app behind it is not asked."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocket

from memorybank.hosting.ready_tasks import recorded_runs
from tests.raw_http import FOREIGN, NAMED, OWN, ask, handshake, hosts
from tests.serving import RUN, served, served_run
from tests.tables import tables
from tests.tools.web.servers import site
from tests.watching import expect

pytestmark = pytest.mark.browser  # all of it, so that one server serves all
GOAL = "James Webb"
"""Of the saved run."""
SENTENCE = "The app does not answer at this address"
PAGES = ("/", "/replay", f"/tree?run={RUN}&lang=en")
TABLES = tables(__file__)
PLACES = [place.format(run=RUN) for place in TABLES["places"]]
"""Whatever is asked of the app there, and how."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served_run(tmp_path_factory.mktemp("app"), ALLOWED_HOSTS=NAMED) as url:
        yield url


def test_on_the_socket_only_own_hosts_are_answered(address: str) -> None:
    for host in (*hosts(OWN, address), NAMED, f"{NAMED.upper()}.:80"):
        assert ask(address, "GET /replay", f"Host: {host}\r\n")[0] == 200, host
        assert handshake(address, f"Host: {host}\r\n") == 101, host
    heads = [f"Host: {host}\r\n" for host in hosts(FOREIGN, address)]
    for head in (*heads, "", "Host: localhost\r\nHost: localhost\r\n", "X-Forwarded-Host: localhost\r\nHost: evil\r\n"):
        status, body = ask(address, "GET /", head)
        assert (status, SENTENCE in body) == (421, True) or status == 400, (head[:80], status)
        assert handshake(address, head) in (400, 403), head[:80]
    for place in PLACES:
        status, body = ask(address, place, "Host: evil.example\r\n")
        assert (status, body.count("\n")) == (421, 1), place
    assert "不能用这个地址打开应用" in ask(address, "GET /", "Host: evil.example\r\nAccept-Language: zh-CN\r\n")[1]


def test_on_the_socket_a_page_of_another_server_of_this_machine_is_refused(address: str) -> None:
    port = address.rpartition(":")[2]
    host = f"Host: 127.0.0.1:{port}\r\n"
    assert handshake(address, f"{host}Origin: {address}\r\n") == 101
    for origin in TABLES["origins"]:
        head = f"{host}Origin: {origin.format(port=port)}\r\n"
        assert handshake(address, head) == 403, origin
        assert ask(address, "PUT /_stcore/upload_file/x/y", head)[0] == 403, origin


def test_no_page_frames_the_app_gives_it_orders_or_is_asked_by_it(browser: Browser, address: str) -> None:
    for place in PLACES:
        method, path = place.split()
        for host in ("127.0.0.1", "evil.example"):
            line = http.client.HTTPConnection(address.removeprefix("http://"), timeout=60)
            line.request(method, path, headers={"Host": host})
            assert "frame-ancestors 'none'" in (line.getresponse().getheader("Content-Security-Policy") or ""), place
    assert json.loads(ask(address, "GET /_stcore/host-config", "Host: 127.0.0.1\r\n")[1])["allowedOrigins"] == []

    with site() as foreign:
        page = browser.new_context().new_page()
        page.goto(foreign.url)
        page.evaluate("(app) => document.body.innerHTML = `<iframe src='${app}'></iframe>`", f"{address}/replay")
        page.wait_for_function("window.frames.length === 1")
        page.wait_for_timeout(1_000)
        assert all(not frame.url.startswith(address) for frame in page.frames), "an error of the browser stands there"
        page.goto(f"{address}/replay?lang=en")
        tried = "(at) => new Promise((end) => Object.assign(new Image(), { onload: end, onerror: end, src: at }))"
        page.evaluate(tried, f"{foreign.url}/x.png")
        assert "/x.png" not in foreign.paths


def test_in_a_browser_a_rebound_name_sees_one_sentence_and_runs_nothing(browser: Browser, address: str) -> None:
    evil, port = "http://evil.example", address.rpartition(":")[2]
    context = browser.new_context(locale="en-GB")
    page = context.new_page()
    sockets: list[WebSocket] = []
    page.on("websocket", lambda opened: sockets.append(opened))
    for path in PAGES:
        page.goto(f"{evil}:{port}{path}")
        assert page.evaluate("location.hostname") == "evil.example"
        assert page.evaluate("document.body.innerText").startswith(SENTENCE), path
        assert GOAL not in page.content()
    assert not sockets
    asked = """async (stream) => [
        (await fetch('/_stcore/host-config')).status,
        await new Promise((tell) => {
            const socket = new WebSocket(stream, ['streamlit']);
            socket.onopen = () => tell('opened');
            socket.onerror = () => tell('refused');
        }),
    ]"""
    assert page.evaluate(asked, f"ws://evil.example:{port}/_stcore/stream") == [421, "refused"]
    assert page.evaluate(asked, f"ws://127.0.0.1:{port}/_stcore/stream") == [421, "refused"]

    for host in ("127.0.0.1", "localhost"):
        page.goto(f"http://{host}:{port}/replay?lang=en")
        expect(page.locator(".st-key-runs-card").get_by_text(GOAL).first).to_be_visible(timeout=60_000)
    page.goto(f"http://{NAMED}:{port}/replay?lang=en")
    listed = page.locator(".st-key-runs-card")
    expect(listed.get_by_text("only this browser's runs are listed")).to_be_visible(timeout=60_000)
    expect(listed.locator(".run-row")).to_have_count(len(recorded_runs("en")))  # the samples
    page.goto(f"http://{NAMED}:{port}/tree?run={RUN}&lang=en")
    expect(page.get_by_text(GOAL).first).to_be_visible(timeout=60_000)
    context.close()


def test_the_pages_served_without_the_guard_show_nothing(browser: Browser, tmp_path: Path) -> None:
    with served(Path("shell.py"), tmp_path / "log.txt", {"STORAGE_DIR": str(tmp_path / "runs")}) as url:
        page = browser.new_context(locale="en-GB").new_page()
        page.goto(f"{url}/replay")
        expect(page.get_by_text("Start it with")).to_be_visible(timeout=60_000)
        assert "Run the demo" not in page.inner_text("body")
