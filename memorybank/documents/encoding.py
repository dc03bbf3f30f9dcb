"""Bytes to text, with certainty or not at all: a wrong guess would file nonsense without anyone noticing.

Tried in this order: a byte order mark (UTF-8, UTF-16, UTF-32); UTF-8; GB18030, when what comes out is Chinese by its
characters; either of the two with a few bad bytes, each of which becomes U+FFFD (`loss` tells). Anything else is
refused with the remedy.
"""

from __future__ import annotations

import codecs
import re
from importlib.resources import files
from typing import Final

from memorybank.errors import InputError, Notice
from memorybank.language.text import HAN_RE

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_FREQUENT = frozenset((files(__package__) / "frequent.txt").read_text("utf-8")) - {"\n"}
"""The most frequent characters of modern Chinese in its simplified form, which is what GBK files hold. They are most of
any ordinary text, and rare in what other encodings give when they are read as GB18030."""
LOST: Final = "\ufffd"
"""Stands for a byte that could not be decoded."""
_CONTROL_RE = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_DECLARED_RE: Final = re.compile(rb"""<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w-]{2,20})""", re.IGNORECASE)
_PAGE_ENCODING_RE: Final = re.compile(
    r"gb2312|gbk|gb18030|big5(?:-hkscs)?|shift_jis|euc-(?:jp|kr)|iso-8859-\d{1,2}|latin1|windows-125\d|koi8-[ru]|utf-8"
)
SUPERSETS: Final = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "us-ascii": "cp1252",
    "big5": "big5hkscs",
}
"""Encodings that browsers read as a superset of what a page calls them (the Encoding Standard's labels)."""


def decode(name: str, data: bytes) -> str:
    """Return the text of a file, without its byte order mark and otherwise unchanged.

    Raises InputError when it is binary, or when its encoding cannot be told.
    """
    text = _decode_marked(name, data)
    if text is None:
        if b"\x00" in data:
            raise InputError("document.binary", name=name)
        text = _decode_utf8(data)
        if text is None:
            text = _decode_chinese(data) or _decode_damaged(data)
        if text is None:
            raise InputError("document.encoding_unclear", name=name)
    if len(_CONTROL_RE.findall(text)) > len(text) // 50:
        raise InputError("document.binary", name=name)
    return text


def decode_page(name: str, data: bytes) -> str:
    """Decode an HTML page: as `decode`, but a page may say its own encoding, and stray bytes are let through.

    Raises InputError as `decode` does.
    """
    if b"\x00" in data or _decode_utf8(data) is not None or data.startswith(tuple(mark for mark, _ in _MARKS)):
        return decode(name, data)
    declared = _DECLARED_RE.search(data[:4096])
    label = declared[1].decode("ascii").lower() if declared else ""
    if not _PAGE_ENCODING_RE.fullmatch(label):
        return decode(name, data)
    text = data.decode(SUPERSETS.get(label, label), "replace")
    return text if text.count(LOST) * 1000 <= len(text) else decode(name, data)


def _decode_marked(name: str, data: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(encoding)
            except UnicodeDecodeError as error:
                raise InputError(
                    "document.encoding_wrong", name=name, encoding=encoding, place=error.start + len(mark)
                ) from error
    return None


def _decode_utf8(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _decode_chinese(data: bytes) -> str | None:
    """Decode GB18030, if what comes out is mostly Han characters, of which some are frequent ones."""
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    return text if _is_chinese(text) else None


def _decode_damaged(data: bytes) -> str | None:
    """Decode UTF-8, else GB18030, with at most one bad byte in ten characters beyond ASCII, and in fifty of all."""
    for encoding in ("utf-8", "gb18030"):
        text = data.decode(encoding, "replace")
        lost = text.count(LOST)
        whole = sum(not char.isascii() for char in text) - lost
        few = lost * 10 <= whole and lost * 50 <= len(text) + 49
        if few and (encoding == "utf-8" or _is_chinese(text.replace(LOST, ""), 0.4)):
            return text
    return None


def loss(name: str, text: str) -> Notice | None:
    """Say what could not be decoded of a text; None: nothing."""
    count = text.count(LOST)
    return Notice("document.lost", name=name, count=count, place=text.index(LOST) + 1) if count else None


def _is_chinese(text: str, least: float = 0.2) -> bool:
    """Whether a text is of Han characters, of which at least this share are frequent ones."""
    foreign = [char for char in text if not char.isascii()]
    han = HAN_RE.findall(text)
    hits = sum(char in _FREQUENT for char in han)
    if hits < 2 or len(han) < 0.4 * len(foreign):
        return False
    frequent = hits / len(han)
    common = len("".join(foreign).encode("gb2312", "ignore")) // 2 / len(foreign)  # nearly all of a Chinese text is
    enough = 0.4 if len(han) < 30 else least  # a few characters may be frequent ones by chance
    return frequent >= enough and common >= 0.95 - frequent
