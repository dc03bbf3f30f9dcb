"""Kill the writing of a chapter at every append to its journal, torn lines included, and go on: what was asked twice?

It forks: tests/killing.py is the program. With a disk that fills up at a size of the journal it is not killed: the
append fails, and the chapter is opened again.
"""

from __future__ import annotations

import os
import resource
from pathlib import Path
from typing import Any

from memorybank.errors import JournalError
from memorybank.llm.base import ChatReply, ChatRequest
from memorybank.runs.files.growing import GrowingFile
from memorybank_studio.chapters.writer import ChapterWriter
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.tasks.gateway import Gateway
from memorybank_studio.tests.chapters.story import answers
from memorybank_studio.tests.settlement.settle_kill import in_child
from memorybank_studio.tests.tasks.studio import Echo, LineExtract, as_remark, stores_in
from tests.engines.llm.scripted import ScriptedChat
from tests.kill_points import die_at

APPENDS = 10
"""The header, the studio opened, the chapter begun and planned, three pieces written and checked."""


class Counted(ScriptedChat):
    """Answers for the piece that is asked for, and counts in a file, which outlives this process."""

    def __init__(self, calls: Path) -> None:
        super().__init__(self._answer)
        self._calls = calls

    def complete(self, request: ChatRequest) -> ChatReply:
        with self._calls.open("a") as file:
            file.write(f"{request.schema_name}\n")
        return super().complete(request)

    def _answer(self, request: ChatRequest) -> Any:
        own = answers("en")
        if request.schema_name == "chapter_plan":
            return {"pieces": [{**piece, "step": ""} for piece in own["plan"]["pieces"]]}
        number = int(request.messages[-1].content.rpartition("Write piece ")[2].split()[0])
        return own["pieces"][number - 1]


def opened(folder: Path) -> Gateway:
    hub = SharedHub(stores_in(folder.parent / "hub"))  # of all: nothing is written to it
    writer = ChapterWriter(Counted(folder / "calls"), hub.stores, "en")
    return Gateway(folder / "studio", hub, decide=as_remark, creative=Echo(), extract=LineExtract(), writer=writer)


def write(folder: Path) -> str:
    """Begin the chapter unless it is there, and write it to its end; its text."""
    with opened(folder) as gateway:
        chapters = gateway.chapters.all()
        id_ = (chapters[0] if chapters else gateway.chapters.begin(4, "x", length=1_300, outline="The lamp room.")).id
        return gateway.chapters.write(id_).text


def fill_up(folder: Path, append: int) -> str:
    """The n-th append does not fit: the file may not grow any more. What that raises."""
    whole, count = GrowingFile.write, 0
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def full(file: GrowingFile, data: bytes, *, durable: bool) -> None:
        nonlocal count
        count += 1
        if count == append:
            size = os.fstat(file._descriptor).st_size + len(data) // 2
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
        whole(file, data, durable=durable)

    GrowingFile.write = full  # type: ignore[method-assign]
    try:
        return write(folder)
    except (OSError, JournalError) as error:
        return type(error).__name__
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def asked(folder: Path) -> int:
    calls = folder / "calls"
    return len(calls.read_text().splitlines()) if calls.exists() else 0


def killed(folder: Path, append: int) -> object:
    die_at(append)
    return write(folder)


def main(root: Path) -> dict[str, Any]:
    _, text = in_child(lambda: write(root / "whole"))
    return {mode: stopped(root, mode, text) for mode in ("killed", "full")}


def stopped(root: Path, mode: str, text: str) -> dict[str, Any]:
    calls = asked(root / "whole")
    report: dict[str, Any] = {"calls": calls, "stopped": [], "texts_differ": [], "extra_calls": {}}
    for append in range(1, APPENDS + 1):
        folder = root / f"{mode}{append}"
        if mode == "killed":
            code, _ = in_child(lambda: killed(folder, append))  # noqa: B023 - called at once
            report["stopped"].append(code)
        else:
            _, raised = in_child(lambda: fill_up(folder, append))  # noqa: B023 - called at once
            report["stopped"].append(raised)
        _, again = in_child(lambda: write(folder))  # noqa: B023 - called at once
        if again != text:
            report["texts_differ"].append(append)
        report["extra_calls"][append] = asked(folder) - calls
    return report
