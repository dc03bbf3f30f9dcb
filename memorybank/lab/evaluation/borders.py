"""Whatever a journal or a memory file holds, it is refused in one line, or every reader of it works.

A case (mutation.py) is taken in as the commands take it in (`unpack`, `import`), then read by all that read: the state
and any earlier one, `memory.json`, the HTML export, every page of the app. The last two belong to the app, which stands
above this package; they are drawn by a process of its own, asked over its standard input
(memorybank/ui/shell/every_page.py).
"""

from __future__ import annotations

import json
import os
import queue
import shutil
import subprocess
import sys
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memorybank.embedding.hashed import NAME
from memorybank.errors import MemoryBankError
from memorybank.lab.evaluation import specimens
from memorybank.lab.evaluation.mutation import MutatedText, cases
from memorybank.language.text import sha256
from memorybank.runs.archive import unpack
from memorybank.runs.export import fingerprint, to_json
from memorybank.runs.run_folder import RunFolder, load, state_at
from memorybank.session.assembly import Parts
from memorybank.session.session import Session

PAGES = "memorybank.ui.shell.every_page"
AT_ONCE = 500
"""Cases that are drawn ahead of those that read them."""


@dataclass(frozen=True, slots=True)
class BorderOutcome:
    case: MutatedText
    refused: str
    """The line; empty where the case was accepted."""
    faults: tuple[str, ...]

    @property
    def holds(self) -> bool:
        return not self.faults and "\n" not in self.refused


def outcomes(count: int, *, seed: int = 0, workers: int | None = None) -> Iterator[BorderOutcome]:
    """As they come, so many in all. Raises InputError where the app is not installed."""
    with TemporaryDirectory(prefix="memorybank-borders-") as folder, ExitStack() as opened:
        made = specimens.write(Path(folder) / "specimens")
        stores = {one.name: run for one, run in made}
        root = Path(folder) / "runs"
        size = workers or os.cpu_count() or 1
        free: queue.SimpleQueue[Pages] = queue.SimpleQueue()
        for _ in range(size):
            free.put(opened.enter_context(_started(root)))
        parts = specimens.parts()

        def read(case: MutatedText) -> BorderOutcome:
            pages = free.get()
            try:
                return outcome(case, stores[case.specimen], root, parts, pages)
            finally:
                free.put(pages)

        pool = opened.enter_context(ThreadPoolExecutor(size))
        every = cases([one for one, _ in made], count, seed)
        while some := [one for _, one in zip(range(AT_ONCE), every, strict=False)]:
            yield from pool.map(read, some)


def outcome(case: MutatedText, stores: RunFolder, root: Path, parts: Parts, pages: Pages) -> BorderOutcome:
    """One case through every reader."""
    run = RunFolder(root / sha256(f"{case.specimen} {case.what} {case.text}")[:32])
    try:
        if case.is_journal:
            unpack(case.text.encode("utf-8", "surrogatepass"), run, name="case.jsonl")
            _link(stores, run)
        else:
            _link(stores, run, "files")
            with Session.start(run.path, parts, memory=case.text) as session:
                session.export()
        _read_all(run, parts)
        answer = pages.read(run.path.name, case)
    except MemoryBankError as error:
        return BorderOutcome(case, str(error), ())
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        return BorderOutcome(case, "", (_line(error),))
    finally:
        shutil.rmtree(run.path, ignore_errors=True)
    return BorderOutcome(case, answer["refused"], tuple(answer["faults"]))


def _link(stores: RunFolder, run: RunFolder, *names: str) -> None:
    """What lies beside the journal: pictures, prompts and answers."""
    for name in names or ("blobs", "files"):
        if (stores.path / name).is_dir():
            shutil.copytree(stores.path / name, run.path / name, copy_function=os.link, dirs_exist_ok=True)


def _read_all(run: RunFolder, parts: Parts) -> None:
    """What `replay`, `export` and a second `import` read."""
    records = load(run.path)
    bank = state_at(records)
    state_at(records, len(records) // 2)
    fingerprint(bank)
    memory = json.dumps(to_json(bank, embeddings=True))
    again = RunFolder(run.path / "again")
    _link(run, again, "files")
    with Session.start(again.path, parts, memory=memory) as session:
        fingerprint(session.bank)


def _line(error: BaseException) -> str:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "memorybank" in frame.filename][-3:]
    where = "; ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
    return f"{type(error).__name__}: {error} ({where})".replace("\n", " ")


# -- the process that draws -------------------------------------------------------------------------------------------


class Pages:
    """A process that draws whatever run of its folder it is asked for. One that has died is begun anew."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._process: subprocess.Popen[str] | None = None

    def read(self, run_id: str, case: MutatedText) -> dict[str, Any]:
        if self._process is None:
            self._process = self._begin()
        lang = "zh" if "zh" in case.specimen else "en"
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps({"run": run_id, "seq": case.seq, "lang": lang}) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            self.close()
            return {"faults": ["the process that draws the pages has died"], "refused": ""}
        found: dict[str, Any] = json.loads(answer)
        return found

    def _begin(self) -> subprocess.Popen[str]:
        own = {"STORAGE_DIR": str(self._root), "XDG_STATE_HOME": str(self._root / "state"), "EMBEDDING_MODEL": NAME}
        return subprocess.Popen(  # noqa: S603 - this program itself
            [sys.executable, "-m", PAGES],
            env={**os.environ, **own},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


@contextmanager
def _started(root: Path) -> Iterator[Pages]:
    root.mkdir(parents=True, exist_ok=True)
    pages = Pages(root)
    try:
        yield pages
    finally:
        pages.close()
