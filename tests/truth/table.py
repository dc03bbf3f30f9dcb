"""What is wrong in sessions, by kind: for tests, and as a program for a run's folder.

python -m tests.truth.table RUN [DOCUMENTS]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from memorybank.memory.state import MemoryState
from memorybank.runs.export import fingerprint
from memorybank.runs.journal import schema_of
from memorybank.runs.run_folder import SESSION, RunFolder, load
from tests.truth.crawler import SURFACES, Records, Session, Surface, slides
from tests.truth.telling import tellings

STATED: Final = frozenset(
    {
        "independent evidence",
        "prompt origin",
        *(f"text: {name}" for name in ("evidence side", "mcp", "memory.json", "node", "prompt")),
    }
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
        surfaces: Iterable[Surface] = SURFACES,
    ) -> None:
        with_prompts = folder is None or _schema(folder) >= VALUES_SINCE
        session = Session.of(records, documents, stated, with_prompts=with_prompts)
        library = session.library
        for each in (each for surface in surfaces for each in surface(session)):
            kind = f"text: {each.surface}"
            self.held[kind] += 1
            lacks = library.lacks(each.text, each.source, is_value=each.is_value, quotes=each.quotes)
            if lacks:
                self.wrong.append(Wrong(run, kind, each.where, each.text, each.source, lacks))
        for told in tellings(session, folder):
            self.held[told.kind] += 1
            if told.is_so:
                self.wrong.append(Wrong(run, told.kind, told.where, told.says, "", told.is_so))

    def lines(self) -> Iterable[str]:
        bad = Counter(each.kind for each in self.wrong)
        for kind in sorted(self.held, key=lambda kind: (-bad[kind], kind)):
            yield f"{kind:28} {bad[kind]:6} / {self.held[kind]}"
        yield f"{'all':28} {len(self.wrong):6} / {self.held.total()}"


def _schema(folder: Path) -> int:
    """The schema that a run's journal was written in."""
    path = RunFolder(folder).journal
    with path.open("rb") as file:
        return schema_of(path, file.readline(), SESSION)


MOST_NODES, MOST_RECORDS = 60, 1_500
_SEEN: set[str] = set()


def wrong_in(records: Records, bank: MemoryState) -> list[Wrong]:
    """What is wrong in a finished session of any test; each memory is looked at once.

    A large one is not, nor are slides, which say what the story does. The executors of tests may name sources of a
    world that is nowhere, and their planners report nothing.
    """
    told = bool(bank.conflicts.all or bank.progress.answer)
    if not told or not bank.progress.result or len(records) > MOST_RECORDS or bank.graph.created > MOST_NODES:
        return []
    print_ = fingerprint(bank)
    if print_ in _SEEN:
        return []
    _SEEN.add(print_)
    table = Table()
    table.add(records[0].event.run_id, records, surfaces=[surface for surface in SURFACES if surface is not slides])
    lenient = STATED if bank.settings and bank.settings.engine == "offline" else {*STATED, "insight doc"}
    return [each for each in table.wrong if each.kind not in lenient and each.is_so != "no such source"]


def texts_in(folder: Path) -> dict[str, str]:
    """The documents of a folder by their paths in it."""
    files = (path for path in sorted(folder.rglob("*")) if path.suffix in (".md", ".txt"))
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}


def main(run: Path, documents: Path | None = None) -> None:
    table = Table()
    table.add(run.name, load(run), folder=run, documents=texts_in(documents) if documents else None)
    print("\n".join(map(str, table.wrong)))
    print("\n".join(table.lines()))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
