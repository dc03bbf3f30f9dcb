"""A story as DOCX: a title page, a table of contents with a link to each chapter, chapters with headings.

The styles are set here; what stands in the document is `templates/body.xml`. A novel is far faster made so than by a
call of python-docx for each paragraph. What is the author's goes in as text alone: the template escapes it.
"""

from __future__ import annotations

import io
import uuid
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from typing import Any, Final

from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from jinja2 import Environment, PackageLoader, StrictUndefined

from memorybank_studio.books.story import BookLanguage, Edition

_LATIN: Final = "Times New Roman"
_LATIN_HEADING: Final = "Arial"
_SIZE: Final = 12
_HEADINGS: Final = {"Title": 26, "Subtitle": 14, "Heading 1": 18, "Heading 2": 16}
"""Sizes in points, by the style's name."""


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
    styles = document.styles
    _language(styles, set_in)
    body = styles["Normal"]
    body.font.size = Pt(_SIZE)
    _fonts(body, _LATIN, set_in.east_asian)
    for name, size in _HEADINGS.items():
        style = styles[name]
        style.font.size, style.font.color.rgb = Pt(size), RGBColor(0, 0, 0)
        style.font.bold, style.font.italic = name != "Subtitle", False
        style.paragraph_format.alignment = WD_ALIGN_PARAGRAPH.CENTER
        style.paragraph_format.space_before, style.paragraph_format.space_after = Pt(24), Pt(18)
        _fonts(style, _LATIN_HEADING, set_in.east_asian_heading)
    for rule in styles["Title"].element.findall(f".//{qn('w:pBdr')}"):
        rule.getparent().remove(rule)
    _text_styles(styles, set_in)


def _text_styles(styles: Any, set_in: Typography) -> None:
    text = styles["Body Text"]
    text.paragraph_format.space_after = Pt(0)
    text.paragraph_format.line_spacing = 1.5
    if set_in.justified:
        text.paragraph_format.alignment = WD_ALIGN_PARAGRAPH.JUSTIFY
    text.paragraph_format.first_line_indent = Pt(_SIZE * set_in.indent_characters) or Cm(0.5)
    if set_in.indent_characters:
        indent = text.element.get_or_add_pPr().get_or_add_ind()
        indent.set(qn("w:firstLineChars"), str(set_in.indent_characters * 100))
    middle = styles.add_style("Scene Break", WD_STYLE_TYPE.PARAGRAPH)
    middle.base_style = styles["Normal"]
    middle.paragraph_format.alignment = WD_ALIGN_PARAGRAPH.CENTER
    middle.paragraph_format.space_before = middle.paragraph_format.space_after = Pt(_SIZE)
    for level in (1, 2):
        contents = styles.add_style(f"toc {level}", WD_STYLE_TYPE.PARAGRAPH)
        contents.base_style = styles["Normal"]
        contents.paragraph_format.left_indent = Cm(0.8 * (level - 1))
        contents.paragraph_format.space_after = Pt(4)


def _fonts(style: Any, latin: str, east_asian: str) -> None:
    style.font.name = latin
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{theme}"), None)  # it would stand before the font that is named
    fonts.set(qn("w:eastAsia"), east_asian)
    fonts.set(qn("w:cs"), latin)


def _language(styles: Any, set_in: Typography) -> None:
    """Set the language of the whole document: it chooses the dictionary and the forms of Han characters."""
    defaults = styles.element.find(qn("w:docDefaults")).find(qn("w:rPrDefault")).find(qn("w:rPr"))
    for old in defaults.findall(qn("w:lang")):
        defaults.remove(old)
    east_asian = set_in.word_tag if set_in.indent_characters else "zh-CN"
    language = OxmlElement("w:lang")
    for name, value in {"val": "en-US", "eastAsia": east_asian, "bidi": "ar-SA"}.items():
        language.set(qn(f"w:{name}"), value)
    defaults.append(language)


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

TYPOGRAPHY: Final[Mapping[BookLanguage, Typography]] = {
    "en": Typography(
        word_tag="en-US",
        css_fonts="serif",
        contents="Contents",
        indent_characters=0,
        css_indent="1.2em",
        justified=False,
    ),
    "zh-Hans": Typography(
        word_tag="zh-CN",
        css_fonts='"Songti SC", "Noto Serif CJK SC", "Source Han Serif SC", "Noto Serif SC", SimSun, serif',
        contents="目录",
    ),
    "zh-Hant": Typography(
        word_tag="zh-TW",
        east_asian="PMingLiU",
        east_asian_heading="Microsoft JhengHei",
        css_fonts='"Songti TC", "Noto Serif CJK TC", "Source Han Serif TC", "Noto Serif TC", PMingLiU, serif',
        contents="目錄",
    ),
}


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
