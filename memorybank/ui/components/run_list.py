"""The list of runs, the same wherever runs are listed: searched, opened, compared, named, pinned, deleted with undo.

    draw_run_list(listed_runs(lang), lang, key="runs", here=worker.run_id)

What is done to runs stands in one row of buttons above the list, for those that are ticked; each line has only its tick
and its own button, so that no line breaks. What is ticked is ticked in all lists of the tab.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memorybank.hosting.saved import StoredRun
from memorybank.memory.types import RECORDED, Lang
from memorybank.runs.label import MOST_NAME, RunLabel, as_name, read_label, write_label
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.saved import ListedRun, compare_listed, listed_runs, open_listed, stored_runs
from memorybank.ui.shell.serving import is_served_here
from memorybank.ui.shell.switch import draw_search
from memorybank.ui.shell.tab import problems_kept, this_tab
from memorybank.views.box import Box, aside, box, chip, note
from memorybank.views.i18n import LANGUAGES, as_sentence, explain, t
from memorybank.views.run.origin import Origin, words_of
from memorybank.views.text.display import clip, relative_time, unmarked

if TYPE_CHECKING:  # the first page has a list, and no session behind it
    from streamlit.delta_generator import DeltaGenerator

    from memorybank.hosting.storage import Deleted

RESULTS = ("complete", "filed", "complete_with_failures", "filed_with_failures", "out_of_rounds")
"""The results that a run may have; a journal that another program wrote may name others."""
MOST_OPENING = 60
"""The most columns of the title of a run that is being opened."""
LONGEST = 300
"""The most columns of a run's task; the page cuts it where the line ends."""


def run_row(row: ListedRun, lang: Lang, *, is_ticked: bool, is_here: bool) -> Box:
    run, title = row.run, title_of(row.run, lang)
    tick = box("span", "tick", title=t("runs.tick", lang, title=title), choose=f"tick {row.key}", checked=is_ticked)
    return box(
        "li",
        "run-row selected" if is_ticked else "run-row",
        tick,
        box("div", "run-words", _title(run, title), _facts(row, lang)),
        chip(t("runs.here", lang), "task")
        if is_here
        else box(
            "span",
            "run-open",
            t("runs.open", lang),
            choose=f"open {row.key}",
            title=t("runs.open_help", lang, title=title),
        ),
    )


def trash_row(run: StoredRun, lang: Lang) -> Box:
    """Return the row of a deleted run, which can be brought back."""
    title = title_of(run, lang)
    words = box("div", "run-words", _title(run, title), note(relative_time(run.changed, time.time(), lang)))
    back = box("span", "run-open", t("runs.restore", lang), choose=run.address, title=title)
    return box("li", "run-row", words, back)


def _title(run: StoredRun, title: str) -> Box:
    whole = f"{title}\n{clip(run.goal, LONGEST)}" if run.name and run.goal else title
    return box("p", "run-title strong", title, title=whole)


def _facts(row: ListedRun, lang: Lang) -> Box:
    run = row.run
    if run.is_damaged:
        result = chip(t("runs.damaged", lang), "failure")
    elif row.is_live:
        result = chip(t("runs.live", lang), "task live")
    else:
        result = chip(_result(run, lang), "done" if run.result in RESULTS[:2] else "")
    facts = (
        _engine(run, lang),
        _language(run),
        _conflicts(run, lang),
        "" if row.is_sample else relative_time(run.changed, time.time(), lang),
    )
    return box(
        "div",
        "row run-facts",
        chip(t("runs.pinned", lang), "node") if run.pinned else None,
        chip(t("runs.sample", lang)) if row.is_sample else None,
        result,
        chip(t("runs.branch", lang)) if run.parent else None,
        *(aside(fact) for fact in facts if fact),
    )


def _result(run: StoredRun, lang: Lang) -> str:
    return t(f"run.result.{run.result}" if run.result in RESULTS else "runs.unfinished", lang)


