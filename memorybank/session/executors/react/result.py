"""What a ReAct round ends with, and how its record reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memorybank.llm.base import ChatRole, ToolCall
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import Value

Limit = Literal["calls", "tokens", "time"]
Termination = Literal["answer", "calls", "tokens", "time", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedMessage(Value):
    """One message of the round as it came or went; images by name, the model's reasoning beside its text."""

    role: ChatRole
    content: str
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReActResult(Value):
    """Final specification, section 4.2 step 1.3: question, prediction, messages, termination."""

    question: str
    prediction: str
    """The answer without its tags; empty when there is none."""
    messages: tuple[RecordedMessage, ...]
    termination: Termination
    """`answer`: the model answered by itself. A limit's name: it was made to answer, or could not."""
    failure: str = ""
    """Why there is no prediction."""
    verdicts: tuple[StatedVerdict, ...] = ()
    """The verdicts of the answer, read out of it once."""


def transcript(result: ReActResult) -> str:
    """The whole record as text, for the interaction tree; how it ended stands in the last line."""
    return "\n\n".join([*(_written(message) for message in result.messages), f"[end: {result.termination}]"])


def _written(message: RecordedMessage) -> str:
    lines = [f"[{message.role}]"]
    if message.reasoning:
        lines.append(f"<think>\n{message.reasoning}\n</think>")
    if message.content:
        lines.append(message.content)
    lines += [f"<tool_call>\n{call.name} {call.arguments}\n</tool_call>" for call in message.tool_calls]
    lines += [f"[image {name}]" for name in message.images]
    return "\n".join(lines)
