"""What the engine was told, as the journal keeps it: whole, but for turns that stand in the journal anyway.

A prompt of a task that goes on is mostly its latest turns; written out each time, the journal would hold every turn as
often as the window is long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from memorybank_studio.journal.context import BuiltContext, Part
from memorybank_studio.types import Turn


def without_turns(context: BuiltContext) -> BuiltContext:
    """The words of whole turns are left out, and the request, which is the turn that the prompt answers."""
    shown = "" if context.shown == context.asked else context.shown
    return replace(context, asked="", shown=shown, parts=tuple(map(_bare, context.parts)))


def with_turns(context: BuiltContext, turns: Sequence[Turn], answered: int) -> BuiltContext:
    """The context again as it was built. `answered`: number of the author's turn that is the request, 0: there is none.
    A turn that is gone leaves its part empty."""
    texts = {turn.number: turn.text for turn in turns}
    request = texts.get(answered, "")
    parts = tuple(_filled(part, texts) for part in context.parts)
    return replace(context, asked=request, shown=context.shown or request, parts=parts)


def _bare(part: Part) -> Part:
    return replace(part, text="") if part.kind == "turn" and not part.left_out else part


def _filled(part: Part, texts: Mapping[int, str]) -> Part:
    if part.kind != "turn" or part.left_out:
        return part
    return replace(part, text=texts.get(part.number, ""))
