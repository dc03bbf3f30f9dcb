"""A story as DOCX: a title page, a table of contents with a link to each chapter, chapters with headings.

The contents are filled in, not left to be filled by the reader's program, and nothing needs to be updated to be read.
What is the author's goes in as text alone: no field, link or formatting is made of it.
"""

from __future__ import annotations

import io
from datetime import UTC
from typing import Any, Final

from docx import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor

from memorybank.narrative.books.story import Edition, StoryChapter
from memorybank.narrative.books.typography import TYPOGRAPHY, Typography, is_scene_break

_LATIN: Final = "Times New Roman"
_LATIN_HEADING: Final = "Arial"
_SIZE: Final = 12
_HEADINGS: Final = {"Title": 26, "Subtitle": 14, "Heading 1": 18, "Heading 2": 16}
_SCENE_BREAK: Final = "Scene Break"


def story_docx(story: Edition) -> bytes:
    """The file's bytes."""
    document = Document()
    set_in = TYPOGRAPHY[story.language]
    _set_up(document, story, set_in)
    _title_page(document, story)
    _contents(document, story, set_in)
    level = 2 if story.in_parts else 1
    body = _Body(document)
    for place, chapter in enumerate(story.chapters):
        _chapter(body, chapter, place, level)
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


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
    middle = styles.add_style(_SCENE_BREAK, WD_STYLE_TYPE.PARAGRAPH)
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
    """Of the whole document: which dictionary, and of the forms of a Han character which."""
    defaults = styles.element.find(qn("w:docDefaults")).find(qn("w:rPrDefault")).find(qn("w:rPr"))
    for old in defaults.findall(qn("w:lang")):
        defaults.remove(old)
    east_asian = set_in.word_tag if set_in.indent_characters else "zh-CN"
    defaults.append(_element("lang", val="en-US", eastAsia=east_asian, bidi="ar-SA"))


# -- pages ------------------------------------------------------------------------------------------------------------


def _title_page(document: Any, story: Edition) -> None:
    title = document.add_paragraph(story.title, style="Title")
    title.paragraph_format.space_before = Pt(180)
    if story.author:
        document.add_paragraph(story.author, style="Subtitle")


def _contents(document: Any, story: Edition, set_in: Typography) -> None:
    """A field of Word's in its usual frame, already with its lines."""
    control = OxmlElement("w:sdt")
    properties, content = OxmlElement("w:sdtPr"), OxmlElement("w:sdtContent")
    gallery = OxmlElement("w:docPartObj")
    gallery.append(_element("docPartGallery", val="Table of Contents"))
    gallery.append(OxmlElement("w:docPartUnique"))
    properties.append(gallery)
    control.extend((properties, content))
    heading = document.add_paragraph(set_in.contents, style="Subtitle")
    heading.paragraph_format.page_break_before = True
    content.append(heading._p)
    level = 1
    paragraphs = []
    for place, chapter in enumerate(story.chapters):
        level = 2 if chapter.above else level  # before the first part a chapter is below none
        paragraphs += [_contents_line(document, *head) for head in _heads(chapter, place, level)]
    if paragraphs:
        _field(paragraphs[0], paragraphs[-1])
    content.extend(paragraph._p for paragraph in paragraphs)
    document.element.body.insert_element_before(control, "w:sectPr")


def _heads(chapter: StoryChapter, place: int, level: int) -> list[tuple[str, str, int]]:
    """The chapter's headings, the names of their bookmarks, and their levels."""
    above = [(line, f"part_{place}_{at}", 1) for at, line in enumerate(chapter.above)]
    return [*above, (chapter.heading, f"chapter_{chapter.number}", level)]


def _contents_line(document: Any, text: str, anchor: str, level: int) -> Any:
    paragraph = document.add_paragraph(style=f"toc {level}")
    link = _element("hyperlink", anchor=anchor, history="1")
    run = paragraph.add_run(text)
    link.append(run._r)
    paragraph._p.append(link)
    return paragraph


def _field(first: Any, last: Any) -> None:
    r"""`TOC \n`: without page numbers, which only a program that has laid the pages out can know."""
    begins = [
        _run(_element("fldChar", fldCharType="begin")),
        _run(_instruction(), _element("fldChar", fldCharType="separate")),
    ]
    at = 1 if first._p.pPr is not None else 0
    for run in reversed(begins):
        first._p.insert(at, run)
    last._p.append(_run(_element("fldChar", fldCharType="end")))


def _instruction() -> Any:
    instruction = OxmlElement("w:instrText")
    instruction.set(qn("xml:space"), "preserve")
    instruction.text = r' TOC \o "1-2" \n \h \z \u '
    return instruction


def _run(*elements: Any) -> Any:
    run = OxmlElement("w:r")
    run.extend(elements)
    return run


class _Body:
    """Where chapters are written, at the end of the document.

    Not by `add_paragraph`, which looks through all that is there for each paragraph and its style: a novel of a million
    characters takes it a quarter of a minute.
    """

    def __init__(self, document: Any) -> None:
        self._end = document.element.body.find(qn("w:sectPr"))
        self._styles = {style.name: style.style_id for style in document.styles}

    def add(self, text: str, style: str) -> Any:
        paragraph, properties = OxmlElement("w:p"), OxmlElement("w:pPr")
        properties.append(_element("pStyle", val=self._styles[style]))
        paragraph.append(properties)
        words = OxmlElement("w:t")
        words.text = text
        paragraph.append(_run(words))
        self._end.addprevious(paragraph)
        return paragraph

    def heading(self, text: str, level: int, bookmark: str, id_: int) -> Any:
        heading = self.add(text, f"Heading {level}")
        heading.insert(1, _element("bookmarkStart", id=str(id_), name=bookmark))
        heading.append(_element("bookmarkEnd", id=str(id_)))
        return heading


def _chapter(body: _Body, chapter: StoryChapter, place: int, level: int) -> None:
    for at, (text, name, depth) in enumerate(_heads(chapter, place, level)):
        heading = body.heading(text, depth, name, place * 10 + at)
        if at == 0:
            heading.pPr.append(OxmlElement("w:pageBreakBefore"))
    for paragraph in chapter.paragraphs:
        body.add(paragraph, _SCENE_BREAK if is_scene_break(paragraph) else "Body Text")


def _element(tag: str, **attributes: str) -> Any:
    element = OxmlElement(f"w:{tag}")
    for name, value in attributes.items():
        element.set(qn(f"w:{name}"), value)
    return element
