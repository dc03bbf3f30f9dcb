"""A call to take along: as a snippet that repeats it, and as a test of it or of its stage."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from memorybank.hosting.registry import CORPUS
from memorybank.hosting.run import Run
from memorybank.memory.events import SessionStarted
from memorybank.memory.types import Lang
from memorybank.runs import local_state
from memorybank.runs.run_folder import RunFolder
from memorybank.settings.config import Settings
from memorybank.testing.written import EndedStage, TestFile, agent_test, stage_of, stage_test, tool_test
from memorybank.testing.written.call_replay import context_window
from memorybank.testing.written.pieces import MOST_BYTES
from memorybank.testing.written.snippets import Cannot, Snippet, agent_snippet, tool_snippet
from memorybank.tools.corpus import Corpus
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.memo import kept
from memorybank.views.box import box, muted, note
from memorybank.views.calls.call_view import AgentView, ToolView
from memorybank.views.i18n import t
from memorybank.views.run.commits import Records
from memorybank.views.text.quantities import format_bytes

MOST_SHOWN = 2_500
"""Characters of a test file on the page; the download has them all."""
MOST_KEPT = 2
"""Of each kind of copy."""


def draw_snippet(view: AgentView | ToolView, worker: Run, lang: Lang) -> None:
    snippet = kept(("snippet", worker.run_id, view.row.seq), lambda: _snippet(view, worker), most=MOST_KEPT)
    if isinstance(snippet, Cannot):
        _draw_cannot(snippet, lang, key="snippet-cannot")
        return
    draw(
        muted(t(f"prompt.snippet.{snippet.kind}", lang)),
        note(t("prompt.snippet.not_recorded", lang)) if not snippet.exact else box("p", ""),
        key="snippet-words",
    )
    st.code(snippet.text, language=None, wrap_lines=True)


def _snippet(view: AgentView | ToolView, worker: Run) -> Snippet | Cannot:
    begun = worker.records[0].event
    if isinstance(view, ToolView):
        return tool_snippet(view)
    assert isinstance(begun, SessionStarted), "no run begins otherwise"
    window = context_window(worker.records[: view.row.seq])
    return agent_snippet(view, begun, settings_of(worker).llm, window)


def draw_test(view: AgentView | ToolView, worker: Run, records: Records, folder: RunFolder, lang: Lang) -> None:
    """Two files: of the call, and of the stage it belongs to."""
    left, right = st.columns(2, gap="large")
    with left:
        name = ("call-test", worker.run_id, view.row.seq)
        made = kept(name, lambda: _call_test(view, worker, folder), most=MOST_KEPT)
        kind = "tool" if isinstance(view, ToolView) else "offline" if view.event.engine == "offline" else "llm"
        _draw_file(made, t("prompt.test.call", lang), t(f"prompt.test.call_{kind}", lang), lang, key="test-call")
    with right:
        span = stage_of(records, view.row.seq)
        draw_stage_test(span, worker, folder, lang, key="test-stage")


def draw_stage_test(span: EndedStage | None, worker: Run, folder: RunFolder, lang: Lang, *, key: str) -> None:
    made: TestFile | Cannot = Cannot("unfinished")
    if span is not None:
        name = ("stage-test", worker.run_id, span.first, span.last)
        made = kept(
            name, lambda: stage_test(span, worker.records, folder, settings_of(worker), state.bank_at), most=MOST_KEPT
        )
    _draw_file(made, t("prompt.test.stage", lang), t("prompt.test.stage_help", lang), lang, key=key)


def _call_test(view: AgentView | ToolView, worker: Run, folder: RunFolder) -> TestFile | Cannot:
    records, settings = worker.records, settings_of(worker)
    begun = records[0].event
    assert isinstance(begun, SessionStarted), "no run begins otherwise"
    if isinstance(view, ToolView):
        return tool_test(view, records, folder, settings, lambda: _corpus(worker, folder), state.bank_at)
    return agent_test(view, begun, settings, context_window(records[: view.row.seq]))


def settings_of(worker: Run) -> Settings:
    """What the run does not keep of its settings is this machine's."""
    return worker.session.parts.settings if worker.session is not None else state.default_settings()


def _corpus(worker: Run, folder: RunFolder) -> Corpus | None:
    """The documents that the run searched, as far as this machine knows them."""
    if worker.session is not None:
        return worker.session.parts.corpus
    uploaded = folder.path / CORPUS
    known: Path | None = uploaded if uploaded.is_dir() else local_state.known_corpus(folder.path.name)
    return Corpus.open(known) if known is not None else None


def _draw_file(made: TestFile | Cannot, title: str, says: str, lang: Lang, *, key: str) -> None:
    draw(box("h3", "side-name", title), note(says), key=f"{key}-words")
    if isinstance(made, Cannot):
        _draw_cannot(made, lang, key=f"{key}-cannot")
        return
    st.download_button(
        t("prompt.test.download", lang),
        made.text,
        file_name=made.name,
        mime="text/x-python",
        key=f"{key}-download",
        icon=":material/download:",
        on_click="ignore",
    )
    draw(
        note(
            f"{made.name} · {format_bytes(len(made.text.encode('utf-8', 'replace')), lang)}",
            f" · {t('prompt.test.cut', lang)}" if len(made.text) > MOST_SHOWN else None,
        ),
        key=f"{key}-name",
    )
    st.code(made.text[:MOST_SHOWN], language=None, wrap_lines=True)


def _draw_cannot(cannot: Cannot, lang: Lang, *, key: str) -> None:
    words = t(f"prompt.cannot.{cannot.reason}", lang, size=format_bytes(MOST_BYTES, lang))
    draw(box("p", "notice text", words), key=key)
