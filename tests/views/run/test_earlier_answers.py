"""Two questions in one run: what was asked before the current one, and where its answer is shown."""

from __future__ import annotations

from memorybank.memory.events import AnswerGiven, StageFinished, TaskReceived
from memorybank.memory.types import EntryId
from memorybank.runs.journal import Record
from memorybank.views.boxes.answer_card import earlier_answers


def test_a_question_is_earlier_once_another_is_asked() -> None:
    events = [
        TaskReceived(doc_id="d1", goal="first"),
        StageFinished(stage="record", round=0),
        AnswerGiven(answer="draft", engine="offline", entry_id=EntryId("e1")),
        StageFinished(stage="intercept", round=1),
        AnswerGiven(answer="105", engine="offline", entry_id=EntryId("e2")),
        StageFinished(stage="intercept", round=1),
        TaskReceived(doc_id="d2", goal="second"),
        StageFinished(stage="record", round=0),
        TaskReceived(doc_id="d3", goal="third"),
        StageFinished(stage="record", round=0),
        AnswerGiven(answer="now", engine="offline", entry_id=EntryId("e3")),
    ]
    records = [Record(seq, 0.0, event) for seq, event in enumerate(events, start=1)]
    assert earlier_answers(records[:6]) == ()
    (earlier,) = earlier_answers(records)
    assert (earlier.goal, earlier.answer, earlier.seq) == ("first", "105", 6)
