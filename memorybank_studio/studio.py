"""A studio: one story's hub, tasks and creativity engine, opened together and closed together.

    with Studio.open(folder, embedder) as studio:
        reply = studio.gateway.handle("What could go wrong?", task=None, command=Command.NEW, argument="The duel")
        studio.gateway.handle("", task=reply.task.id, command=Command.SETTLE)

One process opens a folder at a time. What lies in it: the studio's journal, the embedded graph and Chroma's files.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from memorybank.embedding.base import Embedder
from memorybank.errors import InputError
from memorybank.llm.base import ChatModel
from memorybank.memory.types import Lang, Value
from memorybank.runs.files.plain import check_tree
from memorybank.settings.config import Settings, StudioNumbers
from memorybank_studio.chapters.writer import ChapterWriter
from memorybank_studio.continuity.by_model import ModelReader
from memorybank_studio.creativity.model import Workshop
from memorybank_studio.hub import labels
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.collection import Settings as SettingEntries
from memorybank_studio.hub.connection import Ask, GraphConnection, GraphServer
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.labels import MARK
from memorybank_studio.hub.plans import Plans
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import Stores, last_chapter
from memorybank_studio.journal.desk import Desk
from memorybank_studio.settlement.by_model import ModelExtract
from memorybank_studio.settlement.by_rules import RuleExtract
from memorybank_studio.tasks.answering import Answers
from memorybank_studio.tasks.gateway import Gateway
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tasks.turn_kind import TakenByModel, taken_plainly
from memorybank_studio.types import Closing

SECONDS_AN_HOUR: Final = 3_600
JOURNAL_FOLDER, GRAPH_FOLDER = "tasks", "graph"


@dataclass(frozen=True, slots=True, kw_only=True)
class StudioSettings:
    """The places of the stores. Nothing set: all of them are in the studio's folder."""

    graph: GraphServer | None = None
    chroma_url: str = ""
    chroma_token: str = field(default="", repr=False)
    options: int = StudioNumbers().options
    """Proposals of an answer, at least; an author who asks for more gets more."""
    tasks: TaskSettings = field(default_factory=TaskSettings)

    @classmethod
    def of(cls, settings: Settings, lang: Lang = "en") -> Self:
        """Return what this machine's settings say of the studio (NEO4J_*, CHROMA_*, STUDIO_*)."""
        stores, numbers = settings.stores, settings.studio
        server = GraphServer(
            uri=stores.graph_uri, user=stores.graph_user, password=stores.graph_password, database=stores.graph_database
        )
        return cls(
            graph=server if stores.graph_uri else None,
            chroma_url=stores.chroma_url,
            chroma_token=stores.chroma_token,
            options=numbers.options,
            tasks=TaskSettings(lang=lang, window=numbers.window, kept_seconds=numbers.kept_hours * SECONDS_AN_HOUR),
        )


