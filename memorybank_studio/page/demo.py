"""The demo project: its story goes into the hub as an author's would, by an import of chapters and a settlement.

`assets/studio/<lang>.yaml` holds the story; no result is in it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import yaml
from pydantic import Field, TypeAdapter

from memorybank.errors import EndpointError
from memorybank.llm.around import MeteredChat
from memorybank.llm.base import ChatReply, ChatRequest, TokenUsage
from memorybank.llm.tokens import estimate, estimate_prompt
from memorybank.memory.types import Lang
from memorybank.runs.files.plain import write_whole
from memorybank.views.i18n import CATALOGUES, t
from memorybank_studio.books.chapters import Book, Chapter
from memorybank_studio.chapters.manuscript import ChapterId, Manuscript
from memorybank_studio.drafts import Item
from memorybank_studio.relations import LEADS_TO
from memorybank_studio.types import Command, Entity, Fact, FromOutside, Origin, Plan, Setting, TaskId
from memorybank_studio.writes import Mark, Proposal

if TYPE_CHECKING:
    from memorybank.embedding.base import Embedder
    from memorybank_studio.studio import Studio

ASSETS: Final = CATALOGUES.parent / "studio"


class Story(FromOutside):
    """The contents with which a ready project begins, as its file tells them."""

    title: str
    chapters: tuple[dict[str, str], ...]
    entities: tuple[dict[str, Any], ...]
    facts: tuple[tuple[str, str, str, int, str], ...]
    """Subject, predicate, object, the chapter from which it holds, the words it stands on."""
    plans: tuple[dict[str, Any], ...]
    settings: tuple[dict[str, Any], ...]


@cache
def demo(lang: Lang) -> Story:
    return Story.model_validate(yaml.safe_load((ASSETS / f"{lang}.yaml").read_text("utf-8")))


def is_filled(studio: Studio) -> bool:
    """Whether the whole story is in: its facts come last, after the chapters."""
    return bool(studio.stores.facts.names())


def put(studio: Studio, story: Story, lang: Lang) -> None:
    """Put a story into a studio that is empty or half full. Raises StoreUnavailableError, InputError."""
    gateway = studio.gateway
    title = t("studio.demo_task", lang)
    task = next((entry.id for entry in gateway.tasks() if entry.title == title), None)
    if task is None:
        reply = gateway.handle("", task=None, command=Command.NEW, argument=title)
        assert reply.task is not None
        task = reply.task.id
    items = _items(story, task)
    known = tuple(item for item in items if isinstance(item, Entity))
    for _ in gateway.by_hand.import_book(_book(story), known=known):
        pass
    gateway.handle("", task=task, command=Command.SETTLE)
    rows = (Proposal(number=number, item=item, mark=Mark.NEW, shown="") for number, item in enumerate(items, start=1))
    confirmed = gateway.confirm(task, gateway.remark(task, tuple(rows)))
    if confirmed.problem is not None:
        raise confirmed.problem


def _book(story: Story) -> Book:
    chapters: list[Chapter] = []
    start = 0
    for number, entry in enumerate(story.chapters, start=1):
        chapters.append(Chapter(number=number, title=entry["title"], start=start, text=entry["text"]))
        start += len(entry["text"])
    return Book(title=story.title, chapters=tuple(chapters))


def _items(story: Story, task: TaskId) -> list[Item]:
    """Return what the story has on record as the items that a settlement of this task would write."""
    origin = Origin(task=task)
    entities = [TypeAdapter(Entity).validate_python({**entry, "origin": origin}) for entry in story.entities]
    values = {(kind, object_) for _, predicate, object_, _, _ in story.facts if (kind := LEADS_TO.get(predicate))}
    entities += [Entity(kind=kind, name=name, origin=origin) for kind, name in sorted(values)]
    known = {entity.name: entity.key for entity in entities}
    facts = [
        Fact(
            subject=known[subject],
            predicate=predicate,
            object=known[object_],
            since=since,
            origin=Origin(task=task, chapter=since, source=source),
        )
        for subject, predicate, object_, since, source in story.facts
    ]
    plans: dict[str, Plan] = {}
    for entry in story.plans:
        tied = {name: plans[entry[name]].key for name in ("parent", "after") if name in entry}
        plans[entry["title"]] = TypeAdapter(Plan).validate_python({**entry, **tied, "origin": origin})
    settings = [Setting(**entry, origin=origin) for entry in story.settings]
    return [*entities, *facts, *plans.values(), *settings]


NAMES: Final[dict[Lang, str]] = {"en": "the recorded reader", "zh": "录下的读者"}
"""The model's name where the studio says who wrote something."""
PLAYED: Final = "played"
"""A file in the studio's folder, once the whole session is in its journal."""
TALK: Final = TaskId("t2")
"""The task that is open again at the end, so that its turns can be read."""
CHAPTER: Final = ChapterId("c1")
"""The one that the session writes."""


