"""What happened in a round, taken out of its transcript: the answer, and what the tools gave.

A transcript begins with the prompt the agent was given: its instructions, the tools, and memory as it stood then. Who
looks behind a memory wants none of that. What comes after it is written by the executors: messages under `[assistant]`
and `[tool]` (session/executors/react/conversation.py), or blocks alone (researcher.py, integrations/foreign.py).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from memorybank.prompts.tags import answer_of, blocks_of

_PROMPT_END: Final = "</memory>"
"""The first one: text of memory and of tools is neutralised and cannot write it."""
_WORK_RE: Final = re.compile(r"^(?:\[assistant\]$|<(?:think|tool_call|tool_response|answer)\b)", re.MULTILINE)
_MESSAGE_END: Final = r"(?=\n\n\[(?:assistant|user|tool|end: \w+)\]$|\Z)"
_RESULT_RE: Final = re.compile(
    r"^<tool_response\b[^>\n]*>\n(?P<block>.*?)\n</tool_response>$"
    rf"|^\[tool\]\n(?P<message>.*?){_MESSAGE_END}",
    re.MULTILINE | re.DOTALL,
)
_TURN_RE: Final = re.compile(rf"^\[assistant\]\n(.*?){_MESSAGE_END}", re.MULTILINE | re.DOTALL)


class RoundRecord(NamedTuple):
    answer: str
    results: tuple[str, ...]
    """What the tools gave, in the order of the calls."""


def read_transcript(text: str) -> RoundRecord:
    """Leave out the prompt, the thoughts and the calls; a record of another form is an answer as it is."""
    _, memory_end, behind = text.partition(_PROMPT_END)
    rest = behind if memory_end else text
    work = _WORK_RE.search(rest)
    if work is None:
        return RoundRecord(rest.strip(), ())
    done = rest[work.start() :]
    results = [(match["block"] or match["message"] or "").strip() for match in _RESULT_RE.finditer(done)]
    return RoundRecord(_answer(done), tuple(filter(None, results)))


def _answer(done: str) -> str:
    """The last answer block, else what the model said last: an agent with native calls may answer without a block."""
    if answers := blocks_of("answer", done):
        return answers[-1]
    turns = _TURN_RE.findall(done)
    return answer_of(turns[-1]) if turns else ""
