"""How a book is set: in each language its tag, fonts and the beginning of a paragraph; and its pages' templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from memorybank_studio.books.story import BookLanguage


@dataclass(frozen=True, slots=True, kw_only=True)
class Typography:
    word_tag: str
    """The language as Word names it."""
    east_asian: str
    """Word's font for Han characters; where it is missing, Word and LibreOffice put one of their own in its place."""
    east_asian_heading: str
    css_fonts: str
    contents: str
    """What a table of contents is called."""
    indent_characters: int
    """By which a paragraph's first line is set in; 0: by half a centimetre, as Latin text is."""
    css_indent: str
    justified: bool


_HAN_INDENT: Final = 2
_TEMPLATES: Final = Environment(
    loader=PackageLoader("memorybank_studio.books"), autoescape=True, undefined=StrictUndefined
)

TYPOGRAPHY: Final[Mapping[BookLanguage, Typography]] = {
    "en": Typography(
        word_tag="en-US",
        east_asian="SimSun",
        east_asian_heading="Microsoft YaHei",
        css_fonts="serif",
        contents="Contents",
        indent_characters=0,
        css_indent="1.2em",
        justified=False,
    ),
    "zh-Hans": Typography(
        word_tag="zh-CN",
        east_asian="SimSun",
        east_asian_heading="Microsoft YaHei",
        css_fonts='"Songti SC", "Noto Serif CJK SC", "Source Han Serif SC", "Noto Serif SC", SimSun, serif',
        contents="目录",
        indent_characters=_HAN_INDENT,
        css_indent="2em",
        justified=True,
    ),
    "zh-Hant": Typography(
        word_tag="zh-TW",
        east_asian="PMingLiU",
        east_asian_heading="Microsoft JhengHei",
        css_fonts='"Songti TC", "Noto Serif CJK TC", "Source Han Serif TC", "Noto Serif TC", PMingLiU, serif',
        contents="目錄",
        indent_characters=_HAN_INDENT,
        css_indent="2em",
        justified=True,
    ),
}


def is_scene_break(paragraph: str) -> bool:
    """A line of stars, dots or dashes, which stands in the middle."""
    return len(paragraph) <= 20 and not any(character.isalnum() for character in paragraph)


def template(name: str) -> Template:
    """Return a page's template, which escapes every value that it is given."""
    return _TEMPLATES.get_template(name)
