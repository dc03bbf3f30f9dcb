"""A run's folder: what is where, and how its journal is opened, read, and copied.

journal.jsonl    every event                 blobs/    prompts, raw answers, tool results, by hash
files/           originals (formal store)    temp/     images that wait for recognition
hand/            requests to a person, and the answers (llm/hand)
memory.json      the export                  answer.md the last answer             .lock   one writer
label.json       what a person has called it, and whether it is pinned
items.jsonl      what a framework keeps beside it by name (integrations/kept_items.py)
.summary.json    what the app's list of runs says of it (hosting/saved.py)
"""

from __future__ import annotations

import os
import re
import secrets
from bisect import bisect
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memorybank.errors import DamagedError, InputError, JournalError, LockedError
from memorybank.language.text import fold_space, sentences, sha256
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.events import EVENT, OBSERVATIONS, Observation, SessionForked, SessionStarted, StageFinished
from memorybank.memory.state import MemoryState, fold
from memorybank.prompts.tags import blocks_of, without_blocks
from memorybank.runs.files.plain import check_folder, check_plain, copy_plain
from memorybank.runs.files.stores import BlobStore, FormalStore, TempStore
from memorybank.runs.journal import Format, Journal, Record, read_as_far
from memorybank.runs.label import LABEL
from memorybank.runs.memory_file import with_readers_of_now
from memorybank.runs.stages import border_of, ends_stage


def _with_body_start(event: dict[str, Any]) -> dict[str, Any]:
    """Say where an entry's body begins: before schema 3 its first line cited an attachment by its place alone."""
    entries = event.get("entries", ()) if event.get("type") == "MemoryImported" else (event.get("entry"),)
    for entry in entries:
        if isinstance(entry, dict) and entry.get("attachments") and "\n" in entry.get("text", ""):
            entry["body_start"] = entry["text"].index("\n") + 1
    return event


_CHECKED_LINE_RE = re.compile(
    r"^(?:Checked \((?P<ids>c\d+(?:, c\d+)*)\): |已核实（(?P<ids_zh>c\d+(?:, c\d+)*)）：)"
    r"(?P<holds>.*) \[[^\]\n]*\].*(?:\n|\Z)",
    re.MULTILINE,
)


def _with_values(event: dict[str, Any]) -> dict[str, Any]:
    """Make verdicts values: before schema 4 they stood in a round's answer, and what held by them in summaries.

    Those lines named sources that did not say so. They leave the summaries, and what they took out of them is marked.
    """
    kind = event.get("type")
    if kind == "TaskExecuted":
        verdicts: dict[str, Any] = {}
        for body in blocks_of("verdict", event.get("answer", "")):
            with suppress(ValueError, RecursionError):
                verdict = StatedVerdict.model_validate_json(body)
                verdicts[verdict.conflict] = verdict.model_dump(mode="json")
        if verdicts:
            event |= {"verdicts": list(verdicts.values()), "answer": without_blocks(event["answer"], "verdict")}
    elif kind == "NodesMerged":
        event["summary"] = _CHECKED_LINE_RE.sub("", event["summary"]).rstrip("\n") or event["summary"]
    elif kind == "NodeDescribed":
        if event.get("conflict_ids"):
            return {"type": "NodeChecked", "node_id": event["node_id"], "checks": _checks(event)}
        return {
            name: value for name, value in event.items() if name not in ("summary_before", "summary", "conflict_ids")
        }
    return event


