"""HTML pages: the main text stays, the rest goes, no page takes long; and which images a document shows."""

from __future__ import annotations

import base64
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.documents import read_bytes
from memorybank.documents.html_tree import parse_html
from memorybank.documents.shown_images import MOST, data_image, shown_in_markdown, shown_in_page, without_images
from memorybank.documents.webpage import read_webpage
from tests.tables import tables

TABLES = tables(__file__)


def page_text(html: str) -> str:
    return read_webpage(html)[0]


def test_a_news_page_becomes_its_text() -> None:
    assert page_text(TABLES["news"]) == TABLES["news_text"]


def test_a_plain_page_is_kept_whole() -> None:
    page = "<h1>Notes</h1><p>First.<p>Second, longer.<div>Third</div><table><tr><td>a<td>b</table>text &amp; more &lt;3"
    assert page_text(page) == "# Notes\n\nFirst.\n\nSecond, longer.\n\nThird\n\n| a | b |\n\ntext & more <3"
    assert page_text("just words, no tags") == "just words, no tags"
    assert page_text("<p>3 < 5 and 7 > 2</p>") == "3 < 5 and 7 > 2"


def test_the_title_stands_in_for_a_missing_heading() -> None:
    assert page_text("<title>On Qubits</title><p>Text, here.</p>") == "# On Qubits\n\nText, here."
    assert page_text("<title>Only a title</title>") == ""
    assert page_text("<script>x</script><nav>menu</nav>") == ""


def test_boilerplate_names_do_not_take_the_main_text_away() -> None:
    page = '<div class="comments ad"><p>All of the text, which is long, is in here.</p></div><div class="ad">Buy!</div>'
    assert page_text(page) == "All of the text, which is long, is in here."
    whole_in_form = "<form><p>One, two, three.</p><div>Four.</div></form>"
    assert page_text(whole_in_form) == "One, two, three.\n\nFour."


def test_a_table_that_lays_out_a_page_is_not_data() -> None:
    page = "<table><tr><td><h1>Title</h1><p>Text, one.</p></td><td><table><tr><td>a<td>b</table></td></tr></table>"
    assert page_text(page) == "# Title\n\nText, one.\n\n| a | b |"


def test_tags_that_cross_or_are_left_open_lose_no_text() -> None:
    assert page_text("<p>a <b>bold <i>both</b> it</i> end<div>next</p> last") == "a bold both it end\n\nnext last"
    assert page_text("<ul><li>one<ul><li>inner</ul><li>two</ul>") == "- one\n\n- inner\n\n- two"
    assert page_text('<p title="a > b">x</p><p title=it\'s>y</p><a href="q">z') == "x\n\ny\n\nz"


HOSTILE = {
    "comments": "<!--" * 50_000,
    "open tags": "<a " * 50_000,
    "quotes": '<a b="' * 50_000,
    "angle brackets": "<" * 200_000,
    "deep": "<div>" * 20_000 + "x",
    "deep inline": "<b>" * 20_000 + "x",
    "deep tables": "<table><tr><td>x" * 5_000,
    "unmatched ends": "<p>" * 20_000 + "</x>" * 20_000,
    "entities": "&#x" * 50_000 + "&" * 100_000,
    "scripts": "<script>" * 50_000,
    "declarations": "<!" * 50_000 + "<?" * 50_000,
}


LINEAR = 60
"""Processor seconds of a busy machine: each takes one or two, and minutes where the time grows with the square."""


@pytest.mark.parametrize("page", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_pages_take_seconds_at_most(page: str) -> None:
    began = time.process_time()
    page_text(page)
    assert time.process_time() - began < LINEAR


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from([*"<>/!-\"'= ab&;#", "<p", "</p>", "<li>", "<td>", "<!--", "-->", "<ul>", "</ul>"])))
def test_any_string_is_a_page(parts: list[str]) -> None:
    page = "".join(parts)
    text = page_text(page)
    assert text == page_text(page)
    root = parse_html(page)
    assert all(
        child.parent is element
        for element in root.elements()
        for child in element.children
        if not isinstance(child, str)
    )


# -- Which images a document shows, as it names them -------------------------------------------------------------------

MARKDOWN = [
    *TABLES["shown_by_markdown"],
    (f"![]({'x' * 5_000})", []),
    ("".join(f"![]({number}.png)" for number in range(1_000)), [f"{number}.png" for number in range(MOST)]),
]
ARTICLE = "<p>Glaciers carve valleys, slowly, over thousands of years; so does water.</p>" * 5
PAGE = f"""
<html><body><header class=navbar><img src=logo.png></header><nav><img src=menu.png></nav>
<div><article><figure><img src="hero.jpg?w=1200" width=1200 height=800></figure><div>{ARTICLE}
<img src=1x1.gif width=1 height=1><img class="user-avatar" src=me.jpg><img src=/static/logo.svg>
<img src="data:image/gif;base64,R0lGOD" data-src="lazy.png"><img src=pixel.png>
<img srcset="s.png 400w, m.png 1600w, l.png 4000w" src=old.png><img src="" alt="none"><img width=40 src=small.png>
<noscript><img src=again.png></noscript>{ARTICLE}</div></article></div>
<aside><img src=advert.png></aside><div class=comments><img src=troll.png></div></body></html>"""


def test_what_markdown_shows() -> None:
    for text, names in MARKDOWN:
        assert list(shown_in_markdown(text)) == names, text[:80]
    assert read_bytes("a.md", b"Tower\n\n![a](a.png)").images == ("a.png",)
    assert read_bytes("a.py", b"x = '![a](a.png)'\n").images == (), "code shows nothing"
    told = "[![Image 1: a](https://x.example/a.png)](https://x.example) Tower ![b](b.png 't') [more](c.html)"
    assert without_images(told) == " Tower  [more](c.html)"


def test_of_a_page_only_the_images_of_its_article() -> None:
    text, images = read_webpage(PAGE)
    assert "Glaciers carve" in text
    assert images == ("hero.jpg?w=1200", "lazy.png", "m.png")
    assert read_bytes("a.html", PAGE.encode()).images == images
    assert shown_in_page(parse_html("<p>no images</p>")) == ()
    plain = f"<body><div>{ARTICLE}<p><img src=a.png></p>{ARTICLE}</div></body>"
    assert read_webpage(plain)[1] == ("a.png",)


def test_an_image_that_is_written_out() -> None:
    gif = b"GIF89a..."
    assert data_image(f"data:image/gif;base64,{base64.b64encode(gif).decode()}") == gif
    assert data_image("data:image/png;charset=x;base64,QUJD") == b"ABC"
    assert data_image("data:image/gif,GIF%2089a") == b"GIF 89a"
    for other in ("data:image/svg+xml;base64,QUJD", "data:text/html,<p>", "https://x.example/a.png", "data:image/png"):
        assert data_image(other) is None


def test_hostile_texts_are_looked_through_quickly() -> None:
    began = time.process_time()
    for piece in "![ ![]( ![a][ <img_ ```/ ` .._image::_ <img_src=' ![](a( [a]:_ []( data:".split():
        text = piece.replace("_", " ").replace("/", "\n") * 60_000
        shown_in_markdown(text)
        without_images(text)
    read_webpage(f"<article>{ARTICLE}{'<img srcset=' + chr(34) + 'a 1w,' * 20_000 + chr(34) + '>'}</article>")
    assert time.process_time() - began < LINEAR
