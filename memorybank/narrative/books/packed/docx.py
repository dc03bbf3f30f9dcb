"""A DOCX as blocks: paragraphs with the levels that their styles give them, tables as rows, footnotes as text.

What Word would show is taken: insertions, not deletions; of two renderings the first. Pictures, comments, headers,
macros and embedded objects are not, nor are fields' instructions. Nothing outside of the file is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

from memorybank.narrative.books.packed.blocks import MARK_RE, Block, Reading, table_row
from memorybank.narrative.books.packed.numbering import Numbering
from memorybank.narrative.books.packed.safe_zip import RefusedError, SafeZip, attribute, local

_HEADING_RE: Final = re.compile(r"(?:heading|标题|標題)\s*([1-9])", re.IGNORECASE)
_CONTENTS_RE: Final = re.compile(r"(?:toc|目录|目錄)(?:\s*\d|\s+heading|标题|標題)?", re.IGNORECASE)
_TITLES: Final = frozenset(("title", "subtitle", "标题", "標題", "副标题", "副標題"))
_BODY_LEVEL: Final = 9
"""The outline level that Word gives to what is no heading."""
_DEEPEST_STYLE: Final = 20
"""Styles that a style may be based on, one by the other."""
_NOT_TEXT: Final = frozenset(
    "rPr pPr tblPr trPr tcPr sectPr sdtPr sdtEndPr instrText delText delInstrText rt commentReference annotationRef "
    "footnoteRef endnoteRef txbxContent binData data blip imagedata".split()
)
_PICTURES: Final = frozenset(("drawing", "pict", "object"))
_DELETED: Final = frozenset(("del", "moveFrom"))
_BREAKS: Final = {"tab": " ", "cr": "\n", "noBreakHyphen": "-", "ptab": " "}


@dataclass(frozen=True, slots=True)
class _Style:
    kind: str = ""
    """`contents`, `title`, or nothing."""
    level: int = 0
    list_: str = ""
    """The list that numbers its paragraphs; `0`: none, whatever the style that it is based on says."""
    depth: int = 0


def read_docx(parts: SafeZip) -> Reading:
    """Raises RefusedError as `SafeZip`; also not_docx."""
    main = _main_part(parts)
    body = next((child for child in parts.xml(main) if local(child) == "body"), None)
    if body is None:
        raise RefusedError("not_docx")
    reader = _Reader(parts, main)
    reader.walk(body)
    reader.settle_titles()
    return reader.reading


def _main_part(parts: SafeZip) -> str:
    if not parts.has("[Content_Types].xml"):
        raise RefusedError("not_docx")
    name = _related(parts, "").get("officeDocument", "word/document.xml")
    if not parts.has(name) or not name.startswith("word/"):
        raise RefusedError("not_docx")  # a spreadsheet, slides
    return name


def _related(parts: SafeZip, part: str) -> dict[str, str]:
    """The parts that a part refers to by the last word of the relation's type; nothing outside of the file."""
    folder, _, name = part.rpartition("/")
    rels = f"{folder}/_rels/{name}.rels" if part else "_rels/.rels"
    if not parts.has(rels):
        return {}
    related: dict[str, str] = {}
    for relation in parts.xml(rels):
        target = parts.beside(part, attribute(relation, "Target"))
        if attribute(relation, "TargetMode") != "External" and target and parts.has(target):
            related.setdefault(attribute(relation, "Type").rpartition("/")[2], target)
    return related


