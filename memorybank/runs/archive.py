"""A run as one file to keep or hand on: a zip with its journal, originals and blobs; and such a file opened again.

    journal.jsonl   label.json   files/<sha256><suffix>   temp/<sha256><suffix>   blobs/<sha256>

A file from elsewhere is untrusted: it is bounded in bytes, members and ratio while it is read, only these names are
taken from it (each written under a name of ours), every content must be what its name says, every line of the journal
must parse, and the journal must fold. Secrets of this machine leave neither way.
"""

from __future__ import annotations

import errno
import io
import json
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from memorybank.errors import InputError, UnsafeInputError
from memorybank.memory.types import AttachmentType
from memorybank.runs.files.images import open_image
from memorybank.runs.files.names import base_name, is_digest, shown
from memorybank.runs.files.plain import MOST_BYTES, make_folder, reading, write_whole, writing
from memorybank.runs.files.stores import KEPT, digest_of, read_checked, write_once
from memorybank.runs.journal import Journal, Record
from memorybank.runs.label import LABEL, RunLabel, label_bytes, parse_label, read_label, write_label
from memorybank.runs.run_folder import JOURNAL, SESSION, RunFolder, load, state_at
from memorybank.runs.salvage import DamagedPart, load_to_last_good
from memorybank.settings.redaction import Redactor

MOST_MEMBERS = 20_000
MOST_EVENTS = 200_000
MOST_PIECES = 500_000
"""Commas and brackets of one event. The commas of a long text count too: a document of 10 MB has about 200,000."""
MOST_RATIO = 200
"""Unpacked to packed bytes of one member; text that repeats itself reaches about 30."""
FREE = 1_000_000
"""The bytes that a member may unpack to, whatever its ratio."""
_CHUNK = 1 << 20
_OLDEST = (1980, 1, 1, 0, 0, 0)
"""The time of every member: the same run packs to the same bytes."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)
"""Errors that zipfile raises on files that are cut, damaged, encrypted, or packed by an unknown method."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Counts of what was packed or unpacked."""

    events: int
    files: int
    """Originals, waiting images and blobs."""
    left_out: int = 0
    """Blobs that hold a secret of this machine, or whose content had been changed."""
    damaged: DamagedPart | None = None
    """The part of a damaged journal without which it was opened."""


# -- packing ----------------------------------------------------------------------------------------------------------


def pack(run: RunFolder, target: BinaryIO | Path) -> Contents:
    """Write a run as a zip: a snapshot of its whole lines, also while a session is writing it. Raises JournalError."""
    if isinstance(target, Path):
        with writing(target) as file:
            return pack(run, file)
    records = load(run.path)
    redactor = Redactor(keeps_length=True)
    files = left_out = 0
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        _put(packed, JOURNAL, journal_bytes(records, redactor))
        label = read_label(run.path)
        if label.name:  # to pin it, or not, is up to whoever opens it
            _put(packed, LABEL, label_bytes(RunLabel(name=redactor.text(label.name))))
        for name, path in _stored(run):
            try:
                data = read_checked(path, path.name[:64], kind="kind.blob")  # counted, not told
            except (InputError, OSError):
                left_out += 1
                continue
            if _holds_secret(data, redactor):
                left_out += 1
                continue
            _put(packed, name, data)
            files += 1
    return Contents(events=len(records), files=files, left_out=left_out)


def journal_bytes(records: Sequence[Record[Any]], redactor: Redactor | None = None) -> bytes:
    """Return the journal alone, as a file of its own."""
    with tempfile.TemporaryDirectory(prefix="memorybank-") as folder:
        path = Path(folder) / JOURNAL
        _write_journal(path, records, redactor or Redactor(keeps_length=True))
        return path.read_bytes()


def _put(packed: zipfile.ZipFile, name: str, data: bytes) -> None:
    member = zipfile.ZipInfo(name, _OLDEST)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.external_attr = 0o600 << 16
    packed.writestr(member, data)


