"""The rounds of a run: what each came to, and one of them as a list of what was asked, answered, checked and lost."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from memorybank.errors import MemoryBankError
from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.ui.components.paged import back_to_first_page, draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.prompt.call_totals import filled, heads, usage_row
from memorybank.ui.shell.memo import kept, read_on
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import Box, box, muted, note
from memorybank.views.boxes.round_chain import chain_box
from memorybank.views.boxes.shares import token_legend
from memorybank.views.calls.call_marks import MarkReader
from memorybank.views.calls.call_view import parsed, subject
from memorybank.views.calls.rounds import RoundItem, RoundMark, RoundReader, round_items
from memorybank.views.i18n import t
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip

ROUNDS, ITEMS = 8, 40
"""Shown at first, and how many more each time."""
TITLE = 100
"""Columns of a task."""


def draw_rounds(worker: Run, moment: Moment, folder: RunFolder, lang: Lang) -> None:
    marks = read_on(worker.run_id, worker.records, moment.at, RoundReader).marks()
    if not marks:
        draw(muted(t("prompt.calls.none", lang)), key="rounds-none")
        return
    chosen = next((mark for mark in marks if mark.number == this_tab().prompt.round), marks[-1])
    _draw_list(marks, chosen, lang)
    items = round_items(worker.records, chosen)
    shown = items[: page_end("chain", ITEMS)]
    remarks = read_on(worker.run_id, worker.records, moment.at, MarkReader).marks
    draw(
        box("h3", "prompt-heading", _words(chosen, lang)),
        note(t("round.nothing", lang)) if not items else None,
        note(t("round.no_model", lang)) if items and not any(item.kind == "call" for item in items) else None,
        chain_box(shown, remarks, lambda item: _about(item, worker, folder, lang), lang),
        key="round-chain",
    )
    draw_more("chain", ITEMS, len(items), lang)


def _draw_list(marks: Sequence[RoundMark], chosen: RoundMark, lang: Lang) -> None:
    """The rounds, the newest first, each with the bar of its tokens; a click shows one below."""
    end = page_end("rounds", ROUNDS)
    listed = list(reversed(marks))[:end]
    names = filled([mark.usage for mark in marks])
    largest = max(mark.usage.input_tokens + mark.usage.output_tokens for mark in marks)
    rows = [
        usage_row(_choice(mark, mark is chosen, lang), mark.usage, names, largest, lang, chosen=mark is chosen)
        for mark in listed
    ]
    head = box("tr", "", box("th", "", t("prompt.totals.by_rounds", lang)), *heads(names, lang))
    draw(
        token_legend([mark.usage for mark in marks], lang),
        box("table", "totals rounds", box("thead", "", head), box("tbody", "", *rows)),
        key="rounds",
        on_choose=_choose,
    )
    draw_more("rounds", ROUNDS, len(marks), lang)


def _choice(mark: RoundMark, is_chosen: bool, lang: Lang) -> Box:
    return box("span", "open", _words(mark, lang), choose=f"round:{mark.number}", current=is_chosen)


def _choose(what: str) -> None:
    number = what.removeprefix("round:")
    if number.isdecimal() and len(number) < 10:
        this_tab().prompt.round = int(number)
        back_to_first_page("chain")


def _words(mark: RoundMark, lang: Lang) -> str:
    if not mark.number:
        return t("round.before", lang)
    task = mark.task.description if mark.task else t("prompt.no_task", lang)
    return t("prompt.name", lang, round=mark.number, task=clip(task, TITLE))


def _about(item: RoundItem, worker: Run, folder: RunFolder, lang: Lang) -> str:
    """What a call was asked about, or why an answer was sent back: read once from the run's files."""
    if item.kind not in ("call", "sent_back"):
        return ""
    name = ("round-about", worker.run_id, item.seq, item.kind, worker.records[item.seq - 1].at)
    about = kept(name, lambda: _read(item, folder), most=sys.maxsize)
    return t("round.the_prompt", lang) if about.startswith("<task>") else about.removeprefix("<tool_response> ")


def _read(item: RoundItem, folder: RunFolder) -> str:
    try:
        text = folder.blobs.text(item.event.input_blob)
    except MemoryBankError:  # the input is gone; the call itself says so
        return ""
    if item.kind == "call":
        return clip(subject(text), 400)
    request = parsed(text)
    messages = request.get("messages") if isinstance(request, dict) else None
    last = messages[-1] if isinstance(messages, list) and messages else None
    return clip(str(last.get("content", "")), 400) if isinstance(last, dict) else ""
