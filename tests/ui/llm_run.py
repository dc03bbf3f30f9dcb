"""A finished run of the llm engine against a scripted endpoint, for the tests of what shows its calls."""

from __future__ import annotations

import functools
import tempfile
from dataclasses import dataclass
from pathlib import Path

from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.session.session import Session
from memorybank_lab.scripted import ScriptedServer, SeenRequest
from tests.llm.sessions import TASKS, parts, recorded, sources
from tests.picturing import picture


@dataclass(frozen=True, slots=True)
class LLMRun:
    folder: RunFolder
    requests: tuple[SeenRequest, ...]
    """The questions to the model, as the endpoint saw them."""


@functools.cache
def llm_run(lang: Lang = "en", *, native_tools: bool = False) -> LLMRun:
    """With an image, a conflict that is settled, and a look at raw text. Do not write into its folder."""
    folder = RunFolder(Path(tempfile.mkdtemp(prefix="llm-run-")) / "run")
    with ScriptedServer(recorded(lang)) as server:
        started = Session.start(
            folder.path,
            parts(server, lang, native_tools=native_tools),
            goal=TASKS[lang],
            sources=sources(lang),
            images=[("sign.png", picture("PLATFORM NINE"))],
        )
        with started as session:
            session.run()
        return LLMRun(folder, tuple(server.chats))