def _checks(event: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the checks behind a summary that was edited; a second edit has no marks, for places had moved."""
    before, after = event["summary_before"], fold_space(event["summary"])
    before = "" if _CHECKED_LINE_RE.search(before) else before
    taken_out = [
        {"start": start, "end": start + len(before[start:end].rstrip())}
        for start, end in sentences(before)
        if before[start:end].strip() and fold_space(before[start:end]) not in after
    ]
    holds = {
        id_: line["holds"]
        for line in _CHECKED_LINE_RE.finditer(event["summary"])
        for id_ in (line["ids"] or line["ids_zh"]).split(", ")
    }
    return [
        {"conflict_id": id_, "state": "checked", "holds": holds.get(id_, ""), "refuted": taken_out}
        for id_ in event["conflict_ids"]
    ]


def _with_readers_of_now(event: dict[str, Any]) -> dict[str, Any]:
    """Name a reader of now: before schema 5, a contradiction may have been found by one that is no longer there."""
    conflicts = event.get("conflicts") if event.get("type") == "MemoryImported" else [event]
    for conflict in conflicts if isinstance(conflicts, list) else ():
        if isinstance(conflict, dict):
            with_readers_of_now(conflict.get("contradictions"))
    return event


SESSION: Format[Any] = Format(
    kind="memorybank",
    schema=5,
    events=EVENT,
    upcasts={1: lambda event: event, 2: _with_body_start, 3: _with_values, 4: _with_readers_of_now},
)
"""Sessions' journals. A change that is not a new field with a default raises `schema` and adds an upcast.

2: a conflict may be closed as checked, a session end as filed_with_failures. 3: an entry says where its body starts.
4: a round's verdicts are values, and a check is a mark on a node instead of an edit of its summary. 5: what the engine
without a model found, it found by claims, copies or corrections.
"""

JOURNAL, ITEMS = "journal.jsonl", "items.jsonl"
WRITTEN = (JOURNAL, "journal.new", "memory.json", "answer.md", LABEL, ITEMS, ".summary.json", ".lock")
STORES = ("blobs", "files", "temp", "hand")
OWNED = (*WRITTEN, *STORES)
"""Names that a run takes in its folder. Whatever else lies there is not the run's."""

_BESIDE_RE = re.compile(r"\.(?:journal\.jsonl|memory\.json|answer\.md)\.\d+\.\d+|journal\.left-out-\d+\.jsonl")
"""Matches what a process that was killed while writing leaves behind, and what was put aside of a damaged journal."""

_STORED_RE = re.compile(r"\.?[0-9a-f]{64}(?:\.[\w.]+)?|\d{3,9}\.[a-z_]+\.(?:request|answer|image-\d+)\.[a-z]+")
"""Matches what the stores write: a file named by its hash, or one that was begun; a request by its number."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    path: Path
    temp_dir: Path | None = None
    """Another place for images that wait: one folder a run in it."""

    @property
    def journal(self) -> Path:
        return self.path / JOURNAL

    @property
    def blobs(self) -> BlobStore:
        return BlobStore(self.path / "blobs")

    @property
    def files(self) -> FormalStore:
        return FormalStore(self.path / "files")

    @property
    def temp(self) -> TempStore:
        return TempStore(self._temp_folder)

    @property
    def _temp_folder(self) -> Path:
        if self.temp_dir is None:
            return self.path / "temp"
        return self.temp_dir / sha256(str(self.path.resolve()))[:32]

    def image(self, state: MemoryState, sha256_: str) -> bytes:
        """Return an image's bytes by its hash: filed, or still waiting. Raises InputError when there is none such."""
        filed = next(
            (attachment.path for attachment in state.tree.attachments.values() if attachment.sha256 == sha256_), ""
        )
        # A fork of the time before the recognition has the image in the formal store, without an attachment.
        unattached = (f"{sha256_}{suffix}" for suffix in (".png", ".jpg"))
        known = filed or next((name for name in unattached if (self.path / "files" / name).is_file()), "")
        return self.files.read(known) if known else self.temp.read(sha256_)

    # -- beginning and end --------------------------------------------------------------------------------------------

    def check_vacant(self, *, given: Container[str] = ()) -> None:
        """Refuse a folder that holds a name a run would write to, except for `given`.

        Raises JournalError when it holds a run, InputError else.
        """
        if self.journal.exists():
            raise JournalError("journal.taken", name=self.path.name)
        for name in STORES:
            if name in given:
                check_folder(self.path / name)
        taken = [name for name in OWNED if name not in given and os.path.lexists(self.path / name)]
        if taken == [".lock"] and not (self.path / ".lock").lstat().st_size:
            return  # what a look at an empty folder leaves
        if taken:
            raise InputError("run.would_overwrite", name=self.path.name, names=", ".join(taken))

    def check_plain(self) -> None:
        """Refuse a folder that brings a link, a pipe or a device under a name that a run writes to.

        The folder itself may be a link: whoever named it wants that. Raises UnsafeInputError.
        """
        if self.path.exists() and not self.path.is_dir():
            raise InputError("run.folder_is_file", name=self.path.name)
        for name in WRITTEN:
            check_plain(self.path / name)
        for store in self._stores():
            check_folder(store)

    def remove(self) -> None:
        """Delete what a run wrote here, nothing else, and the folder if that leaves it empty.

        The journal goes last: as long as anything is left, this is a run's folder, and it can be removed again.
        """
        if not self.journal.is_file():
            raise JournalError("run.nothing_removed", name=self.path.name)
        self._delete([path for path in self._own() if path != self.journal])
        self.journal.unlink()
        if not any(self.path.iterdir()):
            self.path.rmdir()

    @contextmanager
    def beginning(self) -> Iterator[None]:
        """Around what begins a run: one that cannot be begun takes away what it wrote, no more.

        A folder in which a journal stands is a run's, this one's or another's, and is left alone.
        """
        existed, before = self.path.is_dir(), set(self._own())
        try:
            yield
        except LockedError:
            raise
        except BaseException:  # a Ctrl-C too; it is raised again
            if not self.journal.exists():
                self._delete([path for path in self._own() if path not in before])
                if not existed and self.path.is_dir() and not any(self.path.iterdir()):
                    self.path.rmdir()
            raise

    def clear_unbegun(self) -> None:
        """Delete what a process left that was killed before its run had begun. Raises JournalError where one stands."""
        if self.journal.exists():
            raise JournalError("journal.taken", name=self.path.name)
        self._delete(self._own())

    def _own(self) -> list[Path]:
        """Return the run's files and stores; in a store, which may be older than the run, what a hash names."""
        paths = [self.path / name for name in WRITTEN]
        paths += sorted(path for path in self.path.glob("*") if _BESIDE_RE.fullmatch(path.name))
        for store in self._stores():
            if store.is_dir() and not store.is_symlink():
                paths += sorted(path for path in store.iterdir() if _STORED_RE.fullmatch(path.name))
                paths.append(store)
        return [path for path in paths if os.path.lexists(path)]

    def stores(self) -> dict[str, Path]:
        """Return where each store's files lie, by its name; they may not be there yet."""
        return {"blobs": self.path / "blobs", "files": self.path / "files", "temp": self._temp_folder}

    def _stores(self) -> list[Path]:
        apart = [] if self.temp_dir is None else [self._temp_folder]
        return [*(self.path / name for name in STORES), *apart]

    def _delete(self, paths: Sequence[Path]) -> None:
        """Delete files, then the stores that are empty without them."""
        for path in paths:
            if not path.is_dir() or path.is_symlink():
                path.unlink(missing_ok=True)
        for path in paths:
            if path in self._stores() and not any(path.iterdir()):
                path.rmdir()

    def copy_stores(self, target: RunFolder) -> None:
        """Take blobs, originals and waiting images over to another run (a fork)."""
        for name, folder in self.stores().items():
            copy_plain(folder, target.stores()[name], wanted=_STORED_RE.fullmatch)


Records = list[Record[Any]]


def split_committed(records: Records) -> tuple[Records, list[tuple[Observation, float]]]:
    """Return the committed records, and the memo: observations after the last `StageFinished`.

    Facts after it were part of a commit that never ended; they are dropped.
    """
    last = max((place for place, record in enumerate(records) if ends_stage(record)), default=-1)
    rest = [(record.event, record.at) for record in records[last + 1 :] if isinstance(record.event, OBSERVATIONS)]
    return records[: last + 1], rest


def open_journal(folder: RunFolder) -> tuple[Journal[Any], Records, list[tuple[Observation, float]]]:
    """Take the run over for writing: what is not committed is cut off, except for the memo."""
    folder.check_plain()
    try:
        journal, records = Journal.open(folder.journal, SESSION)
    except JournalError:
        load(folder.path)  # says the remedy where there is one
        raise
    committed, memo = split_committed(records)
    if len(committed) + len(memo) != len(records):
        kept = committed + [record for record in records[len(committed) :] if isinstance(record.event, OBSERVATIONS)]
        try:
            journal.rewrite(kept)
        except BaseException:  # a Ctrl-C too; it is raised again, and the lock is let go
            journal.close()
            raise
        committed = [Record(seq, record.at, record.event) for seq, record in enumerate(kept[: len(committed)], start=1)]
    return journal, committed, memo


def run_id_of(records: Iterable[Record[Any]]) -> str:
    """Return the run's own id: of a branch the one it was given when it parted. Empty for a run that never began."""
    run_id = ""
    for record in records:
        if isinstance(record.event, SessionStarted | SessionForked):
            run_id = record.event.run_id
    return run_id


def fork(source: RunFolder, records: Sequence[Record[Any]], at: int, target: RunFolder, *, run_id: str = "") -> int:
    """Copy the past of a run, up to the last stage finished within the first `at` events, into a new run.

    No session and no model is needed, and nothing of the past will be run again; open the new run to go on. Answers
    with the number of events in common. `run_id` is for a caller that has named the new run already (unguessable).
    Raises InputError when no stage had finished by then.
    """
    parted = fork_border(records, at)
    if not parted:
        first = next((record.seq for record in records if ends_stage(record)), 0)
        raise InputError("run.no_fork", at=at, first=first)
    target.check_vacant()
    with target.beginning():
        source.copy_stores(target)
        with Journal.made_whole(target.journal, SESSION) as journal:
            journal.rewrite(records[:parted])
            forked = SessionForked(
                parent_run_id=run_id_of(records), parent_seq=parted, run_id=run_id or secrets.token_urlsafe(16)
            )
            border = border_of(records[parted - 1].event)
            ended = StageFinished(stage="settings", round=border.round if border is not None else 0)
            journal.append([forked, ended], durable=True)
    return parted


def fork_border(records: Sequence[Record[Any]], at: int) -> int:
    """Return how many events a fork at `at` shares with its parent: up to a stage's end; 0: none had ended."""
    past = range(min(max(at, 0), len(records)), 0, -1)
    return next((seq for seq in past if ends_stage(records[seq - 1])), 0)


def journal_path(run: Path) -> Path:
    """Return the journal of a run, which may be named by a link, too: the user's wish, unlike a link in the folder."""
    return run / JOURNAL if run.is_dir() else Path(os.path.realpath(run))


def load(run: Path | str) -> Records:
    """Read a run without taking it over: all whole records of its journal.

    Raises JournalError; DamagedError where stages are whole before the damage (salvage.py opens them).
    """
    run = Path(run)
    journal = read_as_far(journal_path(run), SESSION)
    if journal.damage is not None:
        raise with_remedy(journal.damage, journal.records)
    if not journal.records:
        raise JournalError("run.never_began", name=journal_path(run).parent.name)
    if not isinstance(journal.records[0].event, SessionStarted):
        raise JournalError("journal.no_session", name=journal_path(run).name)
    return journal.records


def with_remedy(damage: JournalError, before: Sequence[Record[Any]]) -> JournalError:
    """Adds the remedy to the error of a damaged journal, where the part before the damage can be opened."""
    whole = sum(ends_stage(record) for record in before)
    if not whole or not isinstance(before[0].event, SessionStarted):
        return damage
    return DamagedError("journal.whole_before", reason=damage, count=whole)


def state_at(records: Sequence[Record[Any]], at: int | None = None) -> MemoryState:
    """Return the state after `at` events (all, when None). Any place is allowed; an unfinished commit is left out.

    Raises JournalError for records that contradict each other; DamagedError where stages are whole before them.
    """
    seen = list(records if at is None else records[: max(0, at)])
    try:
        return _folded(seen)
    except JournalError as contradiction:
        raise with_remedy(contradiction, seen[: consistent_prefix(seen)]) from None


def consistent_prefix(records: Records) -> int:
    """Counts the records, up to the end of a stage, that do not contradict each other."""
    ends = [place for place, record in enumerate(records, start=1) if ends_stage(record)]
    return [0, *ends][bisect(ends, False, key=lambda end: contradiction_of(records[:end]) is not None)]


def contradiction_of(records: Records) -> JournalError | None:
    try:
        _folded(records)
    except JournalError as contradiction:
        return contradiction
    return None


def _folded(records: Records) -> MemoryState:
    committed, _ = split_committed(records)
    return fold((record.event, record.at) for record in committed if not isinstance(record.event, OBSERVATIONS))
