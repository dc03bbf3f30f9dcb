"""Serper and Jina against a server that speaks their protocol, and misbehaves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memorybank import calls
from memorybank.calls import Cancelled
from memorybank.errors import ToolError, UnsafeInputError
from memorybank.tools.web.pages import JinaReader
from memorybank.tools.web.tools import SerperSearch
from tests.tools.web.servers import Handler, Route, drip, guard_for, silence, site

KEY = "sk-very-secret-serper"
ORGANIC = [
    {"title": "Willow \n chip", "link": "https://a.example/willow", "snippet": "105 qubits", "date": "9 Dec 2024"},
    {"title": "No link", "snippet": "left out"},
    {"title": 7, "link": "https://b.example/x?y=1", "snippet": None},
    "noise",
    *({"title": f"T{n}", "link": f"https://c.example/{n}", "snippet": "s"} for n in range(20)),
]


def answered(value: object, status: int = 200, **headers: str) -> Route:
    named = {name.replace("_", "-"): one for name, one in headers.items()}
    return status, {"Content-Type": "application/json", **named}, json.dumps(value, ensure_ascii=False).encode()


def in_turn(*routes: Route) -> Route:
    """The first answer to the first request, and so on; the last to all after it."""
    left = list(routes)

    def route(handler: Handler) -> None:
        one = left.pop(0) if len(left) > 1 else left[0]
        if callable(one):
            one(handler)
        else:
            handler.answer(*one)

    return route


def test_a_query_goes_out_as_serper_wants_it_and_ten_results_come_back() -> None:
    with site({"/search": answered({"organic": ORGANIC, "knowledgeGraph": {}})}) as serper:
        search = SerperSearch(KEY, base_url=serper.url + "/")
        found = search.search("how many qubits has Willow", 10)
        assert len(found) == 10
        assert (found[0].source, found[0].title, found[0].excerpt) == (
            "https://a.example/willow",
            "Willow chip",
            "105 qubits",
        )
        assert found[0].origin == "a.example · 9 Dec 2024"
        assert (found[1].source, found[1].title, found[1].excerpt) == ("https://b.example/x?y=1", "", "")
        search.search("本源悟空有多少量子比特", 3)
    sent = [json.loads(one.body) for one in serper.seen]
    assert sent[0] == {"q": "how many qubits has Willow", "num": 10, "gl": "us", "hl": "en"}
    assert (sent[1]["q"], sent[1]["hl"], sent[1]["num"]) == ("本源悟空有多少量子比特", "zh-cn", 3)
    assert serper.paths == ["/search", "/search"]
    assert serper.seen[0].headers["X-API-KEY"] == KEY


def test_broken_characters_do_not_come_in() -> None:
    broken = (
        b'{"organic": [{"link": "https://a.example/\\ud800x", "title": "a\\u0000b\\udfff", "snippet": "\\u001b[31m"}]}'
    )
    with site({"/search": (200, {}, broken)}) as serper:
        (found,) = SerperSearch(KEY, base_url=serper.url).search("half a \ud83d character", 10)
    assert (found.source, found.title, found.excerpt) == ("https://a.example/x", "ab", "[31m")


OK = answered({"organic": ORGANIC[:1]})


@pytest.mark.parametrize(
    ("route", "words", "asked"),
    [
        (in_turn(answered({}, 429, Retry_After="0.1"), OK), "", 2),
        (in_turn(answered({}, 503, Retry_After="0.1"), OK), "", 2),
        (answered({}, 429, Retry_After="0.1"), "answers 429 Too Many Requests, twice", 2),
        (answered({"message": f"key {KEY} is wrong"}, 403), "check SERPER_API_KEY", 1),
        (answered({}, 400), "400 Bad Request", 1),
        (answered([1, 2]), "no list of results", 1),
        (answered({"organic": "none"}), "no list of results", 1),
        ((200, {}, b"<html>"), "no JSON", 1),
        ((200, {"Content-Length": "99000000"}, b"{"), "larger than 2 MB", 1),
        (drip(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), "within 1.5 s", 1),
        (silence, "within 1.5 s", 1),
    ],
    ids=["429 once", "503 once", "429", "403", "400", "list", "words", "html", "large", "drip", "silent"],
)
def test_what_goes_wrong_is_tried_once_more_or_told_without_the_key(route: Route, words: str, asked: int) -> None:
    with site({"/search": route}) as serper:
        search = SerperSearch(KEY, base_url=serper.url, seconds=1.5 if "within" in words else 60)
        if words:
            with pytest.raises(ToolError, match=words) as failed:
                search.search("q", 10)
            assert KEY not in str(failed.value)
            assert KEY not in repr(failed.value.__cause__)
            assert "search service" in str(failed.value)
        else:
            assert search.search("q", 10)[0].source == "https://a.example/willow"
        assert len(serper.seen) == asked
        assert KEY not in repr(search._service)


def test_nothing_listens_there() -> None:
    with site() as gone:
        url = gone.url
    with pytest.raises(ToolError, match="cannot be reached"):
        SerperSearch(KEY, base_url=url).search("q", 10)


def test_a_key_that_can_be_no_header_is_not_told() -> None:
    with site({"/search": OK}) as serper, pytest.raises(ToolError, match="connection broke") as failed:
        SerperSearch(f"{KEY}\nX: y", base_url=serper.url).search("q", 10)
    assert KEY not in str(failed.value)


def test_the_environment_leads_a_request_nowhere_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "netrc").write_text("default login somebody password else\n")
    with (
        site() as proxy,
        site({"/search": OK, "/moved/search": in_turn((302, {"Location": "/search"}, b"no"))}) as there,
    ):
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
        assert SerperSearch(KEY, base_url=there.url).search("q", 10)
        assert "Authorization" not in there.seen[-1].headers
        with pytest.raises(ToolError, match="302 Found"):
            SerperSearch(KEY, base_url=f"{there.url}/moved").search("q", 10)
        assert there.paths == ["/search", "/moved/search"], "a redirect is not followed: the key would go with it"
        assert proxy.seen == []


def test_a_stop_ends_a_request_and_the_pause_before_the_second() -> None:
    for route in (answered({}, 429, Retry_After="60"), silence):
        with (
            site({"/search": route}) as serper,
            calls.watch(lambda seen=serper.seen: bool(seen)),  # type: ignore[misc]
            pytest.raises(Cancelled),
        ):
            SerperSearch(KEY, base_url=serper.url).search("q", 10)
        assert len(serper.seen) == 1


# -- Jina -------------------------------------------------------------------------------------------------------------

TARGET = "https://lab.example/willow?x=1"


def read(value: Any, **options: Any) -> tuple[Any, list[Any]]:
    with site({f"/{TARGET.partition('?')[0]}": answered(value)}) as jina:
        reader = JinaReader(base_url=jina.url, guard=guard_for(lab_example="93.184.216.34"), **options)
        return reader.read(TARGET), jina.seen


def test_a_page_is_read_through_jina_with_its_title() -> None:
    page, seen = read(
        {"code": 200, "data": {"title": "Willow", "content": " # Willow\n105 qubits\n", "publishedTime": "2024-12-09"}},
        key="jina-key",
    )
    assert (page.url, page.title, page.text) == (TARGET, "Willow", "# Willow\n105 qubits")
    assert page.origin == "2024-12-09"
    assert seen[0].path == "/" + TARGET
    assert seen[0].headers["Authorization"] == "Bearer jina-key"
    assert seen[0].headers["X-Robots-Txt"] == "agentic-memory-bank"
    _, seen = read({"data": {"content": "words"}})
    assert "Authorization" not in seen[0].headers


@pytest.mark.parametrize("value", [{}, {"data": None}, {"data": {"content": "  "}}, [1], {"data": {"content": 5}}])
def test_nothing_read_is_told_so(value: object) -> None:
    with pytest.raises(ToolError, match="found no text"):
        read(value)


def test_an_address_of_this_network_is_not_even_told_to_jina() -> None:
    with site() as jina:
        reader = JinaReader(base_url=jina.url, guard=guard_for(sly_example="192.168.1.1"))
        for url in ("http://10.0.0.1/", "http://localhost/", "https://sly.example/", "file:///etc/passwd"):
            with pytest.raises(UnsafeInputError):
                reader.read(url)
        assert jina.seen == []
