"""GET against real servers that lie, stall, flood and redirect."""

from __future__ import annotations

import gzip
import socket
import ssl
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from memorybank import calls
from memorybank.calls import Cancelled
from memorybank.errors import ToolError, UnsafeInputError
from memorybank.tools.web.fetch import Fetcher, FetchLimits, Media
from memorybank.tools.web.guard import Guard
from memorybank.tools.web.reading_process import PageProcesses
from tests.tools.web.servers import HTML, Handler, drip, fetcher_for, guard_for, silence, site

PAGE = b"<html><title>Willow</title><p>Willow has 105 qubits.</p></html>"
SMALL = FetchLimits(seconds=60, body_bytes=200_000)


def packed(body: bytes, encoding: str = "gzip") -> tuple[int, dict[str, str], bytes]:
    return 200, {**HTML, "Content-Encoding": encoding}, body


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def chunked(handler: Handler) -> None:
    handler.head(200, {**HTML, "Transfer-Encoding": "chunked"})
    for part in (PAGE[:20], PAGE[20:]):
        handler.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
    handler.wfile.write(b"0\r\n\r\n")


def test_a_page_comes_whole_however_it_is_sent() -> None:
    routes = {
        "/plain": (200, HTML, PAGE),
        "/chunked": chunked,
        "/gzip": packed(gzip.compress(PAGE)),
        "/members": packed(gzip.compress(PAGE[:30]) + gzip.compress(PAGE[30:]) + b"\0" * 20),
        "/zlib": packed(zlib.compress(PAGE), "deflate"),
        "/deflate": packed(raw_deflate(PAGE), "deflate"),
        "/unsized": drip(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + PAGE, pause=9),
    }
    with site(routes) as there:
        fetcher = fetcher_for(there)
        for path in routes:
            if path == "/unsized":
                there.over.set()
            found = fetcher.get(f"{there.url}{path}?q=1#part")
            assert (found.data, found.kind) == (PAGE, "page"), path
            assert found.url == f"{there.url}{path}?q=1"
        headers = there.seen[-1].headers
        assert headers["User-Agent"] == "agentic-memory-bank"
        assert headers["Host"] == f"127.0.0.1:{there.port}"
        assert "Cookie" not in headers
        assert "Referer" not in headers
        assert there.paths.count("/robots.txt") == 1, "asked once a site"


def test_redirects_are_followed_a_few_times() -> None:
    def hop(to: str, status: int = 302) -> tuple[int, dict[str, str], bytes]:
        return status, {"Location": to}, b"moved"

    routes = {
        "/a": hop("b", 301),
        "/b": hop("/c?x=1", 307),
        "/c": hop("//127.0.0.1:{port}/页", 308),
        "/%E9%A1%B5": (200, HTML, PAGE),
        "/loop": hop("/loop"),
        "/away": hop("http://10.0.0.1/"),
        "/file": hop("file:///etc/passwd"),
        "/nowhere": (302, {}, b""),
    }
    with site(routes) as there:
        there.routes["/c"] = hop(f"//127.0.0.1:{there.port}/\xe9\xa1\xb5")  # as its UTF-8 bytes, which sites send
        fetcher = fetcher_for(there)
        assert fetcher.get(f"{there.url}/a").url == f"{there.url}/%E9%A1%B5"
        with pytest.raises(ToolError, match="redirects more than 5 times"):
            fetcher.get(f"{there.url}/loop")
        assert there.paths.count("/loop") == 6
        with pytest.raises(UnsafeInputError, match=r"10\.0\.0\.1"):
            fetcher.get(f"{there.url}/away")
        with pytest.raises(UnsafeInputError, match="only http and https"):
            fetcher.get(f"{there.url}/file")
        with pytest.raises(ToolError, match="302 Found"):
            fetcher.get(f"{there.url}/nowhere")


def test_a_path_is_asked_for_as_it_was_checked() -> None:
    paths = ("/a/../private/./x", "/https://other.example/x?y=1", "/%E9%A1%B5?q=a%20b&r=[1]|2")
    with site() as there:
        there.routes = dict.fromkeys((path.partition("?")[0] for path in paths), (200, HTML, PAGE))
        for path in paths:
            fetched = fetcher_for(there).get(f"{there.url}{path}")
            assert f"{there.url}{there.paths[-1]}" == fetched.url


def test_what_a_redirect_carries_is_not_unpacked() -> None:
    with site(
        {"/a": (302, {"Location": "/b", "Content-Encoding": "gzip"}, bomb(300)), "/b": (200, HTML, PAGE)}
    ) as there:
        assert fetcher_for(there, limits=FetchLimits(body_bytes=200_000)).get(f"{there.url}/a").data == PAGE


def endless(head: bytes, block: bytes) -> Callable[[Handler], None]:
    def route(handler: Handler) -> None:
        handler.wfile.write(head)
        while not handler.site.over.is_set():
            handler.wfile.write(block)

    return route


CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
UNSIZED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
LARGER = "larger than 0.2 MB"


