"""The process that reads one DOCX or EPUB: its kind and limits on the command line, the bytes on standard input.

It answers one line of JSON: what `Reading.as_json` holds, or `{"refused": reason}`, the reasons being those of
`reading._REFUSALS`. A hostile file can waste only this process, which has little memory and processor time and no keys
in its environment.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any, Final

from memorybank.documents.pdf_worker import bound
from memorybank_studio.books.packed.docx import read_docx
from memorybank_studio.books.packed.epub import read_epub
from memorybank_studio.books.packed.safe_zip import RefusedError, SafeZip

_READERS: Final = {"docx": read_docx, "epub": read_epub}
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of a file of older Word, and of a newer one with a password."""
_PASSWORD: Final = "EncryptedPackage".encode("utf-16-le")


def main() -> None:
    kind, limits = sys.argv[2], json.loads(sys.argv[3])
    bound(limits)
    sys.stdout.buffer.write(json.dumps(answer(kind, sys.stdin.buffer.read(), limits), ensure_ascii=False).encode())


def answer(kind: str, data: bytes, limits: Mapping[str, float]) -> dict[str, Any]:
    try:
        if data.startswith(_OLE):
            raise RefusedError("protected" if _PASSWORD in data else "old_word")
        reading = _READERS[kind](SafeZip(data, limits))
        if sum(len(block.text) for block in reading.blocks) > limits["characters"]:
            raise RefusedError("characters")
        if not reading.blocks:
            raise RefusedError("no_text")
        return reading.as_json()
    except RefusedError as refusal:
        return {"refused": str(refusal)}
    except (MemoryError, RecursionError):
        return {"refused": "memory"}
