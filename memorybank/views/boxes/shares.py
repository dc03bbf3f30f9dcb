"""A bar cut into shares. What it shows stands beside it in words: colour alone tells nothing."""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.memory.types import Lang
from memorybank.session.usage import AgentUsage
from memorybank.views.box import Box, box
from memorybank.views.i18n import t

TOKENS = ("sent", "prefix", "answered")
"""Tokens in that had to be read, those that the prefix cache had, and tokens out."""


def segment(look: str, part: int, whole: int, title: str = "") -> Box:
    return box("span", f"segment part-{look}", title=title, share=max(0.004, part / whole))


def _counts(usage: AgentUsage) -> tuple[int, int, int]:
    return usage.input_tokens - usage.cached_input_tokens, usage.cached_input_tokens, usage.output_tokens


def token_bar(usage: AgentUsage, largest: int) -> Box | None:
    """Tokens in, those of them from the prefix cache, and out, as long as their share of the largest; None of none."""
    counts = _counts(usage)
    rest = largest - sum(counts)
    if not sum(counts):
        return None
    pieces = [segment(look, count, largest) for look, count in zip(TOKENS, counts, strict=True) if count]
    return box("span", "token-bar", *pieces, segment("none", rest, largest) if rest else None)


def token_legend(usages: Iterable[AgentUsage], lang: Lang) -> Box | None:
    """What the colours of `token_bar` mean, with the sums; None where no token was counted."""
    counts = map(sum, zip((0, 0, 0), *map(_counts, usages), strict=True))  # a batch may have no rows
    lines = [
        box(
            "li",
            f"part-{look}",
            box("span", "swatch"),
            box("span", "name", t(f"prompt.tokens.{look}", lang)),
            box("span", "numbers", f"{count:,}"),
        )
        for look, count in zip(TOKENS, counts, strict=True)
        if count
    ]
    return box("ul", "prompt-shares", *lines) if lines else None
