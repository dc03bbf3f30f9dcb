"""The files themselves, looked at part by part: sound, complete, and nothing in them but text."""

from __future__ import annotations

import io
import posixpath
import zipfile
from typing import Any

import pytest
from docx import Document
from docx.oxml.ns import qn
from lxml import etree

from memorybank_studio.books.docx_writing import story_docx, story_epub
from memorybank_studio.books.story import (
    BookLanguage,
    Edition,
    StoryChapter,
    markdown_blocks,
    plain_text,
    story_markdown,
)
from memorybank_studio.tests.books.test_round_trip import AT, HOSTILE

XHTML = "{http://www.w3.org/1999/xhtml}"
HARMLESS = tuple("".join(char for char in line if char.isprintable()) for line in HOSTILE)


def story(language: BookLanguage) -> Edition:
    return Edition(
        title="山 <i>中</i> 书",
        author="某人 & Co.",
        language=language,
        at=AT,
        chapters=(
            StoryChapter(number=0, heading="楔子", paragraphs=("很久以前。",)),
            StoryChapter(number=3, heading="第三章 <雨>", above=("卷一 风",), paragraphs=("下雨。", "***", *HARMLESS)),
            StoryChapter(number=4, heading="[雪](javascript:x)", paragraphs=()),
        ),
    )


def test_a_chapter_as_platforms_take_it_is_plain_paragraphs() -> None:
    assert plain_text(" 下雨。\r\n\n　他来了。\n", "zh") == "　　下雨。\n　　他来了。"
    assert plain_text("Rain.\n\n\nHe came.\x07 ", "en") == "Rain.\n\nHe came."


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant"])
def test_an_epub_is_whole_and_links_to_its_own_pages_alone(language: BookLanguage) -> None:
    data = story_epub(story(language))
    assert data == story_epub(story(language)), "the same story at the same moment is the same file"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert archive.read("mimetype") == b"application/epub+zip"
        files = {name: archive.read(name) for name in archive.namelist()}
    roots = {name: etree.fromstring(files[name]) for name in files if name.endswith(("xhtml", "opf", "ncx", "xml"))}
    package = roots["EPUB/package.opf"]
    listed = {f"EPUB/{item.get('href')}" for item in package.iter("{*}item")}
    assert listed | {"mimetype", "META-INF/container.xml", "EPUB/package.opf"} == set(files)
    ids = {item.get("id") for item in package.iter("{*}item")}
    assert [ref.get("idref") for ref in package.iter("{*}itemref")] == [
        "title",
        "nav",
        "chapter-0",
        "chapter-3",
        "chapter-4",
    ]
    assert {ref.get("idref") for ref in package.iter("{*}itemref")} <= ids
    assert package.findtext(".//{*}language") == language
    for name, root in roots.items():
        if name.endswith("xhtml"):
            assert root.get("lang") == root.get("{http://www.w3.org/XML/1998/namespace}lang") == language
            assert not [*root.iter(f"{XHTML}script"), *root.iter(f"{XHTML}img")]
        for target in (element.get("href") or element.get("src") for element in root.iter()):
            path, _, fragment = (target or "").partition("#")
            page = posixpath.join("EPUB", path) if path else name
            assert page in files, target
            assert not fragment or fragment in {element.get("id") for element in roots[page].iter()}
    pages = [root for name, root in roots.items() if name.startswith("EPUB/chapter")]
    assert not [link for page in pages for link in page.iter(f"{XHTML}a")], "the author's text has no links"
    labels = ["楔子", "卷一 风", "第三章 <雨>", "[雪](javascript:x)"]
    assert [link.text for link in next(roots["EPUB/nav.xhtml"].iter(f"{XHTML}nav")).iter(f"{XHTML}a")] == labels
    assert [text.text for point in roots["EPUB/toc.ncx"].iter("{*}navLabel") for text in point] == labels


@pytest.mark.parametrize(
    ("language", "tag", "font"),
    [("en", "en-US", None), ("zh-Hans", "zh-CN", "SimSun"), ("zh-Hant", "zh-TW", "PMingLiU")],
)
def test_a_docx_has_headings_contents_and_the_typography_of_its_language(
    language: BookLanguage, tag: str, font: str | None
) -> None:
    document: Any = Document(io.BytesIO(story_docx(story(language))))
    assert (document.core_properties.title, document.core_properties.author) == ("山 <i>中</i> 书", "某人 & Co.")
    styled = [(paragraph.style.name, paragraph.text) for paragraph in document.paragraphs]
    assert styled[:2] == [("Title", "山 <i>中</i> 书"), ("Subtitle", "某人 & Co.")]
    assert [line for line in styled if line[0].startswith("Heading")] == [
        ("Heading 2", "楔子"),
        ("Heading 1", "卷一 风"),
        ("Heading 2", "第三章 <雨>"),
        ("Heading 2", "[雪](javascript:x)"),
    ]
    body = document.element.body
    links = [
        (link.get(qn("w:anchor")), "".join(text.text for text in link.iter(qn("w:t"))))
        for link in body.iter(qn("w:hyperlink"))
    ]
    assert [text for _, text in links] == ["楔子", "卷一 风", "第三章 <雨>", "[雪](javascript:x)"]
    assert {anchor for anchor, _ in links} == {mark.get(qn("w:name")) for mark in body.iter(qn("w:bookmarkStart"))}
    assert [field.text.split()[0] for field in body.iter(qn("w:instrText"))] == ["TOC"]
    assert not [part for part in document.part.rels.values() if part.is_external]
    text = document.styles["Body Text"]
    fonts = document.styles["Normal"].element.rPr.rFonts
    assert document.styles.element.find(f".//{qn('w:lang')}").get(qn("w:eastAsia")) == (tag if font else "zh-CN")
    assert font is None or fonts.get(qn("w:eastAsia")) == font
    assert text.element.pPr.find(qn("w:ind")).get(qn("w:firstLineChars")) == ("200" if font else None)
    paragraphs = [text for name, text in styled if name in ("Body Text", "Scene Break")]
    assert paragraphs == ["很久以前。", "下雨。", "***", *HARMLESS]


def test_markdown_renders_as_the_text_that_it_is() -> None:
    markdown_it = pytest.importorskip("markdown_it")
    written = story_markdown(story("en"))
    head, _, text = written.removeprefix("---\n").partition("\n---\n")
    assert 'title: "山 <i>中</i> 书"\nauthor: "某人 & Co."\nlang: "en"' in head
    rendered = markdown_it.MarkdownIt("gfm-like", {"linkify": False}).render(text)
    root = etree.fromstring(f"<x>{rendered}</x>")
    assert [(element.tag, element.text) for element in root][:4] == [
        ("h2", "楔子"),
        ("p", "很久以前。"),
        ("h1", "卷一 风"),
        ("h2", "第三章 <雨>"),
    ]
    assert {element.tag for element in root.iter()} == {"x", "h1", "h2", "p"}, "no link, list, rule, code or HTML"
    assert [element.text for element in root if element.tag == "p"][3:] == [line for line in HARMLESS if line.strip()]


@pytest.mark.parametrize(
    "text",
    ["", "---\n", "---\ntitle: x\n---\n# a\n", "---\nchapters: [1, true]\n---\n", "---\nchapters: x\n---\n", "# a"],
)
def test_other_markdown_is_read_as_it_always_was(text: str) -> None:
    assert markdown_blocks(text) is None
