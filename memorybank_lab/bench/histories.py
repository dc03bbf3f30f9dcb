"""The context of an agent without the bank: its whole history, or the history with summaries in place of its past.

Beside it, what a provider's prefix cache serves of a request: the beginning that it shares with an earlier one.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from memorybank.engines.offline.structure import summarise
from memorybank.llm.base import ChatRequest
from memorybank.session.executors.react.conversation import MESSAGE_TOKENS

FULL = 0.9
"""Share of the context at which a history becomes a summary."""
SUMMARY_TOKENS = 4_096
"""The most tokens of a summary: what a model may write in one reply."""

BLOCK = 64
"""Tokens that are cached together, as DeepSeek does; vLLM takes 16, OpenAI 128 from 1,024 on."""
CACHED_PRICE = 0.1
"""The price of a cached token, beside one that is not: a tenth is what most providers ask for."""


class TokenCounter:
    """Tokens of texts, each counted once; messages as the agent counts them."""

    def __init__(self, count_tokens: Callable[[str], int]) -> None:
        self.text = cache(count_tokens)

    def texts(self, texts: Iterable[str]) -> int:
        return sum(MESSAGE_TOKENS + self.text(text) for text in texts)

    def request(self, request: ChatRequest) -> int:
        return self.texts(message.content for message in request.messages)


class PrefixCache:
    """Holds all requests that came, for as long as it lives; a real one forgets after minutes or hours."""

    def __init__(self, count_tokens: Callable[[str], int]) -> None:
        self._count = count_tokens
        self._seen: list[str] = []

    def take(self, texts: Iterable[str]) -> int:
        """Returns how many tokens of a request's texts, in order, are served; the request is held from now on."""
        text = "\0".join(texts)
        place = bisect_left(self._seen, text)
        neighbours = self._seen[max(0, place - 1) : place + 1]  # in sorted order the longest shared beginning is there
        shared = max((_shared_length(text, other) for other in neighbours), default=0)
        insort(self._seen, text)
        return self._count(text[:shared]) // BLOCK * BLOCK


def _shared_length(text: str, other: str) -> int:
    """Return characters of the beginning that two texts share."""
    lengths = range(1, min(len(text), len(other)) + 1)
    return bisect_left(lengths, True, key=lambda length: text[:length] != other[:length])


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The history of one task in one conversation."""

    by_round: tuple[int, ...]
    """Tokens of the request that each round begins with; the last is the answer's."""
    total: int
    """The tokens of all requests."""
    cached: int
    """The tokens of `total` that a prefix cache serves."""
    end: str
    """The text of the answer's request."""
    summaries: int = 0


def plain_history(requests: Sequence[ChatRequest], count: TokenCounter) -> History:
    """Return the history as the requests were: each holds all that came before it."""
    sizes = tuple(count.request(request) for request in requests)
    cache = PrefixCache(count.text)
    cached = sum(cache.take(message.content for message in request.messages) for request in requests)
    end = "\n".join(message.content for message in requests[-1].messages)
    return History(by_round=sizes, total=sum(sizes), cached=cached, end=end)


def summarised_history(last: ChatRequest, context: int, count: TokenCounter) -> History:
    """Return the conversation of a plain history's last request, held again with a limit (ReSum, Wu et al. 2025).

    A summary's own request, which reads all that it sums up, counts towards the total.
    """
    question, turns = last.messages[:2], last.messages[2:]
    head = [message.content for message in question]
    held: list[str] = []
    sizes: list[int] = []
    total = summaries = cached = 0
    cache = PrefixCache(count.text)
    for place in range(0, len(turns) + 1, 2):
        size = count.texts([*head, *held])
        if size > FULL * context:
            total += size
            cached += cache.take([*head, *held])
            held = [shortened("\n\n".join(held), count)]
            summaries += 1
            size = count.texts([*head, *held])
        sizes.append(size)
        total += size
        cached += cache.take([*head, *held])
        held += [message.content for message in turns[place : place + 2]]
    end = "\n".join([*head, *held])
    return History(by_round=tuple(sizes), total=total, cached=cached, end=end, summaries=summaries)


def shortened(text: str, count: TokenCounter) -> str:
    """Return an extractive summary, and one of that, until it fits; what cannot be shortened any more is cut."""
    while (size := count.text(text)) > SUMMARY_TOKENS:
        shorter = summarise(text)
        if len(shorter) > 0.95 * len(text):
            return text[: len(text) * SUMMARY_TOKENS // size]
        text = shorter
    return text
