"""A file as a book: text, Markdown, HTML, PDF, DOCX or EPUB."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Final, cast

from memorybank.documents import Document, DocumentLimits, read_bytes, read_file
from memorybank.errors import InputError
from memorybank.runs.files.names import shown
from memorybank.runs.files.plain import reading
from memorybank_studio.books.chapters import Book, chapters
from memorybank_studio.books.markdown import markdown_blocks
from memorybank_studio.books.marked import marked_chapters
from memorybank_studio.books.packed.reading import Packed, PackedLimits, read_packed

SUFFIXES: Final = ("txt", "md", "html", "htm", "pdf", "docx", "epub")
_PROSE: Final = ("text", "page", "pdf")
_PACKED: Final = frozenset(("docx", "epub"))


def read_book(path: Path, *, limits: DocumentLimits | None = None) -> Book:
    """Raises InputError as `memorybank.documents.read_file` and `read_packed`, and for a file that is no prose."""
    if _suffix(path.name) not in _PACKED:
        return _book(read_file(path, limits=limits))
    try:
        with reading(path, follow=True) as file:
            data = file.read(PackedLimits().file_bytes + 1)
    except (OSError, ValueError) as error:
        raise InputError("document.missing", name=shown(str(path))) from error
    return book_from_bytes(path.name, data)


def book_from_bytes(
    name: str, data: bytes, *, limits: DocumentLimits | None = None, packed: PackedLimits | None = None
) -> Book:
    """From what was uploaded under a name. Raises as `read_book`."""
    kind = _suffix(name)
    if kind not in _PACKED:
        return _book(read_bytes(name, data, limits=limits))
    taken = read_packed(cast("Packed", kind), shown(name), data, packed)
    title = taken.title or _title(name)
    left = tuple(sorted((what, count) for what, count in taken.left.items() if count))
    return Book(title=title, chapters=marked_chapters(taken.blocks, title=title), left=left)


def _book(document: Document) -> Book:
    if document.kind not in _PROSE:
        raise InputError("book.not_prose", name=document.name, kind=document.kind)
    ours = markdown_blocks(document.text) if document.media_type == "text/markdown" else None
    if ours is not None:
        return Book(title=ours.title, chapters=marked_chapters(ours.blocks, title=ours.title))
    title = _title(document.name)
    return Book(title=title, chapters=chapters(document.text, title=title))


def _title(name: str) -> str:
    return name.rpartition("/")[2].rpartition(".")[0] or name


def _suffix(name: str) -> str:
    return PurePosixPath(name.replace("\\", "/")).suffix.lower().removeprefix(".")
