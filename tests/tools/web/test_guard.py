"""No address that is not public is ever connected to: by its number, by a name, by a redirect, by a changed mind."""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.errors import InputError, MemoryBankError, ToolError, UnsafeInputError
from memorybank.tools.web.fetch import Fetcher, FetchLimits
from memorybank.tools.web.guard import PORTS, Address, Guard, is_public
from memorybank.tools.web.urls import join_url, parse_url
from tests.tables import tables
from tests.tools.web.servers import HTML, Site, site

TABLES = tables(__file__)

NOT_PUBLIC, PUBLIC = TABLES["not_public"], TABLES["public"]


def within(network: str) -> st.SearchStrategy[Address]:
    block = ipaddress.ip_network(network)
    return st.integers(0, block.num_addresses - 1).map(lambda at: block[at])


ANY_ADDRESS = st.one_of(
    *(within(network) for network in NOT_PUBLIC), st.ip_addresses(v=4), st.ip_addresses(v=6), st.sampled_from(PUBLIC)
).map(lambda one: ipaddress.ip_address(str(one)))


def plainly_public(address: Address) -> bool:
    """An independent reading of the same registries: Python's own."""
    if isinstance(address, ipaddress.IPv6Address):
        if address in ipaddress.ip_network("64:ff9b::/96"):
            return plainly_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if address.sixtofour or address.teredo or address.ipv4_mapped or address.is_site_local:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_link_local)


@given(ANY_ADDRESS)
def test_what_we_call_public_python_does_too(address: Address) -> None:
    if is_public(address):
        assert plainly_public(address)


@given(st.data())
def test_nothing_in_a_special_range_is_public(data: st.DataObject) -> None:
    address = data.draw(st.sampled_from(NOT_PUBLIC).flatmap(within))
    assert not is_public(address)


def test_ordinary_addresses_are_public() -> None:
    assert all(is_public(ipaddress.ip_address(one)) for one in PUBLIC)


# -- nothing else is connected to -------------------------------------------------------------------------------------


@contextmanager
def recorded(*real: Site) -> Iterator[list[tuple[str, int]]]:
    """Every address a socket is asked to connect to. Only these sites are really connected; all else is refused."""
    tried: list[tuple[str, int]] = []
    below = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        tried.append(address[:2])
        if address[:2] not in {(one.host, one.port) for one in real}:
            raise ConnectionRefusedError(111, "refused by the test")
        below(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect)
        yield tried


def spelled(address: Address) -> list[str]:
    """Ways to write an address into a URL."""
    if isinstance(address, ipaddress.IPv6Address):
        return [f"[{address}]", f"[{address.exploded}]", f"[{address}%25lo]"]
    number = int(address)
    octets = str(address).split(".")
    return [
        str(address),
        f"{address}.",
        str(number),
        hex(number),
        f"0{number:o}",
        ".".join(f"0x{int(one):x}" for one in octets),
        ".".join(f"0{int(one):o}" for one in octets),
        ".".join([*octets[:2], str(int(octets[2]) * 256 + int(octets[3]))]),
        str(address).translate(str.maketrans("0123456789.", "０１２３４５６７８９。")),
        f"[::ffff:{address}]",
        f"[64:ff9b::{address}]",
        f"user@{address}",
        f"example.com@{address}",
        f"{address}#@example.com",
        f"{address}?.example.com",
        f"{address}\\.example.com",
    ]


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_an_address_in_any_spelling_is_connected_to_only_if_public(data: st.DataObject) -> None:
    address = data.draw(ANY_ADDRESS)
    host = data.draw(st.sampled_from(spelled(address)))
    scheme = data.draw(st.sampled_from(["http", "https", "HTTP", "ftp", "file", "gopher"]))
    port = data.draw(st.sampled_from(["", ":80", ":443", ":8080", ":22", ":6379", ":0"]))
    with recorded() as tried:
        with pytest.raises(MemoryBankError):
            Fetcher(Guard(resolver=_no_names), limits=FetchLimits(seconds=2)).get(f"{scheme}://{host}{port}/latest")
        assert all(plainly_public(ipaddress.ip_address(one)) and number in PORTS for one, number in tried)


def _no_names(host: str, port: int) -> list[str]:
    raise OSError("no names here")


@given(st.lists(st.lists(ANY_ADDRESS, min_size=1, max_size=3), min_size=1, max_size=5))
@settings(max_examples=100, deadline=None)
def test_a_name_that_changes_its_mind_is_connected_to_only_where_it_is_public(answers: list[list[Address]]) -> None:
    """DNS rebinding: each look-up answers otherwise."""
    asked: list[str] = []

    def resolver(host: str, port: int) -> list[str]:
        asked.append(host)
        return [str(one) for one in answers[(len(asked) - 1) % len(answers)]]

    with recorded() as tried:
        with pytest.raises(MemoryBankError):
            Fetcher(Guard(resolver=resolver), limits=FetchLimits(seconds=2)).get("http://rebind.example/")
        assert all(plainly_public(ipaddress.ip_address(one)) and number == 80 for one, number in tried)


@given(ANY_ADDRESS, st.data())
@settings(max_examples=40, deadline=None)
def test_a_redirect_leads_only_to_public_addresses(address: Address, data: st.DataObject) -> None:
    host = data.draw(st.sampled_from(spelled(address)))
    status = data.draw(st.sampled_from([301, 302, 303, 307, 308]))
    with site({"/": (status, {"Location": f"http://{host}/secret"}, b"")}) as public, recorded(public) as tried:
        fetcher = Fetcher(Guard(allow=frozenset({("127.0.0.1", public.port)}), resolver=_no_names))
        with pytest.raises(MemoryBankError):
            fetcher.get(public.url)
        others = [one for one in tried if one != ("127.0.0.1", public.port)]
        assert all(plainly_public(ipaddress.ip_address(one)) and number == 80 for one, number in others)