class Studio(Closing):
    """Open until `close`. `stores` are for reading; all that changes something goes through `gateway`."""

    def __init__(
        self, folder: Path, settings: StudioSettings, hub: SharedHub, gateway: Gateway, closing: ExitStack
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.hub = hub
        self.gateway = gateway
        self._closing = closing

    @classmethod
    def open(
        cls,
        folder: Path,
        embedder: Embedder,
        settings: StudioSettings | None = None,
        *,
        chat: ChatModel | None = None,
        title: str = "",
    ) -> Self:
        """Open a studio, or begin one in an empty folder. A few seconds when the embedded graph has to start.

        On servers it has a space of its own: in Chroma collections named by its id, in a graph
        server the whole database, which a second studio is refused (InputError); `title` names it in that message.
        `chat`: a language model that writes, judges, checks and reads settlements; None: nobody writes or checks, and
        of a settlement labelled lines are read, as where the model fails (the table says so then). Raises LockedError,
        StoreUnavailableError, InputError, JournalError.
        """
        settings = settings or StudioSettings()
        folder.mkdir(parents=True, exist_ok=True)
        check_tree(folder)  # the graph engine and Chroma write below it, and would follow a link
        with ExitStack() as opening:
            desk = Desk(folder / JOURNAL_FOLDER)
            opening.callback(desk.close)
            studio = desk.state.studio
            graph = opening.enter_context(GraphConnection(folder / GRAPH_FOLDER, settings.graph))
            if settings.graph is not None:
                claim(graph, Owner(studio=studio, title=title))
            chroma = opening.enter_context(Chroma(_chroma(folder, settings, studio), embedder))
            own = Stores(
                facts=Facts(graph.facts),
                plans=Plans(graph.plans),
                settings=SettingEntries(chroma),
                archive=Archive(chroma),
            )
            hub = SharedHub(own)
            lang, stores = settings.tasks.lang, hub.stores
            rules = RuleExtract(stores.facts, stores.plans, lang, lambda: last_chapter(stores))
            creative = Answers(
                Workshop(chat, stores, embedder) if chat is not None else None,
                stores,
                settings.tasks,
                chat=chat,
                fewest=settings.options,
            )
            gateway = Gateway(
                folder / JOURNAL_FOLDER,
                hub,
                decide=taken_plainly if chat is None else TakenByModel(chat, stores),
                creative=creative,
                extract=ModelExtract(chat, stores, lang) if chat is not None else rules,
                instead=rules if chat is not None else None,
                reader=ModelReader(chat, stores, embedder) if chat is not None else None,
                writer=ChapterWriter(chat, stores, lang) if chat is not None else None,
                settings=settings.tasks,
                chat=chat,
                desk=desk,
            )
            return cls(folder, settings, hub, gateway, opening.pop_all())
        raise AssertionError  # the block above returns or raises

    @property
    def stores(self) -> Stores:
        return self.hub.stores

    def close(self) -> None:
        self._closing.close()


def _chroma(folder: Path, settings: StudioSettings, studio: str) -> ChromaSettings:
    """Return the place of Chroma: the studio's own folder, or own collections on a server that others use too."""
    if not settings.chroma_url:
        return ChromaSettings(folder=folder)
    return ChromaSettings(url=settings.chroma_url, token=settings.chroma_token, prefix=f"studio-{studio}")


# -- whose story a graph server holds ----------------------------------------------------------------------------------
# The first studio marks the server's databases, any other one is refused by name: keys of entities and plans are made
# of names and of tasks that every studio counts from one, so two studios in one database would overwrite each other's
# story. The mark is one node with a label of its own, in neither layer.


_DEFINE = f"CREATE CONSTRAINT studio_mark IF NOT EXISTS FOR (mark:{MARK}) REQUIRE mark.key IS UNIQUE"
_READ = f"MATCH (mark:{MARK} {{key: 'one'}}) RETURN mark.studio AS studio, mark.title AS title"
# Two studios that begin at once: one node by the constraint, and whoever comes second finds the first one's id in it.
_SET = f"""
MERGE (mark:{MARK} {{key: 'one'}})
SET mark.studio = coalesce(mark.studio, $studio), mark.title = coalesce(mark.title, $title)
RETURN mark.studio AS studio, mark.title AS title
"""
_RETITLE = f"MATCH (mark:{MARK} {{key: 'one'}}) WHERE mark.studio = $studio SET mark.title = $title"
_TITLE_CHARS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner(Value):
    """A studio as a store names it."""

    studio: str
    """The studio's id, from its journal."""
    title: str = ""
    """The name by which its author calls it; for messages alone."""

    def __str__(self) -> str:
        return f"“{self.title}” ({self.studio})" if self.title else self.studio


def claim(connection: GraphConnection, owner: Owner) -> None:
    """Mark both layers' databases as this studio's. One without a mark (new, or from before there were marks) becomes
    the studio's.

    Raises InputError when one of them is another studio's: nothing is written there then; StoreUnavailableError.
    """
    owner = Owner(studio=owner.studio, title=labels.text(owner.title[:_TITLE_CHARS], "the studio's title"))
    for layer in (connection.facts, connection.plans):
        layer.define((_DEFINE,))
        holder = layer.write(lambda ask: _marked(ask, owner))
        if holder.studio != owner.studio:
            raise InputError(
                "hub.other_studio", layer=layer.layer.notice, server=connection.where, holder=holder, studio=owner
            )


def _marked(ask: Ask, owner: Owner) -> Owner:
    """Return whose the database is, now."""
    rows = ask(_READ) or ask(_SET, studio=owner.studio, title=owner.title)
    holder = Owner(studio=str(rows[0]["studio"]), title=str(rows[0]["title"] or ""))
    if holder.studio == owner.studio and holder.title != owner.title:
        ask(_RETITLE, studio=owner.studio, title=owner.title)
    return holder
