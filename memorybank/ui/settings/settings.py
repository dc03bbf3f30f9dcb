"""Settings: what holds and where it came from, which models there are, what the runs take on disk."""

from __future__ import annotations

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.ui.components.problems import draw_error
from memorybank.ui.components.rich import draw
from memorybank.ui.settings.models import draw_models
from memorybank.ui.settings.storage import draw_storage
from memorybank.ui.shell import state
from memorybank.views.box import Box, box, note, stack_of
from memorybank.views.i18n import LANGUAGES, t
from memorybank.views.run.effective import Holding, holding

ORIGINS = {
    "changed": "settings.origin.changed",
    "run": "settings.origin.run",
    "default": "settings.origin.default",
    "environment": "settings.origin.environment",
    ".env": "settings.origin.dotenv",
    "command line": "settings.origin.command_line",
}


def draw_settings(worker: Run | None, lang: Lang) -> None:
    _draw_problem(lang)
    left, right = st.columns(2, gap="large")
    with left:
        _draw_effective(worker, lang)
    with right:
        draw_models(lang)
        _draw_look(lang)
    draw_storage(lang)


def _draw_effective(worker: Run | None, lang: Lang) -> None:
    st.subheader(t("settings.effective", lang), anchor=False)
    bank = state.moment(worker).bank if worker is not None else None
    begun = bank.settings if bank is not None else None
    rows = holding(state.local()[0], begun, bank.changed if bank is not None else None)
    words = t("settings.of_run" if begun is not None else "settings.of_new", lang)
    draw(note(words), settings_table(rows, lang), key="effective")


def settings_table(rows: tuple[Holding, ...], lang: Lang) -> Box:
    """Name, value, origin."""
    return box(
        "table",
        "set-table",
        box(
            "tbody",
            "",
            *(
                box(
                    "tr",
                    "",
                    box("td", "muted", t(f"settings.holds.{row.name}", lang)),
                    box("td", "text", _value(row, lang)),
                    box("td", f"origin-{row.origin.strip('.')} small", t(ORIGINS[row.origin], lang)),
                )
                for row in rows
            ),
        ),
    )


def _value(row: Holding, lang: Lang) -> str:
    match row.name, row.value:
        case "engine", "offline":
            return t("engine.offline", lang)
        case "engine", "llm":
            return t("session.origin.model", lang)
        case "lang", "auto":
            return t("input.lang_auto", lang)
        case "lang", value:
            return next((words for code, words in LANGUAGES.items() if code == value), value)
        case "relations", value:
            return " > ".join(t(f"graph.relation.{name}", lang) for name in value.split(","))
        case "strategy", ("single" | "two_stage") as value:
            return t(f"settings.strategy_{value}", lang)
        case "merge_after_verdict", ("subject" | "group") as value:
            return t(f"settings.merge_{value}", lang)
        case "prompt_tokens", value if value.isdecimal():
            return f"{int(value):,}"
        case _, value:
            return value


def _draw_problem(lang: Lang) -> None:
    """What is wrong with the settings of this machine; the defaults hold in their place."""
    problem = state.local()[1]
    if problem is not None:
        draw_error(problem, lang, key="settings-problem")


def _draw_look(lang: Lang) -> None:
    """Where the language and the theme are chosen: on every page, at the top."""
    st.subheader(t("settings.look", lang), anchor=False)
    lines = [box("p", "text", t(f"settings.look_{name}", lang)) for name in ("language", "theme", "keys")]
    draw(stack_of(*lines), key="look")