def bomb(megabytes: int) -> bytes:
    """Packed zeros. A megabyte is packed once and repeated; only the checksum behind the last one is wrong."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    first, more = (packer.compress(bytes(1_000_000)) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + more * (megabytes - 1) + packer.flush()


@pytest.mark.parametrize(
    ("route", "words"),
    [
        ((404, HTML, b"gone"), "404 Not Found"),
        ((403, HTML, b"no"), "403 Forbidden"),
        ((500, HTML, b"oh"), "500 Internal Server Error"),
        ((200, HTML, b"  \n "), "empty"),
        ((200, {"Content-Type": "image/png"}, b"\x89PNG"), "image/png"),
        ((200, {"Content-Type": "image/svg+xml"}, b"<svg/>"), "svg"),
        ((200, {"Content-Type": "application/zip"}, b"PK"), "only HTML, text, Markdown"),
        ((200, {"Content-Type": "text/javascript"}, b"alert(1)"), "javascript"),
        ((200, {"Content-Type": "application/octet-stream"}, b"\0\1\2\3" * 9), "octet-stream"),
        (packed(b"not gzip at all"), "damaged"),
        (packed(gzip.compress(PAGE)[:-9]), "ended before"),
        (packed(PAGE, "br"), "'br'"),
        (packed(gzip.compress(gzip.compress(PAGE)), "gzip, gzip"), "gzip, gzip"),
        ((200, {**HTML, "Content-Length": "900000000"}, PAGE), LARGER),
        ((200, {**HTML, "Content-Length": "5000"}, PAGE), "ended before"),
        (drip(b"\x16\x03\x01 this is no HTTP\r\n\r\n", pause=9), "no sound HTTP"),
        (drip(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n", pause=9), "no sound HTTP"),
        (drip(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000, pause=9), "no sound HTTP"),
        (endless(UNSIZED, b"<p>more</p>" * 1_000), LARGER),
        (endless(CHUNKED, b"1000\r\n" + b"x" * 4096 + b"\r\n"), LARGER),
        (endless(CHUNKED, b"1\r\nx\r\n" * 1_000), LARGER),
        (packed(bomb(300)), LARGER),
        (packed(bomb(50) * 4), LARGER),
    ],
    ids=lambda value: value[:24] if isinstance(value, str) else "",
)
def test_what_cannot_be_read_is_refused_in_words(route: object, words: str) -> None:
    with site({"/x": route}) as there:  # type: ignore[dict-item]
        with pytest.raises(ToolError, match=words) as refused:
            fetcher_for(there, limits=SMALL).get(f"{there.url}/x")
        assert str(refused.value).startswith(f"{there.url}/x: ")
        assert "\n" not in str(refused.value)


STALLS = {
    "no answer": silence,
    "status drip": drip(b"HTTP/1.1 2", b"0"),
    "header drip": drip(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "body drip": drip(UNSIZED, b"<p>"),
    "sized drip": drip(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9000\r\n\r\n", b"x"),
    "gzip drip": drip(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(PAGE), b"\0"
    ),
    "extensions without end": endless(CHUNKED, b"1;" + b"e" * 5_000 + b"\r\nx\r\n"),
    "trailers without end": endless(CHUNKED + b"0\r\n", b"Trailer: more\r\n" * 100),
    "continue without end": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
}


@pytest.mark.parametrize("name", STALLS)
def test_an_answer_that_does_not_end_is_given_up_at_the_time_limit(name: str) -> None:
    with (
        site({"/x": STALLS[name]}) as there,
        pytest.raises(ToolError, match=r"no whole answer within 0\.8 s|robots\.txt cannot be reached|no sound HTTP"),
    ):
        fetcher_for(there, limits=FetchLimits(seconds=0.8)).get(f"{there.url}/x")


def test_a_stop_kills_the_process_that_waits_for_an_answer_a_handshake_or_robots() -> None:
    with site({"/x": STALLS["body drip"]}) as there, calls.watch(lambda: "/x" in there.paths), pytest.raises(Cancelled):
        PageProcesses(guard_for(there)).read(f"{there.url}/x")
    with socket.create_server(("127.0.0.1", 0)) as mute:
        port = mute.getsockname()[1]
        guard = Guard(allow=frozenset({("127.0.0.1", port)}))
        for scheme in ("https", "http"):
            connected: list[object] = []
            Thread(target=lambda found=connected: found.append(mute.accept()), daemon=True).start()
            with calls.watch(lambda found=connected: bool(found)), pytest.raises(Cancelled):  # type: ignore[misc]
                PageProcesses(guard).read(f"{scheme}://127.0.0.1:{port}/")


@pytest.mark.parametrize(
    ("content_type", "body", "kind"),
    [
        *((named, b"some words", "page") for named in ("text/html", "application/xhtml+xml; charset=UTF-8")),
        *((f"text/{named}", b"some words", "text") for named in ("plain", "markdown; variant=GFM", "xml", "csv")),
        *((f"application/{named}", b"some words", "text") for named in ("json", "ld+json", "rss+xml")),
        ("application/octet-stream", PAGE, "page"),
        ("application/octet-stream", b"plain words", "text"),
        ("application/octet-stream", b"%PDF-1.7 ...", "pdf"),
        ("text/html", b"%PDF-1.7 ...", "pdf"),
    ],
)
def test_types_that_are_read(content_type: str, body: bytes, kind: str) -> None:
    assert Media.of(content_type).readable
    assert Media.of(content_type).kind(body) == kind


# -- robots.txt -------------------------------------------------------------------------------------------------------

RULES = b"""\xef\xbb\xbf# the site's rules
User-agent: *
Disallow: /

