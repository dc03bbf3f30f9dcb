"""A fetched page becomes text in a process of its own; whatever the page is, that ends, and ends in words."""

from __future__ import annotations

import contextlib
import os
import re
import time
from pathlib import Path
from typing import Any

import pytest
import trafilatura

from memorybank import calls
from memorybank.calls import Cancelled
from memorybank.errors import InputError, ToolError
from memorybank.language.text import is_han
from memorybank.tools.web.fetch import Media
from memorybank.tools.web.page_worker import read_fetched
from memorybank.tools.web.reading_process import PageProcesses, PageText, ReadingLimits
from tests.documents.pdf_files import image_only, pdf
from tests.tables import tables
from tests.tools.web.servers import guard_for, site

TABLES = tables(__file__)

PARAGRAPHS = "".join(
    f"<p>Part {number}: the Willow processor, announced in December 2024, carries 105 qubits, says its team.</p>"
    for number in range(12)
)
ARTICLE = f"""<!doctype html><html><head><title>Willow &amp; its qubits | Lab News</title>
<script>steal()</script></head><body><nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
<main><h1>Willow and its qubits</h1>{PARAGRAPHS}
<table><tr><th>chip</th><th>qubits</th></tr><tr><td>Sycamore</td><td>53</td></tr></table></main>
<footer>Subscribe to our newsletter!</footer></body></html>"""
CHINESE = (
    "<html><head>{meta}<title>本源悟空</title></head><body><article><p>本源悟空超导量子计算机于2024年1月6日上线，"
    "搭载72位自主超导量子芯片，共198个量子比特。</p><p>截至2025年，它已向全球用户开放使用。</p></article></body></html>"
)


def read(data: bytes, content_type: str = "text/html", limits: ReadingLimits | None = None) -> PageText:
    with site({"/page": (200, {"Content-Type": content_type}, data)}) as there:
        page = PageProcesses(guard_for(there), reading=limits).read(f"{there.url}/page")
    assert isinstance(page, PageText)
    return page


def parsed(data: bytes, content_type: str = "text/html") -> dict[str, Any]:
    """What the process makes of a page, made in this one: a process takes a second to begin."""
    media = Media.of(content_type)
    options = {"url": "u", "kind": media.kind(data), "charset": media.charset, "characters": 200_000}
    return read_fetched(data, options)


def test_the_main_text_of_a_page_without_what_surrounds_it() -> None:
    page = read(ARTICLE.encode())
    assert page.title == "Willow & its qubits | Lab News"
    assert page.text.startswith("# Willow")
    assert page.text.count("105 qubits") == 12
    assert "| Sycamore | 53 |" in " ".join(page.text.split())
    for noise in ("Subscribe", "Shop", "steal", "<p>"):
        assert noise not in page.text
    assert (page.left, page.pdf) == (0, b"")


@pytest.mark.parametrize(
    ("head", "origin"),
    TABLES["the_head_of_a_page_says_who_wrote_it_and_when"],
    ids=["author, publisher, date", "a profile is no name", "nothing said"],
)
def test_the_head_of_a_page_says_who_wrote_it_and_when(head: str, origin: str) -> None:
    page = parsed(f"<html><head>{head}<title>Willow</title></head>{PARAGRAPHS}</html>".encode())
    assert page["origin"] == origin
    assert "Lab & News" not in page["text"]


def test_a_page_without_a_body_tag_is_read() -> None:
    page = parsed(b"<!doctype html><title>Willow</title><article><p>It has 105 qubits.</p></article>")
    assert (page["title"], page["text"]) == ("Willow", "# Willow\n\nIt has 105 qubits.")


def test_trafilatura_is_there_with_all_it_stands_on() -> None:
    """Without a part of it every page would be read by the second extractor, and nobody would be told."""
    assert "105 qubits" in (trafilatura.extract(ARTICLE) or "")


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        (CHINESE.format(meta="").encode("gbk"), 'text/html; charset="gb2312"'),
        (CHINESE.format(meta='<meta charset="gbk">').encode("gbk"), "text/html"),
        (CHINESE.format(meta="").encode("gbk"), "text/html"),
        (CHINESE.format(meta="").encode(), "text/html; charset=iso-8859-1"),
        (CHINESE.format(meta="").encode("utf-8-sig"), "text/html; charset=no-such-thing"),
        (CHINESE.format(meta="").replace("为", "為").encode("big5", "ignore"), "text/html; charset=big5"),
    ],
    ids=["gb2312 by header", "gbk by meta", "gbk untold", "utf-8 called latin", "bom", "big5"],
)
def test_chinese_pages_in_any_encoding(data: bytes, content_type: str) -> None:
    page = parsed(data, content_type)
    assert "198" in page["text"]
    assert "2024年1月6日" in page["text"]
    if "big5" not in content_type:
        assert page["title"] == "本源悟空"
        assert "搭载72位自主超导量子芯片" in page["text"]


