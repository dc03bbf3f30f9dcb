"""A batch on the Replay page: how far it is, its table, each of its runs in place, any two of them side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from memorybank.batch.store import BATCH, Line, is_live, lines_of
from memorybank.hosting.registry import address_elsewhere
from memorybank.memory.types import ConflictStatus, Lang
from memorybank.ui.batch.table import STATES, columns_of, fates, fits, state_words, table_box
from memorybank.ui.components.paged import back_to_first_page, draw_more, page_end
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.batch_folders import batches
from memorybank.ui.shell.saved import compare_listed, open_listed
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import BATCH_CHOSEN, REPLAY_SECTION
from memorybank.views.box import box, note, row_of
from memorybank.views.i18n import t
from memorybank.views.text.display import plain

POLL: Final = 1.0
"""Seconds between two looks at a batch that runs."""
MOST: Final = 25
_PAGED: Final = "batch-rows"


def has_batch() -> bool:
    return bool(_batches())


def _batches() -> list[Path]:
    return batches(state.default_settings().batch_dir, state.runs_root())


def draw_batch(lang: Lang, *, here: str = "") -> None:
    """`here`: the address of the run that is shown above it."""
    with st.container(border=True, key="batch-card"):
        path = _draw_choice(_batches(), lang)
        live = is_live(path)
        goes_on = live or not (path / BATCH).exists()
        st.fragment(_draw_now, run_every=POLL if goes_on else None)(path, lang, here, live)


def _draw_choice(paths: Sequence[Path], lang: Lang) -> Path:
    by_address = {address_elsewhere(path): path for path in paths}
    if len(paths) == 1:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.subheader(t("batch.title", lang), anchor=False, width="content")
            st.text(plain(paths[0].name), width="content")
        return paths[0]
    st.subheader(t("batch.title", lang), anchor=False)
    if BATCH_CHOSEN.held() not in by_address:
        BATCH_CHOSEN.set(next(iter(by_address)))
    chosen = st.selectbox(
        t("batch.choose", lang),
        list(by_address),
        format_func=lambda address: plain(by_address[address].name),
        key=BATCH_CHOSEN.key,
        label_visibility="collapsed",
        persist_state="session",
        on_change=partial(back_to_first_page, _PAGED),
    )
    return by_address[chosen]


@guarded
def _draw_now(path: Path, lang: Lang, here: str, was_live: bool) -> None:
    page = this_tab().batch
    turned, page.turned = page.turned, False
    if turned:  # a click in the fragment chose what stands outside of it
        st.rerun()
    live = is_live(path)
    lines = lines_of(path, live=live)
    if not lines:
        draw(note(t("batch.not_yet", lang)), key="batch-not-yet")
        return
    _draw_progress(lines, live, lang)
    shown = _draw_filters(lines, lang)
    _draw_tools(lines, lang)
    if not shown:
        draw(note(t("batch.none_fits", lang)), key="batch-none")
    else:
        page_of_it = shown[: page_end(_PAGED, MOST)]
        table = table_box(page_of_it, columns_of(lines), lang, ticked=page.ticked, here=here)
        draw(table, key="batch-table", on_choose=_chosen)
        draw_more(_PAGED, MOST, len(shown), lang)
    if live != was_live:
        st.rerun()


def _draw_progress(lines: Sequence[Line], live: bool, lang: Lang) -> None:
    """How many have ended, are under way, failed; what was expected; conflicts by fate."""
    rows = [line.row for line in lines if line.row is not None]
    ended = sum(row.ended for row in rows)
    counts = Counter(line.state for line in lines)
    others = (f"{state_words(name, lang)} {counts[name]:,}" for name in STATES if counts[name])
    st.progress(ended / len(lines), t("batch.progress", lang, ended=ended, count=len(lines)))
    known = [row.expected for row in rows if row.expected is not None]
    fate = Counter[ConflictStatus]()
    for row in rows:
        fate.update(row.conflicts)
    draw(
        row_of(
            box("span", "chip task live", t("runs.live", lang)) if live else None,
            box("span", "text", " · ".join(others)),
            box("span", "text", t("batch.expected", lang, met=sum(known), count=len(known))) if known else None,
        ),
        note(t("batch.fates", lang, fates=fates(fate, lang))) if fate else None,
        key="batch-progress",
    )


def _draw_filters(lines: Sequence[Line], lang: Lang) -> list[Line]:
    """The lines that are looked for: by their words, their state, their system."""
    words = st.text_input(
        t("batch.search", lang),
        key="batch-search",
        icon=":material/search:",
        persist_state="session",
        on_change=partial(back_to_first_page, _PAGED),
    )
    wanted = (words or "").casefold().split()
    return [line for line in lines if fits(line, wanted, lang)]


def _draw_tools(lines: Sequence[Line], lang: Lang) -> None:
    there = {address_elsewhere(line.folder) for line in lines if line.has_run}
    ticked = [address for address in this_tab().batch.ticked if address in there]
    st.button(
        t("runs.compare", lang),
        key="batch-compare",
        icon=":material/compare_arrows:",
        help=t("runs.compare_help", lang),
        disabled=len(ticked) != 2,
        on_click=partial(_compare, ticked),
    )


def _compare(ticked: Sequence[str]) -> None:
    this_tab().batch.turned = True
    compare_listed(*ticked)


def _chosen(what: str) -> None:
    action, _, name = what.partition(" ")
    page = this_tab().batch
    if action == "open":
        REPLAY_SECTION.set("batch")
        page.turned = True
        open_listed(name)
    elif action == "tick":
        others = [ticked for ticked in page.ticked if ticked != name]
        page.ticked = others if name in page.ticked else [*others, name]
