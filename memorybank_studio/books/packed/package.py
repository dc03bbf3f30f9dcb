"""An EPUB's package document: what it is called, which pages it has in which order, its table of contents.

Said by the package itself, its navigation document (EPUB 3) or its NCX (EPUB 2). A page that is a cover, a title page,
a table of contents or the small print is named as such by the landmarks, the guide, or the page itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from memorybank_studio.books.packed.safe_zip import RefusedError, SafeZip
from memorybank_studio.books.packed.xhtml import text_of, types_of, xhtml

FRONT: Final = frozenset(
    "cover titlepage title-page halftitlepage halftitle toc landmarks loi lot page-list copyright-page copyright "
    "colophon imprint imprimatur index-of-images other.backmatter-ads".split()
)
_FONT_ALGORITHMS: Final = frozenset(("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"))
"""Ways to disguise a font; the text is not disguised by them."""
_NCX: Final = "application/x-dtbncx+xml"
_PAGES: Final = frozenset(("application/xhtml+xml", "text/html", "application/xml", "text/xml"))
_CONTAINER: Final = "META-INF/container.xml"
_ENCRYPTION: Final = "META-INF/encryption.xml"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents."""

    label: str
    page: str
    fragment: str
    depth: int


@dataclass(slots=True)
class Package:
    """What the package document and the table of contents say of the book."""

    title: str = ""
    author: str = ""
    pages: list[str] = field(default_factory=list)
    """Names in the archive, in reading order; each once."""
    contents: list[Entry] = field(default_factory=list)
    front: set[str] = field(default_factory=set)
    """Pages that are no part of the story."""


def read_package(parts: SafeZip) -> Package:
    """Raises RefusedError as `SafeZip`; also not_epub, protected."""
    name = _package_name(parts)
    root = parts.xml(name)
    package = Package(title=root.findtext(".//metadata//title", ""), author=root.findtext(".//metadata//creator", ""))
    items = {item.get("id"): item for item in root.iter("item")}
    pages = {id_: parts.beside(name, item.get("href", "")) for id_, item in items.items()}
    for reference in root.iter("itemref"):
        id_ = reference.get("idref")
        page = pages.get(id_, "")
        if parts.has(page) and page not in package.pages and items[id_].get("media-type", "").lower() in _PAGES:
            package.pages.append(page)
            if reference.get("linear", "").lower() == "no":
                package.front.add(page)
    if not package.pages:
        raise RefusedError("not_epub")
    _check_protection(parts, package)
    for id_, page in pages.items():
        if parts.has(page) and "nav" in items[id_].get("properties", "").split():
            package.front.add(page)
            _read_navigation(package, parts, page)
    ncx = next((pages[id_] for id_, item in items.items() if item.get("media-type") == _NCX), "")
    if not package.contents and parts.has(ncx):
        package.contents = _ncx(parts, ncx)
    for reference in root.iter("reference"):  # the guide of EPUB 2
        if reference.get("type", "").lower() in FRONT:
            package.front.add(_whole_page(parts, name, reference))
    return package


def _package_name(parts: SafeZip) -> str:
    for rootfile in parts.xml(_CONTAINER).iter("rootfile") if parts.has(_CONTAINER) else ():
        name = parts.beside("", rootfile.get("full-path", ""))
        if parts.has(name):
            return name
    raise RefusedError("not_epub")


def _read_navigation(package: Package, parts: SafeZip, page: str) -> None:
    for nav in xhtml(parts.read(page)).iter("nav"):
        kinds = types_of(nav)
        if "toc" in kinds and not package.contents:
            package.contents = list(_nav(parts, page, nav, 0))
        elif "landmarks" in kinds:
            package.front.update(_whole_page(parts, page, link) for link in nav.iter("a") if types_of(link) & FRONT)


def _whole_page(parts: SafeZip, page: str, link: Any) -> str:
    """What it points at; empty where that is a place in a page, which may hold the whole book."""
    reference = link.get("href", "")
    return "" if "#" in reference else parts.beside(page, reference)


def _nav(parts: SafeZip, page: str, parent: Any, depth: int) -> Iterator[Entry]:
    for child in parent:
        if child.tag == "a" and depth:
            yield from _entry(parts, page, text_of(child), child.get("href", ""), depth)
        elif child.tag in ("ol", "li", "span", "div"):
            yield from _nav(parts, page, child, depth + (child.tag == "ol"))


def _ncx(parts: SafeZip, page: str) -> list[Entry]:
    """The lines of an NCX; one that is broken is passed over."""
    try:
        root = parts.xml(page)
    except RefusedError as refusal:
        if str(refusal) != "damaged":
            raise
        return []
    return [entry for navigation in root.iterfind("navMap") for entry in _points(parts, page, navigation, 1)]


def _points(parts: SafeZip, page: str, parent: Any, depth: int) -> Iterator[Entry]:
    for point in parent.iterfind("navPoint"):
        label, content = point.find("navLabel"), point.find("content")
        if label is not None and content is not None:
            yield from _entry(parts, page, text_of(label), content.get("src", ""), depth)
        yield from _points(parts, page, point, depth + 1)


def _entry(parts: SafeZip, page: str, label: str, reference: str, depth: int) -> Iterator[Entry]:
    target = parts.beside(page, reference)
    label = " ".join(label.split())
    if target and label:
        yield Entry(label, target, reference.partition("#")[2], depth)


def _check_protection(parts: SafeZip, package: Package) -> None:
    """Raises RefusedError when pages are encrypted: by a shop's DRM, or a library's."""
    if parts.has("META-INF/license.lcpl"):
        raise RefusedError("protected")
    for data in parts.xml(_ENCRYPTION).iter("EncryptedData") if parts.has(_ENCRYPTION) else ():
        method = data.find(".//EncryptionMethod")
        disguised = method is not None and method.get("Algorithm") in _FONT_ALGORITHMS
        targets = {parts.beside("", reference.get("URI", "")) for reference in data.iter("CipherReference")}
        if not disguised and not targets.isdisjoint(package.pages):
            raise RefusedError("protected")