class _Reader:
    def __init__(self, parts: SafeZip, main: str) -> None:
        related = _related(parts, main)
        self.reading = Reading()
        self._styles = _styles(parts.xml(related["styles"])) if "styles" in related else {}
        self._notes = {
            kind: _notes(parts.xml(related[f"{kind}s"])) if f"{kind}s" in related else {}
            for kind in ("footnote", "endnote")
        }
        self._numbering = Numbering(parts.xml(related["numbering"]) if "numbering" in related else None)
        self._noted = 0
        self._referred: list[str] = []
        self._boxes: list[Any] = []
        core = _related(parts, "").get("core-properties")
        for element in parts.xml(core) if core else ():
            if local(element) == "title":
                self.reading.title = element.text or ""
            elif local(element) == "creator":
                self.reading.author = element.text or ""

    def walk(self, parent: Any) -> None:
        for child in _chosen(parent):
            match local(child):
                case "p":
                    self._paragraph(child)
                case "tbl":
                    self._table(child)
                case "sdt" if _is_contents(child):
                    self.reading.left["contents"] += 1
                case name if name in _DELETED:
                    self.reading.left["deletions"] += 1
                case name if name not in _NOT_TEXT:
                    self.walk(child)

    def settle_titles(self) -> None:
        """Where the style of a title comes again and again it is that of the chapters."""
        blocks = self.reading.blocks
        titles = [block for block in blocks if block.front]
        if len(titles) > 2 and not any(block.level for block in blocks):
            level = {True: 1, False: 0}
            self.reading.blocks = [Block(text=b.text, level=level[b.front], mark=b.mark) for b in blocks]

    def _paragraph(self, paragraph: Any) -> None:
        style, mark = self._style(paragraph), _mark(paragraph)
        text = self._text(paragraph)
        if style.level and not style.kind:
            text = f"{self._numbering.next(style.list_, style.depth)} {text}"
        if style.kind == "contents":
            self.reading.left["contents"] = max(1, self.reading.left["contents"])
        else:
            front = style.kind == "title"
            self._add(Block(text=text, level=style.level, mark=mark, front=front))
        self._walk_boxes()

    def _add(self, block: Block) -> None:
        notes, self._referred = self._referred, []
        self.reading.add(replace(block, notes=tuple(notes)))

    def _walk_boxes(self) -> None:
        """Text in boxes stands behind the paragraph, or the table, that holds them."""
        boxes, self._boxes = self._boxes, []
        for box in boxes:
            self.walk(box)

    def _style(self, paragraph: Any) -> _Style:
        properties = _child(paragraph, "pPr")
        style = self._styles.get(_value(properties, "pStyle"), _Style())
        own = _level(properties)
        style = style if own is None or style.kind else replace(style, level=own)
        return _numbered(style, properties)

    def _table(self, table: Any) -> None:
        for row in _below(table, "tr"):
            cells = ["\n".join(self._text(p) for p in _paragraphs(cell)) for cell in _below(row, "tc")]
            self._add(Block(text=cells[0] if len(cells) == 1 else table_row(cells)))
        self._walk_boxes()

    def _text(self, element: Any) -> str:
        return "".join(self._pieces(element))

    def _pieces(self, element: Any) -> Iterator[str]:
        for child in _chosen(element):
            name = local(child)
            if name in ("footnoteReference", "endnoteReference"):
                yield self._note(name.removesuffix("Reference"), attribute(child, "id"))
            elif name == "t":
                yield child.text or ""
            elif name == "br":
                yield "" if attribute(child, "type") in ("page", "column") else "\n"
            elif name in _BREAKS:
                yield _BREAKS[name]
            elif name in _DELETED:
                self.reading.left["deletions"] += 1
            elif name in _PICTURES:
                yield from self._picture(child)
            elif name == "commentReference":
                self.reading.left["comments"] += 1
            elif name not in _NOT_TEXT:
                yield from self._pieces(child)

    def _picture(self, drawing: Any) -> Iterator[str]:
        """Nothing of a picture; a box with text is read after its paragraph."""
        boxes = [box for box in drawing.iter() if local(box) == "txbxContent"]
        if boxes:
            self._boxes.append(boxes[0])
        else:
            self.reading.left["images"] += 1
        yield ""

    def _note(self, kind: str, id_: str) -> str:
        note = self._notes[kind].get(id_)
        if note is None:
            return ""
        self._noted += 1
        label = f"[{self._noted}]"
        self._notes[kind].pop(id_)
        text = " ".join(self._text(paragraph) for paragraph in _paragraphs(note))
        self._referred.append(f"{label} {text}")
        return label


