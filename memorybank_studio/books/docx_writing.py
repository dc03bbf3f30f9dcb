"""A story as DOCX: a title page, a table of contents with a link to each chapter, chapters with headings.

The styles are set here; what stands in the document is `templates/body.xml`. A novel is far faster made so than by a
call of python-docx for each paragraph. What is the author's goes in as text alone: the template escapes it.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from typing import Any, Final

from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor

from memorybank_studio.books.story import Edition
from memorybank_studio.books.typography import TYPOGRAPHY, Typography, is_scene_break, template

_LATIN: Final = "Times New Roman"
_LATIN_HEADING: Final = "Arial"
_SIZE: Final = 12
_HEADINGS: Final = {"Title": 26, "Subtitle": 14, "Heading 1": 18, "Heading 2": 16}
"""Sizes in points, by the style's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """A heading with the text below it."""

    text: str
    bookmark: str
    level: int
    depth: int
    """Its level in the table of contents, where a chapter before the first part is below none."""
    begins_page: bool
    paragraphs: tuple[str, ...] = ()


def story_docx(story: Edition) -> bytes:
    """Return the file's bytes."""
    document = Document()
    set_in = TYPOGRAPHY[story.language]
    _set_up(document, story, set_in)
    body = template("body.xml").render(
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
    """The names of parts and the chapters' headings, in their order."""
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


# -- styles -----------------------------------------------------------------------------------------------------------


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
