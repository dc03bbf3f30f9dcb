"""The runs of this app: where they lie, how one is begun, which are alive. One `Runs` a server, one worker a run.

A run's folder is named by an unguessable id, which is also its address (`?run=…`); whoever does not know the id cannot
name the run. A live run takes orders from one tab, and the other tabs of that browser read along; no other browser has
it. A saved one is read by whoever has its address, and goes on only when someone asks for it.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from secrets import compare_digest, token_hex
from typing import Any, Literal

from memorybank.documents.read import read_bytes
from memorybank.errors import InputError, JournalError, LockedError
from memorybank.hosting.browser_mark import Visitor
from memorybank.hosting.run import NewRun, Run, Until, Upload
from memorybank.hosting.saved import RUN_ID_RE
from memorybank.hosting.tabs import Looks, SharedRun, Watcher
from memorybank.hosting.worker import Worker
from memorybank.language.text import sha256
from memorybank.memory.events import SessionStarted
from memorybank.runs import local_state
from memorybank.runs.files.images import prepare_image
from memorybank.runs.files.names import base_name
from memorybank.runs.files.plain import make_folder, write_whole
from memorybank.runs.journal import Record, is_written
from memorybank.runs.run_folder import RunFolder, load
from memorybank.session.assembly import Parts, assemble, reassemble
from memorybank.session.intake import document_source, split_prompt, text_source
from memorybank.session.phase import Phase
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank.tools.corpus import Corpus

MOST_FILES = 50
"""The most files of one upload."""
LONGEST_NAME = 200
"""The most bytes of a name; file systems take 255."""
CORPUS = "corpus"
"""The folder of a run that holds an uploaded corpus."""


class Runs:
    """All runs below `root`. `is_open(owner)` tells whether a tab is still connected.

    `local`: this machine's settings, for runs that are opened; they may name a run of another program to watch.
    `elsewhere`: folders of runs that are only read here; it is asked when an id is none of the others.
    """

    def __init__(
        self,
        root: Path,
        *,
        is_open: Callable[[str], bool] = lambda _: False,
        local: Settings | None = None,
        elsewhere: Callable[[], Iterable[Path]] = tuple,
    ) -> None:
        self.root, self.local = root, local or Settings()
        self._elsewhere = elsewhere
        self.watched = self.local.watch_dir.resolve() if self.local.watch_dir else None
        self.looks = Looks(is_open)
        self._workers: dict[str, Worker] = {}
        self._guard = threading.Lock()

    # -- beginning and going on ---------------------------------------------------------------------------------------

    def start(self, new: NewRun, *, by: Visitor, until: Until | None = None) -> SharedRun:
        """Begin a run. What was handed over is read and checked here, before anything runs. Raises InputError.

        Models are loaded in the worker. Bad input leaves no folder behind.
        """
        run_id = token_hex(16)
        folder = RunFolder(self.root / run_id)
        with whole_or_gone(folder):
            prompt = split_prompt(new.prompt)
            images = check_images(new.images)
            sources = [text_source(prompt.context, "context")] if prompt.context else []
            sources += read_uploads(new.context, folder)
            if not prompt.question and not sources and not images:
                raise InputError("run.nothing_to_do")
            corpus = _keep_corpus(new.corpus, folder) if isinstance(new.corpus, tuple) else new.corpus
        settings = replace(new.settings, corpus=corpus)
        texts = [prompt.question, *(source.text for source in sources)]

        def begin() -> Session:
            with whole_or_gone(folder):
                parts = assemble(settings, texts)
                return Session.start(
                    folder.path, parts, goal=prompt.question, sources=sources, images=images, run_id=run_id
                )

        return self._employ(run_id, begin, by=by, until=until)

    def look(self, run_id: str, *, by: Visitor) -> Run:
        """Return the run that a page with its address reads, whoever wrote it last.

        A living one is read along by other tabs of its browser, and belongs to the first that comes once its own tab
        was closed, which may be that tab loaded again. Raises InputError for an id that names no run, LockedError for
        another browser's living run, JournalError for a saved run that cannot be read, DamagedError for one that can
        be read in part.
        """
        living = self._living(run_id, by)
        if living is not None:
            if not self.looks.is_open(living.owner):
                living.owner = by.tab
            return SharedRun(living, by.tab, self.looks)
        folder = self.folder(run_id)
        live = run_id == self.watched_id or (not self.is_alive(run_id) and is_written(folder.journal))
        watcher = Watcher(run_id, folder.path, by.tab, self.looks, live=live)
        if not live and not watcher.records:
            load(folder.path)  # says the remedy where there is one
            raise watcher.error or JournalError("journal.empty", name=folder.journal.name)
        return watcher

    def open(self, run_id: str, *, by: Visitor) -> Run:
        """Return a run for a tab that goes on with it: the living one, which it takes over, or its folder, opened
        again.

        Nothing runs by itself. A run that another process writes is only watched. Raises InputError for an id that
        names no run and for one that is only read here, LockedError when another browser has it.
        """
        living = self._living(run_id, by)
        if living is not None:
            living.owner = by.tab
            return SharedRun(living, by.tab, self.looks)
        folder = self.folder(run_id)
        parting = self._workers.get(run_id) if self.is_alive(run_id) else None
        if run_id == self.watched_id or (parting is None and is_written(folder.journal)):
            return Watcher(run_id, folder.path, by.tab, self.looks)
        self.check_own(run_id)

        def begin() -> Session:
            if parting is not None:  # it was told to stop, and still holds the run for a moment
                parting.close()
            return Session.open(folder.path, lambda begun: parts_of(begun, folder, self.local))

        return self._employ(run_id, begin, by=by, known=lambda: load(folder.path))

    def _living(self, run_id: str, by: Visitor) -> Worker | None:
        """Return the run's worker, where one is alive. Raises LockedError when it is another browser's."""
        living = self._workers.get(run_id)
        if living is None or not living.is_alive:
            return None
        if living.owner != by.tab and not (by.browser and compare_digest(by.browser.encode(), living.browser.encode())):
            raise LockedError("run.open_elsewhere")
        return living

    def is_alive(self, run_id: str) -> bool:
        """Say whether a worker of this server has the run, be it only beginning or parting."""
        living = self._workers.get(run_id)
        return living is not None and living.phase not in (Phase.PARKED, Phase.FAILED)

    def folder(self, run_id: str) -> RunFolder:
        """Return the folder of a run. Raises InputError for an id that names no run here."""
        if self.watched is not None and run_id == self.watched_id:
            return RunFolder(self.watched)
        path = self.root / run_id
        if not RUN_ID_RE.fullmatch(run_id):
            raise InputError("run.unknown")
        if not path.is_dir():
            path = next((folder for folder in self._elsewhere() if address_elsewhere(folder) == run_id), path)
        if path.is_symlink() or not (path / "journal.jsonl").is_file():
            raise InputError("run.unknown")
        return RunFolder(path)

    def is_only_read(self, run_id: str) -> bool:
        """Say whether a run lies elsewhere and is not the one that is watched: here nobody goes on with it.

        Raises InputError for an id that names no run here.
        """
        return run_id != self.watched_id and self.folder(run_id).path.parent != self.root

    def check_own(self, run_id: str) -> None:
        """Raise InputError for a run that lies elsewhere: it is neither gone on with nor deleted from here."""
        if self.folder(run_id).path.parent != self.root:
            raise InputError("run.elsewhere")

    def folder_of(self, worker: Run) -> RunFolder:
        living = worker.takes_orders or worker.is_shared
        return RunFolder(self.root / worker.run_id) if living else self.folder(worker.run_id)

    @property
    def watched_id(self) -> str:
        """Return the address of the run that this machine's settings name; empty when they name none."""
        return address_elsewhere(self.watched) if self.watched is not None else ""

    def _employ(
        self,
        run_id: str,
        begin: Callable[[], Session],
        *,
        by: Visitor,
        known: Callable[[], Sequence[Record[Any]]] = tuple,
        until: Until | None = None,
    ) -> SharedRun:
        with self._guard:
            gone = [key for key, ended in self._workers.items() if ended.phase in (Phase.PARKED, Phase.FAILED)]
            for key in gone:
                del self._workers[key]
            worker = Worker(
                run_id,
                begin,
                owner=by.tab,
                browser=by.browser,
                known=known,
                until=until,
                is_open=lambda owner: self.looks.is_open(owner) or self.looks.is_seen(run_id),
            )
            self._workers[run_id] = worker
        return SharedRun(worker, by.tab, self.looks)


