"""The stores of a run: blobs (prompts and answers), originals (images, PDFs, code files), images that wait.

Each keeps a content once, under its hash. The images of a session are in a folder of its
own, which is emptied at its end.
"""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from memorybank.errors import InputError, JournalError, Notice, UnsafeInputError
from memorybank.memory.types import ImageId, StagedImage
from memorybank.runs.files.images import ImageLimits, PreparedImage, prepare_image
from memorybank.runs.files.kinds import FILE_KINDS, FileKind
from memorybank.runs.files.names import base_name, is_digest, shown
from memorybank.runs.files.plain import make_folder, read_plain, replacing


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_once(path: Path, data: bytes) -> None:
    """Write so that the path holds all of the data or nothing: beside it, then renamed over it.

    Nothing is done when it is there already in full length. No fsync: the journal's own decides what a crash of the
    machine may lose, and a torn file would be found by its digest.
    """
    if _is_plain_file(path, len(data)):
        return
    with replacing(path, mode=0o600, durable=False) as file:
        file.write(data)


def read_checked(path: Path, digest: str, *, kind: str) -> bytes:
    """Return the bytes of a file whose name promises their digest; `kind` is the code of what it holds.

    Raises InputError when it is not there (or is a link, or a pipe), JournalError when its content is not what the name
    says.
    """
    try:
        data = read_plain(path)
    except (OSError, UnsafeInputError) as error:
        raise InputError("store.missing", what=Notice(kind), name=path.name, folder=path.parent.name) from error
    if digest_of(data) != digest:
        raise JournalError("store.changed", what=Notice(kind), name=path.name)
    return data


def _is_plain_file(path: Path, size: int) -> bool:
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size == size


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    sha256: str
    path: str
    """Relative to the store: `<sha256><suffix>`."""
    size: int
    """Size of the file in bytes."""
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
        """Return the original behind an attachment's `path`.

        Raises UnsafeInputError for anything but `<64 hex><known suffix>` (it may come from an imported file),
        InputError when it is not in the store, JournalError when its content was changed.
        """
        digest, suffix = path[:64], path[64:]
        if not is_digest(digest) or suffix not in KEPT:
            raise UnsafeInputError("store.outside", path=shown(path)[:80])
        return read_checked(self._folder / path, digest, kind="kind.attachment")

    def _kept(self, digest: str, size: int) -> FileKind | None:
        for suffix, kind in KEPT.items():
            if _is_plain_file(self._folder / f"{digest}{suffix}", size):
                return kind
        return None


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
        """Return the bytes of this digest.

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


_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg"}


class TempStore:
    """The staged images of one session."""

    def __init__(self, folder: Path, limits: ImageLimits = ImageLimits()) -> None:  # noqa: B008 — frozen
        self._folder = folder
        self._limits = limits

    def stage(self, image_id: ImageId, name: str, data: bytes) -> StagedImage:
        """Verify, write anew and keep an image; of its name only the base name is kept, for display.

        Raises InputError or UnsafeInputError as `prepare_image` does; then nothing is written.
        """
        return self.keep(image_id, name, prepare_image(name, data, self._limits))

    def keep(self, image_id: ImageId, name: str, image: PreparedImage, *, found_in: str = "") -> StagedImage:
        """Keep an image that is verified and written anew already."""
        make_folder(self._folder)
        write_once(self._folder / f"{image.sha256}{image.suffix}", image.data)
        return StagedImage(
            id=image_id,
            name=base_name(name, default="image"),
            sha256=image.sha256,
            media_type=image.media_type,
            width=image.width,
            height=image.height,
            size=len(image.data),
            found_in=shown(found_in),
        )

    def read(self, sha256: str) -> bytes:
        """Return the bytes of a staged image. Raises InputError when it is not staged (any more)."""
        path = self._path(sha256)
        if path is None:
            raise InputError("image.not_staged", sha256=sha256[:12])
        return read_checked(path, sha256, kind="kind.staged_image")

    def empty(self) -> None:
        """Forget all images of the session, and what an interrupted write left."""
        for path in _files(self._folder):
            path.unlink(missing_ok=True)

    def _path(self, sha256: str) -> Path | None:
        if not is_digest(sha256):
            raise UnsafeInputError("store.no_image", name=shown(sha256)[:80])
        paths = (self._folder / f"{sha256}{suffix}" for suffix in _SUFFIXES.values())
        return next((path for path in paths if path.is_file() and not path.is_symlink()), None)


def _files(folder: Path) -> list[Path]:
    """Return the files this store wrote or began to write; anything else in the folder is not ours to delete."""
    if not folder.is_dir():
        return []
    return sorted(
        path for path in folder.iterdir() if is_digest(path.name.removeprefix(".")[:64]) and not path.is_dir()
    )
