"""What the runs and the answer cache take on disk, and how to make room. Nothing that is open is deleted."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.hosting.storage import (
    Deleted,
    RunSize,
    cache_path,
    cache_size,
    clean_up,
    clear_cache,
    older_than,
    sizes,
)
from memorybank.memory.types import Lang
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import links, state
from memorybank.ui.shell.kept import problems_kept
from memorybank.ui.shell.saved import RESULTS, is_served_here, open_stored, runs_to_tell
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import Box, box, chip, note
from memorybank.views.i18n import t
from memorybank.views.problems import as_sentence, explain
from memorybank.views.text.display import clip
from memorybank.views.text.quantities import format_bytes, relative_time

SHOWN = 12
"""Runs in the list until all are asked for."""
TITLE = 90
"""Columns."""


def draw_storage(worker: Run | None, lang: Lang) -> None:
    st.subheader(t("settings.storage", lang), anchor=False)
    runs = _runs()
    total = sum(run.size for run in runs)
    boxes = [box("p", "text", t("settings.storage_used", lang, count=len(runs), size=format_bytes(total, lang)))]
    if not is_served_here():
        boxes.append(note(t("settings.storage_elsewhere", lang)))
    settings = this_tab().settings
    done, settings.deleted = settings.deleted, None
    if done is not None:
        boxes.append(_outcome(done, lang))
    draw(boxes, key="storage")
    if runs:
        _draw_list(runs, worker, lang)
        _draw_clean_up(runs, lang)
    if worker is not None and worker.takes_orders:
        _draw_clear(worker, lang)


def _runs() -> list[RunSize]:
    """The largest first."""
    return sorted(sizes(state.runs().root, runs_to_tell()), key=lambda run_size: (-run_size.size, run_size.run.address))


def _outcome(done: Deleted, lang: Lang) -> Box:
    words = [t("settings.deleted", lang, count=done.runs, size=format_bytes(done.size, lang))]
    if done.open:
        words.append(t("settings.deleted_open", lang, count=done.open))
    if done.problem is not None:
        words.append(as_sentence(explain(done.problem, lang).words))
    return box("p", "notice done text" if done.problem is None else "notice failure text", " ".join(words))


# -- the list ---------------------------------------------------------------------------------------------------------


def _selected() -> set[str]:
    return this_tab().settings.selected


def _draw_list(runs: Sequence[RunSize], worker: Run | None, lang: Lang) -> None:
    addresses = {run_size.run.address for run_size in runs}
    _selected().intersection_update(addresses)
    shown = runs[: page_end("storage", SHOWN)]
    mine = worker.run_id if worker is not None else ""
    lines = [
        run_line(run_size, run_size.run.address in _selected(), run_size.run.address == mine, lang)
        for run_size in shown
    ]
    draw(box("ul", "run-list", *lines), key="storage-runs", on_choose=_chosen)
    draw_more("storage", SHOWN, len(runs), lang)


_OPEN = "open "
"""What precedes an address where the run is to be opened and not ticked."""


def _chosen(what: str) -> None:
    if what.startswith(_OPEN):
        open_stored(what.removeprefix(_OPEN))
        links.open_page("session")
    else:
        _selected().symmetric_difference_update({what})


def run_line(run_size: RunSize, is_selected: bool, is_mine: bool, lang: Lang) -> Box:
    run = run_size.run
    made = run.model or (t("engine.offline", lang) if run.engine == "offline" else run.engine)
    result = t(f"run.result.{run.result}", lang) if run.result in RESULTS else t("session.stopped", lang)
    facts = (result, made, relative_time(run.changed, time.time(), lang), run.address[:6])
    line = box(
        "div",
        "size-line selected" if is_selected else "size-line",
        box("span", "tick", "✓" if is_selected else ""),
        box(
            "div",
            "",
            box("p", "text", clip(run.goal, TITLE) or t("shell.saved.untitled", lang)),
            note(" · ".join(facts)),
        ),
        box("span", "size", format_bytes(run_size.size, lang)),
        choose=run.address,
        title=t("settings.select_help", lang),
    )
    mine = chip(t("settings.open_here", lang), "node")
    leads = box("span", "leads small", t("settings.open_run", lang), choose=_OPEN + run.address)
    return box("li", "run-item", line, mine if is_mine else leads)


# -- clean-up ---------------------------------------------------------------------------------------------------------


def _draw_clean_up(runs: Sequence[RunSize], lang: Lang) -> None:
    selected = [run_size for run_size in runs if run_size.run.address in _selected()]
    with st.container(horizontal=True, vertical_alignment="center", key="clean-up"):
        _draw_confirm("selected", selected, lang)
        closed = [run_size for run_size in runs if run_size.run.address not in _in_use()]
        _draw_confirm("closed", closed, lang)
        with st.popover(t("settings.delete_older", lang), icon=":material/history:", key="popover-delete-older"):
            days = st.number_input(t("settings.days", lang), 1, 3650, 30, key="delete-days")
            old = older_than(closed, days)
            _confirm("older", old, lang)


def _draw_confirm(name: str, chosen: Sequence[RunSize], lang: Lang) -> None:
    words = t(f"settings.delete_{name}", lang, count=len(chosen))
    with st.popover(words, icon=":material/delete:", key=f"popover-delete-{name}", disabled=not chosen):
        _confirm(name, chosen, lang)


def _confirm(name: str, chosen: Sequence[RunSize], lang: Lang) -> None:
    """What goes, how much it is, that it is final; then the button."""
    size = format_bytes(sum(run_size.size for run_size in chosen), lang)
    words = t("settings.delete_warning", lang, count=len(chosen), size=size)
    draw(box("p", "text", words if chosen else t("settings.delete_nothing", lang)), key=f"delete-warning-{name}")
    st.button(
        t("settings.delete_now", lang, count=len(chosen)),
        key=f"delete-{name}",
        type="primary",
        icon=":material/delete:",
        disabled=not chosen,
        on_click=_delete,
        args=(list(chosen),),
    )


def _in_use() -> set[str]:
    """What this tab shows. Runs that are open elsewhere are only found when they are to be deleted."""
    mine = this_tab().run
    pair: dict[str, str] = this_tab().compare.pair or {}
    return {*pair.values(), *([mine.run_id] if mine is not None else [])}


def _delete(chosen: list[RunSize]) -> None:
    done = clean_up(state.runs(), chosen, keep=_in_use(), owner=state.tab_id())
    this_tab().settings.deleted = done


def _draw_clear(worker: Run, lang: Lang) -> None:
    with st.popover(t("action.clear", lang), icon=":material/delete:", key="popover-clear"):
        draw(box("p", "text", t("settings.clear_warning", lang)), key="clear-warning")
        if st.button(t("settings.clear_now", lang), key="clear", type="primary"):
            with st.spinner(" "):
                state.runs().clear(worker)
            state.leave()
            st.rerun()


# -- the answer cache -------------------------------------------------------------------------------------------------


def draw_cache(lang: Lang) -> None:
    st.subheader(t("settings.cache", lang), anchor=False)
    path = cache_path(state.default_settings())
    cache = cache_size(path)
    if cache.answers is None:
        words = t("settings.cache_unreadable", lang, size=format_bytes(cache.size, lang))
    else:
        words = t("settings.cache_used", lang, count=cache.answers, size=format_bytes(cache.size, lang))
    lines = [box("p", "text", words), note(t("settings.cache_help", lang))]
    if not state.default_settings().llm.cache:
        lines.append(note(t("settings.cache_off", lang)))
    draw(lines, key="cache")
    with st.popover(
        t("settings.cache_clear", lang), icon=":material/delete:", key="popover-cache", disabled=not cache.answers
    ):
        draw(box("p", "text", t("settings.cache_warning", lang)), key="cache-warning")
        st.button(
            t("settings.cache_clear_now", lang), key="cache-clear", type="primary", on_click=_clear, args=(str(path),)
        )


def _clear(path: str) -> None:
    from pathlib import Path

    with problems_kept():
        clear_cache(Path(path))
