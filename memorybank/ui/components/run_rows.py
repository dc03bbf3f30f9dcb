"""A run as a line of a list: what it is called, what made it, what it came to."""

from __future__ import annotations

import time
from collections.abc import Sequence

from memorybank.hosting.saved import StoredRun
from memorybank.memory.types import RECORDED, Lang
from memorybank.ui.shell.saved import ListedRun
from memorybank.views.box import Box, aside, box, chip, note
from memorybank.views.i18n import LANGUAGES, t
from memorybank.views.run.badge import Origin, words_of
from memorybank.views.text.display import clip
from memorybank.views.text.quantities import relative_time

RESULTS = ("complete", "filed", "complete_with_failures", "filed_with_failures", "out_of_rounds")
"""The results there are; a journal of another hand may name others."""
LONGEST = 300
"""Columns of a run's task; the page cuts it where the line ends."""


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
    """One that was deleted, and can be brought back."""
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
    """What a run is called: by a person, by its task, by its address where nothing of it can be read."""
    if run.is_damaged and not run.name:
        return t("runs.damaged_title", lang, address=run.address[:8])
    return run.name or clip(run.goal, LONGEST) or t("runs.untitled", lang)


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
    """Whether a search for all of these words finds the run."""
    if not words:
        return True
    run = row.run
    made = (_engine(run, lang), run.model, _language(run), t("runs.sample", lang) if row.is_sample else "")
    searched = " ".join((title_of(run, lang), run.goal, *made, _result(run, lang), run.address)).casefold()
    return all(word in searched for word in words)
