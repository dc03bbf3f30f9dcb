"""What one server has, whoever visits: this machine's settings, the registry of runs, the models that are warmed up.

The edge of the app: the environment and `.env` are read here (settings/env.py), once a server, and nowhere below.

The first page is painted before the session's code is even imported: what is heavy is imported where it is used, and
by `WarmUp` in the background once the page is drawn.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from memorybank.errors import InputError, MemoryBankError
from memorybank.memory.types import Lang
from memorybank.settings import env
from memorybank.settings.config import Settings
from memorybank.ui.shell.import_turns import turns

if TYPE_CHECKING:
    from memorybank.embedding.models import ModelChoice
    from memorybank.embedding.process import EmbeddingProcess
    from memorybank.hosting.registry import Runs

HEAD_START = 1.5
"""Seconds that the browser gets to paint the first page, before the models take the processor."""

SAMPLE: Mapping[Lang, str] = {"en": "memory", "zh": "记忆"}
"""A text in each language, to tell which embedding model it calls for."""


@st.cache_resource(show_spinner=False)
def local() -> tuple[env.Effective, InputError | None]:
    """This machine's settings; where one cannot be used, the defaults and what is wrong with it."""
    try:
        return env.load(), None
    except InputError as error:
        return env.load({}, None), error


def default_settings() -> Settings:
    return local()[0].settings


def _batch_runs() -> list[Path]:
    from memorybank.ui.shell.batch_folders import batch_runs

    return batch_runs(default_settings().batch_dir, runs_root())


@st.cache_resource(show_spinner=False)
def runs() -> Runs:
    from memorybank.hosting.registry import Runs

    _begun.append(Runs(runs_root(), is_open=is_connected, local=default_settings(), elsewhere=_batch_runs))
    return _begun[-1]


_begun: list[Runs] = []
"""The registry, from when it was first needed."""


def runs_root() -> Path:
    """The folder of all runs."""
    return (default_settings().storage_dir or Path("runs")).resolve()


def is_alive(run_id: str) -> bool:
    """Whether this server has the run at work. Until the registry is needed for a run, there is none."""
    return bool(_begun) and _begun[-1].is_alive(run_id)


def is_connected(tab: str) -> bool:
    return bool(tab) and runtime.exists() and runtime.get_instance().is_active_session(tab)


def tab_id() -> str:
    """This tab's name on the server."""
    context = get_script_run_ctx()
    return context.session_id if context is not None else ""


class WarmUp(threading.Thread):
    """Imports what a run needs and starts the process of the model that a language calls for, in the background."""

    def __init__(self, lang: Lang) -> None:
        super().__init__(name=f"warm-up-{lang}", daemon=True)
        self.process: EmbeddingProcess | None = None
        """None until it is started; it then loads its model by itself."""
        self.problem = ""
        self.page_code: Iterator[ModuleType] = iter(())
        """Imports the code of one page after the other."""
        self._lang: Lang = lang

    def run(self) -> None:
        time.sleep(HEAD_START)  # in this thread of its own: nobody waits for it
        more = True
        while more:  # or the first visitor of each page waits for its imports
            with turns.ahead():
                more = next(self.page_code, None) is not None
        gc.collect()
        gc.freeze()  # code stays: a full collection that walks over it all held up a redraw by 120 ms
        with turns.ahead():
            from memorybank.embedding.process import shared

        if default_settings().embedding_endpoint.base_url:
            return  # nothing is loaded here
        try:
            self.process = shared(model_choice(self._lang))
        except (MemoryBankError, OSError) as error:  # OSError: no process could be started
            self.problem = str(error)

    @property
    def state(self) -> str:
        """`loading`, `ready`, `failed` or `closed`."""
        if default_settings().embedding_endpoint.base_url:
            return "ready"
        ended = self.ident is not None and not self.is_alive()  # of whatever: nobody may wait for it for ever
        if self.process is None:
            return "failed" if self.problem or ended else "loading"
        return self.process.state.partition(":")[0]


@st.cache_resource(show_spinner=False)
def warm_up(lang: Lang) -> WarmUp:
    """Not started yet: that is for when the page is drawn (`begin_warm_up`)."""
    return WarmUp(lang)


def begin_warm_up(lang: Lang, page_code: Callable[[], Iterator[ModuleType]]) -> None:
    """Start it, once a server and language."""
    warm = warm_up(lang)
    if warm.ident is None:
        warm.page_code = page_code()
        warm.start()


def model_choice(lang: Lang) -> ModelChoice:
    """Raises InputError, ModelUnavailableError for a setting that cannot be met."""
    from memorybank.embedding.models import resolve

    return resolve(default_settings().embedding_model, [SAMPLE[lang]])
