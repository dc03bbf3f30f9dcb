"""A recorded session of the llm engine played again: the person who answered is replaced by the answers they gave.

A request is found again by the digest of its messages. One that changed takes the recorded answer of its role that
comes next, and is noted: the session goes on, so that all that changed are seen at once.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.calls import ChatCall
from memorybank.language.text import sha256
from memorybank.llm.base import ChatReply, ChatRequest, TokenUsage
from memorybank.llm.hand.chat import NOTE
from memorybank.llm.meter import prompt_json
from memorybank.llm.tokens import estimate, estimate_prompt
from memorybank.memory.events import AgentCalled, ImageStaged, SessionStarted, TaskReceived
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import RunFolder, load, state_at
from memorybank.session.assembly import assemble
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.settings.llm import HAND

MOST_LINES = 24
"""Lines of a changed request that are shown."""


@dataclass(frozen=True)
class Answered:
    """A request as it was recorded, and its answer."""

    role: str
    number: int
    """Of the requests to its role, from 1."""
    prompt: str
    reply: str
    notes: tuple[str, ...]


def answered(run: RunFolder) -> Iterator[Answered]:
    """The requests of a run that was answered by hand, in the order of its journal."""
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
            yield Answered(role, counts[role], made.prompt, made.reply, notes)


@dataclass
class Reader:
    """A chat model in the place of the person of the recording."""

    recorded: Sequence[Answered]
    name: str = HAND
    context_window: int | None = None
    changed: list[str] = field(default_factory=list)
    """What became different, call by call."""
    used: set[int] = field(default_factory=set)

    def complete(self, request: ChatRequest) -> ChatReply:
        role = request.schema_name if request.schema_name != "answer" else "react"
        place = self._place(role, prompt_json(request))
        self.used.add(place)
        found = self.recorded[place]
        usage = TokenUsage(input_tokens=estimate_prompt(request), output_tokens=estimate(found.reply), measured=False)
        return ChatReply(text=found.reply, usage=usage, notes=found.notes)

    def close(self) -> None:
        """Nothing is held open."""

    def _place(self, role: str, prompt: str) -> int:
        left = [place for place in range(len(self.recorded)) if place not in self.used]
        same = next((place for place in left if sha256(self.recorded[place].prompt) == sha256(prompt)), None)
        if same is not None:
            return same
        next_of_role = next((place for place in left if self.recorded[place].role == role), None)
        assert next_of_role is not None, f"a request to {role} more than was recorded:\n{prompt[-2_000:]}"
        found = self.recorded[next_of_role]
        self.changed.append(f"{role} {found.number} ({found.notes[0]}):\n{difference(found.prompt, prompt)}")
        return next_of_role


def difference(before: str, after: str) -> str:
    """The first lines that differ between two requests."""
    lines = [
        [line for message in json.loads(text) for line in (f"[{message['role']}]", *message["content"].splitlines())]
        for text in (before, after)
    ]
    return "\n".join(list(difflib.unified_diff(*lines, "recorded", "now", lineterm="", n=1))[:MOST_LINES])


def play(
    source: RunFolder, target: Path, corpus: Path | None, run_id: str, patch: pytest.MonkeyPatch
) -> tuple[list[Record[Any]], Reader]:
    """Play a recorded run again in another folder. Answers with its records and what the reader met."""
    records = load(source.path)
    reader = Reader(list(answered(source)))
    patch.setattr("memorybank.llm.build.HandChat", lambda folder: reader)
    begun = records[0].event
    assert isinstance(begun, SessionStarted)
    goal = next(record.event.goal for record in records if isinstance(record.event, TaskReceived))
    bank = state_at(records)
    staged = [record.event.image for record in records if isinstance(record.event, ImageStaged)]
    images = [(image.name, source.image(bank, image.sha256)) for image in staged if not image.found_in]
    settings = replace(Settings().with_beginning_of(begun), corpus=corpus, parallel_calls=1)
    settings = replace(settings, llm=replace(settings.llm, provider=HAND))
    parts = assemble(settings, embedding_model=begun.embedding_model, lang=begun.lang)
    with Session.start(target, parts, goal=goal, images=images, run_id=run_id) as session:
        session.run()
    return load(target), reader
