"""A call, or a stage, to take along: as a case in JSON, and the test that runs the case."""

from __future__ import annotations

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.settings.config import Settings
from memorybank.testing.cases import Case, case_json
from memorybank.testing.making import MOST_BYTES, Cannot, EndedStage, agent_case, stage_case
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.tab import kept
from memorybank.views.box import box, note
from memorybank.views.calls.call_view import AgentView, ToolView
from memorybank.views.i18n import t
from memorybank.views.text.display import format_bytes

MOST_KEPT = 2
"""The most cases of a kind that a tab keeps."""

Made = tuple[str, str] | Cannot
"""The name and the text of a case, or why there is none."""


def draw_test(view: AgentView | ToolView, worker: Run, lang: Lang) -> None:
    """Draw the case of a call."""
    made: Made = Cannot("inside_stage")
    if isinstance(view, AgentView):
        name = ("call-test", worker.run_id, view.row.seq)
        made = kept(name, lambda: _written(agent_case(view, worker.records, settings_of(worker))), most=MOST_KEPT)
    asks_a_model = isinstance(view, AgentView) and view.event.engine != "offline"
    says = t("prompt.test.call_llm" if asks_a_model else "prompt.test.call_offline", lang)
    _draw_case(made, t("prompt.test.call", lang), says, lang, key="test-call")


def draw_stage_test(span: EndedStage | None, worker: Run, folder: RunFolder, lang: Lang, *, key: str) -> None:
    made: Made = Cannot("unfinished")
    if span is not None:
        name = ("stage-test", worker.run_id, span.first, span.last)
        made = kept(
            name,
            lambda: _written(stage_case(span, worker.records, folder, settings_of(worker), state.bank_at)),
            most=MOST_KEPT,
        )
    _draw_case(made, t("prompt.test.stage", lang), t("prompt.test.stage_help", lang), lang, key=key)


def settings_of(worker: Run) -> Settings:
    """Return the settings of the run's session; for a run that is only read, those of this machine."""
    return worker.session.parts.settings if worker.session is not None else state.default_settings()


def _written(case: Case | Cannot) -> Made:
    return case if isinstance(case, Cannot) else (case.name, case_json(case))


def _draw_case(made: Made, title: str, says: str, lang: Lang, *, key: str) -> None:
    draw(box("h3", "side-name", title), note(says), key=f"{key}-words")
    if isinstance(made, Cannot):
        words = t(f"prompt.cannot.{made.reason}", lang, size=format_bytes(MOST_BYTES, lang))
        draw(box("p", "notice text", words), key=f"{key}-cannot")
        return
    name, text = made
    st.download_button(
        t("prompt.test.download", lang),
        text,
        file_name=f"{name}.json",
        mime="application/json",
        key=f"{key}-download",
        icon=":material/download:",
        on_click="ignore",
    )
    line = f'from memorybank.testing import run_case\n\ndef test_{name}() -> None:\n    run_case("{name}.json")'
    st.code(line, language=None, wrap_lines=True)
