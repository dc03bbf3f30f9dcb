"""Files that must be refused before they do harm, and those that cannot be read: each named, with what to do."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.errors import InputError, UnsafeInputError
from memorybank_studio.books.files import _REFUSALS, PackedLimits, book_from_bytes
from memorybank_studio.books.packed.worker import answer
from memorybank_studio.tests.books.packed_files import CONTAINER, docx, epub, p, page, zipped

BOMB = (
    '<!DOCTYPE x [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY {chr(98 + at)} "{f"&{chr(97 + at)};" * 10}">' for at in range(12))
    + "]>"
)
OUTSIDE = f'<!DOCTYPE x [<!ENTITY f SYSTEM "{Path(__file__).as_uri()}">]>'
RAIN = {"a.xhtml": page("<h1>Rain</h1><p>a</p>"), "b.xhtml": page("<h1>Snow</h1><p>b</p>")}
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)
ENCRYPTION = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
    'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:EncryptionMethod Algorithm="{}"/>'
    '<enc:CipherData><enc:CipherReference URI="OEBPS/a.xhtml"/></enc:CipherData></enc:EncryptedData></encryption>'
)
AES, FONT = "http://www.w3.org/2001/04/xmlenc#aes128-cbc", "http://www.idpf.org/2008/embedding"


def encrypted_entries(data: bytes) -> bytes:
    """The flag by which a zip says of each entry that it has a password."""
    changed = bytearray(data)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = changed.find(signature)
        while at >= 0:
            changed[at + offset] |= 1
            at = changed.find(signature, at + 4)
    return bytes(changed)


def overlapping(data: bytes) -> bytes:
    """Every entry of the directory points at the first one's data."""
    changed = bytearray(data)
    at = changed.find(b"PK\x01\x02")
    while at >= 0:
        changed[at + 42 : at + 46] = bytes(4)
        at = changed.find(b"PK\x01\x02", at + 4)
    return bytes(changed)


def encrypted_pages(algorithm: str) -> bytes:
    return epub(RAIN, **{"META-INF__encryption_xml": ENCRYPTION.format(algorithm)})


def declaring(doctype: str) -> bytes:
    return epub({"a.xhtml": f"{doctype}<html><body>&m;&f;</body></html>"})


def spaces(kind: str) -> bytes:
    """One part is more than a part may unpack to; packed 70 kB."""
    part = b" " * 70_000_000
    return docx(p("a"), styles=part) if kind == "docx" else epub({"a.xhtml": part})


def many_parts() -> bytes:
    return zipped({f"{at}": "" for at in range(10_001)})


Made = bytes | Callable[[], bytes]
"""A file; what takes long to make is made by its test alone."""
REFUSED: list[tuple[str, str, Made, type[InputError], str, str]] = [
    ("no zip", "docx", b"hello", InputError, r"not a Word document \(DOCX\), whatever", "并不是Word 文档"),
    ("no zip", "epub", b"hello", InputError, r"not an e-book \(EPUB\), whatever", "并不是电子书"),
    ("an epub's name", "docx", epub(RAIN), InputError, "not a Word document", "请改正后缀"),
    ("a docx's name", "epub", docx(p("a")), InputError, "not an e-book", "请改正后缀"),
    ("cut off", "docx", docx(p("a"))[:-40], InputError, "not a Word document", "名不副实"),
    ("half a part", "docx", docx(p("a")).replace(b"PK\x03\x04", b"PK\x03\x05"), InputError, "damaged", "损坏"),
    ("no XML", "docx", docx("<w:p>"), InputError, "damaged: open it|damaged and cannot be read", "损坏"),
    ("overlapping", "epub", overlapping(epub(RAIN)), InputError, "damaged", "损坏"),
    ("older Word", "docx", OLE, InputError, "older Word: save it as DOCX", "旧版 Word"),
    ("password", "docx", OLE + "EncryptedPackage".encode("utf-16-le"), InputError, "password", "设有密码"),
    ("password of a zip", "epub", encrypted_entries(epub(RAIN)), InputError, "DRM", "加密"),
    ("DRM", "epub", encrypted_pages(AES), InputError, "DRM", "未加密的副本"),
    ("a library's DRM", "epub", epub(RAIN, **{"META-INF__license_lcpl": "{}"}), InputError, "DRM", "未加密的副本"),
    ("nothing in it", "docx", docx(p("") + p("  ")), InputError, "no text", "没有文字"),
    ("pictures", "epub", epub({"a.xhtml": page('<img src="a.png"/>')}), InputError, "no text", "没有文字"),
    ("entities", "docx", docx(p("&m;"), doctype=BOMB), UnsafeInputError, "declares entities", "实体声明"),
    ("entities", "epub", declaring(BOMB), UnsafeInputError, "entities", "实体"),
    ("a file's text", "docx", docx(p("&f;"), doctype=OUTSIDE), UnsafeInputError, "declares entities", "实体声明"),
    ("a file's text", "epub", declaring(OUTSIDE), UnsafeInputError, "ent", "实体"),
    ("bomb", "docx", partial(spaces, "docx"), UnsafeInputError, "unpacks to more than 150 MB", "解压后"),
    ("bomb", "epub", partial(spaces, "epub"), UnsafeInputError, "unpacks to more than 150 MB", "解压后"),
    ("parts", "epub", many_parts, UnsafeInputError, "more than 10000 files", "超过"),
]


