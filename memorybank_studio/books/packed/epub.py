"""An EPUB as blocks: its pages in reading order, cut where its table of contents says, else at its headings.

Footnotes that are referred to stand at the end of the page that refers to them. Pictures, sound, scripts and styles
are not taken; links are their text. Nothing outside of the file is looked at.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, Final

from memorybank_studio.books.packed.blocks import MARK_RE, Block, Reading, table_row, text_of, tidy, types_of, xhtml
from memorybank_studio.books.packed.safe_zip import RefusedError, SafeZip

_BLOCKS: Final = frozenset(
    "address article aside blockquote body center dd details div dl dt figcaption figure footer form header li main ol "
    "p section summary ul hgroup h1 h2 h3 h4 h5 h6".split()
)
_PICTURES: Final = frozenset("img svg audio video object iframe embed canvas".split())
_NOT_TEXT: Final = frozenset("script style head rt rp template nav".split())
_BREAKS_RE: Final = re.compile(r"[\n\r]+")
_NOTES: Final = frozenset("footnote endnote rearnote note".split())
_LONGEST_HEADING: Final = 60
"""Characters of a page's first line that is taken for its heading where the book has neither contents nor headings."""
_LABEL_LINES: Final = 4
"""Lines of a page that an entry of the contents may be spread over."""


def read_epub(parts: SafeZip) -> Reading:
    """Raises RefusedError as `SafeZip`; also not_epub, protected."""
    package = read_package(parts)
    reader = _Reader(parts, package)
    for page in package.pages:
        reader.read(page)
    return reader.finish()


