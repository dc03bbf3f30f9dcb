"""A draft read by a language model, passage by passage, beside the lines of the record that bear on it.

As many passages as fit go into one call. Of a longer draft the pieces follow each other, and what a piece has changed
(who is where, who has learned what) is told to the next, so that it is no fault there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from memorybank.embedding.base import Embedder
from memorybank.errors import AgentError, Notice
from memorybank.language.tags import block
from memorybank.language.text import fold_space
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatModel, ChatRequest
from memorybank.narrative.continuity.candidates import Candidate, Gathering
from memorybank.narrative.continuity.choosing import chosen
from memorybank.narrative.continuity.findings import Finding
from memorybank.narrative.continuity.marks import MarkedDraft, MarkedDraftSoFar, doubted, findings_of
from memorybank.narrative.continuity.passages import Passage, passages, pieces_of
from memorybank.narrative.continuity.present import Present, present
from memorybank.narrative.continuity.scene import Scene, distinct
from memorybank.narrative.continuity.telling import prompts
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.types import Fact

DRAFT_TOKENS: Final = 4_000
"""Of the draft in one call, estimated, where the model tells of no smaller context."""
RECORD_TOKENS: Final = 3_000
ANSWER_TOKENS: Final = 2_048
LEAST_TOKENS: Final = 300
"""Of draft and of record each, however small the context."""
MOST_SO_FAR: Final = 24
"""Lines that one piece hands on to the next."""
SO_FAR_CHARS: Final = 160


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What the rules and the model marked, and of how many passages the model has read."""

    findings: tuple[Finding, ...]
    read: int
    passages: int
    failure: Notice | None = None
    """Why it read no further."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """Passages of one call, with who is in them."""

    passages: Sequence[Passage]
    present: Sequence[Present]
    last: bool


@dataclass(frozen=True, slots=True)
class ModelReader:
    """Stateless."""

    chat: ChatModel
    stores: Stores
    embedder: Embedder

    def read(self, drafted: Scene, ruled: Sequence[Finding], so_far: Sequence[str] = ()) -> ModelReading:
        """`ruled`: what the rules have marked; it is not marked again. `so_far`: what the draft has told before.

        An answer that cannot be used, or had, ends it (`failure`). Raises StoreUnavailableError, Cancelled.
        """
        cut = passages(drafted.text, drafted.story.sentences)
        known = dict(enumerate(ruled, start=1))
        marked: list[Finding] = []
        read = 0
        failure = None
        for piece in self._pieces(drafted, cut):
            try:
                answer, shown = self._ask(drafted, piece, known, so_far)
            except AgentError as error:
                failure = error.notice
                break
            own = findings_of(answer, shown, piece.passages, drafted.text)
            marked += (mark for mark in own if not _is_ruled(mark, ruled))
            known |= doubted(answer, known)
            read += len(piece.passages)
            if isinstance(answer, MarkedDraftSoFar):
                so_far = tuple(fold_space(line)[:SO_FAR_CHARS] for line in answer.now[:MOST_SO_FAR])
        return ModelReading(distinct((*known.values(), *marked)), read, len(cut), failure)

    def _pieces(self, drafted: Scene, cut: Sequence[Passage]) -> Iterator[_Piece]:
        there = present(drafted, cut)
        at = 0
        for piece in pieces_of(cut, self._room(DRAFT_TOKENS)):
            after = at + len(piece)
            yield _Piece(piece, there[at:after], after == len(cut))
            at = after

    def _room(self, most: int) -> int:
        """Tokens of the context that one part may take: of what the answer leaves, a third."""
        context = self.chat.context_window
        return most if context is None else max(LEAST_TOKENS, min(most, (context - ANSWER_TOKENS) // 3))

    def _ask(
        self, drafted: Scene, piece: _Piece, ruled: Mapping[int, Finding], so_far: Sequence[str]
    ) -> tuple[MarkedDraft, Mapping[int, Candidate]]:
        lang = drafted.told_in
        gathering = Gathering(self.stores, drafted.names, drafted.record.chapter, lang, piece.present)
        texts = [drafted.text[passage.start : passage.end] for passage in piece.passages]
        lines = chosen(gathering.candidates(), texts, self._room(RECORD_TOKENS), self.embedder)
        shown = dict(enumerate(lines, start=1))
        words = prompts(lang)
        system = words["system"] if piece.last else f"{words['system']}{words['so_far_asked']}"
        request = ChatRequest(
            messages=(
                ChatMessage(role="system", content=system),
                ChatMessage(role="user", content=_question(drafted, piece.passages, shown, ruled, so_far)),
            ),
            temperature=0.1,
            top_p=0.8,
            max_tokens=ANSWER_TOKENS,
            schema_name="continuity",
        )
        return ask_typed(self.chat, request, MarkedDraft if piece.last else MarkedDraftSoFar), shown


def _is_ruled(mark: Finding, ruled: Sequence[Finding]) -> bool:
    """Whether the rules have said that of the sentence: of the same person or thing."""
    return any(mark.start == known.start and (mark.against == known.against or _of_one(mark, known)) for known in ruled)


def _of_one(mark: Finding, known: Finding) -> bool:
    left, right = mark.against, known.against
    return isinstance(left, Fact) and isinstance(right, Fact) and left.subject == right.subject


# -- the question -----------------------------------------------------------------------------------------------------


def _question(
    drafted: Scene,
    piece: Sequence[Passage],
    shown: Mapping[int, Candidate],
    ruled: Mapping[int, Finding],
    so_far: Sequence[str],
) -> str:
    words = prompts(drafted.told_in)
    parts = [words["chapter"].format(chapter=drafted.record.chapter)]
    parts.append(f"{words['record']}\n{block('memory', _record(shown, words['group']) or words['nothing'])}")
    if so_far:
        parts.append(f"{words['so_far']}\n{block('memory', chr(10).join(so_far))}")
    known = list(_ruled(piece, ruled))
    if known:
        parts.append(f"{words['ruled']}\n{block('memory', chr(10).join(known))}")
    text = "\n".join(_numbered(drafted.text, piece))
    return "\n\n".join([*parts, f"{words['draft']}\n{block('memory', text)}", words["ask"]])


def _record(shown: Mapping[int, Candidate], heading: str) -> str:
    """The lines with their numbers, below their headings."""
    groups = groupby(shown.items(), key=lambda entry: entry[1].group)
    return "\n".join(
        "\n".join([heading.format(group=group), *(f"r{number} {fold_space(line.text)}" for number, line in lines)])
        for group, lines in groups
    )


def _ruled(piece: Sequence[Passage], ruled: Mapping[int, Finding]) -> Iterator[str]:
    numbers = {sentence.start: sentence.number for passage in piece for sentence in passage.sentences}
    for number, finding in ruled.items():
        if finding.start in numbers:
            yield f"m{number} s{numbers[finding.start]} {finding.reason}"


def _numbered(text: str, piece: Sequence[Passage]) -> Iterator[str]:
    """The sentences with their numbers, an empty line between paragraphs."""
    after = piece[0].start
    for sentence in (sentence for passage in piece for sentence in passage.sentences):
        if "\n" in text[after : sentence.start]:
            yield ""
        yield f"s{sentence.number} {fold_space(sentence.text)}"
        after = sentence.end
