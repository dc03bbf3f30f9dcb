"""A session: one long task and its memory, stage by stage.

    stage = next_stage(progress);  facts = stage(state, fx);  commit(facts)

`step` runs one stage; `iterate` yields after each; `run` drains it; `run_until` stops at a border. Opening a run
resumes it. User actions (add, ask, stage an image, undo a merge) are commits through the same door.
"""

from __future__ import annotations

import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from memorybank import calls
from memorybank.calls import Cancelled
from memorybank.embedding.models import in_use
from memorybank.errors import InputError, MergeUndoError, Notice
from memorybank.language.text import encodable
from memorybank.memory import events
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.layers.progress import next_stage
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import USER, ConflictId, ConflictStatus, EntryId, Lang, MergeEventId, StagedImage
from memorybank.retrieval.recall import embed_nodes
from memorybank.runs import local_state
from memorybank.runs.clock import now
from memorybank.runs.export import to_json
from memorybank.runs.files.names import shortest_names
from memorybank.runs.files.plain import write_whole
from memorybank.runs.importing import from_json
from memorybank.runs.journal import Journal, Record
from memorybank.runs.run_folder import ITEMS, SESSION, RunFolder, fork, open_journal, state_at
from memorybank.session.assembly import Parts
from memorybank.session.effects import Paused
from memorybank.session.following import begin_following, shown
from memorybank.session.stages import STAGES, Stage
from memorybank.session.stages.agent_failures import Refiled, failure_notes, queue_again
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.recording import Names, Source, queue, receive
from memorybank.session.stages.resolving import state_verdict
from memorybank.session.stages.undoing import restore, take_back, tell_apart, undo
from memorybank.settings.version import __version__

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageReport:
    """The result of one `step`."""

    stage: events.StageName
    round: int
    facts: tuple[events.Fact, ...]
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """The progress of the running stage: `done` of `total` parts (agent calls, embedded nodes)."""

    stage: events.StageName
    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResult:
    result: str
    """complete, complete_with_failures, out_of_rounds, filed, filed_with_failures; empty while there is more to do."""
    answer: str
    engine: str
    """The name of the engine that made it."""
    notes: tuple[str, ...] = ()
    """The failures that a reader of the answer must know of, a line each, in the session's language."""

    @property
    def text(self) -> str:
        """Return the answer with what must be known of it."""
        return "\n\n".join(part for part in (self.answer, "\n".join(self.notes)) if part)


