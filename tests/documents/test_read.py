"""Files of every kind and encoding as documents, and every file that is none."""

from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.documents import ACCEPTED, DocumentLimits, read_bytes, read_file
from memorybank.documents.encoding import decode, decode_page, loss
from memorybank.errors import InputError, UnsafeInputError
from memorybank.memory.types import AttachmentType
from memorybank.runs.files.stores import FormalStore
from tests.documents import pdf_files


def write(folder: Path, name: str, content: str | bytes, encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(content.encode(encoding) if isinstance(content, str) else content)
    return path


def test_texts_are_read_as_they_are(tmp_path: Path) -> None:
    markdown = "\ufeff# 题目\r\n\r\n正文，一段。\r\n"
    document = read_file(write(tmp_path, "笔记.MD", markdown))
    assert document.text == markdown.removeprefix("\ufeff"), "line ends stay, the mark goes"
    assert (document.name, document.kind, document.media_type) == ("笔记.MD", "text", "text/markdown")
    assert document.original is None
    assert document.attachment is None
    assert (
        read_file(write(tmp_path, "gbk.txt", "这是一个用国标编码写的文件。", "gbk")).text
        == "这是一个用国标编码写的文件。"
    )
    assert read_file(write(tmp_path, "win.txt", "量子 qubit", "utf-16")).text == "量子 qubit"


def test_code_tables_and_pdfs_keep_their_originals(tmp_path: Path) -> None:
    store = FormalStore(tmp_path / "files")
    code = read_file(write(tmp_path, "fold.py", "def fold(facts):\n    return sum(facts)  # 求和\n"))
    table = read_file(write(tmp_path, "chips.csv", 'name;qubits\r\n"Heron; r2";156\r\n\r\n芯片|九章;76\r\n'))
    pdf = read_file(write(tmp_path, "paper.pdf", pdf_files.pdf([["Surface codes."]])))
    assert (code.kind, code.attachment, code.text.count("\n")) == ("code", AttachmentType.CODE, 2)
    assert (table.kind, table.attachment) == ("table", AttachmentType.CODE)
    assert table.text == "| name | qubits |\n| Heron; r2 | 156 |\n| 芯片\\|九章 | 76 |\n"
    assert (pdf.kind, pdf.attachment, pdf.text) == ("pdf", AttachmentType.DOCUMENT, "Surface codes.")
    for document, path in ((code, "fold.py"), (table, "chips.csv"), (pdf, "paper.pdf")):
        assert document.original == (tmp_path / path).read_bytes()
        stored = store.put(document.original, document.suffix)
        assert stored.sha256 == document.sha256
        assert stored.media_type == document.media_type


def test_one_column_is_no_table() -> None:
    assert read_bytes("list.csv", b"alpha\nbeta\n").text == "alpha\nbeta\n"
    assert read_bytes("odd.csv", b'a,"b\n' + b"x" * 200_000 + b"\n").text.startswith('a,"b')


def test_pages_lose_their_markup(tmp_path: Path) -> None:
    page = read_file(write(tmp_path, "a.html", "<title>T</title><nav>menu</nav><p>超导量子芯片，低温。</p>", "gbk"))
    assert (page.text, page.kind, page.original) == ("# T\n\n超导量子芯片，低温。", "page", None)


@pytest.mark.parametrize("suffix", ACCEPTED)
def test_an_empty_file_is_refused_whatever_its_kind(suffix: str) -> None:
    for data in (b"", b" \r\n\t", b"\xef\xbb\xbf\n"):
        with pytest.raises(InputError, match=r"^a\.\w+: ") as caught:
            read_bytes(f"a{suffix}", data)
        assert "empty" in str(caught.value) or suffix == ".pdf"


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.docx", b"PK\x03\x04", "a kind of file that cannot be read: give one of .md"),
        ("README", b"text", "a kind of file that cannot be read"),
        ("a.png", b"\x89PNG", "an image: add it as an image"),
        ("a.md", b"MZ\x00\x01", "a binary file"),
        ("a.py", b"x = '\xe9'", "encoding cannot be told"),
        ("a.html", b"<html><script>x</script></html>", "is empty"),
        ("evil\nname.md", b"\x00", "evil\ufffdname.md: a binary file"),
    ],
)
def test_files_that_are_no_documents_are_refused_in_one_line(name: str, data: bytes, reason: str) -> None:
    with pytest.raises(InputError, match=reason) as caught:
        read_bytes(name, data)
    assert "\n" not in str(caught.value)


def test_a_huge_file_is_refused_by_its_size(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(200_000_000)  # takes no room on the disk
    with pytest.raises(UnsafeInputError, match=r"huge\.txt: 200 MB is more than the 20 MB"):
        read_file(path)
    with pytest.raises(UnsafeInputError, match="more than"):
        read_bytes("a.md", b"x" * 11, limits=DocumentLimits(text_bytes=10))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "folder.md").mkdir()
    for name, reason in (("gone.md", "no such file"), ("pipe.txt", "not a file"), ("folder.md", "not a file")):
        with pytest.raises(InputError, match=f"{name}: {reason}"):
            read_file(tmp_path / name)
    for odd in ("a\x00.md", "x" * 300 + ".md"):
        with pytest.raises(InputError):
            read_file(tmp_path / odd)


