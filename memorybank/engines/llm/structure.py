"""The structure agent: a summary that keeps the facts in 30 to 50 % of the length.

Short texts, tables and code stay as they are, by the rule of the offline engine. What the model wrote is audited
(audit.py) against the text, and never longer than it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from memorybank.engines.llm.asking import Asker
from memorybank.engines.llm.audit import audited
from memorybank.engines.llm.wire import StructureAnswer
from memorybank.engines.offline.statements import statements
from memorybank.engines.offline.structure import FEWEST_CHARACTERS, FEWEST_SENTENCES, LEAST, MOST, summarise
from memorybank.engines.pieces import pieces
from memorybank.language.text import blocks
from memorybank.memory.contracts import StructureInput, StructureOutput

_PER_ANSWER = 1.5
"""A part is at most this many times the answer's tokens, so that half of it always fits."""
_PLACE_RE = re.compile(r"\[\[(\d+)\]\]")


class LLMStructure:
    def __init__(self, asker: Asker) -> None:
        self._asker = asker

    def run(self, request: StructureInput) -> StructureOutput:
        """Makes one call, none for what stays whole, and one for each part of content over the window."""
        content = request.content.strip()
        if _stays_whole(content):
            return StructureOutput(summary=content)
        prose, kept = _set_apart(content)
        summary = self._condense(request, prose, bool(kept))
        checked, notes = audited(summary, content, summarise(prose), kept)
        for note in notes:
            self._asker.note(f"structure: {note}")
        whole = _put_back(checked, kept)
        if len(whole) > len(content):
            self._asker.note("structure: the summary was longer than the text, which stays whole")
            whole = content
        return StructureOutput(summary=whole)

    def _condense(self, request: StructureInput, prose: str, kept: bool) -> str:
        frame: dict[str, Any] = {"topic": request.context, "keywords": ", ".join(request.keywords), "kept": kept}
        room = self._asker.room(
            "structure", request.lang, StructureAnswer, text="", least=0, most=0, part=1, parts=2, **frame
        )
        limit = min(room, int(_PER_ANSWER * self._asker.window("structure").answer))
        parts = [prose[start:end] for start, end in pieces(prose, limit, self._asker.count)]
        parts = [part for part in parts if part.strip()]
        return "\n".join(
            self._asker.ask(
                "structure",
                request.lang,
                StructureAnswer,
                text=part.strip(),
                least=int(LEAST * len(part)),
                most=int(MOST * len(part)),
                part=number,
                parts=len(parts),
                **frame,
            ).summary
            for number, part in enumerate(parts, start=1)
        )


def _stays_whole(content: str) -> bool:
    if len(content) < FEWEST_CHARACTERS:
        return True
    return sum(not statement.whole for statement in statements(content)) < FEWEST_SENTENCES


def _set_apart(content: str) -> tuple[str, tuple[str, ...]]:
    """The prose with a mark for each table and block of code, and those as they are."""
    kept: list[str] = []
    prose: list[str] = []
    for start, end, kind in blocks(content):
        text = content[start:end]
        if kind in ("table", "code"):
            prose.append(f"[[{len(kept)}]]\n\n")
            kept.append(text.strip("\n"))
        else:
            prose.append(text)
    return "".join(prose), tuple(kept)


def _put_back(summary: str, kept: Sequence[str]) -> str:
    """Each table and block of code once: where the model put its mark, else at the end."""
    if not kept:
        return summary
    parts: list[str] = []
    placed: set[int] = set()
    at = 0
    for match in _PLACE_RE.finditer(summary):
        number = int(match[1])
        parts.append(summary[at : match.start()].rstrip())
        at = match.end()
        if number < len(kept) and number not in placed:
            placed.add(number)
            parts.append(kept[number])
    parts.append(summary[at:].strip())
    parts.extend(text for number, text in enumerate(kept) if number not in placed)
    return "\n\n".join(part for part in parts if part.strip())
