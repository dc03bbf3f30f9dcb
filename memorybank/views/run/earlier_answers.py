"""The questions that a run answered before the current one."""

from __future__ import annotations

from dataclasses import dataclass

from memorybank.memory.events import AnswerGiven, TaskReceived
from memorybank.views.run.commits import Records, commits


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierAnswer:
    goal: str
    answer: str
    seq: int
    """Of the end of the stage that gave it: the moment that shows it."""


def earlier_answers(records: Records) -> tuple[EarlierAnswer, ...]:
    """First to last; what the newest question was answered with is not among them."""
    answered: list[EarlierAnswer] = []
    goal, current = "", None
    for commit in commits(records):
        for record in commit.records:
            match record.event:
                case TaskReceived():
                    answered += [current] if current is not None else []
                    goal, current = record.event.goal, None
                case AnswerGiven(answer=answer) if answer.strip():
                    current = EarlierAnswer(goal=goal, answer=answer, seq=commit.records[-1].seq)
                case _:
                    pass
    return tuple(answered)
