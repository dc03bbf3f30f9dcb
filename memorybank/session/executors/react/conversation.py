"""The messages of a round, twice: as they are sent, and as the record keeps them; and what they cost in tokens."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memorybank.llm.base import ChatMessage, ChatReply, ChatRole, TokenUsage, ToolCall
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import Value
from memorybank.prompts.tags import block

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
    """Return the whole record as text, for the interaction tree; how it ended stands in the last line."""
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


MESSAGE_TOKENS = 4
"""The tokens of a message's frame in a chat template."""
IMAGE_TOKENS = 1_000
"""The tokens that an image is taken to cost, until the server's `usage` says more."""
KEPT_THOUGHT_CHARS = 2_000
"""The most characters of a thought that are sent back with its turn; the record keeps it whole."""
RATIO = (0.25, 8.0)
"""The bounds of the server's count, as shares of ours, outside of which it is not believed."""


class Conversation:
    """Counted with the session's own tokenizer, corrected by what the server counted (design section 6)."""

    def __init__(self, count_tokens: Callable[[str], int], *, fixed: str = "") -> None:
        """`fixed` is sent with each request beside the messages: the tools' schemas of native calling."""
        self.sent: list[ChatMessage] = []
        self.record: list[RecordedMessage] = []
        self._count_tokens = count_tokens
        self._sizes: list[int] = []
        self._fixed = count_tokens(fixed) if fixed else 0
        self._ratio = 1.0

    def add(self, message: ChatMessage, *, images: Sequence[str] = ()) -> None:
        """`images` are the names of the message's images, for the record."""
        self.sent.append(message)
        self._sizes.append(self._size(message))
        self.record.append(RecordedMessage(role=message.role, content=message.content, images=tuple(images)))

    def tell(self, text: str) -> None:
        """Say something to the model: at the end of what was last said to it, or as a new message.

        Chat templates ask for turns that alternate, so two user messages never follow each other.
        """
        last = self.sent[-1] if self.sent else None
        if last is None or last.role not in ("user", "tool"):
            self.add(ChatMessage(role="user", content=text))
            return
        joined = f"{last.content}\n\n{text}"
        self.sent[-1] = replace(last, content=joined)
        self._sizes[-1] = self._size(self.sent[-1])
        if self.record[-1].content == last.content:
            self.record[-1] = replace(self.record[-1], content=joined)
        else:  # an empty turn stands between: it is in the record, but was not sent back
            self.record.append(RecordedMessage(role="user", content=text))

    def mark(self) -> tuple[int, int]:
        """Return a place to `rewind` to."""
        return len(self.sent), len(self.record)

    def rewind(self, mark: tuple[int, int]) -> None:
        """Forget what was added behind a mark, to say it shorter."""
        sent, recorded = mark
        del self.sent[sent:], self._sizes[sent:], self.record[recorded:]

    def answered(self, reply: ChatReply, kept: str, thought: str) -> None:
        """The model's turn: `kept` and the thought's end go back to it, the record keeps all it wrote.

        An empty turn is not sent back: endpoints refuse messages without content.
        """
        content = f"{block('think', thought[-KEPT_THOUGHT_CHARS:])}\n{kept}" if thought else kept
        if content or reply.tool_calls:
            self.sent.append(ChatMessage(role="assistant", content=content, tool_calls=reply.tool_calls))
            self._sizes.append(self._size(self.sent[-1]))
        self.record.append(
            RecordedMessage(
                role="assistant", content=reply.text, reasoning=reply.reasoning, tool_calls=reply.tool_calls
            )
        )

    def drop_images(self) -> None:
        """Send none of the images any more: the model takes none."""
        self.sent = [replace(message, images=()) for message in self.sent]
        self._sizes = [self._size(message) for message in self.sent]

    @property
    def tokens(self) -> int:
        """Return the tokens of a request with the whole conversation."""
        return math.ceil(self._estimated * self._ratio)

    def cost(self, text: str) -> int:
        """Return the tokens that a text would add."""
        return math.ceil(self._count_tokens(text) * self._ratio)

    @property
    def ratio(self) -> float:
        """Return the server's tokens for one of ours, as far as it has counted."""
        return self._ratio

    def begun_anew(self) -> Conversation:
        """Return an empty one, with what is known of the server's counting; the record goes on."""
        fresh = Conversation(self._count_tokens)
        fresh._fixed, fresh._ratio, fresh.record = self._fixed, self._ratio, list(self.record)
        return fresh

    def measured(self, usage: TokenUsage) -> None:
        """Take over the server's count for the messages sent last (before its reply is added)."""
        if usage.measured and usage.input_tokens > 0 and self._estimated > 0:
            low, high = RATIO
            self._ratio = min(high, max(low, usage.input_tokens / self._estimated))

    @property
    def _estimated(self) -> int:
        return self._fixed + sum(self._sizes)

    def _size(self, message: ChatMessage) -> int:
        calls = "".join(f"{call.name} {call.arguments}" for call in message.tool_calls)
        text = self._count_tokens(f"{message.content} {calls}".strip())
        return MESSAGE_TOKENS + text + IMAGE_TOKENS * len(message.images)
