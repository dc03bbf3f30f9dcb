"""What is taken from an EPUB, and what is not and said."""

from __future__ import annotations

import pytest

from memorybank_studio.books.chapters import Book
from memorybank_studio.books.files import book_from_bytes
from memorybank_studio.tests.books.packed_files import epub, page

pytestmark = pytest.mark.usefixtures("read_here")


def cut(data: bytes) -> list[tuple[int, str, str]]:
    return [(chapter.number, chapter.title, chapter.text) for chapter in read(data).chapters]


def read(data: bytes) -> Book:
    return book_from_bytes("book.epub", data)


def nav(*entries: tuple[str, str]) -> str:
    lines = "".join(f'<li><a href="{target}">{label}</a></li>' for target, label in entries)
    return f'<nav epub:type="toc"><ol>{lines}</ol></nav>'


def test_chapters_open_where_the_contents_point_whatever_the_pages_look_like() -> None:
    pages = {
        "a.xhtml": page('<p class="t">第一章</p><p>雨</p><p>夜里\n下雨。<br/>很久。</p>'),
        "b.xhtml": page('<div id="x">前一章的末尾。</div><div id="y"><p>第二章&nbsp;雪</p><p>下雪。</p></div>'),
        "c.xhtml": page("<p>没有标题的一章。</p>"),
    }
    book = read(epub(pages, nav=nav(("a.xhtml", "第一章 雨"), ("b.xhtml#y", "第二章 雪"), ("c.xhtml", "尾声"))))
    assert book.title == "The Bridge"
    assert [(chapter.number, chapter.title, chapter.text) for chapter in book.chapters] == [
        (1, "第一章 雨", "第一章 雨\n\n夜里 下雨。\n很久。\n\n前一章的末尾。\n\n"),
        (2, "第二章 雪", "第二章 雪\n\n下雪。\n\n"),
        (3, "尾声", "尾声\n\n没有标题的一章。\n\n"),
    ]


def test_a_page_that_the_contents_do_not_name_goes_with_the_chapter_before() -> None:
    pages = {
        "a.xhtml": page("<p>Rain</p><p>a</p>"),
        "a2.xhtml": page("<p>b</p><h3>c</h3>"),
        "b.xhtml": page('<p>Snow</p><p>d</p><p><a name="sun">Sun</a></p><p>e</p>'),
    }
    contents = nav(("a.xhtml", "Rain"), ("b.xhtml#nowhere", "Snow"), ("b.xhtml#sun", "Sun"), ("none.xhtml", "Fog"))
    assert cut(epub(pages, nav=contents)) == [
        (1, "Rain", "Rain\n\na\n\nb\n\nc\n\n"),
        (2, "Snow", "Snow\n\nd\n\n"),
        (3, "Sun", "Sun\n\ne\n\n"),
    ]


def test_headings_of_a_page_stand_for_the_entry_that_points_at_it() -> None:
    pages = {
        "a.xhtml": page("<h1>CHAPTER ONE</h1><h2>Rain</h2><p>a</p><h3>1</h3><p>b</p>"),
        "b.xhtml": page("<h1>CHAPTER TWO</h1><h2>Snow</h2><p>c</p>"),
    }
    ncx = (
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>'
        '<navPoint><navLabel><text>1</text></navLabel><content src="a.xhtml"/></navPoint>'
        '<navPoint><navLabel><text>2</text></navLabel><content src="b.xhtml"/></navPoint></navMap></ncx>'
    )
    assert cut(epub(pages, ncx=ncx)) == [
        (1, "CHAPTER ONE Rain", "CHAPTER ONE Rain\n\na\n\n1\n\nb\n\n"),
        (2, "CHAPTER TWO Snow", "CHAPTER TWO Snow\n\nc\n\n"),
    ]


def test_parts_of_the_contents_go_with_their_first_chapter() -> None:
    pages = {f"{name}.xhtml": page(f"<h2>{name}</h2><p>text</p>") for name in ("Rain", "Snow")}
    pages = {"part.xhtml": page("<h1>Part One</h1>"), **pages}
    inner = '<ol><li><a href="Rain.xhtml">Rain</a></li><li><a href="Snow.xhtml">Snow</a></li></ol>'
    contents = f'<nav epub:type="toc"><ol><li><a href="part.xhtml">Part One</a>{inner}</li></ol></nav>'
    assert cut(epub(pages, nav=contents)) == [
        (1, "Rain", "Part One\n\nRain\n\ntext\n\n"),
        (2, "Snow", "Snow\n\ntext\n\n"),
    ]


