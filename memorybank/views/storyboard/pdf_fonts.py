"""The fonts of a PDF: what its texts need, out of the fonts of this machine, with the few signs that are used.

Latin letters are Helvetica, which every reader has. For all others a font of the machine is looked for and embedded,
whatever its outlines are; only the signs that stand in the deck go along. Han characters for which there is none are
set in the reader's own font (STSong-Light, a name that readers know); what is left shows as a question mark.
"""

from __future__ import annotations

import io
import secrets
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

LATIN, LATIN_BOLD = "Helvetica", "Helvetica-Bold"
HAN = "STSong-Light"
_OURS = "Deck"

FOLDERS = {
    "linux": ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts"),
    "darwin": ("/System/Library/Fonts", "/Library/Fonts", "~/Library/Fonts"),
    "win32": ("C:/Windows/Fonts", "~/AppData/Local/Microsoft/Windows/Fonts"),
}
SUFFIXES = (".ttf", ".otf", ".ttc")
PREFERRED = (
    "notosanscjk-regular", "notosanscjksc-regular", "notosanssc", "sourcehansans", "pingfang", "hiragino sans gb",
    "stheiti", "msyh.", "deng.", "simhei", "wqy-microhei", "wqy-zenhei", "droidsansfallback", "arial unicode", "simsun",
    "dejavusans.", "notosans-regular", "liberationsans-regular", "arial.", "segoeui.",
)  # fmt: skip
"""Beginnings of the names of font files, best first."""
KEPT_TABLES = {"head", "hhea", "hmtx", "maxp", "cmap", "glyf", "loca", "CFF ", "name", "OS/2", "post", "GlyphOrder"}
"""Of a font: what a PDF embeds."""
_BOLD = (("-regular", "-bold"), ("msyh.", "msyhbd."), ("deng.", "dengb."), ("dejavusans.", "dejavusans-bold."))
"""How the bold face of a font file is named."""


@dataclass(frozen=True, slots=True)
class Fonts:
    """What a deck is set in."""

    by_sign: dict[str, str]
    """Name of the font of each sign that is not Helvetica's."""
    bold: dict[str, str]
    """The bold face of a font, where it has one."""
    lacking: frozenset[str]
    """Signs that no font of this machine has."""

    def pieces(self, text: str, *, bold: bool) -> Iterator[tuple[str, str]]:
        """(font, piece) in order."""
        for font, signs in groupby(text, key=lambda sign: self.by_sign.get(sign, LATIN)):
            piece = "".join(signs)
            if font:
                yield self.bold.get(font, font) if bold else font, piece
            else:
                yield LATIN, "?" * len(piece)

    def release(self) -> None:
        """Forget the fonts that were registered for this deck."""
        from reportlab.pdfbase.pdfmetrics import getFont

        for name in {*self.by_sign.values(), *self.bold.values()}:
            if name.startswith(_OURS):
                getFont(name).unregister()


def fonts_for(texts: Iterable[str], *, is_chinese: bool) -> Fonts:
    """The fonts, registered with reportlab. In a Chinese text quotation marks and dashes are those of its own font."""
    signs = {sign for text in texts for sign in text if not sign.isspace()}
    wanted = {sign for sign in signs if not (sign.isascii() or (not is_chinese and _is_latin(sign)))}
    by_sign: dict[str, str] = {}
    bold = {LATIN: LATIN_BOLD}
    for path in _candidates():
        missing = wanted - by_sign.keys()
        if not missing:
            break
        covered, name = _embedded(path, missing)
        by_sign |= dict.fromkeys(covered, name)
        face = _bold_face(path) if covered else None
        if face is not None:
            also, bold_name = _embedded(face, covered)
            if also == covered:
                bold[name] = bold_name
    lacking = {sign for sign in wanted - by_sign.keys() if not _is_latin(sign)}
    han = {sign for sign in lacking if "\u2e80" <= sign <= "\uffef"}
    if han:
        _register_han()
    return Fonts(by_sign | dict.fromkeys(lacking, "") | dict.fromkeys(han, HAN), bold, frozenset(lacking))


def _is_latin(sign: str) -> bool:
    try:
        sign.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


# -- the fonts of this machine ----------------------------------------------------------------------------------------