def _stored(run: RunFolder) -> Iterator[tuple[str, Path]]:
    """Yield files of the stores by their name in the zip; links and what is not named by its hash are passed over."""
    for store, folder in run.stores().items():
        for path in sorted(folder.iterdir()) if folder.is_dir() and not folder.is_symlink() else []:
            name = f"{store}/{path.name}"
            if _place(name) == name and path.is_file() and not path.is_symlink():
                yield name, path


# -- unpacking --------------------------------------------------------------------------------------------------------


def unpack(source: bytes | Path, run: RunFolder, *, name: str = "", to_last_good: bool = False) -> Contents:
    """Make a run of a file: a zip of `pack`, or a journal alone. `name`: what to call it in a message.

    `to_last_good`: of a damaged one, as far as it is good. Raises InputError, UnsafeInputError or JournalError, in one
    sentence; then nothing is left in the folder.
    """
    called = base_name(name or (source.name if isinstance(source, Path) else ""), default="the file")
    run.check_vacant()
    with run.beginning(), tempfile.TemporaryDirectory(prefix="memorybank-") as folder:
        outside = Path(folder)
        files, left_out = _take_apart(source, outside, run, called)
        _check_lines((outside / JOURNAL).read_bytes(), called)
        records, damaged = load_to_last_good(outside / JOURNAL) if to_last_good else (load(outside / JOURNAL), None)
        state_at(records)
        _write_journal(run.journal, records, Redactor(keeps_length=True))
    return Contents(events=len(records), files=files, left_out=left_out, damaged=damaged)


def _check_lines(data: bytes, called: str) -> None:
    """Refuse a file before it is parsed: a few megabytes of brackets would hold the whole server for a minute."""
    lines = data.count(b"\n")
    if lines > MOST_EVENTS + 1:
        raise UnsafeInputError("archive_file.too_many_events", name=called, count=lines, most=MOST_EVENTS)
    if any(sum(map(line.count, (b",", b"[", b"{"))) > MOST_PIECES for line in io.BytesIO(data)):
        raise UnsafeInputError("archive_file.too_many_parts", name=called, most=MOST_PIECES)


def _take_apart(source: bytes | Path, outside: Path, run: RunFolder, called: str) -> tuple[int, int]:
    """Put the unread journal in `outside`, and the rest in the stores; count files and what was left out."""
    with _opened(source, called) as file:
        start = file.read(4)
        file.seek(0)
        if start != b"PK\x03\x04":
            write_whole(outside / JOURNAL, _bounded(file, MOST_BYTES, called), durable=False)
            return 0, 0
        # The list of members is read whole by zipfile: what it would hold is counted before.
        count = sum(chunk.count(b"PK\x01\x02") for chunk in iter(lambda: file.read(_CHUNK), b""))
        if count > MOST_MEMBERS:
            raise UnsafeInputError("archive_file.too_many_files", name=called, count=count, most=MOST_MEMBERS)
        file.seek(0)
        try:
            with zipfile.ZipFile(file) as packed:
                return _take_members(packed, outside, run, called)
        except _DAMAGED as error:
            if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
                raise  # a disk that is full, and no place in the file that leads outside of it
            reason = shown(str(error)).partition("\n")[0][:120] or type(error).__name__
            raise InputError("archive_file.damaged", name=called, reason=reason) from None


def _opened(source: bytes | Path, called: str) -> BinaryIO:
    if isinstance(source, bytes):
        return io.BytesIO(source)
    try:
        return reading(source, follow=True)
    except OSError as error:
        raise InputError("archive_file.unreadable", name=called, why=error.strerror) from None


def _take_members(packed: zipfile.ZipFile, outside: Path, run: RunFolder, called: str) -> tuple[int, int]:
    members = packed.infolist()
    if len(members) > MOST_MEMBERS:
        raise UnsafeInputError("archive_file.too_many_files", name=called, count=len(members), most=MOST_MEMBERS)
    places = _places(members, called)
    if JOURNAL not in places:
        raise InputError("archive_file.no_journal", name=called, member=JOURNAL)
    redactor, room, files, left_out = Redactor(keeps_length=True), MOST_BYTES, 0, 0
    for place, member in places.items():
        data = _read(packed, member, room, called)
        room -= len(data)
        if place == JOURNAL:
            write_whole(outside / JOURNAL, data, durable=False)
            continue
        if place == LABEL:
            write_label(run.path, RunLabel(name=parse_label(data).name))
            continue
        _check(place, data, called)
        if _holds_secret(data, redactor):
            left_out += 1
            continue
        store, _, file_name = place.partition("/")
        folder = run.stores()[store]
        make_folder(folder)
        write_once(folder / file_name, data)
        files += 1
    return files, left_out


