"""Prompts and raw answers, once per content: `blobs/<sha256>` (design section 4, journal)."""

from __future__ import annotations

from pathlib import Path

from memorybank.errors import UnsafeInputError
from memorybank.runs.files.atomic import digest_of, read_checked, write_once
from memorybank.runs.files.names import is_digest, shown
from memorybank.runs.files.plain import make_folder


class BlobStore:
    """Content-addressed bytes in one folder, made at the first `put`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made = False

    def put(self, data: bytes | str) -> str:
        """Keep the data (text as UTF-8) and return its SHA-256, the same as `text.sha256` gives for a text."""
        content = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        digest = digest_of(content)
        if not self._made:
            make_folder(self._folder)
            self._made = True
        write_once(self._folder / digest, content)
        return digest

    def get(self, sha256: str) -> bytes:
        """The bytes of this digest.

        Raises UnsafeInputError for a name that is no digest, InputError when the blob is missing, JournalError when
        its content was changed.
        """
        return read_checked(self._path(sha256), sha256, kind="kind.blob")

    def text(self, sha256: str) -> str:
        return self.get(sha256).decode("utf-8", "surrogatepass")

    def has(self, sha256: str) -> bool:
        path = self._path(sha256)
        return path.is_file() and not path.is_symlink()

    def _path(self, sha256: str) -> Path:
        if not is_digest(sha256):
            raise UnsafeInputError("store.no_blob", name=shown(sha256)[:80])
        return self._folder / sha256
