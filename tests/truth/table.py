"""What is wrong in sessions, by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from memorybank.memory.state import MemoryState
from memorybank.runs.export import fingerprint
from memorybank.runs.journal import schema_of
from memorybank.runs.run_folder import SESSION, RunFolder
from tests.truth.crawler import SURFACES, Records, Session
from tests.truth.telling import tellings

STATED: Final = frozenset(
    {"independent evidence", "prompt origin", *(f"text: {name}" for name in ("evidence side", "mcp", "node", "prompt"))}
)
"""Kinds that sessions of other tests are not held to: there a test states verdicts and evidence of its own making."""


VALUES_SINCE: Final = 4
"""The schema from which on what a check found is a value, and a prompt is made of such values (crawler.py)."""


class Wrong(NamedTuple):
    run: str
    kind: str
    where: str
    says: str
    source: str
    is_so: str

    def __str__(self) -> str:
        source = f" | {self.source}" if self.source else ""
        return f"{self.run} | {self.kind} | {self.where} | {self.says[:160]}{source} | {self.is_so}"


@dataclass
class Table:
    """How much of each kind was held against its source, and what did not hold."""

    held: Counter[str] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)

    def add(
        self,
        run: str,
        records: Records,
        *,
        folder: Path | None = None,
        documents: Mapping[str, str] | None = None,
        stated: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        with_prompts = folder is None or _schema(folder) >= VALUES_SINCE
        session = Session.of(records, documents, stated, with_prompts=with_prompts)
        library = session.library
        for each in (each for surface in SURFACES for each in surface(session)):
            kind = f"text: {each.surface}"
            self.held[kind] += 1
            lacks = library.lacks(each.text, each.source, is_value=each.is_value, quotes=each.quotes)
            if lacks:
                self.wrong.append(Wrong(run, kind, each.where, each.text, each.source, lacks))
        for told in tellings(session, folder):
            self.held[told.kind] += 1
            if told.is_so:
                self.wrong.append(Wrong(run, told.kind, told.where, told.says, "", told.is_so))


def _schema(folder: Path) -> int:
    """The schema that a run's journal was written in."""
    path = RunFolder(folder).journal
    with path.open("rb") as file:
        return schema_of(path, file.readline(), SESSION)


MOST_NODES, MOST_RECORDS = 60, 1_500
_SEEN: set[str] = set()


def wrong_in(records: Records, bank: MemoryState) -> list[Wrong]:
    """What is wrong in a finished session of any test; each memory is looked at once.

    A large one is not. The executors of tests may name sources of a world that is nowhere.
    """
    told = bool(bank.conflicts.all or bank.progress.answer)
    if not told or not bank.progress.result or len(records) > MOST_RECORDS or bank.graph.created > MOST_NODES:
        return []
    print_ = fingerprint(bank)
    if print_ in _SEEN:
        return []
    _SEEN.add(print_)
    table = Table()
    table.add(records[0].event.run_id, records)
    return [each for each in table.wrong if each.kind not in STATED and each.is_so != "no such source"]