class Act(FromOutside):
    """One act of the recorded author, with what it needs of these."""

    do: Literal["say", "settle", "begin", "write", "revise", "archive", "check"]
    task: TaskId | None = None
    text: str = ""
    """What is said, or a text of the author's own, which becomes a chapter and is read beside the record."""
    new: str = ""
    """The title of the task that what is said opens."""
    restart: bool = False
    number: int = 0
    title: str = ""
    length: int = 0
    outline: str = ""
    piece: int = 0
    words: str = ""
    order: str = ""
    """The order by which words of a piece are rewritten."""


class Answer(FromOutside):
    """The recorded answer to the next request of this role."""

    role: str
    text: str


class Recording(Story):
    acts: tuple[Act, ...] = Field(min_length=1)
    answers: tuple[Answer, ...] = Field(min_length=1)


@cache
def recording(lang: Lang) -> Recording:
    return Recording.model_validate(yaml.safe_load((ASSETS / f"recorded.{lang}.yaml").read_text("utf-8")))


class RecordedChat:
    """A chat model that gives the answers of a recording, each role's in its order. Not thread-safe."""

    context_window: int | None = None

    def __init__(self, answers: Sequence[Answer], lang: Lang) -> None:
        self.name = NAMES[lang]
        self._left = list(answers)

    @property
    def left(self) -> int:
        """Return answers that nobody has asked for."""
        return len(self._left)

    def complete(self, request: ChatRequest) -> ChatReply:
        answer = next((answer for answer in self._left if answer.role == request.schema_name), None)
        if answer is None:
            raise EndpointError("text.outside", text=f"no more answers to {request.schema_name} are recorded")
        self._left.remove(answer)
        usage = TokenUsage(input_tokens=estimate_prompt(request), output_tokens=estimate(answer.text), measured=False)
        return ChatReply(text=answer.text, usage=usage)

    def close(self) -> None:
        """Do nothing, as nothing is held open."""


def played(folder: Path, embedder: Embedder, keep: str, lang: Lang) -> None:
    """Act the session in a studio's folder, once; what was left half acted is begun anew. `keep`: a file that stays."""
    from memorybank_studio.studio import Studio, StudioSettings
    from memorybank_studio.tasks.settings import TaskSettings

    if (folder / PLAYED).exists():
        return
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != keep:
            path.unlink()
    recorded = recording(lang)
    chat = MeteredChat(RecordedChat(recorded.answers, lang))
    settings = StudioSettings(tasks=TaskSettings(lang=lang))
    with Studio.open(folder, embedder, settings, chat=chat) as studio:
        for _ in play(studio, recorded, lang):
            pass
    write_whole(folder / PLAYED, b"")


def play(studio: Studio, recorded: Recording, lang: Lang) -> Iterator[tuple[Act, Manuscript | None]]:
    """Yield the session from its first word on, each act once it is done, and of a check the chapter. The studio's
    model answers (`RecordedChat`).

    Raises StoreUnavailableError, InputError, AgentError.
    """
    put(studio, recorded, lang)
    for act in recorded.acts:
        yield act, _do(studio, act)


def _do(studio: Studio, act: Act) -> Manuscript | None:
    gateway, chapters = studio.gateway, studio.gateway.chapters
    match act.do:
        case "say":
            command = Command.NEW if act.new else Command.RESTART if act.restart else Command.CONTINUE
            argument = act.new or (act.task or "" if act.restart else "")
            gateway.handle(act.text, task=act.task, command=command, argument=argument)
        case "settle":
            reply = gateway.handle("", task=act.task, command=Command.SETTLE)
            assert reply.table is not None
            confirmed = gateway.confirm(reply.table.task, reply.table.proposals)
            if confirmed.problem is not None:
                raise confirmed.problem
        case "begin":
            chapters.begin(act.number, act.title, length=act.length, outline=act.outline)
        case "write":
            chapters.write(CHAPTER)
        case "revise":
            chapters.revise(CHAPTER, act.piece, act.words, act.order)
            chapters.decide(CHAPTER, accepted=True)
        case "archive":
            chapters.archive(CHAPTER)
        case "check":
            return chapters.check(chapters.begin_with(act.text, act.number, act.title).id)
    return None
