"""The recorded studio: an author's session with a language model, acted again from what was said and answered then.

`assets/studio/recorded.<lang>.yaml` holds the story before it, what the author did, and what a careful reader answered
to each request, having seen nothing else. Each request is answered so again, in its order: the journal, the facts and
the plans are what today's program makes of it, and no language model is needed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from memorybank.errors import EndpointError
from memorybank.llm.base import ChatReply, ChatRequest, TokenUsage
from memorybank.llm.meter import MeteredChat
from memorybank.llm.tokens import estimate, estimate_prompt
from memorybank.memory.types import Lang
from memorybank.runs.files.plain import write_whole
from memorybank_studio.chapters.manuscript import ChapterId
from memorybank_studio.continuity.findings import Report
from memorybank_studio.page.demo import ASSETS, Story, put
from memorybank_studio.types import Command, TaskId

if TYPE_CHECKING:
    from memorybank.embedding.base import Embedder
    from memorybank_studio.studio import Studio

NAMES: Final[dict[Lang, str]] = {"en": "the recorded reader", "zh": "录下的读者"}
"""Of the model, where the studio says who wrote something."""
PLAYED: Final = "played"
"""A file in the studio's folder, once the whole session is in its journal."""
TALK: Final = TaskId("t2")
"""The task that is open again at the end, so that its turns can be read."""
CHAPTER: Final = ChapterId("c1")
"""The one that the session writes."""


class _Act(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Say(_Act):
    do: Literal["say"]
    text: str
    task: TaskId | None = None
    new: str = ""
    """The title of the task that it opens."""
    restart: bool = False


class Settle(_Act):
    """The table of a task, confirmed as it was proposed."""

    do: Literal["settle"]
    task: TaskId


class Begin(_Act):
    do: Literal["begin"]
    number: int
    title: str
    length: int
    outline: str


class Write(_Act):
    do: Literal["write"]


class Revise(_Act):
    """A passage of the chapter, taken as it was rewritten."""

    do: Literal["revise"]
    piece: int
    words: str
    order: str


class Archive(_Act):
    do: Literal["archive"]


class Check(_Act):
    do: Literal["check"]
    chapter: int
    text: str


Act = Annotated[Say | Settle | Begin | Write | Revise | Archive | Check, Field(discriminator="do")]


class Answer(BaseModel):
    """What was answered to the next request of this role."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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

    def __init__(self, recorded: Recording, lang: Lang) -> None:
        self.name = NAMES[lang]
        roles = dict.fromkeys(answer.role for answer in recorded.answers)
        self._left: Mapping[str, list[str]] = {
            role: [answer.text for answer in recorded.answers if answer.role == role] for role in roles
        }

    @property
    def left(self) -> int:
        """Answers that nobody has asked for."""
        return sum(map(len, self._left.values()))

    def complete(self, request: ChatRequest) -> ChatReply:
        answers = self._left.get(request.schema_name)
        if not answers:
            raise EndpointError("text.outside", text=f"no more answers to {request.schema_name} are recorded")
        text = answers.pop(0)
        usage = TokenUsage(input_tokens=estimate_prompt(request), output_tokens=estimate(text), measured=False)
        return ChatReply(text=text, usage=usage)

    def close(self) -> None:
        """Nothing is held open."""


def played(folder: Path, embedder: Embedder, keep: str, lang: Lang) -> None:
    """Act the session in a studio's folder, once; what was left half acted is begun anew. `keep`: a file there that is
    none of the studio's. Raises as opening a studio does, and as `play`."""
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
    chat = MeteredChat(RecordedChat(recorded, lang))
    settings = StudioSettings(tasks=TaskSettings(lang=lang))
    with Studio.open(folder, embedder, settings, chat=chat) as studio:
        for _ in play(studio, recorded, lang):
            pass
    write_whole(folder / PLAYED, b"")


def play(studio: Studio, recorded: Recording, lang: Lang) -> Iterator[tuple[Act, Report | None]]:
    """The session from its first word on, each act once it is done, and of a check what it found. The studio's model
    answers (`RecordedChat`).

    Raises StoreUnavailableError, InputError, AgentError.
    """
    put(studio, recorded, lang)
    for act in recorded.acts:
        yield act, _do(studio, act, lang)


def _do(studio: Studio, act: Act, lang: Lang) -> Report | None:
    gateway = studio.gateway
    match act:
        case Say():
            command = Command.NEW if act.new else Command.RESTART if act.restart else Command.CONTINUE
            argument = act.new or (act.task or "" if act.restart else "")
            gateway.handle(act.text, task=act.task, command=command, argument=argument)
        case Settle():
            table = gateway.handle("", task=act.task, command=Command.SETTLE).table
            assert table is not None
            confirmed = gateway.confirm(act.task, table.proposals)
            if confirmed.problem is not None:
                raise confirmed.problem
        case Begin():
            gateway.chapters.begin(act.number, act.title, length=act.length, outline=act.outline)
        case Write():
            gateway.chapters.write(CHAPTER)
        case Revise():
            gateway.chapters.revise(CHAPTER, act.piece, act.words, act.order)
            gateway.chapters.decide(CHAPTER, accepted=True)
        case Archive():
            gateway.chapters.finish(CHAPTER)
            gateway.chapters.archive(CHAPTER)
        case Check():
            return gateway.by_hand.check(act.text, act.chapter, lang)
    return None
