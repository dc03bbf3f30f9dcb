"""What became of the answers that a person gave: taken or sent back, what was corrected, and the call it went to."""

from __future__ import annotations

from memorybank.hosting.run import Run
from memorybank.llm.hand.chat import NOTE, awaited
from memorybank.llm.hand.folder import HandFolder
from memorybank.memory.events import AgentCalled
from memorybank.memory.types import Lang
from memorybank.ui.components.rich.live import draw_live
from memorybank.ui.shell import state
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import Box, box, chip, label, row_of
from memorybank.views.boxes.call_remarks import note_words
from memorybank.views.boxes.call_words import call_words
from memorybank.views.calls.call_notes import call_note
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.problems import recorded_words

SHOWN = 5
"""Answers whose fate is told, the newest first."""


def draw_outcomes(worker: Run, folder: HandFolder, lang: Lang) -> None:
    """Of the answers that were sent from this tab, and of those that came by files."""
    hand, records = this_tab().hand, worker.records
    for record in records[hand.scanned :]:
        if isinstance(record.event, AgentCalled):
            named = (note.removeprefix(NOTE) for note in record.event.notes if note.startswith(NOTE))
            hand.calls |= dict.fromkeys(named, record.seq)
    hand.scanned = len(records)
    names = list(dict.fromkeys((*reversed(hand.sent), *reversed(hand.calls))))[:SHOWN]
    if not names:
        return
    waiting = awaited(state.runs().root / worker.run_id)
    lines = (_outcome(name, worker, folder, waiting, lang) for name in names)
    draw_live(label(t("hand.outcomes", lang)), box("ul", "notes", *lines), key="hand-outcomes")


def _outcome(name: str, worker: Run, folder: HandFolder, waiting: list[str], lang: Lang) -> Box:
    number, _, role = name.partition(".")
    title = t("hand.request", lang, number=number, role=call_words(role, lang, kind="agent"))
    seq = this_tab().hand.calls.get(name)
    if seq is None:
        again = _sent_back_as(name, folder, waiting)
        words = t("hand.sent_back", lang, number=again.partition(".")[0]) if again else t("hand.sent", lang)
        return box("li", "", row_of(box("span", "strong", title), chip(words)))
    event: AgentCalled = worker.records[seq - 1].event
    failed = event.outcome == "failed"
    notes = [note for note in event.notes if not note.startswith(NOTE)]
    return box(
        "li",
        "",
        row_of(
            box("span", "strong", title),
            chip(t("hand.failed" if failed else "hand.taken", lang), "failure" if failed else "done"),
            box("span", "small go", t("hand.to_call", lang, seq=seq), choose=link("call", seq)),
            box("span", "small go", t("hand.to_moment", lang), choose=link("moment", seq)),
        ),
        box("p", "text small", recorded_words(event.error, lang)) if failed else None,
        *(box("p", "muted small text", note_words(call_note(note), lang)) for note in notes),
    )


def _sent_back_as(name: str, folder: HandFolder, waiting: list[str]) -> str:
    """The request that asks for a correction of this answer; empty while there is none."""
    first = folder.request(name)
    for later in waiting:
        request = folder.request(later) if first is not None and later != name else None
        if first is None or request is None or request.schema is None or request.role != first.role:
            continue
        if len(request.messages) > len(first.messages) and request.messages[: len(first.messages)] == first.messages:
            return later
    return ""