@pytest.mark.usefixtures("read_here")
@pytest.mark.parametrize(
    ("kind", "data", "error", "english", "chinese"),
    [case[1:] for case in REFUSED],
    ids=[f"{case[1]}: {case[0]}" for case in REFUSED],
)
def test_what_cannot_be_read_is_named_with_what_to_do(
    kind: str, data: Made, error: type[InputError], english: str, chinese: str
) -> None:
    data = data() if callable(data) else data
    started = time.monotonic()
    with pytest.raises(error, match=rf"^my book\.{kind}.*(?:{english})") as caught:
        book_from_bytes(f"my book.{kind}", data)
    assert type(caught.value) is error
    assert chinese in caught.value.in_language("zh")
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"file_bytes": 100}, "more than the 0 MB"),
        ({"characters": 100}, "more than 100 characters"),
        ({"unpacked_bytes": 1_000_000, "part_bytes": 100}, "unpacks to more than 1 MB"),
        ({"seconds": 0.01}, "takes over"),
        ({"memory_bytes": 60_000_000}, "more memory to read than allowed"),
    ],
)
def test_each_limit_holds(limits: dict[str, Any], reason: str) -> None:
    data = docx(p("It rained. " * 20) * 30_000)
    with pytest.raises(InputError, match=reason):
        book_from_bytes("a.docx", data, packed=PackedLimits(**limits))


@pytest.mark.usefixtures("read_here")
def test_disguised_fonts_and_a_dtd_without_entities_are_no_reason_to_refuse() -> None:
    assert len(book_from_bytes("a.epub", encrypted_pages(FONT)).chapters) == 2


def test_names_that_lead_out_of_the_archive_are_names_of_nothing(tmp_path: Path) -> None:
    secret = tmp_path / "secret.xhtml"
    secret.write_text(page("<p>secret</p>"))
    out = "../" * 20 + str(secret).lstrip("/")
    pages = {"a.xhtml": page("<h1>Rain</h1><p>a</p>"), out: page("<p>evil</p>"), "C:\\evil.xhtml": page("<p>evil</p>")}
    book = book_from_bytes("a.epub", epub(pages))
    assert [chapter.text for chapter in book.chapters] == ["Rain\n\na\n\n"]
    assert [path.name for path in tmp_path.iterdir()] == ["secret.xhtml"]
    with pytest.raises(InputError, match="not an e-book"):
        book_from_bytes("a.epub", zipped({"META-INF/container.xml": CONTAINER.format(name=out)}))


def test_nothing_outside_is_fetched_and_neither_macros_nor_heaps_of_attributes_are_looked_at() -> None:
    data = docx(p("雨", "2") + p("甲。"), external="http://127.0.0.1:9/template.dotm", vbaProject=b"\x00macro")
    assert book_from_bytes("a.docx", data).chapters[0].text == "雨\n\n甲。\n\n"
    many = " ".join(f'w:a{at}="v"' for at in range(200_000))  # each looked for among all they take hours
    assert book_from_bytes("a.docx", docx(p("甲。").replace("<w:p>", f"<w:p {many}>"))).chapters[0].text == "甲。\n\n"
    heap = page(f"<h1>Rain</h1><p x='>' {many}>a & b</p>")  # no XML, so that it is read as HTML
    assert book_from_bytes("a.epub", epub({"a.xhtml": heap})).chapters[0].text == "Rain\n\na & b\n\n"
    remote = {"a.xhtml": page('<h1>Rain</h1><script src="http://127.0.0.1:9/x.js">evil()</script><p>a</p>')}
    remote["http://127.0.0.1:9/b.xhtml"] = page("<p>b</p>")
    assert [c.text for c in book_from_bytes("a.epub", epub(remote)).chapters] == ["Rain\n\na\n\n"]


@pytest.mark.usefixtures("read_here")
@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("epub", epub({"a.xhtml": page("<div>" * 50_000 + "<p>a</p>" + "</div>" * 50_000)})),
        ("docx", docx("<w:sdt><w:sdtContent>" * 5_000 + p("a") + "</w:sdtContent></w:sdt>" * 5_000)),
    ],
)
def test_what_is_nested_too_deep_is_refused_and_not_read_in_part(kind: str, data: bytes) -> None:
    with pytest.raises(InputError, match="damaged"):
        book_from_bytes(f"a.{kind}", data)


PARTS = {
    "docx": docx(p("卷一", "2") + p("雨", "3") + p("甲。") + p("雪", "3") + p("乙。")),
    "epub": epub(RAIN, nav='<nav epub:type="toc"><ol><li><a href="a.xhtml">Rain</a></li></ol></nav>'),
}
PIECES = [b"<", b">", b"&", b"/>", b'"', b"<w:p>", b"<h1>", b"../../x", b"#", b"\x00", b"\xff", b"-1", b"9" * 30, b""]


@pytest.mark.parametrize("kind", PARTS)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_garbled_file_is_read_or_refused_by_a_name_that_is_known(kind: str, data: st.DataObject) -> None:
    with zipfile.ZipFile(io.BytesIO(PARTS[kind])) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(sorted(parts)))
        at = data.draw(st.integers(0, len(parts[name])))
        piece = data.draw(st.sampled_from(PIECES) | st.binary(max_size=4))
        parts[name] = parts[name][:at] + piece + parts[name][at + data.draw(st.sampled_from([0, 1, 9])) :]
    answered = answer(kind, zipped(parts), asdict(PackedLimits()))
    assert answered.get("blocks") or answered["refused"] in {*_REFUSALS, "protected"}