def test_without_contents_headings_tell_and_without_headings_the_pages() -> None:
    headed = {"a.xhtml": page("<h2>Rain</h2><p>a</p><h2>Snow</h2><p>b</p>")}
    assert [title for _, title, _ in cut(epub(headed))] == ["Rain", "Snow"]
    bare = {"a.xhtml": page("<p>Rain</p><p>It rained.</p>"), "b.xhtml": page("<p>Snow</p><p>It snowed.</p>")}
    assert [title for _, title, _ in cut(epub(bare))] == ["Rain", "Snow"]


def test_covers_title_pages_and_small_print_are_left_out_and_said() -> None:
    pages = {
        "cover.xhtml": page('<div><img src="c.jpg"/></div>'),
        "title.xhtml": page('<section epub:type="titlepage"><h1>The Bridge</h1></section>'),
        "legal.xhtml": page("<p>All rights reserved.</p>"),
        "aside.xhtml": page("<p>An answer to the riddle.</p>"),
        "preface.xhtml": page('<section epub:type="preface"><p>Dear reader.</p></section>'),
        "a.xhtml": page('<h1>Chapter 1</h1><p>a<img src="x.png"/></p><hr/><pre>b\nc</pre>'),
        "b.xhtml": page("<h1>Chapter 2</h1><p>c</p>"),
    }
    guide = '<reference type="cover" href="cover.xhtml"/><reference type="copyright-page" href="legal.xhtml"/>'
    book = read(epub(pages, guide=guide, not_linear=("aside.xhtml",)))
    assert [chapter.text for chapter in book.chapters] == [
        "Dear reader.\n\n",
        "Chapter 1\n\na\n\n* * *\n\nb\nc\n\n",
        "Chapter 2\n\nc\n\n",
    ]
    assert dict(book.left) == {"front": 4, "images": 2}


def test_a_book_of_one_page_is_not_left_out_for_the_small_print_in_it() -> None:
    pages = {"all.xhtml": page('<p id="c">All rights reserved.</p><h2>Rain</h2><p>a</p><h2>Snow</h2><p>b</p>')}
    guide = '<reference type="copyright-page" href="all.xhtml#c"/>'
    assert [title for _, title, _ in cut(epub(pages, guide=guide))] == ["All rights reserved.", "Rain", "Snow"]


def test_footnotes_stand_at_the_end_of_the_page_that_refers_to_them() -> None:
    link = '<a epub:type="noteref" href="{}">*</a>'
    pages = {
        "a.xhtml": page(
            f"<h1>Rain</h1><p>Wine{link.format('#n1')}, bread{link.format('notes.xhtml#n2')}.</p>"
            '<aside epub:type="footnote" id="n1"><p><a href="#r1">*</a> Red.</p></aside><p>Then.</p>'
        ),
        "b.xhtml": page("<h1>Snow</h1><p><a href='http://x.y'>Water</a>.</p>"),
        "notes.xhtml": page('<ol><li epub:type="endnote" id="n2">Black.</li></ol>'),
    }
    assert [text for *_, text in cut(epub(pages))] == [
        "Rain\n\nWine[1], bread[2].\n\nThen.\n\n[1] Red.\n\n[2] Black.\n\n",
        "Snow\n\nWater.\n\n",
    ]


def test_pages_that_are_no_xml_are_read_as_html() -> None:
    broken = (
        "<html><head><title/></head><body><h1>Rain</h1><p>One & two<br><b>three</p><table><tr><td>a<td>b</table></body>"
    )
    assert cut(epub({"a.xhtml": broken, "b.xhtml": page("<h1>Snow</h1><p>&eacute;t&eacute; &amp; &lt;b&gt;</p>")})) == [
        (1, "Rain", "Rain\n\nOne & two\nthree\n\n| a | b |\n\n"),
        (2, "Snow", "Snow\n\nété & <b>\n\n"),
    ]