def _candidates() -> list[Path]:
    """Font files, the best first."""
    folders = (Path(name).expanduser() for name in FOLDERS.get(sys.platform, FOLDERS["linux"]))
    files = (path for folder in folders for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)
    ranked = ((_rank(path), path) for path in files)
    return [path for rank, path in sorted(ranked) if rank < len(PREFERRED)]


def _rank(path: Path) -> int:
    name = path.name.lower()
    return next((rank for rank, begin in enumerate(PREFERRED) if name.startswith(begin)), len(PREFERRED))


def _bold_face(path: Path) -> Path | None:
    siblings = {other.name.lower(): other for other in path.parent.iterdir()}
    names = (path.name.lower().replace(plain, bold) for plain, bold in _BOLD if plain in path.name.lower())
    return next((siblings[name] for name in names if name in siblings), None)


def _embedded(path: Path, signs: Iterable[str]) -> tuple[set[str], str]:
    """Of the signs those that this font has, and the name under which it is registered with them."""
    from fontTools.ttLib import TTLibError
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    try:
        font = _opened(path)
        cmap = font.getBestCmap() or {}
        covered = {sign for sign in signs if ord(sign) in cmap}
        if not covered:
            return set(), ""
        name = f"{_OURS}{secrets.token_hex(8)}"
        pdfmetrics.registerFont(TTFont(name, _reduced(font, covered, name)))
    except (TTLibError, TTFError, OSError, KeyError, AssertionError):
        return set(), ""  # a broken file, or one that forbids to be embedded: the next one serves
    return covered, name


def _opened(path: Path) -> Any:
    """The font of a file; of a collection that for simplified Chinese, where there is one."""
    from fontTools.ttLib import TTCollection, TTFont

    if path.suffix.lower() != ".ttc":
        return TTFont(path, lazy=True)
    fonts = TTCollection(str(path), lazy=True).fonts
    return next((font for font in fonts if (font["name"].getBestFamilyName() or "").endswith(" SC")), fonts[0])


def _reduced(font: Any, signs: Iterable[str], name: str) -> io.BytesIO:
    """A font file of these signs alone, with quadratic outlines, which is what a PDF writer can embed.

    It has a name of its own: reportlab takes two fonts of one name for the same one.
    """
    from fontTools import subset

    for tag in set(font.keys()) - KEPT_TABLES:
        del font[tag]
    options = subset.Options(layout_features=[], notdef_outline=True, hinting=False, legacy_kern=False)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[*map(ord, signs), ord(" ")])
    subsetter.subset(font)
    if "CFF " in font:
        _to_quadratic(font)
    for platform, encoding, language in ((3, 1, 0x409), (1, 0, 0)):
        font["name"].setName(name, 6, platform, encoding, language)
    file = io.BytesIO()
    font.flavor = None
    font.save(file)
    file.seek(0)
    return file


def _to_quadratic(font: Any) -> None:
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import newTable

    drawn, order, glyphs = font.getGlyphSet(), font.getGlyphOrder(), {}
    for name in order:
        pen = TTGlyphPen(drawn)
        drawn[name].draw(Cu2QuPen(pen, max_err=1.0, reverse_direction=True))
        glyphs[name] = pen.glyph()
    table = newTable("glyf")
    table.glyphOrder, table.glyphs = order, glyphs
    font["glyf"], font["loca"] = table, newTable("loca")
    for name, glyph in glyphs.items():
        glyph.recalcBounds(table)
        font["hmtx"][name] = (font["hmtx"][name][0], getattr(glyph, "xMin", 0))
    maxp = font["maxp"]
    maxp.tableVersion = 0x00010000
    for name in (
        "maxTwilightPoints", "maxStorage", "maxFunctionDefs", "maxInstructionDefs", "maxStackElements",
        "maxSizeOfInstructions", "maxComponentElements", "maxPoints", "maxContours", "maxCompositePoints",
        "maxCompositeContours", "maxComponentDepth",
    ):  # fmt: skip
        setattr(maxp, name, 0)
    maxp.maxZones = 1
    font["post"].formatType = 3.0
    del font["CFF "]
    font.sfntVersion = "\x00\x01\x00\x00"


def _register_han() -> None:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont

    if HAN not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(UnicodeCIDFont(HAN))
