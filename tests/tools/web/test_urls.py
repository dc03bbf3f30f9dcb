"""One reading of a URL: what is shown, checked and connected to is the same host."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.errors import InputError, UnsafeInputError
from memorybank.tools.web.urls import join_url, parse_url


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


@pytest.mark.parametrize(
    "url",
    ["ftp://example.com/", "file:///etc/passwd", "gopher://example.com/", "javascript://example.com/%0aalert(1)",
     "http://user@example.com/", "http://user:secret@example.com/", "http://example.com:80@10.0.0.1/",
     "http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://017700000001/", "http://0177.0.0.1/",
     "http://127.1/", "http://127.0.1/", "http://1.2.3.4.5/", "http://１２７.1/", "http://example.com/a\nb",
     "http://exa\tmple.com/", "http://[fe80::1%25eth0]/", "http://example.com:0/",
     "http://example.com/" + "a" * 5_000],
)  # fmt: skip
def test_unsafe_shapes_are_refused(url: str) -> None:
    with pytest.raises(UnsafeInputError) as refused:
        parse_url(url)
    assert "\n" not in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    ["", "example.com/page", "willow.md", "http://", "http:///x", "http://[::1/", "http://a..b/", "http://exa%6dple.com/",
     "http://a:99999/", "http://-", "http://a b/", "http://ex\\ample.com/", "http://" + "a" * 64 + ".com/"],
)  # fmt: skip
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
