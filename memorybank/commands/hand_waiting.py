"""What a run on the command line waits for, when a person answers in the place of a language model."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from memorybank.commands.progress import Progress
from memorybank.llm.hand.chat import awaited, hand_folder
from memorybank.session.session import Session

LOOK = 1.0
"""Seconds between two looks at the folder."""


@contextmanager
def telling_what_waits(session: Session, progress: Progress) -> Iterator[None]:
    """Say where the requests lie and which of them wait, each time that changes; nothing where no person answers."""
    folder = hand_folder(session.parts.settings, session.folder.path)
    if folder is None:
        yield
        return
    ended = threading.Event()

    def look() -> None:
        before: list[str] = []
        while not ended.wait(LOOK):
            waiting = awaited(session.folder.path)
            if waiting and waiting != before:
                names = ", ".join(f"{name}.request.md" for name in waiting)
                answers = "an answer" if len(waiting) == 1 else f"{len(waiting)} answers"
                progress.say(f"waiting for {answers} in {folder.path}: {names}")
            before = waiting

    thread = threading.Thread(target=look, name="hand-waiting", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
