"""A story as EPUB 3, with the table of contents of EPUB 2 beside its own: pages made element by element.

What is the author's goes in as text alone, so that it can be neither markup nor link nor script. The same story made
at the same moment is the same file, to the byte.
"""

from __future__ import annotations

import io
import uuid
import zipfile
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from lxml import etree
from lxml.builder import ElementMaker

from memorybank.narrative.books.story import Edition, StoryChapter
from memorybank.narrative.books.typography import TYPOGRAPHY, is_scene_break

_XHTML: Final = "http://www.w3.org/1999/xhtml"
_OPS: Final = "http://www.idpf.org/2007/ops"
_OPF: Final = "http://www.idpf.org/2007/opf"
_DC: Final = "http://purl.org/dc/elements/1.1/"
_NCX: Final = "http://www.daisy.org/z3986/2005/ncx/"
_CONTAINER: Final = "urn:oasis:names:tc:opendocument:xmlns:container"
_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"
_TYPE: Final = f"{{{_OPS}}}type"
_NAMESPACE: Final = uuid.UUID("5a3b0f0e-3d55-4b7e-9a7a-0d2f4a1c6b11")
"""Of the identifiers of books."""

_H: Final = ElementMaker(namespace=_XHTML, nsmap={None: _XHTML, "epub": _OPS})
_P: Final = ElementMaker(namespace=_OPF, nsmap={None: _OPF, "dc": _DC})
_D: Final = ElementMaker(namespace=_DC, nsmap={"dc": _DC})
_N: Final = ElementMaker(namespace=_NCX, nsmap={None: _NCX})
_C: Final = ElementMaker(namespace=_CONTAINER, nsmap={None: _CONTAINER})

_CSS: Final = """\
body {{ font-family: {fonts}; line-height: 1.6; margin: 0 5%; }}
h1, h2 {{ text-align: center; line-height: 1.3; margin: 2em 0 1.5em; page-break-after: avoid; }}
p {{ margin: 0; text-indent: {indent};{justified} }}
p.break {{ margin: 1em 0; text-align: center; text-indent: 0; }}
.title {{ margin-top: 30%; text-align: center; }}
.title p {{ text-align: center; text-indent: 0; }}
nav ol {{ list-style: none; padding-left: 1em; }}
nav a {{ color: inherit; text-decoration: none; }}
"""


def story_epub(story: Edition) -> bytes:
    """The file's bytes."""
    set_in = TYPOGRAPHY[story.language]
    css = _CSS.format(
        fonts=set_in.css_fonts,
        indent=set_in.css_indent,
        justified=" text-align: justify;" if set_in.justified else "",
    )
    files: dict[str, bytes] = {
        "META-INF/container.xml": _xml(_container()),
        "EPUB/package.opf": _xml(_package(story)),
        "EPUB/nav.xhtml": _page_xml(_navigation(story)),
        "EPUB/toc.ncx": _xml(_ncx(story)),
        "EPUB/style.css": css.encode(),
        "EPUB/title.xhtml": _page_xml(_title_page(story)),
    }
    for chapter in story.chapters:
        files[f"EPUB/{_file(chapter)}"] = _page_xml(_chapter_page(story, chapter))
    return _zipped(files, story.at)


def _zipped(files: dict[str, bytes], at: datetime) -> bytes:
    """The type first and not packed, as the format has it."""
    written = io.BytesIO()
    moment = at.astimezone(UTC).timetuple()[:6]
    with zipfile.ZipFile(written, "w") as archive:
        for name, data in {"mimetype": b"application/epub+zip", **files}.items():
            entry = zipfile.ZipInfo(name, (max(moment[0], 1980), *moment[1:]))
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return written.getvalue()


def _xml(root: Any) -> bytes:
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8"))


def _page_xml(root: Any) -> bytes:
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", doctype="<!DOCTYPE html>"))


# -- pages ------------------------------------------------------------------------------------------------------------


def _page(story: Edition, title: str, body: Any) -> Any:
    head = _H.head(_H.title(title), _H.link(rel="stylesheet", type="text/css", href="style.css"))
    return _H.html(head, body, lang=story.language, **{_LANG: story.language})


def _title_page(story: Edition) -> Any:
    lines = [_H.h1(story.title), *([_H.p(story.author)] if story.author else [])]
    return _page(story, story.title, _H.body(_H.section({_TYPE: "titlepage", "class": "title"}, *lines)))


def _chapter_page(story: Edition, chapter: StoryChapter) -> Any:
    heads = [
        *(_H.h1(line, id=_part(chapter, at)) for at, line in enumerate(chapter.above)),
        _H.h2(chapter.heading) if story.in_parts else _H.h1(chapter.heading),
    ]
    heads[-1].set("id", _id(chapter))
    paragraphs = [
        _H.p(paragraph, {"class": "break"}) if is_scene_break(paragraph) else _H.p(paragraph)
        for paragraph in chapter.paragraphs
    ]
    return _page(story, chapter.heading, _H.body(_H.section({_TYPE: "chapter"}, *heads, *paragraphs)))