def remove_run(folder: RunFolder, run_id: str) -> None:
    """Delete all that a run of the app wrote, its journal last. Raises OSError; then it can be done again."""
    corpus = folder.path / CORPUS
    if corpus.is_symlink():
        corpus.unlink()
    elif corpus.is_dir():
        shutil.rmtree(corpus)
    local_state.forget(run_id)
    if folder.journal.is_file():
        folder.remove()
    elif folder.path.is_dir():  # it had not begun, or an older version was stopped in the middle
        folder.clear_unbegun()
        if not any(folder.path.iterdir()):
            folder.path.rmdir()


def address_elsewhere(folder: Path) -> str:
    """Return the address of a run that does not lie directly below the app's own folder."""
    return sha256(str(folder))[:32]


@contextmanager
def whole_or_gone(folder: RunFolder) -> Iterator[None]:
    """Leave nothing of a run that could not be made whole, neither in its folder nor among the images that wait."""
    try:
        yield
    except BaseException:  # a Ctrl-C too; it is raised again
        if folder.journal.is_file():
            folder.remove()
        shutil.rmtree(folder.path, ignore_errors=True)
        raise


def read_uploads(uploads: Sequence[Upload], folder: RunFolder) -> list[Source]:
    """Return files as sources, their originals in the run's formal store.

    Raises InputError, naming the file; then no original was stored, for all are read before one is kept.
    """
    _check_number(uploads, "run.too_many_files")
    documents = [read_bytes(base_name(upload.name), upload.data) for upload in uploads]
    return [document_source(document, folder) for document in documents]


