"""Where a value came from: found in what memories say and said before, its way is walked down to its source."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.links import focus, follow
from memorybank.ui.shell.memo import kept, past, remembered
from memorybank.ui.shell.widgets import VALUE_OF
from memorybank.views.box import box, note
from memorybank.views.boxes.value_way import no_values, occurrences_box, statements_box, way_box
from memorybank.views.calls.authors import Phrasing, authors, find, phrasings
from memorybank.views.calls.walk import walk
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip
from memorybank.views.text.passages import read_address
from memorybank.views.text.stating import statement_at

MOST_KEPT = 8
"""Ways: a reader goes back and forth between a few."""
TITLE = 100
"""Columns of a topic in the list of memories."""
SEARCH = "value-search"


def draw_value(worker: Run, moment: Moment, folder: RunFolder, lang: Lang) -> None:
    known = remembered(worker.run_id, worker.records, moment.at, authors)
    moment_name = past(worker.run_id, worker.records, moment.at)
    listed = kept(("phrasings", *moment_name), lambda: phrasings(known, moment.bank.graph.nodes))
    if not listed:
        draw(no_values(lang), key="value-none")
        return
    by_id = {phrasing.id: phrasing for phrasing in listed}
    wanted, start, end = read_address(focus("value"))
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        words = st.text_input(t("value.search", lang), key=SEARCH, persist_state="session") or ""
    with right:
        phrasing = _choose(by_id, wanted, lang)
    if wanted and phrasing.id != wanted:
        draw(box("p", "notice text", t("value.unknown", lang)), key="value-unknown")
    if words.strip():
        draw(occurrences_box(find(listed, words), lang), key="value-found")
    chosen = (start, end) if phrasing.id == wanted else (0, 0)
    statement = statement_at(phrasing.summary, *chosen)
    if statement is not None:
        steps = kept(
            ("value-way", *moment_name, phrasing.id, *chosen),
            lambda: walk(statement, phrasing.node, phrasing.before, known, moment.bank, folder.blobs.text),
            most=MOST_KEPT,
        )
        draw(way_box(steps, moment.bank, lang), key="value-way")
    draw(
        box("h3", "prompt-heading", t("value.statements" if statement else "value.choose", lang)),
        note(t("value.help", lang)),
        statements_box(phrasing, chosen, lang),
        key="value-statements",
    )


def _choose(by_id: Mapping[str, Phrasing], wanted: str, lang: Lang) -> Phrasing:
    """The memory that was asked for, else the newest. What is not said any more is listed only while it is shown."""
    phrasing = by_id.get(wanted) or next(iter(by_id.values()))
    VALUE_OF.set(phrasing.id)
    st.selectbox(
        t("value.of", lang),
        [id_ for id_, listed in by_id.items() if not listed.ended or id_ == phrasing.id],
        format_func=lambda id_: f"{clip(by_id[id_].context, TITLE)} ({by_id[id_].node})",
        key=VALUE_OF.key,
        on_change=_choose_now,
    )
    return phrasing


def _choose_now() -> None:
    follow(link("value", VALUE_OF.value("")))
