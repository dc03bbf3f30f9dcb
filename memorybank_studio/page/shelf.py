"""The studios of a server: those saved in its folder, and those that are open, each once for all tabs.

Opening one takes seconds (the graph engine starts), so it goes on in a thread. A studio's title never becomes part of
a path: its folder has a random name, and a card in it says what it is.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import streamlit as st
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from memorybank.errors import InputError
from memorybank.memory.types import Lang
from memorybank.runs.files.plain import read_plain, write_whole
from memorybank.settings import redaction
from memorybank.settings.config import Settings
from memorybank.ui.shell import state
from memorybank.ui.shell.state import SAMPLE
from memorybank.ui.shell.tab import problems_kept
from memorybank_studio.page.demo import demo, is_filled, played, put
from memorybank_studio.page.jobs import Job
from memorybank_studio.tasks.by_hand import TypedTexts
from memorybank_studio.types import TaskId

if TYPE_CHECKING:
    from memorybank.embedding.base import Embedder
    from memorybank.llm.base import ChatModel
    from memorybank_studio.journal.events import SettlementTable
    from memorybank_studio.page.jobs import ChapterWork, Import
    from memorybank_studio.studio import Studio

CARD: Final = "studio.json"
TABLES: Final = "tables.json"
LONGEST_TITLE: Final = 120
"""The most characters of a studio's title."""
_ID_RE: Final = re.compile(r"[0-9a-f]{32}")

Sentence = tuple[int, str]
"""A sentence of a task: its turn and its words."""


class Card(BaseModel):
    """The title and settings of a studio, which a file in its folder holds."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    title: str = Field(min_length=1, max_length=LONGEST_TITLE)
    lang: Lang
    """The story's language: prompts, tables and reasons are in it, whatever the page is in."""
    made: float
    demo: bool = False
    recorded: bool = False
    """It begins with the recorded session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A studio in its folder."""

    id: str
    card: Card


@dataclass(slots=True)
class OpenStudio:
    """The part of an open studio that all tabs share."""

    id: str
    card: Card
    studio: Studio
    importing: Import | None = None
    """The last import, under way or over."""
    writing: ChapterWork | None = None
    """The last work on a chapter, under way or over."""
    tables: dict[TaskId, SettlementTable] = field(default_factory=dict)
    """Settlement tables as an author left them; this and the next two are on the disk, too (`keep_tables`)."""
    dismissed: dict[TaskId, set[Sentence]] = field(default_factory=dict)
    """Sentences that no settlement read and of which the author records nothing; they stay so when it is made anew."""
    by_hand: dict[TaskId, set[Sentence]] = field(default_factory=dict)
    """Sentences that were not read and that the author made a row of, of the present table of each task."""

    @property
    def typed(self) -> TypedTexts:
        return self.studio.gateway.typed


@cache
def _left() -> TypeAdapter[Any]:
    from memorybank_studio.journal.events import SettlementTable

    of_tasks = dict[TaskId, set[Sentence]]
    return TypeAdapter(tuple[dict[TaskId, SettlementTable], of_tasks, of_tasks])


def keep_tables(held: OpenStudio) -> None:
    """Write down how the author left the settlement tables, for a server that is started anew. For callbacks."""
    data = _left().dump_json((held.tables, held.dismissed, held.by_hand))
    with problems_kept():
        write_whole(shelf().folder(held.id) / TABLES, data, mode=0o600)


Opener = Callable[[Path, Card], "Studio"]


