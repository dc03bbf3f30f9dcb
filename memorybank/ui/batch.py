"""A batch on the Replay page: how far it is, its table, each of its runs in place, any two of them side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from memorybank.batch.results import TaskRow
from memorybank.batch.store import BATCH, Line, is_live, lines_of
from memorybank.hosting.registry import address_elsewhere
from memorybank.memory.types import ConflictStatus, Lang
from memorybank.ui.components.paged import back_to_first_page, draw_more, page_end
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.batch_folders import batches
from memorybank.ui.shell.saved import compare_listed, open_listed
from memorybank.ui.shell.switch import button, draw_search
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import BATCH_CHOSEN, REPLAY_SECTION
from memorybank.views.box import Box, Piece, aside, box, chip, note, row_of, table_of
from memorybank.views.i18n import catalogue, t
from memorybank.views.text.display import clip, format_duration, plain

POLL: Final = 1.0
"""Seconds between two looks at a batch that runs."""
MOST: Final = 25
_PAGED: Final = "batch-rows"


def has_batch() -> bool:
    return bool(_batches())


def _batches() -> list[Path]:
    return batches(state.default_settings().batch_dir, state.runs_root())


def draw_batch(lang: Lang, *, here: str = "") -> None:
    """Draw the batch. `here` is the address of the run that is shown above it."""
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
    with st.container(horizontal=True, vertical_alignment="center"):
        wanted = draw_search(t("batch.search", lang), "batch-search", on_change=partial(back_to_first_page, _PAGED))
        _draw_tools(lines, lang)
    shown = [line for line in lines if fits(line, wanted.casefold().split(), lang)]
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
    """Draw how many runs have ended, by state, how many met what was expected of them, and their conflicts by fate."""
    rows = [line.row for line in lines if line.row is not None]
    ended = sum(row.ended for row in rows)
    counts = Counter(line.state for line in lines)
    others = (f"{state_words(name, lang)} {counts[name]:,}" for name in STATES if counts[name])
    if ended < len(lines):
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
            aside(t("batch.fates", lang, fates=fates(fate, lang))) if fate else None,
        ),
        key="batch-progress",
    )


def _draw_tools(lines: Sequence[Line], lang: Lang) -> None:
    there = {address_elsewhere(line.folder) for line in lines if line.has_run}
    ticked = [address for address in this_tab().batch.ticked if address in there]
    if len(ticked) == 2:
        act, words = partial(_compare, ticked), t("runs.compare_help", lang)
        button(t("runs.compare", lang), "batch-compare", act, icon="compare_arrows", help_text=words)


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


NOTHING: Final = "–"
LONGEST: Final = 160
"""The most columns of a task."""
STATES: Final = {
    "running": "task live",
    "waiting": "",
    "begun": "disputed",
    "stopped": "disputed",
    "failed": "failure",
    "out_of_rounds": "disputed",
    "filed_with_failures": "disputed",
    "complete_with_failures": "disputed",
    "filed": "done",
    "complete": "done",
}
"""Every state a line may have, in their order, and the look of its chip."""
COLUMNS: Final = (
    "id", "system", "state", "expected", "rounds", "conflicts", "merges", "nodes", "calls", "tokens", "seconds", "cost",
)  # fmt: skip


def fits(line: Line, words: Sequence[str], lang: Lang) -> bool:
    """Say whether all of these words stand in what the line tells of its run."""
    row = line.row
    texts = [line.id, line.task, state_words(line.state, lang), t(f"batch.system_{line.system}", lang)]
    if row is not None:
        texts += [row.answer, row.error, row.error_zh]
        texts += [t(f"batch.expected_{row.expected}", lang)] if row.expected is not None else []
    searched = " ".join(texts).casefold()
    return all(word in searched for word in words)


def columns_of(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the columns that tell something: none for one system, nothing expected, no tokens or no price."""
    rows = [line.row for line in lines if line.row is not None]
    says = {
        "expected": any(row.expected is not None for row in rows),
        "cost": any(row.cost is not None for row in rows),
        "tokens": any(line.tokens for line in lines),
        "system": len({line.system for line in lines}) > 1,
    }
    return tuple(name for name in COLUMNS if says.get(name, True))


def table_box(lines: Sequence[Line], columns: Sequence[str], lang: Lang, *, ticked: Collection[str], here: str) -> Box:
    heads = (box("th", "", ""), *(box("th", "", t(f"batch.column.{name}", lang)) for name in columns))
    rows = (_line(line, columns, lang, ticked, here) for line in lines)
    return box("div", "scrolls", table_of("batch-table", heads, rows))


def _line(line: Line, columns: Sequence[str], lang: Lang, ticked: Collection[str], here: str) -> Box:
    address = address_elsewhere(line.folder)
    is_ticked, is_here = address in ticked, address == here
    tick = box("span", "tick", title=t("runs.tick", lang, title=line.id), choose=f"tick {address}", checked=is_ticked)
    cells = (box("td", f"batch-{name}", *_cell(name, line, lang, is_here)) for name in columns)
    look = "selected" if is_ticked or is_here else ""
    return box("tr", look, box("td", "", tick if line.has_run else None), *cells)


def _cell(name: str, line: Line, lang: Lang, is_here: bool) -> tuple[Piece | None, ...]:
    row = line.row
    if name == "id":
        return _name(line, lang, is_here)
    if name == "state":
        return chip(state_words(line.state, lang), STATES.get(line.state, "")), _why(row, lang)
    if name == "system":
        return (t(f"batch.system_{line.system}", lang),)
    if row is None or getattr(row, name, 0) is None:
        return (NOTHING,)
    match name:
        case "expected":
            return (chip(t(f"batch.expected_{row.expected}", lang), "done" if row.expected else "failure"),)
        case "conflicts":
            return (fates(row.conflicts, lang) or NOTHING,)
        case "tokens":
            return (f"{line.tokens:,}",)
        case "seconds":
            return (format_duration(row.seconds, lang),)
        case "cost":
            return (f"{row.cost:.4f}",)
        case _:
            return (f"{getattr(row, name):,}",)


def _name(line: Line, lang: Lang, is_here: bool) -> tuple[Piece | None, ...]:
    """Return a run's name; that of a shown run keeps its button, as who opened it by keys has the focus there."""
    address = address_elsewhere(line.folder)
    title = t("runs.open_help", lang, title=line.id)
    opened = box("span", "batch-open strong", line.id, choose=f"open {address}", title=title)
    name = opened if line.has_run else box("span", "strong", line.id)
    return (
        name,
        chip(t("runs.here", lang), "task") if is_here else None,
        box("p", "muted small clamp", clip(line.task, LONGEST), title=clip(line.task, 600)),
    )


def state_words(name: str, lang: Lang) -> str:
    own, known = f"batch.state.{name}", f"run.result.{name}"
    return t(own if own in catalogue(lang) else known, lang)


def _why(row: TaskRow | None, lang: Lang) -> Box | None:
    error = (row.error_zh if lang == "zh" else row.error) if row is not None else ""
    return box("p", "muted small clamp", clip(error, 300), title=clip(error, 600)) if error else None


def fates(counts: Mapping[ConflictStatus, int], lang: Lang) -> str:
    """Say in words how many conflicts had each fate."""
    return " · ".join(
        f"{t(f'conflict.status.{status}', lang)} {count:,}"
        for status in ConflictStatus
        if (count := counts.get(status))
    )
