"""The chat model that is a person, or another program. It waits for an answer as long as that takes.

No time limit, no retry and no cache stand around it (`LLM_TIMEOUT`, `LLM_ATTEMPTS`, `LLM_CACHE`): only a stop of the
session ends the waiting. A request that was not answered when the program ended is found again by its digest, and so
is an answer that was given meanwhile. Within one program an answer serves once: who asks the same again wants another.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from memorybank import calls
from memorybank.llm import thinking
from memorybank.llm.around import pause
from memorybank.llm.base import ChatReply, ChatRequest, TokenUsage
from memorybank.llm.faults import AttemptError
from memorybank.llm.hand.folder import HandFolder, digest_of, in_order
from memorybank.llm.tokens import estimate, estimate_prompt
from memorybank.llm.wire import cut_at
from memorybank.settings.config import Settings
from memorybank.settings.llm import AGENTS, HAND

NOTE = "answered by hand: "
"""Begins the note on a call that leads from it to its request."""
LOOK = 0.25
"""Seconds between two looks at the folder. An answer is taken when it is the same at two of them."""


_AWAITED: list[tuple[Path | None, str]] = []
"""The requests that threads of this program wait for: the run's folder and the name."""


def awaited(run: Path) -> list[str]:
    """Return the names of the requests of a run that this program is waiting for, in the order they were asked.

    Not every request without an answer is: what a stopped run asked may never be asked again.
    """
    return sorted({name for folder, name in tuple(_AWAITED) if folder == run}, key=in_order)


def hand_folder(settings: Settings, run: Path) -> HandFolder | None:
    """Return the folder of a run's requests; None when no role is played by a person.

    With the offline engine a person plays the roles that are given to one by name.
    """
    llm = settings.llm
    chosen = llm.own if settings.engine == "offline" else llm.of_role
    by_hand = any(chosen(role).provider == HAND for role in AGENTS)
    return HandFolder(llm.hand_dir or run / HAND) if by_hand else None


class HandChat:
    """Puts each request into a folder and waits for its answer. Thread-safe: several may wait at once.

    The folder is the one given, else `hand` in the folder of the run that asks. Raises AttemptError where there is
    neither, Cancelled when the waiting was stopped.
    """

    name = HAND
    context_window: int | None = None

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._taken: set[str] = set()
        """Names of the requests whose answers this program has used."""

    def complete(self, request: ChatRequest) -> ChatReply:
        calls.check()
        assert not request.tools, "the agent describes its tools in words where a person answers"
        folder = self._find_folder()
        name = self._ask(folder, request)
        text = self._wait(folder, name)
        with self._lock:
            self._taken.add(name)
        notes = [f"{NOTE}{name}"]
        if "\ufffd" in text:
            notes.append("the answer holds bytes that are not UTF-8")
        answer, thought = thinking.split(text)
        return ChatReply(
            text=cut_at(answer, request.stop),
            reasoning=thought,
            usage=TokenUsage(input_tokens=estimate_prompt(request), output_tokens=estimate(text), measured=False),
            notes=tuple(notes),
        )

    def close(self) -> None:
        """Do nothing: nothing is held open."""

    def _find_folder(self) -> HandFolder:
        if self._folder is not None:
            return HandFolder(self._folder)
        run = calls.run_folder()
        if run is None:
            raise AttemptError("hand.no_folder")
        return HandFolder(run / HAND)

    def _ask(self, folder: HandFolder, request: ChatRequest) -> str:
        """Return the name of the request: the one that waits already, or has an answer not yet used, else a new one."""
        role = request.schema_name if request.schema_name != "answer" else "react"
        with self._lock:
            known = next((name for name in folder.asked(digest_of(request)) if name not in self._taken), None)
            return known or folder.put(request, role)

    def _wait(self, folder: HandFolder, name: str) -> str:
        seen: Sequence[int] = ()
        wait = (calls.run_folder(), name)
        _AWAITED.append(wait)
        try:
            with calls.asking_a_person():
                while True:
                    status = folder.answer_file(name)
                    now = (status.st_size, status.st_mtime_ns) if status else ()
                    if now and now == seen:
                        return folder.answer(name)
                    seen = now
                    pause(LOOK)
        finally:
            _AWAITED.remove(wait)