def test_plain_kinds_of_text_stay_as_they_are() -> None:
    json = '{"chip": "Willow", "qubits": 105, "note": "<b>bold</b>"}'
    assert parsed(json.encode(), "application/json")["text"] == json
    assert parsed("# Überschrift\n\nTäglich".encode("latin-1"), "text/markdown; charset=latin1")["text"] == (
        "# Überschrift\n\nTäglich"
    )
    assert parsed(b"<?xml version='1.0'?><a>b</a>", "application/xml")["text"].endswith("<a>b</a>")
    coloured = b"\x1b[31mred\x1b[0m and \x07plain words. " + b"More plain words follow here. " * 20
    assert parsed(coloured, "text/plain")["text"].startswith("[31mred[0m and plain words.")


def test_a_pdf_is_read_and_kept() -> None:
    data = pdf([["Willow has 105 qubits."], ["本源悟空有198个量子比特。"]])
    page = read(data, "application/pdf")
    assert "105 qubits" in page.text
    assert "198个量子比特" in page.text
    assert page.pdf == data
    with pytest.raises(ToolError, match="the PDF holds no text"):
        read(image_only(), "application/pdf")


def test_long_texts_are_cut_and_counted() -> None:
    page = read(b"word " * 1_000, "text/plain", ReadingLimits(characters=1_000))
    assert (len(page.text), page.left) == (1_000, 3_999)


def test_pages_without_text_are_told_so() -> None:
    for data, words in (
        (b"<!--" * 50_000, "holds no text"),
        (bytes(range(128, 256)) * 40, "encoding cannot be told|holds no text|binary"),
    ):
        with pytest.raises(InputError, match=words):
            parsed(data)
    with pytest.raises(ToolError, match="holds no text") as refused:
        read(b"<html><script>document.write('x')</script></html>")
    assert re.match(r"http://127\.0\.0\.1:\d+/page: ", str(refused.value))
    assert is_han(refused.value.in_language("zh")), "the process gives a code, and the reader's language words it"


HOSTILE = {
    "deep": b"<div>" * 600_000,
    "paragraphs": b"<p>x" * 500_000,
    "tables": b"<table><tr><td>" * 200_000,
    "formats": b"<b><i>" * 300_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_costs_no_more_than_its_time(name: str) -> None:
    with contextlib.suppress(ToolError):  # its end is what is shown
        read(HOSTILE[name], limits=ReadingLimits(seconds=1.5))


def test_a_page_that_takes_too_long_is_told_so() -> None:
    with pytest.raises(ToolError, match=r"/page: it takes over 0\.1 s to read"):
        read(HOSTILE["deep"], limits=ReadingLimits(seconds=0.1))


def test_too_little_memory_is_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERPER_API_KEY", "not for the child")
    with pytest.raises(ToolError, match=r"limits of time and memory|too much memory|takes over"):
        read(HOSTILE["deep"], limits=ReadingLimits(memory_bytes=50_000_000, seconds=20))


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks at processes through /proc")
def test_a_stop_ends_the_process_and_what_it_started() -> None:
    stop = time.monotonic() + 0.6
    with calls.watch(lambda: time.monotonic() > stop), pytest.raises(Cancelled):
        read(HOSTILE["deep"])
    assert not [one for one in _children() if "page_worker" in one]
    with calls.watch(lambda: True), pytest.raises(Cancelled):
        read(pdf([["Willow has 105 qubits."]]), "application/pdf")
    assert not [one for one in _children() if "pdf_worker" in one]


def _children() -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        try:
            parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
            if entry.name.isdigit() and parent == str(os.getpid()):
                found.append((entry / "cmdline").read_text())
        except OSError:
            continue
    return found
