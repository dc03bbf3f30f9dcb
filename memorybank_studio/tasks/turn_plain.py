"""What a turn is taken for without a language model: a question by its mark, else a remark. Nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memorybank_studio.journal.answers import Taken, TurnKind
from memorybank_studio.journal.context import BuiltContext
from memorybank_studio.types import Task
from memorybank_studio.wording import say

_QUESTION_RE: Final = re.compile(r"[？?]\s*[”\"’」]?\s*\Z")


def taken_plainly(context: BuiltContext, question: str, tasks: Sequence[Task]) -> Taken:
    """A `Decide` without a language model."""
    del tasks
    is_question = _QUESTION_RE.search(question) is not None
    return Taken(
        kind=TurnKind.FACT if is_question else TurnKind.REMARK,
        reason=say("taken_question" if is_question else "taken_remark", context.lang),
        by="rules",
    )
