"""The journal: an append-only JSON Lines file, one event a line, from which all else is derived.

    {"journal": "memorybank", "schema": N}                    the header, line 1
    {"seq": 1, "at": 1771.0, "event": {"type": "SessionStarted", ...}}
    ...

* One writer (a file lock); readers need none.
* `append` writes all its events in one call, and all stand or none. Commits are made durable with fsync.
* A journal is untrusted input: seq must be contiguous; unknown events, fields and newer schemas are refused in one
  line. A torn last line is what a killed writer leaves; it is dropped and, by a writer, cut off.
* Older schemas are raised line by line through `upcasts` before they are parsed.

It is generic over its event union: the class knows lines, not sessions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from filelock import FileLock, Timeout
from pydantic import TypeAdapter, ValidationError

from memorybank.errors import JournalError, LockedError, Notice
from memorybank.language.text import encodable
from memorybank.memory.bounds import LATEST, loads
from memorybank.runs.clock import now
from memorybank.runs.files.growing import GrowingFile, sync_folder
from memorybank.runs.files.plain import check_plain, read_plain, reading
from memorybank.settings.redaction import Redactor

E = TypeVar("E")
Upcast = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Record(Generic[E]):
    """An event with its place and time: `seq` counts from 1, `at` is seconds since the epoch."""

    seq: int
    at: float
    event: E


@dataclass(frozen=True, slots=True)
class Format(Generic[E]):
    kind: str
    schema: int
    events: TypeAdapter[E]
    upcasts: Mapping[int, Upcast]
    """Functions that raise an event (as JSON) from a schema to the next."""

    def header(self) -> bytes:
        return json.dumps({"journal": self.kind, "schema": self.schema}).encode() + b"\n"


def _line(seq: int, at: float, event: Any) -> str:
    return json.dumps({"seq": seq, "at": at, "event": event}, ensure_ascii=False) + "\n"


def schema_of(path: Path, line: bytes, form: Format[Any]) -> int:
    try:
        header = loads(line)
        kind, schema = header["journal"], header["schema"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise JournalError("journal.no_header", name=path.name, line=form.header().decode().strip()) from None
    if kind != form.kind or not isinstance(schema, int) or schema < 1:
        raise JournalError("journal.other_kind", name=path.name, kind=str(kind)[:40], schema=str(schema)[:20])
    if schema > form.schema:
        raise JournalError("journal.newer", name=path.name, schema=schema, known=form.schema)
    return schema


@dataclass(frozen=True, slots=True)
class JournalReading(Generic[E]):
    """A journal as far as it can be read."""

    data: bytes
    records: list[Record[E]]
    ends: list[int]
    """Bytes of the first lines: of the header alone, then of it and one record, and so on."""
    damage: JournalError | None
    """Why the line after the last record cannot be read; None when only a torn end may follow."""


def read(path: Path, form: Format[E]) -> tuple[list[Record[E]], int]:
    """Return all whole records of a journal, and the size in bytes of the part that holds them.

    Raises JournalError for a file that is missing, foreign, newer, or broken anywhere but in its torn end.
    """
    prefix = read_as_far(path, form)
    if prefix.damage is not None:
        raise prefix.damage
    return prefix.records, prefix.ends[-1]


def read_as_far(path: Path, form: Format[E]) -> JournalReading[E]:
    """Reads a journal up to its first damaged line. Raises JournalError for a missing, foreign or newer file."""
    try:
        data = read_plain(path)
    except (FileNotFoundError, IsADirectoryError):
        raise JournalError("journal.missing", name=path.name) from None
    lines = data[: data.rfind(b"\n") + 1].split(b"\n")[:-1]
    if not lines:
        raise JournalError("journal.empty", name=path.name)
    schema = schema_of(path, lines[0], form)
    prefix: JournalReading[E] = JournalReading(data, [], [len(lines[0]) + 1], None)
    for number, line in enumerate(lines[1:], start=2):
        try:
            prefix.records.append(parse_line(path, number, line, number - 1, schema, form))
        except JournalError as damage:
            return replace(prefix, damage=damage)
        prefix.ends.append(prefix.ends[-1] + len(line) + 1)
    return prefix


_AS_WRITTEN_RE = re.compile(rb'\{"seq": ([1-9][0-9]*), "at": ((?:0|[1-9][0-9]*)(?:\.[0-9]+)?), "event": (.*\})\}')


def parse_line(path: Path, number: int, line: bytes, seq: int, schema: int, form: Format[E]) -> Record[E]:
    written = _AS_WRITTEN_RE.fullmatch(line) if schema == form.schema else None
    if written and int(written[1][:20]) == seq and float(written[2]) < LATEST:
        with suppress(ValueError, RecursionError):  # what is wrong is said below
            return Record(seq, float(written[2]), form.events.validate_json(written[3]))
    try:
        raw = loads(line)
        number_read, at, event = raw["seq"], float(raw["at"]), raw["event"]
        if not 0 <= at < LATEST:  # NaN fails too
            raise ValueError("no time")
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise JournalError("journal.no_record", name=path.name, line=number) from None
    if type(number_read) is not int or number_read != seq:
        raise JournalError("journal.wrong_seq", name=path.name, line=number, found=str(number_read)[:20], seq=seq)
    try:
        for version in range(schema, form.schema):
            event = form.upcasts[version](event)
        # As JSON: only there does a validator read tuples, enums and base64 the way they were written.
        return Record(number_read, at, form.events.validate_json(json.dumps(event)))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise JournalError(
            "journal.unknown_event", name=path.name, line=number, where=where[:200], reason=first["msg"][:300]
        ) from None
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):  # an upcast found it other than it was
        raise JournalError("journal.no_record", name=path.name, line=number) from None


def take_lock(path: Path) -> FileLock:
    """Take the lock of a journal's one writer, in a file beside it; the caller releases it.

    Raises LockedError where another writer has it, UnsafeInputError for a link in its place: to take the lock would
    empty the file that it leads to.
    """
    place = path.with_name(".lock")
    check_plain(place)
    lock = FileLock(place, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise LockedError("journal.locked", name=path.parent.name) from None
    return lock


def is_written(path: Path) -> bool:
    """Whether another process is writing this journal now."""
    try:
        take_lock(path).release()
    except LockedError:
        return True
    return False


class Journal(AbstractContextManager["Journal[E]"], Generic[E]):
    """The writer of one journal. Holds the file lock from opening to `close`.

    A write that fails is taken back: the file, and `seq`, are as before, and the next one may succeed. Where that
    cannot be had the journal is broken: every later write raises JournalBrokenError, and its holder has to stop.
    """

    def __init__(self, path: Path, form: Format[E]) -> None:
        self.path = path
        self._form = form
        self._redactor = Redactor()
        self._lock = take_lock(path)
        self.seq = 0
        """The number of the last record."""
        try:
            self._file = GrowingFile(path)
        except BaseException:
            self._lock.release()
            raise

    @classmethod
    def create(cls, path: Path, form: Format[E]) -> Self:
        """Begin a journal. Raises JournalError when one is there already, OSError when it cannot be written."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size:
            raise JournalError("journal.taken", name=path.parent.name)
        journal = cls(path, form)
        try:
            journal._file.write(form.header(), durable=True)
            sync_folder(path.parent)
        except BaseException:  # a Ctrl-C too; it is raised again, and nothing that looks like a journal is left
            with suppress(OSError):
                path.unlink()
            journal.close()
            raise
        return journal

    @classmethod
    @contextmanager
    def made_whole(cls, path: Path, form: Format[E]) -> Iterator[Self]:
        """Give a new journal to write in the block, and close it behind it; none is left where the block fails."""
        journal = cls.create(path, form)
        try:
            with journal:
                yield journal
        except BaseException:  # a Ctrl-C, and a close that fails, too; it is raised again
            path.unlink(missing_ok=True)
            raise

    @classmethod
    def open(cls, path: Path, form: Format[E]) -> tuple[Self, list[Record[E]]]:
        """Go on with a journal: its records, torn end cut off. Raises JournalError, LockedError, OSError."""
        if not path.exists():
            read(path, form)  # raises with the reason
        journal = cls(path, form)
        try:
            records, size = read(path, form)
            if journal._file.size != size:
                journal._file.cut(size)
            journal.seq = len(records)
            if schema_of(path, _first_line(path), form) < form.schema:
                journal.rewrite(records)
        except BaseException:  # a Ctrl-C too; it is raised again, and the lock is let go
            journal.close()
            raise
        return journal, records

    @property
    def broken(self) -> Notice | None:
        """Return why it takes no more, so that it has to be opened again; None while it does."""
        return self._file.broken

    def append(self, events: Sequence[E], *, durable: bool = False) -> list[Record[E]]:
        """Write events in one call and give them back as written: secrets and halves of characters removed, stamped,
        numbered.

        All of them stand or none: raises OSError when the write failed and was taken back, JournalBrokenError when the
        journal takes no more.
        """
        self._file.check()
        records, lines = [], []
        for seq, event in enumerate(events, start=self.seq + 1):
            raw = self._form.events.dump_python(event, mode="json")
            clean = self._redactor.value(raw)
            at = round(now(), 3)
            text = _line(seq, at, clean)
            line = encodable(text)
            if line is not text:
                clean = json.loads(line)["event"]
            if clean is not raw:
                event = self._form.events.validate_json(json.dumps(clean))
            lines.append(line.encode())
            records.append(Record(seq, at, event))
        self._file.write(b"".join(lines), durable=durable)
        self.seq += len(records)
        return records

    def rewrite(self, records: Iterable[Record[E]]) -> None:
        """Replace the whole file atomically: when an older schema is raised, or an uncommitted tail is cut.

        Raises OSError, and the journal is as it was; JournalBrokenError when what stands under its name is unknown.
        """
        self._file.check()
        kept = list(records)
        lines = (
            _line(seq, record.at, self._form.events.dump_python(record.event, mode="json"))
            for seq, record in enumerate(kept, start=1)
        )
        self._file.replace(self._form.header() + encodable("".join(lines)).encode())
        self.seq = len(kept)

    def close(self) -> None:
        try:
            self._file.close()
        finally:
            self._lock.release()

    def __exit__(self, *exception: object) -> None:
        self.close()


def _first_line(path: Path) -> bytes:
    with reading(path) as file:
        return file.readline()
