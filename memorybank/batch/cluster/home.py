"""The places of a batch on shared storage: a folder of its own, and in it the documents, images and corpora of tasks.

Each of these inputs is written once, under the hash of what it holds. Where the storage is a folder nothing is sent:
the nodes see it, so they see the tasks' files too, by the same paths.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
import secrets
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Self

from memorybank.batch.plan import BatchTask, System
from memorybank.batch.shared import SharedStorage, checked_place
from memorybank.batch.store import FOLDERS
from memorybank.errors import InputError, StoreUnavailableError
from memorybank.runs.files.names import shortest_names, shown
from memorybank.runs.files.plain import read_plain, write_whole

FILE = "storage.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Written down in the batch's folder, so that the same command finds its runs again."""

    place: str
    """A path or a URL; it holds no key."""
    batch: str
    """A name by chance, which no other batch has."""

    @classmethod
    def of(cls, folder: Path, place: str | None) -> Self:
        """Return the batch's home: as it was, else a new one at `place`, by default a folder in the batch's own.

        Raises InputError for an address that cannot be used, and for another than it was.
        """
        given = checked_place(place) if place is not None else None
        if given is not None and "://" not in given:
            given = str(Path(given).absolute())
        try:
            known = json.loads(read_plain(folder / FILE))
            home = cls(place=checked_place(str(known["place"])), batch=str(known["batch"]))
        except FileNotFoundError:
            home = cls(place=given or str((folder / "shared").absolute()), batch=secrets.token_hex(8))
            write_whole(folder / FILE, json.dumps({"place": home.place, "batch": home.batch}).encode() + b"\n")
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError("batch.damaged", name=shown(folder.name), file=FILE) from None
        if given not in (None, home.place):
            raise InputError("batch.other_storage", name=shown(folder.name), place=shown(home.place))
        return home

    @property
    def inputs(self) -> str:
        """Return the folder of what its tasks read."""
        return f"{self.batch}/inputs"

    def run(self, id_: str, system: System) -> str:
        """Return the folder of a run on the storage."""
        return f"{self.batch}/{FOLDERS[system]}/{id_}"


MOST_BYTES = 500_000_000
"""The most bytes that a corpus may unpack to."""
_OLDEST = (1980, 1, 1, 0, 0, 0)
"""The time of every member: the same corpus packs to the same bytes."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError)


@dataclass(slots=True)
class SentInputs:
    """The driver's side: what was sent already."""

    storage: SharedStorage
    folder: str
    """Folder of the inputs on the storage."""
    _sent: dict[Path, str] = field(default_factory=dict)

    def send(self, task: BatchTask) -> Mapping[Path, str]:
        """Return the names on the storage of a task's files and corpus, by path. Raises InputError, OSError."""
        corpora = [task.corpus] if task.corpus else []
        for path in (*task.context, *task.images, *corpora):
            if path not in self._sent:
                data = _packed(path) if path.is_dir() else read_plain(path, follow=True)
                name = hashlib.sha256(data).hexdigest()
                if name not in self._sent.values():
                    self.storage.write(self.folder, name, data)
                self._sent[path] = name
        return {path: self._sent[path] for path in (*task.context, *task.images, *corpora)}


def _packed(folder: Path) -> bytes:
    """Return a corpus as a zip; links are passed over. Raises InputError for one that is too large to be sent."""
    packed = io.BytesIO()
    size = 0
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as target:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                size += path.stat().st_size
                if size > MOST_BYTES:
                    raise InputError("batch.corpus_too_large", name=shown(folder.name), most=MOST_BYTES // 1_000_000)
                member = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _OLDEST)
                member.compress_type = zipfile.ZIP_DEFLATED
                target.writestr(member, read_plain(path))
    return packed.getvalue()


def received(task: BatchTask, sent: Mapping[Path, str], storage: SharedStorage, folder: str, here: Path) -> BatchTask:
    """Return the same task with files of this node, each under what tells it from the others.

    Raises StoreUnavailableError, OSError.
    """
    if not sent:
        return task

    def files(paths: Sequence[Path], place: str) -> Iterator[Path]:
        for number, (path, name) in enumerate(
            zip(paths, shortest_names([str(path.absolute()) for path in paths]), strict=True)
        ):
            target = here / f"{place}{number}" / name
            target.parent.mkdir(parents=True)
            write_whole(target, storage.read(folder, [sent[path]])[sent[path]], durable=False)
            yield target

    return replace(
        task,
        context=tuple(files(task.context, "context")),
        images=tuple(files(task.images, "image")),
        corpus=Path(_unpacked(storage.place, folder, sent[task.corpus]).name) if task.corpus else None,
    )


@functools.lru_cache(maxsize=8)
def _unpacked(place: str, folder: str, name: str) -> tempfile.TemporaryDirectory[str]:
    """Return a corpus on this node: fetched once a process, for many tasks search the same."""
    data = SharedStorage(place).read(folder, [name])[name]
    target: tempfile.TemporaryDirectory[str] = tempfile.TemporaryDirectory(prefix="memorybank-")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            members = packed.infolist()
            if sum(member.file_size for member in members) > MOST_BYTES or not all(map(_is_inside, members)):
                raise ValueError("not as it was sent")
            packed.extractall(target.name)
    except _DAMAGED as error:
        raise StoreUnavailableError("batch.damaged_corpus", name=folder) from error
    return target


def _is_inside(member: zipfile.ZipInfo) -> bool:
    path = PurePosixPath(member.filename)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in member.filename