def test_a_rebound_name_reaches_no_private_server_that_is_there() -> None:
    """Both servers run on the same port; the name answers the permitted address first, then the private one."""
    page = (200, HTML, b"<p>A page with words.</p>")
    with site({"/": page}) as public, site({"/": page}, host="127.0.0.2", port=public.port) as private:
        answers = iter(["127.0.0.1", "127.0.0.1", "127.0.0.2", "127.0.0.2"])
        guard = Guard(allow=frozenset({("127.0.0.1", public.port)}), resolver=lambda *_: [next(answers)])
        fetcher = Fetcher(guard)
        assert fetcher.get(f"http://rebind.example:{public.port}/").data.startswith(b"<p>")
        assert public.seen[-1].headers["Host"] == f"rebind.example:{public.port}", "the name still goes into the header"
        with pytest.raises(UnsafeInputError, match=r"127\.0\.0\.2, which is not a public address"):
            fetcher.get(f"http://rebind.example:{public.port}/")
        assert private.seen == []


def test_one_private_address_refuses_the_whole_name() -> None:
    guard = Guard(resolver=lambda *_: ["93.184.216.34", "10.0.0.7"])
    with pytest.raises(UnsafeInputError, match=r"10\.0\.0\.7"):
        guard.route(parse_url("https://mixed.example/"))
    public = Guard(resolver=lambda *_: ["93.184.216.34", "2606:4700::1111", "93.184.216.34"])
    found = public.route(parse_url("https://site.example/"))
    assert [str(one) for one in found] == ["93.184.216.34", "2606:4700::1111"]


@pytest.mark.parametrize(("url", "words"), TABLES["refused_by_name_port_or_number_before_anything_is_asked"])
def test_refused_by_name_port_or_number_before_anything_is_asked(url: str, words: str) -> None:
    asked: list[str] = []

    def resolver(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["93.184.216.34"]

    with pytest.raises(UnsafeInputError, match=words):
        Guard(resolver=resolver).route(parse_url(url))
    assert asked == []


def test_the_allow_list_is_exact_and_the_environment_adds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "*")
    with site({"/": (200, HTML, b"<p>words</p>")}) as one, site() as other:
        fetcher = Fetcher(Guard(allow=frozenset({("127.0.0.1", one.port)})))
        assert fetcher.get(one.url).data == b"<p>words</p>", "no proxy is used"
        with pytest.raises(UnsafeInputError):
            fetcher.get(other.url)
        with pytest.raises(UnsafeInputError):
            Fetcher().get(one.url)
        assert other.seen == []


def test_a_name_without_an_address_is_told_so() -> None:
    with pytest.raises(InputError, match="no such host"):
        Guard(resolver=_no_names).route(parse_url("http://nowhere.example/"))
    slow = Guard(resolver=lambda *_: time.sleep(9) or [])  # type: ignore[func-returns-value]
    with pytest.raises(ToolError, match="within"):
        Fetcher(slow, limits=FetchLimits(seconds=0.2)).get("http://slow.example/")


# -- One reading of a URL: what is shown, checked and connected to is the same host ------------------------------------


def test_a_url_is_taken_apart_and_written_in_one_way() -> None:
    target = parse_url("  HTTPS://Zh.Wikipedia.ORG./wiki/量子 计算?q=量&x=1#top ".replace(" 计", "计"))
    assert (target.host, target.port) == ("zh.wikipedia.org", 443)
    assert target.url == "https://zh.wikipedia.org/wiki/%E9%87%8F%E5%AD%90%E8%AE%A1%E7%AE%97?q=%E9%87%8F&x=1"
    assert parse_url("http://example.com:8080").authority == "example.com:8080"
    assert parse_url("http://example.com:80/%7Ea").url == "http://example.com/%7Ea"
    assert parse_url("http://bücher.example/").host == "xn--bcher-kva.example"
    assert parse_url("http://中文.com").host == "xn--fiq228c.com"
    assert parse_url("https://[2606:4700::1111]/").authority == "[2606:4700::1111]"
    assert join_url(target, "../a?b#c").url == "https://zh.wikipedia.org/a?b"
    assert join_url(target, "//other.example/x").url == "https://other.example/x"


@pytest.mark.parametrize("url", [*TABLES["unsafe_shapes_are_refused"], "http://example.com/" + "a" * 5000])
def test_unsafe_shapes_are_refused(url: str) -> None:
    with pytest.raises(UnsafeInputError) as refused:
        parse_url(url)
    assert "\n" not in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("url", [*TABLES["what_is_no_url_is_told_so"], "http://" + "a" * 64 + ".com/"])
def test_what_is_no_url_is_told_so(url: str) -> None:
    with pytest.raises(InputError):
        parse_url(url)


def test_full_width_forms_of_an_address_are_that_address() -> None:
    for form in ("http://１２７.０.０.１/", "http://127。0。0。1/", "http://①②⑦.⓪.⓪.①/", "http://127.0.0.1./"):
        assert parse_url(form).host == "127.0.0.1"


@given(st.text(max_size=60) | st.text("http:/@[]0x7f.1。%\\# ?", max_size=40).map(lambda rest: f"http://{rest}"))
def test_any_text_is_a_target_or_refused_and_a_target_reads_the_same_again(text: str) -> None:
    try:
        target = parse_url(text)
    except InputError:
        return
    assert target.url.isascii()
    assert not set(target.url) & set(" \t\r\n\\@") - set("@" if "@" in target.path else "")
    assert parse_url(target.url) == target
