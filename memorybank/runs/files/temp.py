"""Images that wait for recognition (design section 8): one folder a session, emptied at the end, at failure, by age."""

from __future__ import annotations

from pathlib import Path

from memorybank.errors import InputError, UnsafeInputError
from memorybank.memory.types import ImageId, StagedImage
from memorybank.runs.files.atomic import read_checked, write_once
from memorybank.runs.files.images import ImageLimits, PreparedImage, prepare_image
from memorybank.runs.files.names import base_name, is_digest, shown
from memorybank.runs.files.plain import make_folder

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
        path = self._folder / f"{image.sha256}{image.suffix}"
        write_once(path, image.data)
        path.touch()  # staged again counts as new when old ones are swept
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
        """The bytes of a staged image. Raises InputError when it is not staged (any more)."""
        path = self._path(sha256)
        if path is None:
            raise InputError("image.not_staged", sha256=sha256[:12])
        return read_checked(path, sha256, kind="kind.staged_image")

    def remove(self, sha256: str) -> None:
        """Forget one image; it is no error if it is gone already."""
        path = self._path(sha256)
        if path is not None:
            path.unlink(missing_ok=True)

    def empty(self) -> None:
        """Forget all images of the session, and what an interrupted write left."""
        for path in _files(self._folder):
            path.unlink(missing_ok=True)

    def sweep(self, max_age: float, *, now: float) -> int:
        """Forget what was staged over `max_age` seconds before `now` (seconds since the epoch); returns how many."""
        old = [path for path in _files(self._folder) if path.lstat().st_mtime < now - max_age]
        for path in old:
            path.unlink(missing_ok=True)
        return len(old)

    def _path(self, sha256: str) -> Path | None:
        if not is_digest(sha256):
            raise UnsafeInputError("store.no_image", name=shown(sha256)[:80])
        paths = (self._folder / f"{sha256}{suffix}" for suffix in _SUFFIXES.values())
        return next((path for path in paths if path.is_file() and not path.is_symlink()), None)


def sweep_sessions(root: Path, max_age: float, *, now: float) -> int:
    """Sweep every session's folder under `root` and remove those left empty; returns how many images went."""
    swept = 0
    for folder in sorted(root.iterdir()) if root.is_dir() else []:
        if folder.is_dir() and not folder.is_symlink():
            swept += TempStore(folder).sweep(max_age, now=now)
            if not any(folder.iterdir()):
                folder.rmdir()
    return swept


def _files(folder: Path) -> list[Path]:
    """The files this store wrote or began to write; anything else in the folder is not ours to delete."""
    if not folder.is_dir():
        return []
    return sorted(
        path for path in folder.iterdir() if is_digest(path.name.removeprefix(".")[:64]) and not path.is_dir()
    )
