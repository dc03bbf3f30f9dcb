"""Tail: read the journal of a run while another process writes it (one writer, readers tail).

    tail = Tail(folder)
    while watching:
        for record in tail.poll(): ...

A reader takes no lock and writes nothing. Only whole lines are taken, and each once, so that a look costs what was
written since the last one.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, BinaryIO

from memorybank.errors import JournalError
from memorybank.memory.events import SessionStarted
from memorybank.runs.files.plain import check_size, reading
from memorybank.runs.journal import Record, parse_line, schema_of
from memorybank.runs.run_folder import JOURNAL, SESSION, journal_path


class Tail:
    """`run` is a run's folder or its journal; it may not have begun yet."""

    def __init__(self, run: Path) -> None:
        self.path = journal_path(run) if run.exists() else run / JOURNAL
        self.records: list[Record[Any]] = []
        """Everything seen so far. It grows; when the writer has rewritten its journal there is a new list."""
        self._identity: tuple[int, int] | None = None
        self._offset = 0
        self._last = b""
        """The line before the offset: as long as it stands there, nothing that was seen was taken back."""
        self._schema = 0

    def poll(self) -> list[Record[Any]]:
        """Return what is new since the last look; after a restart, everything.

        Raises JournalError when the run was cleared while it was watched, or what is there is no session's journal,
        UnsafeInputError when it is a link or a pipe.
        """
        try:
            with reading(self.path) as file:
                status = os.fstat(file.fileno())
                check_size(self.path, status.st_size)
                identity = (status.st_dev, status.st_ino)
                data = self._behind_last(file) if identity == self._identity else None
                if data is None:
                    # Lines that were read are gone: a writer took the run over, or a write failed and was taken back.
                    self._identity, self._offset, self._last, self.records = identity, 0, b"", []
                    file.seek(0)
                    data = file.read()
        except FileNotFoundError:
            if self._identity is None:
                return []
            raise JournalError("journal.cleared", name=self.path.parent.name) from None
        return self._take(data[: data.rfind(b"\n") + 1])

    def _behind_last(self, file: BinaryIO) -> bytes | None:
        """Return what follows the last line that was seen; None when that is no longer in its place."""
        file.seek(self._offset - len(self._last))
        data = file.read()
        return data[len(self._last) :] if data.startswith(self._last) else None

    def _take(self, data: bytes) -> list[Record[Any]]:
        lines = data.split(b"\n")[:-1]
        if lines and self._offset == 0:
            self._schema = schema_of(self.path, lines.pop(0), SESSION)
        new: list[Record[Any]] = []
        for line in lines:
            seq = len(self.records) + len(new) + 1
            new.append(parse_line(self.path, seq + 1, line, seq, self._schema, SESSION))
        if new and not self.records and not isinstance(new[0].event, SessionStarted):
            raise JournalError("journal.no_session", name=self.path.name)
        if data:
            self._last = data[data.rfind(b"\n", 0, -1) + 1 :]
        self._offset += len(data)
        self.records.extend(new)
        return new