def _places(members: Sequence[zipfile.ZipInfo], called: str) -> dict[str, zipfile.ZipInfo]:
    """Return where in a run each member belongs. A folder around all of them is looked through; what is no run's is
    left.

    Raises UnsafeInputError for a path that leads outside, a link, or a name that comes twice.
    """
    places: dict[str, zipfile.ZipInfo] = {}
    for member in members:
        path = PurePosixPath(member.filename.replace("\\", "/"))
        mode = stat.S_IFMT(member.external_attr >> 16)
        if path.is_absolute() or ".." in path.parts or not path.parts or ":" in path.parts[0]:
            raise UnsafeInputError("archive_file.outside", name=called, member=shown(member.filename)[:80])
        if mode not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise UnsafeInputError("archive_file.link", name=called, member=shown(member.filename)[:80])
        place = _place(str(path)) or _place("/".join(path.parts[1:]))
        if not place or member.is_dir():
            continue
        if place in places:
            raise UnsafeInputError("archive_file.twice", name=called, member=place)
        places[place] = member
    return places


def _place(name: str) -> str:
    """Return the name itself when it is one of a run's, else nothing."""
    store, slash, file_name = name.partition("/")
    if name in (JOURNAL, LABEL):
        return name
    digest, suffix = file_name[:64], file_name[64:]
    kept = {"blobs": ("",), "files": tuple(KEPT), "temp": (".png", ".jpg")}.get(store, ())
    return name if slash and is_digest(digest) and suffix in kept else ""


def _read(packed: zipfile.ZipFile, member: zipfile.ZipInfo, room: int, called: str) -> bytes:
    """Reads a member and counts its bytes as they come: its header is not trusted."""
    most = min(room, max(FREE, member.compress_size * MOST_RATIO))
    if member.flag_bits & 0x1:
        raise InputError("archive_file.encrypted", name=called)
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError("archive_file.method", name=called)
    with packed.open(member) as file:
        return _bounded(file, most, called)


def _bounded(file: Any, most: int, called: str) -> bytes:
    parts, size = [], 0
    while chunk := file.read(_CHUNK):
        size += len(chunk)
        if size > most:
            raise UnsafeInputError("archive_file.unpacks", name=called, megabytes=MOST_BYTES // 1_000_000)
        parts.append(chunk)
    return b"".join(parts)


def _check(place: str, data: bytes, called: str) -> None:
    """Checks that a content is what its name says, and that an image can be shown."""
    store, _, file_name = place.partition("/")
    digest, suffix = file_name[:64], file_name[64:]
    if digest_of(data) != digest:
        raise InputError("archive_file.other_content", name=called, store=store, digest=digest[:12])
    kind = KEPT.get(suffix)
    if kind is not None and kind.attachment is AttachmentType.IMAGE:
        open_image(f"{store}/{digest[:12]}…{suffix}", data)


# -- both -------------------------------------------------------------------------------------------------------------


def _write_journal(path: Path, records: Sequence[Record[Any]], redactor: Redactor) -> None:
    """Write it whole or not at all, each record as it was: its number and time too."""
    with Journal.made_whole(path, SESSION) as journal:
        journal.rewrite(_redacted(record, redactor) for record in records)


def _redacted(record: Record[Any], redactor: Redactor) -> Record[Any]:
    raw = SESSION.events.dump_python(record.event, mode="json")
    clean = redactor.value(raw)
    return record if clean is raw else Record(record.seq, record.at, SESSION.events.validate_json(json.dumps(clean)))


def _holds_secret(data: bytes, redactor: Redactor) -> bool:
    text = data.decode("utf-8", "surrogateescape")
    return redactor.text(text) != text
