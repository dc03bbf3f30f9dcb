"""An EPUB's package document: what it is called, which pages it has in which order, its table of contents.

Said by the package itself, its navigation document (EPUB 3) or its NCX (EPUB 2). A page that is a cover, a title page,
a table of contents or the small print is named as such by the landmarks, the guide, or the page itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from memorybank.narrative.books.packed.safe_zip import RefusedError, SafeZip, attribute, local
from memorybank.narrative.books.packed.xhtml import text_of, types_of, xhtml

FRONT: Final = frozenset(
    "cover titlepage title-page halftitlepage halftitle toc landmarks loi lot page-list copyright-page copyright "
    "colophon imprint imprimatur index-of-images other.backmatter-ads".split()
)
_FONT_ALGORITHMS: Final = frozenset(("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"))
"""By these a font is disguised; the text is not."""
_NCX: Final = "application/x-dtbncx+xml"
_PAGES: Final = frozenset(("application/xhtml+xml", "text/html", "application/xml", "text/xml"))
_PACKAGE: Final = "META-INF/container.xml"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents."""

    label: str
    page: str
    fragment: str
    depth: int


@dataclass(slots=True)
class Package:
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
    manifest = {attribute(item, "id"): item for item in _all(root, "item")}
    package = Package()
    for element in _all(root, "metadata"):
        package.title = _first(element, "title")
        package.author = _first(element, "creator")
    _fill_pages(package, parts, name, root, manifest)
    if not package.pages:
        raise RefusedError("not_epub")
    _check_protection(parts, package)
    _fill_contents(package, parts, name, root, manifest)
    for reference in _all(root, "reference"):  # the guide of EPUB 2
        if attribute(reference, "type").lower() in FRONT:
            package.front.add(_whole_page(parts, name, reference))
    return package


def _package_name(parts: SafeZip) -> str:
    if parts.has(_PACKAGE):
        for rootfile in _all(parts.xml(_PACKAGE), "rootfile"):
            name = parts.beside("", attribute(rootfile, "full-path"))
            if parts.has(name):
                return name
    raise RefusedError("not_epub")


def _fill_pages(package: Package, parts: SafeZip, name: str, root: Any, manifest: dict[str, Any]) -> None:
    for reference in _all(root, "itemref"):
        item = manifest.get(attribute(reference, "idref"))
        page = parts.beside(name, attribute(item, "href")) if item is not None else ""
        readable = item is not None and attribute(item, "media-type").lower() in _PAGES and parts.has(page)
        if readable and page not in package.pages:
            package.pages.append(page)
            if attribute(reference, "linear").lower() == "no":
                package.front.add(page)


def _fill_contents(package: Package, parts: SafeZip, name: str, root: Any, manifest: dict[str, Any]) -> None:
    """From the navigation document, else from the NCX; one that is broken is passed over."""
    for item in manifest.values():
        page = parts.beside(name, attribute(item, "href"))
        if not parts.has(page):
            continue
        if "nav" in attribute(item, "properties").split():
            package.front.add(page)
            navigation = xhtml(parts.read(page))
            _read_navigation(package, parts, page, navigation)
    ncx = next((item for item in manifest.values() if attribute(item, "media-type") == _NCX), None)
    page = parts.beside(name, attribute(ncx, "href")) if ncx is not None and not package.contents else ""
    if parts.has(page):
        try:
            package.contents = list(_ncx(parts, page, parts.xml(page), 0))
        except RefusedError as refusal:
            if str(refusal) != "damaged":
                raise


def _read_navigation(package: Package, parts: SafeZip, page: str, root: Any) -> None:
    for nav in _all(root, "nav"):
        kinds = types_of(nav)
        if "toc" in kinds and not package.contents:
            package.contents = list(_nav(parts, page, nav, 0))
        elif "landmarks" in kinds:
            package.front.update(_whole_page(parts, page, link) for link in _all(nav, "a") if types_of(link) & FRONT)


def _whole_page(parts: SafeZip, page: str, link: Any) -> str:
    """What it points at; empty where that is a place in a page, which may hold the whole book."""
    reference = attribute(link, "href")
    return "" if "#" in reference else parts.beside(page, reference)


def _nav(parts: SafeZip, page: str, parent: Any, depth: int) -> Iterator[Entry]:
    for child in parent:
        name = local(child)
        if name == "a" and depth:
            yield from _entry(parts, page, text_of(child), attribute(child, "href"), depth)
        elif name in ("ol", "li", "span", "div"):
            yield from _nav(parts, page, child, depth + (name == "ol"))


def _ncx(parts: SafeZip, page: str, parent: Any, depth: int) -> Iterator[Entry]:
    for child in parent:
        name = local(child)
        if name == "navMap":
            yield from _ncx(parts, page, child, 0)
        elif name == "navPoint":
            label = next((text_of(part) for part in child if local(part) == "navLabel"), "")
            content = next((attribute(part, "src") for part in child if local(part) == "content"), "")
            yield from _entry(parts, page, label, content, depth + 1)
            yield from _ncx(parts, page, child, depth + 1)


def _entry(parts: SafeZip, page: str, label: str, reference: str, depth: int) -> Iterator[Entry]:
    target = parts.beside(page, reference)
    label = " ".join(label.split())
    if target and label:
        yield Entry(label, target, reference.partition("#")[2], depth)


def _check_protection(parts: SafeZip, package: Package) -> None:
    """Raises RefusedError when pages are encrypted: by a shop's DRM, or a library's."""
    if parts.has("META-INF/license.lcpl"):
        raise RefusedError("protected")
    if not parts.has("META-INF/encryption.xml"):
        return
    pages = set(package.pages)
    for data in _all(parts.xml("META-INF/encryption.xml"), "EncryptedData"):
        method = next((attribute(element, "Algorithm") for element in _all(data, "EncryptionMethod")), "")
        targets = {parts.beside("", attribute(element, "URI")) for element in _all(data, "CipherReference")}
        if method not in _FONT_ALGORITHMS and targets & pages:
            raise RefusedError("protected")


def _all(root: Any, name: str) -> Iterator[Any]:
    return (element for element in root.iter() if local(element) == name)


def _first(parent: Any, name: str) -> str:
    return next((text_of(element) for element in _all(parent, name)), "")
