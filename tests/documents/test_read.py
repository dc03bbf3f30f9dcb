"""Files of every kind as documents, and every file that is none."""

import os
from pathlib import Path

import pytest

from memorybank.documents import ACCEPTED, DocumentLimits, read_bytes, read_file
from memorybank.errors import InputError, UnsafeInputError
from memorybank.language.text import sentences
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


def test_hard_wrapped_text_keeps_its_lines_and_its_sentences(tmp_path: Path) -> None:
    wrapped = (
        "The processor was unveiled in December 2023 at the annual\n"
        "summit of the company and holds more than a thousand qubits\n"
        "on one chip. A smaller one followed.\n"
    )
    text = read_file(write(tmp_path, "wrapped.txt", wrapped)).text
    assert text == wrapped
    assert len(sentences(text)) == 2


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


def test_dialogues_are_known_by_their_lines() -> None:
    lines = b'{"speaker": "A", "text": "hi", "time": "May 1"}\n{"speaker": "B", "text": "yes"}\n'
    for name in ("chat.jsonl", "chat.txt", "chat.json"):
        document = read_bytes(name, lines)
        assert (document.kind, document.text) == ("dialogue", "A (May 1): hi\nB: yes\n")
    assert read_bytes("data.jsonl", b'{"a": 1}\n').kind == "text"
    assert read_bytes("chat.log", lines, format="dialogue").text == "A (May 1): hi\nB: yes\n"


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