User-agent: Agentic-Memory-Bank
Disallow: /private/
Disallow: /*.cgi$
Allow: /private/open
"""


def test_robots_rules_are_kept() -> None:
    page = (200, HTML, PAGE)
    with site({"/robots.txt": (200, {"Content-Type": "text/plain"}, RULES)}) as there:
        there.routes |= dict.fromkeys(("/", "/private/x", "/private/open", "/run.cgi"), page)
        fetcher = fetcher_for(there)
        for path in ("/", "/private/open"):
            assert fetcher.get(there.url + path).data == PAGE
        for path in ("/private/x", "/run.cgi"):
            with pytest.raises(ToolError, match=r"robots\.txt does not allow"):
                fetcher.get(there.url + path)
        there.routes["/to"] = (302, {"Location": "/private/x"}, b"")
        with pytest.raises(ToolError, match=r"robots\.txt does not allow"):
            fetcher.get(f"{there.url}/to")
        assert "/private/x" not in there.paths
        assert there.paths.count("/robots.txt") == 1
        processes = PageProcesses(guard_for(there))
        assert processes.read(f"{there.url}/")
        with pytest.raises(ToolError, match=r"robots\.txt does not allow"):
            processes.read(f"{there.url}/to")
        assert there.paths.count("/robots.txt") == 2, "asked by one process, known to those after it"


@pytest.mark.parametrize(
    ("route", "allowed"),
    [
        ((404, {}, b""), True),
        ((403, {}, b"no"), True),
        ((200, {"Content-Type": "image/png"}, b"\x00\xff" * 900), True),
        ((200, {}, b""), True),
        ((503, {}, b""), False),
        ((302, {"Location": "/other.txt"}, b""), False),
        ((302, {"Location": "/robots.txt"}, b""), False),
        ((302, {"Location": "http://10.0.0.1/robots.txt"}, b""), False),
        (drip(b"no HTTP\r\n", pause=0.2), False),
        ((200, {}, b"User-agent: *\nDisallow: /\n" + b"# padding\n" * 300_000), False),
        ((200, {}, b"User-agent: *\n" + b"Disallow: /" + b"*a" * 200_000), True),
    ],
    ids=["404", "403", "noise", "empty", "503", "redirected", "loop", "private", "broken", "huge", "stars"],
)
def test_robots_that_are_not_there_or_hostile(route: object, allowed: bool) -> None:
    with site({"/robots.txt": route, "/": (200, HTML, PAGE)}) as there:  # type: ignore[dict-item]
        there.routes["/other.txt"] = (200, {}, b"User-agent: *\nDisallow: /")
        if allowed:
            assert fetcher_for(there).get(there.url).data == PAGE
        else:
            with pytest.raises(ToolError, match=r"robots\.txt"):
                fetcher_for(there).get(there.url)


# -- TLS --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of site.example that signs itself, with its key."""
    path = tmp_path_factory.mktemp("tls") / "site.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=site.example"
    try:
        subprocess.run(
            [*command.split(), "-addext", "subjectAltName=DNS:site.example", "-keyout", path, "-out", f"{path}.crt"],
            check=True,
            capture_output=True,
        )
    except FileNotFoundError:
        pytest.skip("no openssl here")
    path.write_bytes(path.read_bytes() + Path(f"{path}.crt").read_bytes())
    return path


def test_tls_goes_to_the_checked_address_under_the_asked_name(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(certificate)
    names: list[str] = []
    server_side.sni_callback = lambda _, name, __: names.append(name)
    with site({"/": (200, HTML, PAGE), "/drip": STALLS["body drip"]}, tls=server_side) as there:
        guard = Guard(allow=frozenset({("127.0.0.1", there.port)}), resolver=lambda *_: ["127.0.0.1"])
        monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
        fetcher = Fetcher(guard, limits=SMALL)
        assert fetcher.get(f"https://site.example:{there.port}/").data == PAGE
        assert set(names) == {"site.example"}
        assert there.seen[-1].headers["Host"] == f"site.example:{there.port}"
        for host in ("other.example", "site.example"):
            with pytest.raises(ToolError, match=r"robots\.txt cannot be reached.*its certificate does not hold"):
                Fetcher(guard).get(f"https://{host}:{there.port}/")
            monkeypatch.delenv("SSL_CERT_FILE", raising=False)
