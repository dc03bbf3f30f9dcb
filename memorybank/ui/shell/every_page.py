"""Every page of the app, and the HTML export, drawn from one run without a browser: whether any of them fails.

    python -m memorybank.ui.shell.every_page

A request a line on standard input, an answer a line on standard output:

    {"run": "<32 hex digits>", "seq": 12, "lang": "en"}
    {"faults": ["conflicts: ValueError: … (conflict_claims.py:56)"], "refused": ""}

`run` is a folder below STORAGE_DIR. The pages are opened at that event and at what it names, so that its own cards are
drawn, in each of their views. `refused`: the words of the library where it would not read the run.
"""

from __future__ import annotations

import functools
import json
import logging
import os
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any, TextIO

from memorybank.errors import MemoryBankError
from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import SESSION, RunFolder, load, state_at
from memorybank.settings.place import APP
from memorybank.views.link import PAGES, PageName

PATIENCE = 60
"""Seconds for one page."""
MOST_FRAMES = 3

_ID_RE = re.compile(r"[necm]\d{1,9}")


@dataclass(frozen=True, slots=True)
class Visit:
    page: PageName
    followed: str = ""
    """The link that leads there."""
    chosen: tuple[tuple[str, str], ...] = ()
    """Widgets and what they hold."""


def visits(record: Record[Any]) -> Iterator[Visit]:
    """The pages in each of their views, at an event and at what it names."""
    named = dict[str, str]()
    for id_ in _ID_RE.findall(json.dumps(SESSION.events.dump_python(record.event, mode="json"))):
        named.setdefault(id_[0], id_)
    node, entry, conflict, merge = (named.get(letter, f"{letter}1") for letter in "necm")
    yield Visit("session")
    yield Visit("graph", f"node:{node}", (("graph-view", "memory"),))
    yield Visit("graph", "", (("graph-view", "why"),))
    yield Visit("conflicts", f"conflict:{conflict}")
    yield Visit("conflicts", f"merge:{merge}")
    yield Visit("tree", f"tree:{node}")
    yield Visit("tree", f"entry:{entry}")
    yield Visit("prompt", f"prompt:{record.seq}")
    yield Visit("prompt", f"call:{record.seq}")
    yield Visit("prompt", "", (("prompt-view", "calls"),))
    for section in ("diff", "branches", "files"):
        yield Visit("replay", f"moment:{record.seq}", (("replay-section", section),))
    yield Visit("compare")
    yield Visit("settings")


def faults_of(run: RunFolder, seq: int, lang: Lang) -> Iterator[str]:
    """One line each. Raises MemoryBankError for a run that is refused."""
    records = load(run.path)
    state_at(records)
    yield from _faults_of_export(records, run, lang)
    yield from _faults_of_pages(run.path.name, records[min(max(seq, 1), len(records)) - 1], lang)


def _faults_of_export(records: list[Record[Any]], run: RunFolder, lang: Lang) -> Iterator[str]:
    from memorybank.views.html_export import export_html

    try:
        export_html(records, run.files.read, lang)
    except MemoryBankError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        yield f"export: {_line(error)}"


def _faults_of_pages(run_id: str, record: Record[Any], lang: Lang) -> list[str]:
    _page_request[:] = [run_id, record, lang]
    _page_faults.clear()
    app = _app()
    with _main_kept():
        app.run()
    # What failed in a fragment stands on the page, too.
    return [*_page_faults] or [f"pages: {failure.message}".replace("\n", " ") for failure in app.exception]


_page_request: list[Any] = []
"""What `draw_all` is to draw: the run's id, the record, the language."""
_page_faults: list[str] = []
"""What went wrong in it."""


def _app() -> Any:
    """A new tab. One script for all pages: each run of a script costs more than a page."""
    from streamlit.testing.v1 import AppTest

    app = AppTest.from_string(f"from {__name__} import draw_all\ndraw_all()", default_timeout=PATIENCE)
    app._bidi_component_manager = _components()
    return app


@contextmanager
def _main_kept() -> Iterator[None]:
    """Streamlit leaves the script it ran as `__main__`; a process that is spawned later would run it again."""
    main = sys.modules["__main__"]
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@functools.cache
def _components() -> Any:
    """Each tab would look through all installed packages for them: 0.3 s."""
    from streamlit.components.v2.component_manager import BidiComponentManager

    manager = BidiComponentManager()
    manager.discover_and_register_components(start_file_watching=False)
    return manager


def draw_all() -> None:
    """Within a running script: a tab that is new opens the run and turns from page to page."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from memorybank.ui.shell import links, state
    from memorybank.ui.shell.tab import Widget, this_tab
    from memorybank.ui.shell.widgets import LANGUAGE

    run_id, record, lang = _page_request
    LANGUAGE.set(lang)
    tab = this_tab()
    tab.page = "session"
    context = get_script_run_ctx()
    assert context is not None
    with _noting("app"):
        state.keep(state.look_up(run_id))
        _draw_above(lang)
    for visit in visits(record):
        context.shared.reset()  # another page: a key that the last one had is free again
        with _noting(visit.page):
            tab.page, tab.at = visit.page, None
            tab.focus.clear()
            links.follow(visit.followed)
            for key, value in visit.chosen:
                Widget[str](key).set(value)
            exec(_code(visit.page), {"__name__": "__main__"})  # noqa: S102 - a page of the app, as Streamlit runs it


def _draw_above(lang: Lang) -> None:
    """What stands above each page (app.py)."""
    from memorybank.ui.shell import state
    from memorybank.ui.shell.header import draw_header
    from memorybank.ui.shell.run_bar import draw_run_bar
    from memorybank.ui.story.bar import draw_story

    worker = state.worker()
    assert worker is not None, "the run was not opened"
    draw_header(lang, worker)
    draw_run_bar(worker, lang)
    draw_story(worker, lang)


@functools.cache
def _code(page: PageName) -> CodeType:
    path = APP / PAGES[page][0]
    return compile(path.read_text("utf-8"), str(path), "exec")


@contextmanager
def _noting(page: str) -> Iterator[None]:
    """What a page raises; where it asks to be run again, or for another page, that is all that is seen of it."""
    from streamlit.errors import FragmentHandledException
    from streamlit.runtime.scriptrunner_utils.exceptions import ScriptControlException

    try:
        yield
    except ScriptControlException:
        pass
    except FragmentHandledException as error:
        _page_faults.append(f"{page}: {_line(error.args[0])}")
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        _page_faults.append(f"{page}: {_line(error)}")


def _line(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-MOST_FRAMES:]
    where = "; ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
    return f"{type(error).__name__}: {error} ({where})".replace("\n", " ")


def serve(requests: TextIO, answers: TextIO) -> None:
    """Until there are no more."""
    for line in requests:
        request = json.loads(line)
        run = RunFolder(Path(os.environ["STORAGE_DIR"]) / request["run"])
        answer: dict[str, Any] = {"faults": [], "refused": ""}
        try:
            answer["faults"] = list(faults_of(run, request["seq"], request["lang"]))
        except MemoryBankError as error:
            answer["refused"] = str(error)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)  # Streamlit's, of a page that is drawn without a server
    answers, sys.stdout = sys.stdout, sys.stderr
    from memorybank.ui.shell import (
        every_page,  # not this module, which is `__main__` here: the one that the script imports
    )

    every_page.serve(sys.stdin, answers)
