"""A document as the rest of the library sees it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Literal

from memorybank.documents.pdf import PdfLimits
from memorybank.memory.types import AttachmentType

DocumentKind = Literal["text", "page", "pdf", "code", "table", "dialogue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    name: str
    """Base name of a single file; in a corpus the path below its folder, with `/`. Shown, never opened again."""
    text: str
    """The text to file: the whole text, main text of an HTML page, rows of a table, or a dialogue, one line a turn."""
    kind: DocumentKind
    media_type: str
    sha256: str
    """The hash of the file's bytes: the same source read again is recognised by it, under any name."""
    original: bytes | None = field(default=None, repr=False)
    """The file itself, when it is kept as an attachment."""
    attachment: AttachmentType | None = None
    """`document` for a PDF, `code` for a code file or table, else None."""
    images: tuple[str, ...] = ()
    """The images that a text or page shows, as it names them (shown_images.py); a PDF's are inside its original."""

    @property
    def suffix(self) -> str:
        """Return the suffix of the name in lower case, with its dot, as `FormalStore.put` asks for it."""
        return PurePosixPath(self.name).suffix.lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentLimits:
    """Bytes a file may have, by kind; a larger one is refused by its size, before it is read."""

    text_bytes: int = 20_000_000
    page_bytes: int = 5_000_000
    pdf_bytes: int = 50_000_000
    pdf: PdfLimits = field(default_factory=PdfLimits)
