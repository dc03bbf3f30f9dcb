"""Items that a framework puts, takes and deletes by name, beside the run that remembers what they say.

A line of `items.jsonl` in the run's folder for each change, durable when `put` returns; the items are their fold. What
an item says is filed in the bank, whose raw record stays when the item goes.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from memorybank.errors import JournalError
from memorybank.language.text import encodable
from memorybank.memory.bounds import loads
from memorybank.runs.clock import now
from memorybank.runs.files.growing import GrowingFile
from memorybank.runs.files.plain import read_plain
from memorybank.runs.run_folder import ITEMS

Namespace = tuple[str, ...]


class Kept(NamedTuple):
    value: dict[str, Any]
    entry: str
    """The id of the bank's entry that holds the item's text; empty where nothing of it was filed."""
    created: float
    """The time of its making, in seconds since the epoch."""
    updated: float


class KeptItems:
    """The items of one run. Its writer is who writes the run."""

    def __init__(self, folder: Path) -> None:
        """Read what is there; a line that a killed writer left torn is cut off with the next change. Raises
        JournalError for a file that is no such file."""
        self.changing = threading.RLock()
        """Held for a change, and by who makes several that belong together: frameworks call from many threads."""
        self._path = folder / ITEMS
        self._items: dict[tuple[Namespace, str], Kept] = {}
        self._size = 0
        if self._path.exists():
            data = read_plain(self._path)
            self._size = data.rfind(b"\n") + 1
            for number, line in enumerate(data[: self._size].splitlines(), start=1):
                try:
                    raw = loads(line)
                    name = tuple(map(str, raw["namespace"])), str(raw["key"])
                    self._take(*name, raw["value"], str(raw["entry"]), float(raw["at"]))
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                    raise JournalError("journal.no_record", name=ITEMS, line=number) from None

    def __iter__(self) -> Iterator[tuple[Namespace, str, Kept]]:
        return ((*place, kept) for place, kept in list(self._items.items()))

    def get(self, namespace: Namespace, key: str) -> Kept | None:
        return self._items.get((namespace, key))

    def put(self, namespace: Namespace, key: str, value: Mapping[str, Any] | None, *, entry: str = "") -> None:
        """Keep an item, in place of one of its name; None deletes it."""
        with self.changing:
            if value is None and (namespace, key) not in self._items:
                return
            at = round(now(), 3)
            change = {"namespace": namespace, "key": key, "value": value, "entry": entry, "at": at}
            line = encodable(json.dumps(change, ensure_ascii=False, allow_nan=False))
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(GrowingFile(self._path)) as file:
                if file.size != self._size:
                    file.cut(self._size)
                file.write(line.encode() + b"\n", durable=True)
                self._size = file.size
            self._take(namespace, key, None if value is None else json.loads(line)["value"], entry, at)

    def _take(self, namespace: Namespace, key: str, value: dict[str, Any] | None, entry: str, at: float) -> None:
        old = self._items.pop((namespace, key), None)
        if value is not None:
            self._items[namespace, key] = Kept(dict(value), entry, old.created if old else at, at)
