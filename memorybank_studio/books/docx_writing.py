"""A story as DOCX: a title page, a table of contents with a link to each chapter, chapters with headings.

Its styles are `templates/styles.xml`, what stands in it is `templates/body.xml`. A novel is far faster made so than by
a call of python-docx for each paragraph. What is the author's goes in as text alone: the template escapes it.
"""

from __future__ import annotations

import io
import uuid
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any, Final

from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from docx.shared import Cm
from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import TypeAdapter

from memorybank.prompts.lexicon import load
from memorybank_studio.books.story import BookLanguage, Edition


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    text: str
    bookmark: str
    level: int
    depth: int
    """The heading's level in the table of contents, where a chapter before the first part is below none."""
    begins_page: bool
    paragraphs: tuple[str, ...] = ()


def story_docx(story: Edition) -> bytes:
    """Return the story as the bytes of a Word document."""
    document = Document()
    set_in = TYPOGRAPHY[story.language]
    _set_up(document, story, set_in)
    body = _TEMPLATES.get_template("body.xml").render(
        story=story,
        set_in=set_in,
        heads=list(_heads(story)),
        styles={style.name: style.style_id for style in document.styles},
        is_scene_break=is_scene_break,
    )
    end = document.element.body.find(qn("w:sectPr"))
    for element in list(parse_xml(body.strip())):
        end.addprevious(element)
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def _heads(story: Edition) -> Iterator[_Head]:
    depth = 1
    for chapter in story.chapters:
        for at, name in enumerate(chapter.above):
            yield _Head(text=name, bookmark=f"part_{chapter.number}_{at}", level=1, depth=1, begins_page=at == 0)
            depth = 2
        yield _Head(
            text=chapter.heading,
            bookmark=f"chapter_{chapter.number}",
            level=2 if story.in_parts else 1,
            depth=depth,
            begins_page=not chapter.above,
            paragraphs=chapter.paragraphs,
        )


def _set_up(document: Any, story: Edition, set_in: Typography) -> None:
    properties = document.core_properties
    properties.title, properties.author, properties.comments = story.title, story.author, ""
    properties.language = set_in.word_tag
    properties.created = properties.modified = story.at.astimezone(UTC).replace(tzinfo=None)
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(3)
    styles = document.styles.element
    styles[:] = list(parse_xml(_TEMPLATES.get_template("styles.xml").render(set_in=set_in)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Typography:
    """The settings a book is typeset with; the defaults are those of Chinese books."""

    word_tag: str
    """The language as Word names it."""
    east_asian: str = "SimSun"
    """Word's font for Han characters; where it is missing, Word and LibreOffice put one of their own in its place."""
    east_asian_heading: str = "Microsoft YaHei"
    css_fonts: str
    contents: str
    """The heading of a table of contents."""
    indent_characters: int = 2
    """How many characters a paragraph's first line is indented by; 0: by half a centimetre, as Latin text is."""
    css_indent: str = "2em"
    justified: bool = True


_TEMPLATES: Final = Environment(
    loader=PackageLoader("memorybank_studio.books"), autoescape=True, undefined=StrictUndefined
)
"""The templates of pages, which escape every value that they are given."""

TYPOGRAPHY: Final = TypeAdapter(dict[BookLanguage, Typography]).validate_python(load(__package__, "typography"))


def is_scene_break(paragraph: str) -> bool:
    """Say whether it is a line of stars, dots or dashes, which stands in the middle."""
    return len(paragraph) <= 20 and not any(character.isalnum() for character in paragraph)


_BOOKS: Final = uuid.UUID("5a3b0f0e-3d55-4b7e-9a7a-0d2f4a1c6b11")
"""The namespace of books' identifiers: each making of one book has the same."""
_PARTS: Final = {
    "META-INF/container.xml": "container.xml",
    "EPUB/package.opf": "package.opf",
    "EPUB/nav.xhtml": "nav.xhtml",
    "EPUB/toc.ncx": "toc.ncx",
    "EPUB/style.css": "style.css",
    "EPUB/title.xhtml": "title.xhtml",
}
"""The templates of the file's parts but its chapters, by their names in the archive."""


@dataclass(frozen=True, slots=True)
class _Line:
    label: str
    target: str
    """The page and the place in it to which the line leads."""
    below: list[_Line] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.target.partition("#")[2]


def story_epub(story: Edition) -> bytes:
    """Return the story as the bytes of an e-book (EPUB)."""
    values = {
        "story": story,
        "set_in": TYPOGRAPHY[story.language],
        "lines": _contents(story),
        "first": f"chapter-{story.chapters[0].number}.xhtml" if story.chapters else "title.xhtml",
        "identifier": uuid.uuid5(_BOOKS, f"{story.title}\n{story.author}").urn,
        "at": story.at.astimezone(UTC),
        "is_scene_break": is_scene_break,
    }
    files = {"mimetype": "application/epub+zip"}  # the first and not compressed, as the format has it
    files |= {name: _TEMPLATES.get_template(source).render(values) for name, source in _PARTS.items()}
    page = _TEMPLATES.get_template("chapter.xhtml")
    for chapter in story.chapters:
        files[f"EPUB/chapter-{chapter.number}.xhtml"] = page.render(values, chapter=chapter)
    return _zipped(files, story)


def _contents(story: Edition) -> list[_Line]:
    """Return chapters, below the part that they belong to where there are parts."""
    top: list[_Line] = []
    inside = top
    for chapter in story.chapters:
        page = f"chapter-{chapter.number}.xhtml"
        for at, name in enumerate(chapter.above):
            part = _Line(name, f"{page}#part-{chapter.number}-{at}")
            top.append(part)
            inside = part.below
        inside.append(_Line(chapter.heading, f"{page}#chapter-{chapter.number}"))
    return top


def _zipped(files: dict[str, str], story: Edition) -> bytes:
    written = io.BytesIO()
    at = story.at.astimezone(UTC)
    moment = (max(at.year, 1980), at.month, at.day, at.hour, at.minute, at.second)
    with zipfile.ZipFile(written, "w") as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text.strip())
    return written.getvalue()
