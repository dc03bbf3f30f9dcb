"""Originals that a run keeps: images, PDFs, code files, once per content hash (design section 2, attachments)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memorybank.errors import InputError, UnsafeInputError
from memorybank.runs.files.atomic import digest_of, read_checked, write_once
from memorybank.runs.files.kinds import FILE_KINDS, FileKind
from memorybank.runs.files.names import is_digest, shown
from memorybank.runs.files.plain import make_folder


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    sha256: str
    path: str
    """Relative to the store: `<sha256><suffix>`."""
    size: int
    """Bytes."""
    media_type: str


KEPT = {suffix: kind for suffix, kind in FILE_KINDS.items() if kind.attachment is not None}
"""The suffixes an original may have; a file of another kind is text, and its entry holds it."""


class FormalStore:
    """Originals in one folder, made at the first `put`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, data: bytes, suffix: str) -> StoredFile:
        """Keep an original. The same content under another suffix is not kept twice: the first name stays.

        Raises InputError for a suffix that is not in the table of kinds.
        """
        kind = KEPT.get(suffix.lower())
        if kind is None:
            raise InputError("store.unkept_kind", suffix=shown(suffix), names=", ".join(sorted(KEPT)))
        digest = digest_of(data)
        kind = self._kept(digest, len(data)) or kind
        make_folder(self._folder)
        path = f"{digest}{kind.suffix}"
        write_once(self._folder / path, data)
        return StoredFile(sha256=digest, path=path, size=len(data), media_type=kind.media_type)

    def read(self, path: str) -> bytes:
        """The original behind an attachment's `path`.

        Raises UnsafeInputError for anything but `<64 hex><known suffix>` (it may come from an imported file),
        InputError when it is not in the store, JournalError when its content was changed.
        """
        digest, suffix = path[:64], path[64:]
        if not is_digest(digest) or suffix not in KEPT:
            raise UnsafeInputError("store.outside", path=shown(path)[:80])
        return read_checked(self._folder / path, digest, kind="kind.attachment")

    def _kept(self, digest: str, size: int) -> FileKind | None:
        for suffix, kind in KEPT.items():
            path = self._folder / f"{digest}{suffix}"
            if path.is_file() and not path.is_symlink() and path.stat().st_size == size:
                return kind
        return None
