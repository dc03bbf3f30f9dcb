"""A language model whose answers were recorded: a demonstration is a session acted again call by call.

The session itself is a real one: it reads, files, searches and decides anew, and every request that it makes is
answered from the recording. A request is found again by the digest of its messages; one that is worded otherwise takes
the recorded answer of its role that comes next.
"""

from __future__ import annotations

import json
import re
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from memorybank.calls import ChatCall
from memorybank.errors import InputError
from memorybank.llm.around import prompt_json
from memorybank.llm.base import ChatReply, ChatRequest, TokenUsage
from memorybank.llm.faults import AttemptError
from memorybank.llm.hand.chat import NOTE
from memorybank.llm.tokens import estimate, estimate_prompt
from memorybank.memory.events import AgentCalled
from memorybank.runs.archive import unpack
from memorybank.runs.run_folder import RunFolder, load
from memorybank.settings.llm import RECORDING
from memorybank.settings.place import APP

_NAME_RE = re.compile(r"[a-z0-9-]+")


@dataclass(frozen=True)
class RecordedAnswer:
    """A request as it was recorded, and its answer."""

    role: str
    number: int
    """The place among the requests to its role, from 1."""
    prompt: str
    reply: str
    notes: tuple[str, ...]


def recorded_answers(run: RunFolder) -> Iterator[RecordedAnswer]:
    """Yield the requests of a run that was answered by hand, in the order of its journal."""
    counts: dict[str, int] = {}
    for record in load(run.path):
        event = record.event
        if not isinstance(event, AgentCalled) or not event.output_blob:
            continue
        for call in json.loads(run.blobs.get(event.output_blob)):
            made = ChatCall(**{**call, "notes": tuple(call["notes"])})
            notes = tuple(note for note in made.notes if note.startswith(NOTE))
            role = notes[0].rpartition(".")[2]
            counts[role] = counts.get(role, 0) + 1
            yield RecordedAnswer(role, counts[role], made.prompt, made.reply, notes)


class RecordedChat:
    """Answers each request from a recording, each answer once. Thread-safe.

    Raises AttemptError where the recording has no answer left for a role.
    """

    context_window: int | None = None

    def __init__(self, answers: Sequence[RecordedAnswer], name: str) -> None:
        self.name = name
        self.answers = answers
        self._left = list(range(len(answers)))
        self._lock = threading.Lock()

    def complete(self, request: ChatRequest) -> ChatReply:
        role = request.schema_name if request.schema_name != "answer" else "react"
        with self._lock:
            answer = self.answers[self._take(role, prompt_json(request))]
        tokens = TokenUsage(input_tokens=estimate_prompt(request), output_tokens=estimate(answer.reply), measured=False)
        return ChatReply(text=answer.reply, usage=tokens, notes=answer.notes)

    def close(self) -> None:
        """Do nothing: nothing is held open."""

    def _take(self, role: str, prompt: str) -> int:
        of_role = [place for place in self._left if self.answers[place].role == role]
        place = next((place for place in of_role if self.answers[place].prompt == prompt), next(iter(of_role), None))
        if place is None:
            raise AttemptError("llm.recording_ends", name=self.name, role=role)
        self._left.remove(place)
        return place


def recorded_chat(name: str) -> RecordedChat:
    """Return the model of a recording that comes with the app, by its id. Raises InputError where there is none."""
    file = APP / "assets" / "recorded" / f"{name}.zip"
    if not _NAME_RE.fullmatch(name) or not file.is_file():
        raise InputError("llm.no_recording", name=name)
    with tempfile.TemporaryDirectory(prefix="memorybank-") as folder:
        run = RunFolder(Path(folder) / "run")
        unpack(file, run)
        return RecordedChat(list(recorded_answers(run)), f"{RECORDING}:{name}")