# -- What encoding a file is in: told with certainty, or refused -------------------------------------------------------

CHINESE = "量子计算机利用叠加态和纠缠来进行计算，IBM 在 2023 年发布了 1121 个量子比特的处理器。\r\n第二行。"
ENGLISH = "The café’s owner said “hello” — and left.\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (CHINESE, "utf-8"),
        (CHINESE, "utf-8-sig"),
        (CHINESE, "utf-16"),
        (CHINESE, "utf-32"),
        (CHINESE, "gbk"),
        (CHINESE, "gb18030"),
        ("你好，世界", "gbk"),
        ("张三在北京。", "gb2312"),
        (ENGLISH, "utf-8"),
        (ENGLISH, "utf-16"),
        ("plain ASCII\ttext\r\n", "ascii"),
        ("مرحبا بالعالم", "utf-8"),
        ("", "utf-8"),
    ],
)
def test_text_comes_back_as_it_was(text: str, encoding: str) -> None:
    assert decode("a.txt", text.encode(encoding)) == text
    assert decode("a.txt", codecs.BOM_UTF16_BE + text.encode("utf-16-be")) == text, "marked, of either order"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (ENGLISH, "cp1252"),
        ("Größe und Länge der Straße", "latin-1"),
        ("Квантовый компьютер использует суперпозицию.", "cp1251"),
        ("Квантовый компьютер", "koi8-r"),
        ("안녕하세요. 오늘 날씨가 아주 좋습니다.", "euc-kr"),
        ("量子コンピュータは重ね合わせを利用する。", "shift_jis"),
        ("量子コンピュータは重ね合わせを利用する。", "euc-jp"),
        ("量子計算機利用疊加態進行計算。", "big5"),
    ],
)
def test_other_encodings_are_refused_with_the_remedy(text: str, encoding: str) -> None:
    with pytest.raises(InputError, match=r"^notes\.txt: its encoding cannot be told .*: save it as UTF-8$"):
        decode("notes.txt", text.encode(encoding))


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        (CHINESE.encode("gbk").replace("利用".encode("gbk"), b"\xff" + "利用".encode("gbk")), "\ufffd利用叠加态"),
        (CHINESE.encode("gbk")[:-1], "第二行"),
        (CHINESE.encode()[:-1], "第二行"),
        (CHINESE.encode().replace("利用".encode(), b"\x80" + "利用".encode()), "\ufffd利用叠加态"),
    ],
)
def test_a_bad_byte_is_named_and_costs_no_more_than_itself(data: bytes, kept: str) -> None:
    text = decode("notes.txt", data)
    assert kept in text
    assert abs(len(text) - len(CHINESE)) <= 1
    assert str(loss("notes.txt", text)).startswith("notes.txt: 1 ")
    assert loss("notes.txt", CHINESE) is None


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01\x01\x00\x00",
        bytes(range(256)),
        b"PK\x03\x04\x14\x00",
        b"\x89PNG\r\n\x1a\n\x00",
        b"\x01\x02\x03ab" * 9,
    ],
)
def test_binary_files_are_refused(data: bytes) -> None:
    with pytest.raises(InputError, match=r"a binary file|encoding cannot be told"):
        decode("x.md", data)


def test_a_wrong_mark_is_named() -> None:
    with pytest.raises(InputError, match=r"marked as utf-8 but is not \(byte 5\)"):
        decode("x.md", codecs.BOM_UTF8 + b"ab\xff")


@given(st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\ufeff")))
def test_any_utf_8_text_is_read_exactly(text: str) -> None:
    assert decode("x.txt", text.encode()) == text


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        text = decode("x.txt", data)
    except InputError:
        return
    assert "\x00" not in text or data.startswith((b"\xff\xfe", b"\xfe\xff"))


def test_a_page_may_say_its_encoding() -> None:
    def page(text: str, encoding: str, label: str) -> bytes:
        return f'<html><head><meta charset="{label}"></head><p>{text}</p>'.encode(encoding)

    assert "Größe" in decode_page("x.html", page("Größe", "cp1252", "iso-8859-1"))
    assert "雷公藤" in decode_page("x.html", page("雷公藤", "gbk", "gb2312"))
    assert "疊加態" in decode_page("x.html", page("疊加態", "big5", "big5"))
    assert "量子" in decode_page("x.html", page("量子", "utf-8", "gbk")), "what is UTF-8 is read as UTF-8"
    for label in ("zlib", "rot13", "unicode_escape", "utf-7", "x"):
        with pytest.raises(InputError):
            decode_page("x.html", page("Größe", "cp1252", label))
