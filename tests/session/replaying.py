"""A recorded session of the llm engine played again: the person who answered is replaced by the answers they gave.

A request is found again by the digest of its messages. One that changed takes the recorded answer of its role that
comes next, and is noted: the session goes on, so that all that changed are seen at once.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.language.text import sha256
from memorybank.memory.events import ImageStaged, SessionStarted, TaskReceived
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import RunFolder, load, state_at
from memorybank.session.assembly import assemble
from memorybank.session.recorded import RecordedAnswer, RecordedChat, recorded_answers
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.settings.llm import HAND

MOST_LINES = 24
"""Lines of a changed request that are shown."""


class Reader(RecordedChat):
    """A chat model in the place of the person of the recording, which notes what it was asked otherwise."""

    def __init__(self, answers: Sequence[RecordedAnswer]) -> None:
        super().__init__(answers, HAND)
        self.changed: list[str] = []
        """What became different, call by call."""

    @property
    def is_used_up(self) -> bool:
        return not self._left

    def _take(self, role: str, prompt: str) -> int:
        place = super()._take(role, prompt)
        answer = self.answers[place]
        if sha256(answer.prompt) != sha256(prompt):
            self.changed.append(f"{role} {answer.number} ({answer.notes[0]}):\n{difference(answer.prompt, prompt)}")
        return place


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
    reader = Reader(list(recorded_answers(source)))
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