def _file(chapter: StoryChapter) -> str:
    return f"{_id(chapter)}.xhtml"


def _id(chapter: StoryChapter) -> str:
    return f"chapter-{chapter.number}"


def _part(chapter: StoryChapter, at: int) -> str:
    return f"part-{chapter.number}-{at}"


# -- contents ---------------------------------------------------------------------------------------------------------

_Line = tuple[str, str, list[Any]]
"""Of the table of contents: its words, where it leads, and the lines below it."""


def _lines(story: Edition) -> list[_Line]:
    """Chapters, below the part that they belong to where there are parts."""
    top: list[_Line] = []
    inside = top
    for chapter in story.chapters:
        for at, line in enumerate(chapter.above):
            part: _Line = (line, f"{_file(chapter)}#{_part(chapter, at)}", [])
            top.append(part)
            inside = part[2]
        inside.append((chapter.heading, f"{_file(chapter)}#{_id(chapter)}", []))
    return top


def _navigation(story: Edition) -> Any:
    contents = TYPOGRAPHY[story.language].contents
    nav = _H.nav({_TYPE: "toc", "id": "toc"}, _H.h1(contents), _list(_lines(story)))
    first = _file(story.chapters[0]) if story.chapters else "title.xhtml"
    landmarks = _H.nav(
        {_TYPE: "landmarks", "hidden": "hidden"},
        _H.ol(
            _H.li(_H.a(story.title, {_TYPE: "titlepage", "href": "title.xhtml"})),
            _H.li(_H.a(contents, {_TYPE: "toc", "href": "#toc"})),
            _H.li(_H.a(story.title, {_TYPE: "bodymatter", "href": first})),
        ),
    )
    return _page(story, contents, _H.body(nav, landmarks))


def _list(lines: Sequence[_Line]) -> Any:
    if not lines:
        return _H.ol(_H.li(_H.span("—")))
    return _H.ol(*(_H.li(_H.a(text, href=target), *([_list(below)] if below else [])) for text, target, below in lines))


def _ncx(story: Edition) -> Any:
    points: list[Any] = []
    depth = 2 if story.in_parts else 1
    head = _N.head(
        _N.meta(name="dtb:uid", content=_identifier(story)),
        _N.meta(name="dtb:depth", content=str(depth)),
        _N.meta(name="dtb:totalPageCount", content="0"),
        _N.meta(name="dtb:maxPageNumber", content="0"),
    )
    ids = iter(range(1, 10**9))
    points = [_point(line, ids) for line in _lines(story)]
    return _N.ncx(
        head, _N.docTitle(_N.text(story.title)), _N.navMap(*points), version="2005-1", **{_LANG: story.language}
    )


def _point(line: _Line, ids: Any) -> Any:
    text, target, below = line
    order = next(ids)
    return _N.navPoint(
        _N.navLabel(_N.text(text)),
        _N.content(src=target),
        *(_point(inner, ids) for inner in below),
        id=f"point-{order}",
        playOrder=str(order),
    )


# -- package ----------------------------------------------------------------------------------------------------------


def _identifier(story: Edition) -> str:
    """The same for each making of one book."""
    return uuid.uuid5(_NAMESPACE, f"{story.title}\n{story.author}").urn


def _package(story: Edition) -> Any:
    metadata = _P.metadata(
        _D.identifier(_identifier(story), id="book"),
        _D.title(story.title),
        _D.language(story.language),
        *([_D.creator(story.author)] if story.author else []),
        _P.meta(f"{story.at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}", property="dcterms:modified"),
    )
    pages = ["title.xhtml", *map(_file, story.chapters)]
    items = [_P.item({"id": _item(page), "href": page, "media-type": "application/xhtml+xml"}) for page in pages]
    items += [
        _P.item({"id": "nav", "href": "nav.xhtml", "media-type": "application/xhtml+xml", "properties": "nav"}),
        _P.item({"id": "ncx", "href": "toc.ncx", "media-type": "application/x-dtbncx+xml"}),
        _P.item({"id": "style", "href": "style.css", "media-type": "text/css"}),
    ]
    order = [_item(pages[0]), "nav", *map(_item, pages[1:])]
    spine = _P.spine({"toc": "ncx"}, *(_P.itemref(idref=item) for item in order))
    return _P.package(
        metadata,
        _P.manifest(*items),
        spine,
        {"version": "3.0", "unique-identifier": "book", _LANG: story.language},
    )


def _item(page: str) -> str:
    return page.removesuffix(".xhtml")


def _container() -> Any:
    rootfile = _C.rootfile({"full-path": "EPUB/package.opf", "media-type": "application/oebps-package+xml"})
    return _C.container(_C.rootfiles(rootfile), version="1.0")
