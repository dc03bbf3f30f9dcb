"""The answer at the top of the Session page, and what was asked in the run before."""

from __future__ import annotations

from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.ui.components.rich.live import draw_live
from memorybank.ui.shell import state
from memorybank.ui.shell.memo import remembered
from memorybank.views.boxes.answer_card import answer_card, earlier_box
from memorybank.views.run.earlier_answers import earlier_answers
from memorybank.views.run.playback import Moment


def draw_answer(worker: Run, moment: Moment, lang: Lang) -> None:
    """Nothing before there is an answer."""
    records = worker.records
    card = answer_card(moment, lang, replay=state.is_replay(worker))
    earlier = earlier_box(remembered(worker.run_id, records, moment.at, earlier_answers), lang)
    if card is not None or earlier is not None:
        draw_live(*filter(None, (card, earlier)), key="answer")