def title_of(run: StoredRun, lang: Lang) -> str:
    """Return the name a person gave the run, else its task, else its address where nothing of it can be read."""
    if run.is_damaged and not run.name:
        return t("runs.damaged_title", lang, address=run.address[:8])
    return run.name or clip(run.goal, LONGEST) or t("runs.untitled", lang)


def draw_opening(place: DeltaGenerator, address: str, lang: Lang) -> None:
    """Say at once that a run is being opened, then which. Of one that is alive nothing is told: it may be another's."""
    place.text(t("shell.opening", lang))
    run = stored_runs().at(address) if not state.is_alive(address) else None
    if run is not None:
        title = clip(title_of(run, lang), MOST_OPENING)
        place.text(t("shell.opening_run", lang, title=title, events=f"{run.events:,}"))


def _engine(run: StoredRun, lang: Lang) -> str:
    made = Origin(engine=run.engine, model=run.model, recorded=run.run_id.startswith(RECORDED))
    return words_of(made, lang)[0]


def _language(run: StoredRun) -> str:
    return next((words for code, words in LANGUAGES.items() if code == run.lang), "")


def _conflicts(run: StoredRun, lang: Lang) -> str:
    if run.is_damaged:
        return ""
    if not run.conflicts:
        return t("runs.no_conflict", lang)
    return t("runs.conflicts", lang, count=run.conflicts, settled=run.settled)


def fits(row: ListedRun, words: Sequence[str], lang: Lang) -> bool:
    """Say whether a search for all of these words finds the run."""
    if not words:
        return True
    run = row.run
    made = (_engine(run, lang), run.model, _language(run), t("runs.sample", lang) if row.is_sample else "")
    searched = " ".join((title_of(run, lang), run.goal, *made, _result(run, lang), run.address)).casefold()
    return all(word in searched for word in words)


MOST = 8
"""The number of runs of the list that are shown at once."""


def draw_runs(lang: Lang, *, here: str = "", border: bool = True) -> None:
    """Draw all runs that this browser is told of, under their heading."""
    with st.container(border=border, key="runs-card"):
        st.subheader(t("runs.title", lang), anchor=False)
        draw(note(t("runs.help", lang)), key="runs-help")
        draw_run_list(listed_runs(lang), lang, key="runs", here=here)


def draw_run_list(listed: Sequence[ListedRun], lang: Lang, *, key: str, here: str = "") -> None:
    """Draw the list of runs. `here` is the address of the run that is shown."""
    draw_deleted(lang, key=key)
    if not is_served_here():
        draw(note(t("runs.elsewhere", lang)), key="runs-elsewhere")
    by_key = {row.key: row for row in listed}
    ticked = [by_key[name] for name in this_tab().runs.ticked if name in by_key]
    # Without a key: what is nearest to the button of a deletion is then the way back.
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        wanted = draw_search(t("runs.search", lang), f"{key}-search").casefold().split()
        _draw_tools(ticked, here, lang, key=key)
    fitting = [row for row in listed if fits(row, wanted, lang)]
    renamed = by_key.get(this_tab().runs.renamed)
    if renamed is not None:
        _draw_rename(renamed, lang, key=key)
    if not fitting:
        draw(note(t("runs.none_found", lang)), key=f"{key}-none")
        return
    rows = [
        run_row(row, lang, is_ticked=row in ticked, is_here=row.key == here) for row in fitting[: page_end(key, MOST)]
    ]
    draw(box("ul", "run-rows", *rows), key=f"{key}-rows", on_choose=_chosen)
    draw_more(key, MOST, len(fitting), lang)


def _chosen(what: str) -> None:
    action, _, key = what.partition(" ")
    ticked = this_tab().runs.ticked
    if action == "open":
        open_listed(key)
    elif key in ticked:
        ticked.remove(key)
    else:
        ticked.append(key)


# -- what is done to those that are ticked ----------------------------------------------------------------------------


