"""MemoryBank, the entry of the final specification (section 11): one text in, the three layers out."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

from memorybank.errors import InputError
from memorybank.runs.export import to_json
from memorybank.runs.files.plain import write_whole
from memorybank.runs.run_folder import RunFolder, load, state_at
from memorybank.session.assembly import assemble, reassemble
from memorybank.session.intake import split_prompt, text_source
from memorybank.session.session import Session
from memorybank.settings import env
from memorybank.settings.config import Settings


class MemoryBank:
    """A task and its memory, for callers who want no more than a question and an answer.

        bank = MemoryBank(Settings(corpus=Path("papers")))
        result = bank.run("Context: ... Question: ...")
        bank.export_memory("memory.json")

    It is a few lines over `Session`, which runs the same task stage by stage, can be paused, and is resumed after a
    kill; `Session.open` and the app open the run in `folder` too.
    """

    def __init__(self, settings: Settings | None = None, *, folder: str | Path | None = None) -> None:
        """Name the run's folder; nothing is read or written yet.

        Without settings, those of this machine hold (environment and `.env`). Without a folder, the run gets one of
        its own where the app keeps its runs.
        """
        self.settings = env.load().settings if settings is None else settings
        runs = self.settings.storage_dir or Path("runs")
        self.folder = runs / secrets.token_hex(16) if folder is None else Path(folder)

    def run(self, user_input: str) -> dict[str, Any]:
        """Work on the task to its end; return `insight_doc`, `query_graph`, `interaction_tree`, `conflicts`, `answer`.

        The text may hold a context and a question, each under its label; without labels all of it is the question. A
        second call asks on: its context is added to the same memory. `result` says how the task ended
        (`SessionResult.result`). Raises InputError for a text without a question and for settings that do not serve,
        JournalError for a folder that holds something else.
        """
        prompt, local = split_prompt(user_input), self.settings
        if not prompt.question:
            raise InputError("command.task_empty")
        sources = [text_source(prompt.context, "context")] if prompt.context else []
        if RunFolder(self.folder).journal.exists():
            with Session.open(self.folder, lambda begun: reassemble(begun, local, local.corpus)) as session:
                if sources:
                    session.add(*sources)
                session.ask(prompt.question)
                return _finish(session)
        parts = assemble(local, [prompt.question, prompt.context])
        with Session.start(self.folder, parts, goal=prompt.question, sources=sources) as session:
            return _finish(session)

    def export_memory(self, path: str | Path) -> None:
        """Write the memory to a file, in the form that `Session.start(memory=...)` begins with. Raises JournalError."""
        memory = to_json(state_at(load(self.folder)))
        write_whole(Path(path), json.dumps(memory, ensure_ascii=False, indent=2).encode())


def _finish(session: Session) -> dict[str, Any]:
    result = session.run()
    return {**to_json(session.bank), "result": result.result, "answer": result.text}
