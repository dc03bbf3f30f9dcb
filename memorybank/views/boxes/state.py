"""How a run stands: running, paused or finished, the stage at work, what the memory holds."""

from __future__ import annotations

from memorybank.memory.types import Lang
from memorybank.session.phase import Phase
from memorybank.session.session import Activity
from memorybank.views.box import Box, aside, chip, row_of
from memorybank.views.i18n import t
from memorybank.views.run.playback import Moment
from memorybank.views.text.quantities import format_duration

_LOOKS = {"out_of_rounds": "failure", "complete_with_failures": "disputed", "filed_with_failures": "disputed"}


def state_box(
    moment: Moment, phase: Phase, lang: Lang, activity: Activity | None = None, *, waits_for: str = ""
) -> Box:
    """In a line. `activity`: how far the stage at work is; `waits_for`: what must come before anything is done."""
    bank, strip = moment.bank, moment.strip
    words, look = run_state(moment, phase)
    rounds = bank.settings.max_rounds if bank.settings else 0
    part = activity if activity is not None and activity.stage == strip.current and activity.total else None
    progress = f" {t('session.part', lang, done=part.done, total=part.total)}" if part is not None else ""
    facts = [
        f"{t(f'stage.{strip.current}', lang)}{progress}" if strip.current else None,
        t("run.round", lang, round=strip.round, rounds=rounds) if strip.round else None,
        t("run.elapsed", lang, duration=format_duration(strip.total, lang)) if strip.total else None,
    ]
    conflicts = len(moment.disputes)
    return row_of(
        chip(t(words, lang), look),
        chip(waits_for, "task") if waits_for else None,
        chip(t("run.conflicts", lang, count=conflicts), "conflict") if conflicts else None,
        chip(t("run.merges", lang, count=len(moment.merged)), "merge") if moment.merged else None,
        *(aside(fact) for fact in facts if fact),
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
        return f"run.result.{result}", _LOOKS.get(result, "done")
    if phase is Phase.PARKED:
        return "session.stopped", ""
    return "run.paused", ""