def _chosen(parent: Any) -> Iterator[Any]:
    """The children; of two renderings of one thing the first."""
    for child in parent:
        if local(child) == "AlternateContent":
            yield from next((rendering for rendering in child if len(rendering)), ())
        else:
            yield child


def _child(parent: Any, name: str) -> Any:
    return next((child for child in parent if local(child) == name), None) if parent is not None else None


def _value(parent: Any, name: str) -> str:
    child = _child(parent, name)
    return attribute(child, "val") if child is not None else ""


def _below(parent: Any, name: str) -> Iterator[Any]:
    """Rows of a table, cells of a row, also within content controls; not those of a table inside."""
    for child in parent:
        if local(child) == name:
            yield child
        elif local(child) in ("sdt", "sdtContent", "customXml", "ins", "smartTag"):
            yield from _below(child, name)


def _paragraphs(parent: Any) -> Iterator[Any]:
    for child in _chosen(parent):
        name = local(child)
        if name == "p":
            yield child
        elif name not in _NOT_TEXT and name not in _PICTURES and name not in _DELETED:
            yield from _paragraphs(child)


def _mark(paragraph: Any) -> int | None:
    for child in paragraph:
        if local(child) == "bookmarkStart" and (match := MARK_RE.fullmatch(attribute(child, "name"))):
            return int(match[1])
    return None


def _is_contents(control: Any) -> bool:
    gallery = next((element for element in control.iter() if local(element) == "docPartGallery"), None)
    return gallery is not None and attribute(gallery, "val").lower() == "table of contents"


def _notes(root: Any) -> dict[str, Any]:
    """Notes by their ids, without the lines that part them from the text."""
    return {
        attribute(note, "id"): note for note in root if not attribute(note, "type").endswith(("eparator", "Notice"))
    }


def _level(properties: Any) -> int | None:
    """The outline level as a heading's, 0 for the text's own; None where it is not said."""
    written = _value(properties, "outlineLvl")
    if not written.isascii() or not written.isdigit():
        return None
    level = int(written)
    return level + 1 if level < _BODY_LEVEL else 0


def _numbered(style: _Style, properties: Any) -> _Style:
    """With the list that the properties name, of a style or of a paragraph."""
    listed = _child(properties, "numPr")
    if listed is None:
        return style
    depth = _value(listed, "ilvl")
    return replace(
        style,
        list_=_value(listed, "numId") or style.list_,
        depth=int(depth) if depth.isascii() and depth.isdigit() and len(depth) == 1 else style.depth,
    )


def _styles(root: Any) -> dict[str, _Style]:
    elements = {attribute(style, "styleId"): style for style in root if local(style) == "style"}
    return {id_: _resolved(id_, elements) for id_ in elements}


def _resolved(id_: str, elements: dict[str, Any]) -> _Style:
    """By its name or its outline level and its list, else by those of the style that it is based on."""
    chain: list[Any] = []
    while id_ in elements and len(chain) < _DEEPEST_STYLE:
        chain.append(elements[id_])
        id_ = _value(chain[-1], "basedOn")
    known = next((style for style in map(_said, chain) if style is not None), _Style())
    for style in reversed(chain):
        known = _numbered(known, _child(style, "pPr"))
    return known


def _said(style: Any) -> _Style | None:
    """What a style says of itself; None where that is nothing."""
    name = _value(style, "name").strip().lower()
    if _CONTENTS_RE.fullmatch(name):
        return _Style("contents")
    if name in _TITLES:
        return _Style("title")
    if match := _HEADING_RE.fullmatch(name):
        return _Style(level=int(match[1]))
    level = _level(_child(style, "pPr"))
    return None if level is None else _Style(level=level)
