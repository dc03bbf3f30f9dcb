"""Which images a document shows, as it names them."""

from __future__ import annotations

import base64
import time

from memorybank.documents import read_bytes
from memorybank.documents.html_tree import parse_html
from memorybank.documents.shown_images import MOST, data_image, shown_in_markdown, shown_in_page, without_images
from memorybank.documents.webpage import read_webpage

MARKDOWN = {
    "![a](a.png)": ["a.png"],
    "![塔](图/塔 1.png) ![塔](<图/塔 1.png>)": ["图/塔 1.png"],
    "![[图/塔.png|300]] ![[b.png]]": ["图/塔.png", "b.png"],
    '![a](a.png "the tower") and ![b]( b(1).jpg )': ["a.png", "b(1).jpg"],
    "![The Tower][t]\n\n![t]\n\n[T]: towers/t.png 'x'\n[The Tower]: other.png": ["towers/t.png"],
    "[![logo](b.png)](https://x.example)": ["b.png"],
    "text <img alt='x' src='c.webp'> <IMG SRC=d.gif>": ["c.webp", "d.gif"],
    ".. image:: e.png\n   :width: 50\n\n.. |f| figure:: f.png": ["e.png", "f.png"],
    "[no image](a.md) and `![code](a.png)`\n```\n![code](b.png)\n```\n": [],
    "![](a.png)![](a.png)": ["a.png"],
    f"![]({'x' * 5_000})": [],
    "".join(f"![]({number}.png)" for number in range(1_000)): [f"{number}.png" for number in range(MOST)],
}
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
    for text, names in MARKDOWN.items():
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
    for piece in (
        "![",
        "![](",
        "![a][",
        "<img ",
        "```\n",
        "`",
        ".. image:: ",
        "<img src='",
        "![](a(",
        "[a]: ",
        "[](",
        "data:",
    ):
        shown_in_markdown(piece * 60_000)
        without_images(piece * 60_000)
    read_webpage(f"<article>{ARTICLE}{'<img srcset=' + chr(34) + 'a 1w,' * 20_000 + chr(34) + '>'}</article>")
    assert time.process_time() - began < 10
