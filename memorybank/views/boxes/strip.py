"""The top of a run: how it stands, what it waits for, and the strip of stages with the one at work lit."""

from __future__ import annotations

from typing import get_args

from memorybank.memory.events import StageName
from memorybank.memory.types import Lang
from memorybank.session.phase import Phase
from memorybank.session.session import Activity
from memorybank.views.box import Box, aside, box, chip, row_of
from memorybank.views.i18n import t
from memorybank.views.run.playback import Moment
from memorybank.views.run.stage_table import StageRow, Strip
from memorybank.views.text.quantities import format_duration

STAGES: tuple[str, ...] = get_args(StageName)
NOTHING = StageRow(stage="")
_LOOKS = {"out_of_rounds": "failure", "complete_with_failures": "disputed", "filed_with_failures": "disputed"}


def strip_box(strip: Strip, lang: Lang, activity: Activity | None = None, *, lit: str = "") -> Box:
    """All stages in their order. `activity`: how far the one at work is. `lit`: the stage of the scene shown."""
    return box("ol", "strip", *(_stage(name, strip, activity, lit, lang) for name in STAGES))


def _stage(name: str, strip: Strip, activity: Activity | None, lit: str, lang: Lang) -> Box:
    row = strip.rows.get(name, NOTHING)
    is_current = name == (strip.current or lit)
    look = "current" if is_current else "done" if row.runs else ""
    part = activity if is_current and activity is not None and activity.stage == name else None
    return box(
        "li",
        f"stage {look}".strip(),
        box("span", "name", t(f"stage.{name}", lang)),
        box("span", "time", format_duration(row.seconds, lang) if row.seconds else ""),
        box("span", "st-calls", *_calls(row, part, lang)),
        box("span", f"st-bar p{_tenths(part)}") if part is not None and part.total else None,
        title=t(f"stage_help.{name}", lang),
        current=is_current,
    )


def _calls(row: StageRow, part: Activity | None, lang: Lang) -> list[Box | str]:
    """Progress inside a long stage stands in the place of the count."""
    if part is not None and part.total:
        return [t("session.strip.part", lang, done=part.done, total=part.total)]
    count = row.calls or row.tools
    words = "session.strip.calls" if row.calls else "session.strip.tools"
    failed = box("span", "st-failed", t("session.strip.failed", lang, count=row.failed)) if row.failed else None
    return [t(words, lang, count=count) if count else "", *([failed] if failed else [])]


def _tenths(part: Activity) -> int:
    return round(10 * min(1.0, part.done / part.total)) * 10


def state_box(moment: Moment, phase: Phase, lang: Lang, *, waits_for: str = "") -> Box:
    """Running, paused or finished; what it waits for; round; how long it took; what the memory holds."""
    bank = moment.bank
    words, look = run_state(moment, phase)
    rounds = bank.settings.max_rounds if bank.settings else 0
    facts = [
        t("run.round", lang, round=moment.strip.round, rounds=rounds) if moment.strip.round else None,
        t("run.elapsed", lang, duration=format_duration(moment.strip.total, lang)) if moment.strip.total else None,
        t("graph.nodes", lang, count=len(bank.graph.nodes)) if bank.graph.nodes else None,
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