class Session:
    """One writer of one run. Use `start` or `open`, and `close` it (or use it as a context manager)."""

    stages: Mapping[events.StageName, Stage] = STAGES

    def __init__(self, folder: RunFolder, journal: Journal[Any], parts: Parts) -> None:
        self.folder = folder
        self.parts = parts
        self.bank = MemoryState()
        self.records: list[Record[Any]] = []
        """Everything that happened, for readers: append-only, so another thread may look at a prefix of it."""
        self.activity: Activity | None = None
        """The running stage's progress; None between stages. Other threads may read it."""
        self.on_activity: Callable[[Activity], None] = lambda activity: None
        self._journal = journal
        self._memo: list[tuple[events.Observation, float]] = []
        self._pause = threading.Event()
        logger.info("%s", in_use(parts.embedder.name))

    # -- beginning and end --------------------------------------------------------------------------------------------

    @classmethod
    def start(
        cls,
        folder: Path,
        parts: Parts,
        *,
        goal: str = "",
        sources: Sequence[Source] = (),
        images: Sequence[tuple[str, bytes]] = (),
        memory: str = "",
        run_id: str = "",
    ) -> Self:
        """Begin a run in a folder; `memory` is a memory.json's text to begin with. Raises InputError, JournalError.

        `run_id` is for a caller that has named the run already (the app's folder); it must be unguessable.
        Originals of the sources may lie in the folder's `files/`; any other name of a run must be free. Bad input
        leaves nothing behind, and closes the parts.
        """
        run = RunFolder(folder, parts.settings.temp_dir)
        with ExitStack() as refused:
            refused.callback(parts.close)
            if not goal.strip() and not sources and not images and not memory:
                raise InputError("run.nothing_to_do")
            run.check_vacant(given=("files", ITEMS))
            with run.beginning():
                named = zip(shortest_names([name for name, _ in images]), images, strict=True)
                staged = [replace(_verify(run, name, data), name=name) for name, (_, data) in named]
                journal = Journal.create(run.journal, SESSION)
                session = cls(run, journal, parts)
                run_id = run_id or secrets.token_urlsafe(16)
                # Before the run stands: one that was killed in between would go on without its documents, and not know.
                local_state.remember_corpus(run_id, parts.settings.corpus)
                try:
                    session._begin(run_id, goal, sources, staged, memory)
                except BaseException:  # a Ctrl-C too; it is raised again, and what is written is not a run
                    local_state.forget(run_id)
                    session.close()
                    run.journal.unlink()
                    raise
            refused.pop_all()
        begin_following(session)
        return session

    def _begin(
        self, run_id: str, goal: str, sources: Sequence[Source], staged: Sequence[StagedImage], memory: str
    ) -> None:
        settings = self.parts.settings
        draft = self._draft()
        draft.emit(
            events.SessionStarted(
                run_id=run_id,
                version=__version__,
                engine=self.parts.engine.name,
                embedding_model=self.parts.embedder.name,
                embedding_dim=self.parts.embedder.dim,
                lang=self.parts.lang,
                max_rounds=settings.max_rounds,
                prompt_tokens=settings.prompt_tokens,
                model=self.parts.models,
                **settings.analysis,
            )
        )
        if memory:
            draft.emit(
                from_json(
                    memory,
                    embed=lambda nodes: embed_nodes(self.parts.embedder, nodes),
                    dispute=self.parts.dispute,
                    has_file=lambda path: (self.folder.path / "files" / path).is_file(),
                    vector_bytes=2 * self.parts.embedder.dim,
                )
            )
        self._receive(draft, goal, sources, staged)
        self._commit(draft.facts, "receive")

    @classmethod
    def open(cls, folder: Path, parts_for: Callable[[events.SessionStarted], Parts]) -> Self:
        """Take a run over where it stopped. `parts_for` builds engine and models for the settings it was begun with.

        Nothing runs until `step` is called. Raises JournalError, LockedError.
        """
        journal, committed, memo = open_journal(RunFolder(folder))
        try:
            bank = state_at(committed)
            if bank.settings is None:
                raise InputError("run.never_began", name=folder.name)
            parts = parts_for(bank.settings)
            if bank.changed is not None:
                parts = replace(parts, settings=parts.settings.with_analysis_of(bank.changed))
            session = cls(RunFolder(folder, parts.settings.temp_dir), journal, parts)
            stage = next_stage(bank.progress) or ""
            known = sum(isinstance(event, events.AgentCalled | events.ToolUsed) for event, _ in memo)
            observed = journal.append([events.SessionResumed(stage=stage, memo=known)])
        except BaseException:  # a Ctrl-C too; it is raised again, and the run is free for another
            journal.close()
            raise
        session.bank = bank
        session._memo = memo
        rest = [Record(len(committed) + place, at, event) for place, (event, at) in enumerate(memo, start=1)]
        session.records = [*committed, *rest, *observed]
        begin_following(session)
        return session

    def close(self) -> None:
        """Release the run, and the connections to a language model. It can be opened again."""
        self._journal.close()
        self.parts.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    # -- the loop -----------------------------------------------------------------------------------------------------

    @property
    def next_stage(self) -> events.StageName | None:
        return next_stage(self.bank.progress)

    def step(self) -> StageReport | None:
        """Run the next stage and commit it. None when the session waits for input, or when it was paused."""
        stage = self.next_stage
        if stage is None or self._pause.is_set():
            return None
        began = time.perf_counter()
        if not any(isinstance(event, events.StageStarted) for event, _ in self._memo):
            self._observe(events.StageStarted(stage=stage, round=self.bank.progress.round))
        effects = self._effects(stage)
        try:
            with calls.watch(self._pause.is_set, self.folder.path):
                facts = self.stages[stage](self.bank, effects)
        except (Paused, Cancelled):
            return None
        finally:
            self.activity = None
        seconds = time.perf_counter() - began
        self._commit(facts, stage, ms=round(seconds * 1000, 1))
        return StageReport(stage=stage, round=self.bank.progress.round, facts=tuple(facts), seconds=seconds)

    def iterate(self) -> Iterator[StageReport]:
        while (report := self.step()) is not None:
            yield report

    def run(self) -> SessionResult:
        for _ in self.iterate():
            pass
        return self.result

    def run_until(self, reached: Callable[[StageReport], bool]) -> StageReport | None:
        """Run on until a stage's report meets the condition; None when the session came to rest before."""
        return next((report for report in self.iterate() if reached(report)), None)

    def pause(self) -> None:
        """Ask the running step to stop: before its next call, or in a call that waits for a network.

        May be called from another thread or a signal handler. What was answered is kept, the rest is asked again.
        """
        self._pause.set()

    @property
    def paused(self) -> bool:
        return self._pause.is_set()

    def unpause(self) -> None:
        self._pause.clear()

    @property
    def result(self) -> SessionResult:
        progress = self.bank.progress
        notes = failure_notes(self.bank, self.parts.lang)
        return SessionResult(result=progress.result, answer=progress.answer, engine=self.parts.engine.name, notes=notes)

    def show(self, *, lang: Lang | None = None) -> Any:
        """Draw the memory as it stands now, for a notebook: its graph and its last moments."""
        return shown(self, lang)

    # -- user actions -------------------------------------------------------------------------------------------------

    def add(self, *sources: Source) -> None:
        """Give the session more to remember, at any time. What failed of a source that it knows is filed again."""
        if not sources:
            raise InputError("run.nothing_to_add")
        draft = self._draft()
        queue_again(draft, self._take_in(draft, sources))
        self._commit(draft.facts, "receive")

    def ask(self, question: str) -> None:
        """Set another task on the same memory."""
        draft = self._draft()
        self._receive(draft, question, (), ())
        self._commit(draft.facts, "receive")

    def stage_image(self, name: str, data: bytes) -> None:
        """Put an image into the temp store; the planner will have it recognised."""
        draft = self._draft()
        self._receive(draft, "", (), [_verify(self.folder, name, data)])
        self._commit(draft.facts, "receive")

    def refile(self, *entry_ids: EntryId) -> Refiled:
        """Queue again what an agent's failure left undone; the next steps classify, summarise, file and compare it.

        All of it; or what is left of the entries that are named, those that were left unfiled for another reason too
        (read in a round that failed, say). Nothing is committed where nothing is left. Raises InputError for an
        entry that is not there.
        """
        draft = self._draft()
        refiled = queue_again(draft, entry_ids)
        if draft.facts:
            self._commit(draft.facts, "refile")
        return refiled

    def undo_merge(self, event_id: str, node_id: str = "") -> events.MergeUndone:
        """Take a merge back, or split one node off it; the others are then united anew, which asks an agent.

        Raises MergeUndoError, naming what stands in the way; nothing is changed then.
        """
        draft = self._draft()
        with self._asking() as door:
            undone = undo(draft, MergeEventId(event_id), node_id, door)
        self._commit(draft.facts, "undo")
        return undone

    def restore_merge(self, event_id: str) -> events.MergeRestored:
        """Let a merge stand again that was taken back or split, as it was. Raises MergeUndoError as an undo does."""
        draft = self._draft()
        restored = restore(draft, MergeEventId(event_id))
        self._commit(draft.facts, "undo")
        return restored

    def tell_apart(self, conflict_id: str, reason: str = "", *, by: str = USER) -> None:
        """Say that a conflict, open or closed, is about different things: what it united parts, what it refuted stands.

        The pair is neither disputed nor merged again. Raises InputError, and MergeUndoError as an undo does.
        """
        self._check_between_rounds()
        draft = self._draft()
        with self._asking() as door:
            tell_apart(draft, ConflictId(conflict_id), encodable(reason.strip()), by, door)
        self._commit(draft.facts, "verdict")

    def take_back(self, conflict_id: str) -> None:
        """Take back that a conflict is about different things: it is what it was, with its checks and its merge."""
        self._check_between_rounds()
        draft = self._draft()
        take_back(draft, ConflictId(conflict_id))
        self._commit(draft.facts, "undo")

    def _check_between_rounds(self) -> None:
        if self.bank.progress.need in ("intercept", "resolve") or self.bank.progress.executed is not None:
            raise InputError("conflict.being_taken_in")

    @contextmanager
    def _asking(self) -> Iterator[Callable[[], StageEffects]]:
        """Let a person's act ask an agent: no earlier pause stops it, and what failed is asked again next time."""
        memo = list(self._memo)

        def door() -> StageEffects:
            self.unpause()
            return self._effects("analyse")

        try:
            with calls.watch(self._pause.is_set, self.folder.path):
                yield door
        except (Paused, Cancelled):
            raise MergeUndoError("merge.stopped") from None
        finally:
            self._memo, self.activity = memo, None

    def resolve(self, verdict: StatedVerdict, *, by: str = USER) -> None:
        """State what holds in an open conflict, in place of a cross-validation; the next steps bring it into memory.

        That it is about different things may be said of any conflict, and holds at once (`tell_apart`). A task that was
        planned and not begun is planned anew. Raises InputError for a conflict that is not open, and while a round's
        outcome is being taken in.
        """
        if verdict.status is ConflictStatus.FALSE_ALARM:
            self.tell_apart(verdict.conflict, verdict.reasoning, by=by)
            return
        open_ones = [conflict.id for conflict in self.bank.conflicts.open()]
        if verdict.conflict not in open_ones:
            known = ", ".join(open_ones) or Notice("text.none")
            raise InputError("conflict.not_open", name=verdict.conflict, known=known)
        self._check_between_rounds()
        draft = self._draft()
        state_verdict(draft, verdict, by, self.parts.lang)
        self._commit(draft.facts, "verdict")

    def change_settings(self, **changes: Any) -> None:
        """Change settings of `Settings.analysis` from here on. A paused stage's memo is dropped."""
        settings = replace(self.parts.settings, **changes)
        self.parts = replace(self.parts, settings=settings)
        self._memo = []
        self._commit([events.SettingsChanged(**settings.analysis)], "settings")

    def fork(self, at: int, folder: Path) -> Path:
        """Copy the past up to the last stage finished within the first `at` events into a new run; open it to go on."""
        run_id = secrets.token_urlsafe(16)
        local_state.remember_corpus(run_id, self.parts.settings.corpus)
        fork(self.folder, self.records, at, RunFolder(folder, self.parts.settings.temp_dir), run_id=run_id)
        return folder

    def export(self) -> None:
        """Write memory.json, and answer.md when the last question has an answer, into the run's folder."""
        text = json.dumps(to_json(self.bank), ensure_ascii=False, indent=2)
        write_whole(self.folder.path / "memory.json", f"{text}\n".encode())
        result, target = self.result, self.folder.path / "answer.md"
        if result.answer:
            write_whole(target, f"{result.text}\n".encode())
        else:
            target.unlink(missing_ok=True)

    # -- the one door -------------------------------------------------------------------------------------------------

    def _draft(self) -> Draft:
        return Draft.of(self.bank, now())

    def _receive(self, draft: Draft, goal: str, sources: Sequence[Source], staged: Sequence[StagedImage]) -> None:
        if goal.strip():
            draft.emit(events.TaskReceived(doc_id=draft.new_doc(), goal=encodable(goal.strip())))
        for image in staged:
            own = Names(draft.state.tree, self.parts.lang, self.parts.corpus).of_image(image)
            draft.emit(events.ImageStaged(image=replace(own, id=draft.new_image())))
        self._take_in(draft, sources)

    def _take_in(self, draft: Draft, sources: Sequence[Source]) -> Sequence[EntryId]:
        entry_ids = receive(draft, sources, self.parts.lang, self.parts.corpus)
        queue(draft, entry_ids)
        return entry_ids

    def _effects(self, stage: events.StageName) -> StageEffects:
        memo = [event for event, _ in self._memo]
        began = next((at for event, at in self._memo if isinstance(event, events.StageStarted)), now())
        effects = StageEffects(
            engine=self.parts.engine,
            recall=self.parts.recall,
            tools=self.parts.tools(
                lambda: self.bank, self.folder, lambda: [image for _, _, result in effects.used for image in result.met]
            ),
            executor=self.parts.executor,
            store_image=self._store_image,
            settings=self.parts.settings,
            lang=self.parts.lang,
            observe=self._observe,
            blobs=self.folder.blobs,
            now=began,
            by_role=self.parts.by_role,
            chats=self.parts.chats,
            image_bytes=lambda digest: self.folder.image(self.bank, digest),
            memo=memo,
            paused=self._pause.is_set,
            progress=lambda done, total: self._show(stage, done, total),
        )
        return effects

    def _show(self, stage: events.StageName, done: int, total: int) -> None:
        self.activity = Activity(stage=stage, done=done, total=total)
        self.on_activity(self.activity)

    def _store_image(self, image: StagedImage) -> Any:
        suffix = "." + image.media_type.rpartition("/")[2].replace("jpeg", "jpg")
        return self.folder.files.put(self.folder.image(self.bank, image.sha256), suffix)

    def _observe(self, observation: events.Observation) -> None:
        (record,) = self._journal.append([observation])
        self.records.append(record)
        self._memo.append((record.event, record.at))

    def _commit(
        self, facts: Sequence[events.Fact], stage: events.StageName | events.UserAction, ms: float = 0.0
    ) -> None:
        """Write the facts to disk before any screen: in one append, made durable, then taken into the bank."""
        finished = events.StageFinished(stage=stage, round=self.bank.progress.round, ms=ms)
        records = self._journal.append([*facts, finished], durable=True)
        for record in records:
            self.bank.apply(record.event, record.at)
        self.records.extend(records)
        self._memo = []
        if any(isinstance(fact, events.SessionFinished) for fact in facts):
            if not self.bank.tree.staged:
                self.folder.temp.empty()
            self.export()


def _verify(folder: RunFolder, name: str, data: bytes) -> StagedImage:
    """Verify an image and write it to the temp store; its real id is given when it is staged."""
    return folder.temp.stage("i0", name, data)  # type: ignore[arg-type]
