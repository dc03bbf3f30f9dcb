"""What a run wrote since the last look, as one object; and a run's folder made of all of them.

A part is a zip: new bytes of the journal, files of the stores that are new, and `part.json`. S3 can append to nothing,
and a request costs the same for a byte as for a hundred kilobytes: one object a stage is the least that can be sent.
A part comes from a place that others may write to: only names that a run itself writes are taken from it.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from memorybank.errors import StoreUnavailableError
from memorybank.runs.files.plain import make_folder, read_plain, write_whole
from memorybank.runs.label import LABEL
from memorybank.runs.run_folder import JOURNAL, RunFolder

MOST_BYTES = 500_000_000
"""The most bytes that one part may unpack to, as of a packed run (runs/archive.py)."""
_HEAD = "part.json"
_WHOLE = ("memory.json", "answer.md", LABEL)
_MEMBER_RE = re.compile(r"(?P<store>blobs|files|temp|hand)/(?P<name>[0-9a-z][\w.-]*)")
"""Matches what stores write: names by hash, or requests by number; nothing that begins with a dot."""


class PartReader:
    """Looks at a run's folder while a session writes it, and gives what is new since the last look."""

    def __init__(self, run: RunFolder) -> None:
        self._run = run
        self._sent = 0
        self._digest = hashlib.sha256(b"").digest()
        """Of the journal's first `_sent` bytes: whoever takes a run over may rewrite its end."""
        self._seen: dict[str, object] = {}
        """How each file stood when it was sent."""

    def take(self) -> bytes | None:
        """A part; None where nothing is new. What it holds counts as sent."""
        journal = _whole_lines(self._run.journal)
        start = self._sent if hashlib.sha256(journal[: self._sent]).digest() == self._digest else 0
        files = dict(_files(self._run))
        now = {name: _state_of(name, path) for name, path in files.items()}
        removed = sorted(self._seen.keys() - now.keys())
        new = [(name, path) for name, path in files.items() if self._seen.get(name) != now[name]]
        if len(journal) == start == self._sent and not removed and not new:
            return None
        part = io.BytesIO()
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
            packed.writestr(_HEAD, json.dumps({"from": start, "removed": removed}))
            packed.writestr(JOURNAL, journal[start:])
            for name, path in new:
                packed.writestr(name, read_plain(path))
        self._sent, self._digest, self._seen = len(journal), hashlib.sha256(journal).digest(), now
        return part.getvalue()


def _whole_lines(path: Path) -> bytes:
    try:
        data = read_plain(path)
    except FileNotFoundError:
        return b""
    return data[: data.rfind(b"\n") + 1]


def _files(run: RunFolder) -> Iterator[tuple[str, Path]]:
    """The run's files but its journal, by the name that they have in a part."""
    places = [(name, run.path / name) for name in _WHOLE]
    for store, folder in _stores(run).items():
        if folder.is_dir() and not folder.is_symlink():
            places += [(f"{store}/{path.name}", path) for path in sorted(folder.iterdir())]
    for name, path in places:
        if _is_a_runs(name) and path.is_file() and not path.is_symlink():
            yield name, path


def _state_of(name: str, path: Path) -> object:
    """What changes when the file does: of one that is written again and again its content, else size and time."""
    if name in _WHOLE:
        return hashlib.sha256(read_plain(path)).digest()
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def _stores(run: RunFolder) -> dict[str, Path]:
    return {**run.stores(), "hand": run.path / "hand"}


def restore(parts: Iterable[bytes], run: RunFolder) -> None:
    """Make a run's folder of all parts of it, in order. Raises StoreUnavailableError for what is no part."""
    journal = b""
    files: dict[str, bytes] = {}
    for part in parts:
        start, removed, members = _opened(part, run.path.name)
        if not 0 <= start <= len(journal):
            raise StoreUnavailableError("batch.damaged_part", name=run.path.name)
        journal = journal[:start] + members.pop(JOURNAL)
        files = {name: data for name, data in files.items() if name not in removed} | members
    stores = _stores(run)
    make_folder(run.path)
    for name, data in files.items():
        store, _, base = name.rpartition("/")
        folder = stores[store] if store else run.path
        make_folder(folder)
        write_whole(folder / base, data, mode=0o600, durable=False)
    write_whole(run.journal, journal)


def _opened(part: bytes, name: str) -> tuple[int, frozenset[str], dict[str, bytes]]:
    """Where its journal begins, the names that are gone, and its members, the journal's bytes among them."""
    try:
        with zipfile.ZipFile(io.BytesIO(part)) as packed:
            members = packed.infolist()
            if sum(member.file_size for member in members) > MOST_BYTES:
                raise ValueError("too large")
            content = {member.filename: packed.read(member) for member in members}
        head = json.loads(content.pop(_HEAD))
        start, removed = head["from"], frozenset(map(str, head["removed"]))
        if type(start) is not int or JOURNAL not in content or not all(map(_is_a_runs, content)):
            raise ValueError("no part")
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise StoreUnavailableError("batch.damaged_part", name=name) from error
    return start, removed, content


def _is_a_runs(name: str) -> bool:
    return name == JOURNAL or name in _WHOLE or _MEMBER_RE.fullmatch(name) is not None