class _Reader:
    def __init__(self, parts: SafeZip, package: Package) -> None:
        self._roots = {page: xhtml(parts.read(page)) for page in package.pages}
        self._package = package
        self._parts = parts
        self._reading = Reading(title=package.title)
        self._entries: dict[str, dict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
        for entry in package.contents:
            if entry.page in self._roots and entry.page not in package.front:
                self._entries[entry.page][entry.fragment].append(entry)
        self._by_contents = sum(map(len, self._entries.values())) > 1
        self._deepest = max((entry.depth for entry in package.contents), default=0)
        self._has_headings = any(True for root in self._roots.values() for _ in root.iter("h1", "h2", "h3"))
        self._notes = self._referred()
        self._noted: dict[tuple[str, str], str] = {}
        self._blocks: list[Block] = []
        """The blocks of the page that is being read."""
        self._starts: list[tuple[int, Entry]] = []
        """The places among the blocks at which an entry of the contents points, with the entry."""
        self._line: list[str] = []
        self._line_notes: list[str] = []
        self._page = ""

    def read(self, page: str) -> None:
        root = self._roots[page]
        body = next(root.iter("body"), root)
        if page in self._package.front or _is_front(body):
            self._reading.left["front"] += 1
            self._reading.left["images"] += sum(True for _ in body.iter(*_PICTURES))
            return
        self._page, self._blocks, self._starts = page, [], []
        anchors = {anchor for element in body.iter() if (anchor := _anchor(element))}
        for fragment in [fragment for fragment in self._entries[page] if fragment not in anchors]:
            self._open_entries(fragment)  # of the page as a whole, or of a place that it does not have
        self._walk(body, 0, None)
        self._end_line(0, None)
        blocks = self._with_headings() if self._by_contents else self._blocks
        is_bare = not self._by_contents and not self._has_headings and len(blocks) > 1
        if is_bare and len(blocks[0].text) <= _LONGEST_HEADING:  # then its first line is the page's heading
            blocks = [replace(blocks[0], level=1), *blocks[1:]]
        for block in blocks:
            self._reading.add(block)
        self._reading.end_section()

    def finish(self) -> Reading:
        self._reading.end_section()
        return self._reading

    def _walk(self, parent: Any, level: int, mark: int | None) -> None:
        self._say(parent.text)
        for child in parent:
            self._element(child, level, mark)
            self._say(child.tail)

    def _say(self, text: str | None) -> None:
        """Line breaks of the source are white space; those of the text are `br`."""
        self._line.append(_BREAKS_RE.sub(" ", text or ""))

    def _element(self, element: Any, level: int, mark: int | None) -> None:
        name = element.tag
        if own := MARK_RE.fullmatch(element.get("id") or ""):
            mark = int(own[1])
        anchor = _anchor(element)
        if anchor and anchor in self._entries[self._page]:
            self._end_line(level, None)
            self._open_entries(anchor)
        if name in _NOT_TEXT or (self._page, element.get("id")) in self._notes:
            return
        if name in _PICTURES:
            self._reading.left["images"] += 1
        elif name == "br":
            self._line.append("\n")
        elif name == "hr":
            self._end_line(level, None)
            self._blocks.append(Block(text="* * *"))
        elif name == "pre":
            self._end_line(level, None)
            self._line.append(text_of(element))
            self._end_line(level, None)
        elif name == "table":
            self._end_line(level, None)
            self._blocks.extend(Block(text=row) for row in _rows(element))
        elif name == "a" and (target := self._target(element)) in self._notes:
            self._line.append(self._note(target))
        elif name in _BLOCKS:
            self._end_line(level, None)
            level = int(name[1]) if len(name) == 2 and name[0] == "h" else level
            self._walk(element, level, mark)
            self._end_line(level, mark)
        else:
            self._walk(element, level, mark)

    def _end_line(self, level: int, mark: int | None) -> None:
        text = "".join(self._line)
        self._line.clear()
        if tidy(text):
            notes, self._line_notes = tuple(self._line_notes), []
            self._blocks.append(Block(text=text, level=level, mark=mark if level else None, notes=notes))

    def _open_entries(self, fragment: str) -> None:
        self._starts.extend((len(self._blocks), entry) for entry in self._entries[self._page].pop(fragment, ()))

    def _with_headings(self) -> list[Block]:
        """Return the page's blocks, a heading where an entry points; headings that no entry points at are deeper."""
        blocks = [
            replace(block, level=block.level + self._deepest if block.level else 0, front=False)
            for block in self._blocks
        ]
        ends = [at for at, _ in self._starts] + [len(blocks)]
        made = blocks[: ends[0]]
        for (at, entry), end in zip(self._starts, ends[1:], strict=True):
            made += _headed(blocks[at:end], entry)
        return made

    def _referred(self) -> dict[tuple[str, str], Any]:
        """Return the notes that some link points at, by page and id."""
        notes = {
            (page, element.get("id")): element
            for page, root in self._roots.items()
            for element in root.iter()
            if element.get("id") and element.tag != "a" and types_of(element) & _NOTES
        }
        linked = {self._target(link, page) for page, root in self._roots.items() for link in root.iter("a")}
        return {target: note for target, note in notes.items() if target in linked}

    def _target(self, link: Any, page: str = "") -> tuple[str, str]:
        page = page or self._page
        path, _, fragment = link.get("href", "").partition("#")
        return (self._parts.beside(page, path) if path else page), fragment

    def _note(self, target: tuple[str, str]) -> str:
        if target not in self._noted:
            self._noted[target] = f"[{len(self._noted) + 1}]"
            self._line_notes.append(f"{self._noted[target]} {self._note_text(target)}")
        return self._noted[target]

    def _note_text(self, target: tuple[str, str]) -> str:
        """Return a note's text without the number that leads back, and without what begins it."""
        note = self._notes[target]
        for link in list(note.iter("a")):
            if "backlink" in types_of(link) or link.get("href", "").partition("#")[2]:
                link.text = ""
                for child in list(link):
                    link.remove(child)
        return " ".join(text_of(note).split())


def _headed(blocks: list[Block], entry: Entry) -> list[Block]:
    """Return the blocks below an entry, headed by its words as the first lines tell them, or the headings there."""
    label = _squeezed(entry.label)
    marked = next((block for block in blocks[:_LABEL_LINES] if block.mark is not None), None)
    # A chapter of the studio's is one in whatever part it stands, or in none: the table of contents only nests it.
    heading = replace(marked, text=entry.label) if marked else Block(text=entry.label, level=entry.depth)
    lines = ""
    for count, block in enumerate(blocks[:_LABEL_LINES], start=1):
        lines += _squeezed(block.text)
        if lines == label:
            return [_over(heading, blocks[:count]), *blocks[count:]]
        if not label.startswith(lines):
            break
    own = list(takewhile(lambda block: block.level, blocks))
    if own:
        heading = replace(heading, text=" ".join(block.text for block in own))
    return [_over(heading, own), *blocks[len(own) :]]


def _over(heading: Block, lines: Sequence[Block]) -> Block:
    return replace(heading, notes=tuple(note for line in lines for note in line.notes))


def _anchor(element: Any) -> str:
    """Return the id or name by which a link may point at the element; empty without one."""
    return element.get("id") or (element.get("name") or "" if element.tag == "a" else "")


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()


def _is_front(body: Any) -> bool:
    """Whether the page says of itself, or of the one section in it, that it is no part of the story."""
    own = types_of(body)
    sections = [child for child in body if child.tag in ("section", "div", "nav")]
    if len(sections) == 1 and len(body) == 1:
        own |= types_of(sections[0])
    return bool(own & FRONT)


def _rows(table: Any) -> Iterator[str]:
    for row in table.iter("tr"):
        cells = [text_of(cell) for cell in row if cell.tag in ("td", "th")]
        if text := (cells[0] if len(cells) == 1 else table_row(cells)):
            yield text


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
    """The book as its package document and its table of contents describe it."""

    title: str = ""
    pages: list[str] = field(default_factory=list)
    """Names in the archive, in reading order; each once."""
    contents: list[Entry] = field(default_factory=list)
    front: set[str] = field(default_factory=set)
    """Pages that are no part of the story."""


def read_package(parts: SafeZip) -> Package:
    """Raises RefusedError as `SafeZip`; also not_epub, protected."""
    name = _package_name(parts)
    root = parts.xml(name)
    package = Package(title=root.findtext(".//metadata//title", ""))
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
    # Pages are encrypted by a shop's DRM, or by a library's; fonts may be.
    if parts.has("META-INF/license.lcpl"):
        raise RefusedError("protected")
    for data in parts.xml(_ENCRYPTION).iter("EncryptedData") if parts.has(_ENCRYPTION) else ():
        method = data.find(".//EncryptionMethod")
        disguised = method is not None and method.get("Algorithm") in _FONT_ALGORITHMS
        targets = {parts.beside("", reference.get("URI", "")) for reference in data.iter("CipherReference")}
        if not disguised and not targets.isdisjoint(package.pages):
            raise RefusedError("protected")
    for id_, page in pages.items():
        if parts.has(page) and "nav" in items[id_].get("properties", "").split():
            package.front.add(page)
            for nav in xhtml(parts.read(page)).iter("nav"):
                kinds = types_of(nav)
                if "toc" in kinds and not package.contents:
                    package.contents = list(_nav(parts, page, nav, 0))
                elif "landmarks" in kinds:
                    links = (link for link in nav.iter("a") if types_of(link) & FRONT)
                    package.front.update(_whole_page(parts, page, link) for link in links)
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


def _whole_page(parts: SafeZip, page: str, link: Any) -> str:
    """Return the page that a link points at; empty for a place in a page, which may hold the whole book."""
    reference = link.get("href", "")
    return "" if "#" in reference else parts.beside(page, reference)


def _nav(parts: SafeZip, page: str, parent: Any, depth: int) -> Iterator[Entry]:
    for child in parent:
        if child.tag == "a" and depth:
            yield from _entry(parts, page, text_of(child), child.get("href", ""), depth)
        elif child.tag in ("ol", "li", "span", "div"):
            yield from _nav(parts, page, child, depth + (child.tag == "ol"))


def _ncx(parts: SafeZip, page: str) -> list[Entry]:
    """Return the lines of an NCX; one that is broken is passed over."""
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
