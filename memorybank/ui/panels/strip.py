"""The strip of stages, the one at work lit, and the state of the run in a few chips."""

from __future__ import annotations

from typing import get_args

from memorybank.events import StageName
from memorybank.types import Lang
from memorybank.ui.i18n import t
from memorybank.ui.orders import Phase
from memorybank.ui.playback import Moment, Strip
from memorybank.ui.quantities import format_duration
from memorybank.ui.rich import Box, box, chip, draw

STAGES: tuple[str, ...] = get_args(StageName)


def draw_strip(strip: Strip, lang: Lang) -> None:
    draw([box("ol", "strip", *(_stage(name, strip, lang) for name in STAGES))], key="strip")


def _stage(name: str, strip: Strip, lang: Lang) -> Box:
    seconds = strip.seconds.get(name)
    is_current = name == strip.current
    look = "current" if is_current else "done" if seconds is not None else ""
    return box(
        "li",
        f"stage {look}".strip(),
        box("span", "name", t(f"stage.{name}", lang)),
        box("span", "time", format_duration(seconds, lang) if seconds else ""),
        title=t(f"stage_help.{name}", lang),
        current=is_current,
    )


def draw_state(moment: Moment, phase: Phase, lang: Lang, *, waits_for: str = "") -> None:
    """Running, paused or finished; what it waits for; round; how long it took; what the memory holds."""
    bank = moment.bank
    words, look = run_state(moment, phase)
    rounds = bank.settings.max_rounds if bank.settings else 0
    facts = [
        t("run.round", lang, round=moment.strip.round, rounds=rounds) if moment.strip.round else None,
        t("run.elapsed", lang, duration=format_duration(moment.strip.total, lang)) if moment.strip.total else None,
        t("graph.nodes", lang, count=len(bank.graph.nodes)) if bank.graph.nodes else None,
    ]
    found = len(bank.conflicts.all)
    draw(
        [
            box(
                "div",
                "row",
                chip(t(words, lang), look),
                chip(waits_for, "task") if waits_for else None,
                chip(t("run.conflicts", lang, count=found), "conflict") if found else None,
                chip(t("run.merges", lang, count=len(moment.merged)), "merge") if moment.merged else None,
                *(box("span", "muted small", fact) for fact in facts if fact),
            )
        ],
        key="run-state",
    )


def run_state(moment: Moment, phase: Phase) -> tuple[str, str]:
    """Key of the words and look of the chip."""
    result = moment.bank.progress.result
    if phase is Phase.LOADING:
        return "run.opening", "task live"
    if phase is Phase.RUNNING:
        return "run.running", "task live"
    if phase is Phase.FAILED:
        return "run.failed", "failure"
    if result:
        return f"run.result.{result}", "failure" if result == "out_of_rounds" else "done"
    return "run.paused", "disputed"