class Shelf:
    """The studios of a folder, and those of them that are open. Thread-safe."""

    id: Final = "new"
    """The name of the form of a new one, among what has fields."""

    def __init__(self, root: Path, opener: Opener) -> None:
        self.root = root
        self._opener = opener
        self._lock = threading.Lock()
        self._jobs: dict[str, Job[OpenStudio]] = {}

    @cached_property
    def typed(self) -> TypedTexts:
        """What was typed into the form of a new one."""
        return TypedTexts(self.root, time.time)

    def saved(self) -> list[Saved]:
        """Return the latest first. A folder without a card that can be read is none of ours."""
        folders = sorted(self.root.iterdir()) if self.root.is_dir() else []
        readable = [saved for folder in folders if _ID_RE.fullmatch(folder.name) and (saved := _read(folder))]
        return sorted(readable, key=lambda saved: (-saved.card.made, saved.id))

    def add(self, title: str, lang: Lang, *, demo: bool = False, recorded: bool = False) -> str:
        """Begin a studio in a folder of its own; its id. Raises InputError for a title that is none, OSError."""
        title = " ".join(title.split())
        if not 0 < len(title) <= LONGEST_TITLE:
            raise InputError("studio.title_length", limit=LONGEST_TITLE, count=len(title))
        id_ = secrets.token_hex(16)
        folder = self.root / id_
        folder.mkdir(parents=True)
        card = Card(title=title, lang=lang, made=time.time(), demo=demo, recorded=recorded)
        write_whole(folder / CARD, card.model_dump_json().encode())
        return id_

    def open(self, id_: str) -> Job[OpenStudio]:
        """Return the opening of this studio, anew if it failed or its journal broke. Raises InputError for no id."""
        with self._lock:
            job = self._jobs.get(id_)
            if job is None or (not job.running and (job.error is not None or _broken(job))):
                saved = _read(self.root / id_) if _ID_RE.fullmatch(id_) else None
                if saved is None:
                    raise InputError("studio.unknown")
                broken = job.result().studio if job is not None and _broken(job) else None
                job = self._jobs[id_] = Job("opening", lambda _: self._opened(saved, broken))
            return job

    def folder(self, id_: str) -> Path:
        """Return the folder of a studio with this id."""
        return self.root / id_

    def opening(self, id_: str) -> Job[OpenStudio] | None:
        """Return the opening of a studio, under way or over; None for a studio that nobody has opened."""
        with self._lock:
            return self._jobs.get(id_)

    def close(self, id_: str) -> None:
        """Close it for all tabs. What is written stays."""
        with self._lock:
            job = self._jobs.pop(id_, None)
        if job is not None and job.wait(120.0) and job.error is None:
            held = job.result()
            for work in (held.importing, held.writing):
                if work is not None:
                    work.stop()
                    work.wait(60.0)
            held.studio.close()

    def _opened(self, saved: Saved, instead_of: Studio | None) -> OpenStudio:
        if instead_of is not None:
            instead_of.close()
        folder = self.root / saved.id
        held = OpenStudio(saved.id, saved.card, self._opener(folder, saved.card))
        with suppress(OSError, ValueError, InputError):  # none was left, or what is there is none of ours
            held.tables, held.dismissed, held.by_hand = _left().validate_json(read_plain(folder / TABLES))
        return held


def _read(folder: Path) -> Saved | None:
    if folder.is_symlink():
        return None
    try:
        return Saved(id=folder.name, card=Card.model_validate_json(read_plain(folder / CARD)))
    except (OSError, ValidationError, InputError):
        return None


def _broken(job: Job[OpenStudio]) -> bool:
    return job.error is None and bool(job.result().studio.gateway.broken)


FOLDER = "studio"
"""The name of the folder of studios below that of the app's runs."""


@st.cache_resource(show_spinner=False)
def shelf() -> Shelf:
    return Shelf(state.runs().root / FOLDER, open_studio)


def open_studio(folder: Path, card: Card) -> Studio:
    """Raises LockedError, StoreUnavailableError, InputError, JournalError, ModelUnavailableError."""
    from memorybank.embedding.hashed import HashedNgrams
    from memorybank.session.assembly import embedder_for
    from memorybank_studio.studio import Studio, StudioSettings

    effective, problem = state.local()
    if problem is not None:  # with the defaults it would be another studio: its stores and its model are elsewhere
        raise problem
    settings = effective.settings
    redaction.hide(*settings.secrets)
    stores = StudioSettings.of(settings, card.lang)
    if card.demo:  # a graph server holds one studio's story: that is to be the author's, not the demo's
        stores = replace(stores, graph=None)
    if card.recorded:  # in its folder alone, by what finds the same lines anywhere: the answers name them by number
        embedder: Embedder = HashedNgrams()
        stores = replace(stores, graph=None, chroma_url="")
        played(folder, embedder, CARD, card.lang)
    else:
        embedder = embedder_for(settings, settings.embedding_model, [SAMPLE[card.lang]])
    opened = Studio.open(folder, embedder, stores, chat=chat_for(settings), title=card.title)
    if card.demo and not is_filled(opened):
        try:
            put(opened, demo(card.lang), card.lang)
        except BaseException:  # a Ctrl-C too; it is raised again, and the stores are let go
            opened.close()
            raise
    return opened


def chat_for(settings: Settings) -> ChatModel | None:
    """Return the language model of this machine's settings; None without one."""
    if settings.engine != "llm":
        return None
    from memorybank.llm.build import build_chat

    return build_chat(settings.llm, None)  # without its cache: who asks again wants another answer