def _check_number(uploads: Sequence[Upload], code: Literal["run.too_many_files", "run.too_many_images"]) -> None:
    if len(uploads) > MOST_FILES:
        raise InputError(code, count=len(uploads), most=MOST_FILES)


def check_images(uploads: Sequence[Upload]) -> list[tuple[str, bytes]]:
    """Return images as (name, bytes), each decoded once, so that a bad one is refused while its form is still on the
    page."""
    _check_number(uploads, "run.too_many_images")
    for upload in uploads:
        prepare_image(upload.name, upload.data)
    return [(base_name(upload.name), upload.data) for upload in uploads]


def parts_of(begun: SessionStarted, folder: RunFolder, local: Settings) -> Parts:
    """Return parts for a run that exists: its own settings, model and language; the corpus is what this machine
    remembers."""
    uploaded = folder.path / CORPUS
    corpus = uploaded if uploaded.is_dir() and not uploaded.is_symlink() else None
    # By its address, not by the id that its journal names: a copy from elsewhere must not read what another run read.
    return reassemble(replace(begun, run_id=folder.path.name), local, corpus)


def _keep_corpus(uploads: tuple[Upload, ...], folder: RunFolder) -> Path | None:
    """Write an uploaded corpus into the run's folder, each file under its own base name (numbers keep two apart).

    Raises InputError when none of them can be read.
    """
    if not uploads:
        return None
    _check_number(uploads, "run.too_many_files")
    Corpus.from_bytes({upload.name: upload.data for upload in uploads})  # refused here, while the form is on the page
    target = folder.path / CORPUS
    make_folder(target)
    for number, upload in enumerate(uploads, start=1):
        name = base_name(upload.name, default="document.txt")
        if len(name.encode("utf-8")) > LONGEST_NAME:
            name = f"{number}-{name[-20:]}"
        while (target / name).exists():
            name = f"{number}-{name}"
        write_whole(target / name, upload.data, durable=False)
    return target