def _draw_tools(ticked: Sequence[ListedRun], here: str, lang: Lang, *, key: str) -> None:
    """Draw what can be done to the ticked runs, and nothing else."""
    own = bool(ticked) and not any(row.is_sample for row in ticked)
    keys = [row.key for row in ticked]
    all_pinned = own and all(row.run.pinned for row in ticked)

    def button(name: str, icon: str, act: Callable[[], None], *, possible: bool, words: str = "") -> None:
        if not possible:
            return
        st.button(
            t(f"runs.{words or name}", lang),
            key=f"{key}-{name}",
            icon=f":material/{icon}:",
            help=t(f"runs.{words or name}_help", lang),
            on_click=act,
        )

    pair = len(ticked) == 2 and not any(row.run.is_damaged for row in ticked)
    button("compare", "compare_arrows", lambda: compare_listed(*keys), possible=pair)
    button("rename", "edit", lambda: _rename(keys[0]), possible=own and len(ticked) == 1)
    words = "unpin" if all_pinned else "pin"
    button("pin", "keep", lambda: _pin(keys, not all_pinned), possible=own, words=words)
    free = own and not any(row.is_live or row.key == here for row in ticked)
    button("delete", "delete", lambda: delete(keys), possible=free)


def _rename(address: str) -> None:
    this_tab().runs.renamed = address


def _pin(addresses: Sequence[str], is_pinned: bool) -> None:
    with problems_kept():
        for address in addresses:
            _relabel(address, pinned=is_pinned)


def _relabel(address: str, **changes: object) -> None:
    folder = state.runs().folder(address).path
    write_label(folder, RunLabel.model_validate(read_label(folder).model_dump() | changes))


def _draw_rename(row: ListedRun, lang: Lang, *, key: str) -> None:
    with st.form(f"{key}-name-form"):
        name = st.text_input(
            unmarked(t("runs.name", lang, title=title_of(row.run, lang))),
            row.run.name,
            key=f"{key}-name-{row.key}",
            max_chars=MOST_NAME,
            placeholder=row.run.goal[:MOST_NAME],
            help=t("runs.name_help", lang),
        )
        with st.container(horizontal=True):
            is_kept = st.form_submit_button(t("runs.name_keep", lang), type="primary")
            is_left = st.form_submit_button(t("runs.name_leave", lang))
    if is_kept:
        with problems_kept():
            _relabel(row.key, name=as_name(name or ""))
    if is_kept or is_left:
        this_tab().runs.renamed = ""
        st.rerun()


def delete(addresses: Sequence[str]) -> None:
    """Move these runs into the trash, but for those that this tab shows. It is called from callbacks."""
    from memorybank.hosting.storage import clean_up

    done = clean_up(state.runs(), addresses, keep=in_use(), owner=state.tab_id())
    lists = this_tab().runs
    lists.deleted = done
    lists.ticked = [key for key in lists.ticked if key not in done.runs]


def in_use() -> set[str]:
    """Return the runs that this tab shows. Runs that are open elsewhere are only found when they are to be deleted."""
    mine = this_tab().run
    pair: dict[str, str] = this_tab().compare_pair or {}
    return {*pair.values(), *([mine.run_id] if mine is not None else [])}


def draw_deleted(lang: Lang, *, key: str) -> None:
    """Draw how the last deletion ended, and the way back."""
    done = this_tab().runs.deleted
    if done is None:
        return
    words = [t("runs.deleted", lang, count=len(done.runs))] if done.runs else []
    if done.open:
        words.append(t("runs.deleted_open", lang, count=done.open))
    if done.problem is not None:
        words.append(as_sentence(explain(done.problem, lang).words))
    look = "notice text" if done.problem is None else "notice failure text"
    with st.container(horizontal=True, vertical_alignment="center", key=f"{key}-deleted"):
        draw(box("p", look, " ".join(words)), key=f"{key}-deleted-words")
        if done.runs:
            st.button(t("runs.undo", lang), key=f"{key}-undo", icon=":material/undo:", on_click=_restore, args=(done,))


def _restore(done: Deleted) -> None:
    from memorybank.hosting.storage import restore

    this_tab().runs.deleted = None
    with problems_kept():
        for address in done.runs:
            restore(state.runs(), address)
