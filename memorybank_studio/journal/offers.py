"""Every option that a studio's answers ever offered, found in its journal by offset: none is lost, and none is held.

What is kept of an answer is where its line stands and whose it is; its options are read when they are wanted.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from memorybank.language.text import fold_space, sha256
from memorybank.memory.types import Value
from memorybank.runs.files.plain import reading
from memorybank_studio.creativity.options import Offer, Option
from memorybank_studio.journal.events import EVENT
from memorybank_studio.types import TaskId

_BUILT: Final = b'"type": "ContextBuilt"'
_OFFERED: Final = b'"options": [{'
"""A quotation mark inside a text is escaped, so that these stand in a line only as parts of its event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferPlace(Value):
    """Where an option stands: in which answer of which task, and where that answer is in the journal."""

    task: TaskId
    turn: int
    number: int
    digest: str
    """Of its text: what is taken from the shelf is offered anew, and stands here once."""
    chapter: int | None
    """The chapter that was written then; None: the journal does not say."""
    start: int
    length: int
    """Bytes of the answer's line."""


class Offers:
    """Thread-safe. It follows the journal, which only grows while it is open."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._end = 0
        """Bytes that were read."""
        self._places: list[OfferPlace] = []
        self._digests: set[str] = set()
        self._answers: dict[tuple[TaskId, int], tuple[int, int]] = {}
        """Where the line of each answer with options starts, and its bytes."""
        self._chapters: dict[tuple[TaskId, int], int] = {}
        """By task and number of the author's turn."""

    def places(self, *, task: TaskId | None = None, chapter: int | None = None) -> list[OfferPlace]:
        """Each text once, oldest first; of one task or one chapter alone where it is given. Raises OSError."""
        with self._lock:
            self._follow()
            return [place for place in self._places if task in (None, place.task) and chapter in (None, place.chapter)]

    def of_task(self, task: TaskId) -> tuple[Offer, ...]:
        """All that a task was offered, each text once, oldest first. Raises OSError."""
        return self.at(self.places(task=task))

    def at(self, places: Sequence[OfferPlace]) -> tuple[Offer, ...]:
        """The options in these places, read from the journal. Raises OSError."""
        with reading(self._path) as file:
            lines = {place.start: place.length for place in places}
            answers = {start: _options(file, start, length) for start, length in lines.items()}
        return tuple(
            Offer(
                task=place.task,
                turn=place.turn,
                number=place.number,
                chapter=place.chapter,
                option=answers[place.start][place.number - 1],
            )
            for place in places
        )

    def of_answer(self, task: TaskId, turn: int) -> tuple[Option, ...]:
        """All that one answer offered, however long ago; none for one that offered nothing. Raises OSError."""
        with self._lock:
            self._follow()
            line = self._answers.get((task, turn))
        if line is None:
            return ()
        with reading(self._path) as file:
            return _options(file, *line)

    def numbered(self, task: TaskId, numbers: Sequence[int]) -> tuple[Offer, ...]:
        """The options of these numbers in the task's latest answer that has all of them; none when no answer has."""
        with self._lock:
            self._follow()
            turns = sorted((turn for of, turn in self._answers if of == task), reverse=True)
        for turn in turns:
            options = self.of_answer(task, turn)
            if min(numbers) > 0 and max(numbers) <= len(options):
                return tuple(
                    Offer(task=task, turn=turn, number=number, option=options[number - 1]) for number in numbers
                )
        return ()

    # -- following the journal ----------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Take in the lines that were written since the last look."""
        with reading(self._path) as file:
            file.seek(self._end)
            for line in _whole_lines(file):
                if _BUILT in line:
                    event = json.loads(line)["event"]
                    self._chapters[event["task"], event["turn"]] = event["context"]["chapter"]
                elif _OFFERED in line:
                    self._take(json.loads(line)["event"], len(line))
                self._end += len(line)

    def _take(self, event: dict[str, Any], length: int) -> None:
        task, turn = TaskId(event["task"]), event["turn"]["number"]
        self._answers[task, turn] = self._end, length
        asked = event.get("answers") or turn - 1
        chapter = self._chapters.get((task, asked))
        for number, option in enumerate(event["options"], start=1):
            digest = sha256(fold_space(option["draft"]["text"]))
            if digest in self._digests:
                continue
            self._digests.add(digest)
            place = OfferPlace(
                task=task,
                turn=turn,
                number=number,
                digest=digest,
                chapter=chapter,
                start=self._end,
                length=length,
            )
            self._places.append(place)


def _whole_lines(file: BinaryIO) -> Iterator[bytes]:
    """A last line without its end is one that is being written."""
    return (line for line in file if line.endswith(b"\n"))


def _options(file: BinaryIO, start: int, length: int) -> tuple[Option, ...]:
    file.seek(start)
    event = json.dumps(json.loads(file.read(length))["event"])
    options: tuple[Option, ...] = EVENT.validate_json(event).options
    return options
