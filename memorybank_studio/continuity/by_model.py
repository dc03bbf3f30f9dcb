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
from memorybank.errors import AgentError
from memorybank.language.text import fold_space, sentences
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatModel, ChatRequest
from memorybank.memory.types import Lang
from memorybank.prompts.tags import block
from memorybank_studio.continuity.candidates import Candidate, Gathering
from memorybank_studio.continuity.choosing import chosen
from memorybank_studio.continuity.findings import Finding, Report, distinct
from memorybank_studio.continuity.marks import MarkedDraft, MarkedDraftSoFar, findings_of
from memorybank_studio.continuity.passages import Passage, passages, pieces_of
from memorybank_studio.continuity.present import Present, present
from memorybank_studio.continuity.telling import prompts
from memorybank_studio.hub.stores import Stores
from memorybank_studio.reading.mentions import Names

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
class _Draft:
    text: str
    chapter: int
    told_in: Lang
    """The language of the reasons."""
    names: Names
    """What is on record."""


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

    def read(self, text: str, chapter: int, lang: Lang, so_far: Sequence[str] = ()) -> Report:
        """A draft of `chapter`; reasons in `lang`. `so_far`: what the draft has told before.

        An answer that cannot be used, or had, ends it (`failure`). Raises StoreUnavailableError, Cancelled.
        """
        draft = _Draft(text, chapter, lang, Names.of(self.stores.facts))
        cut = passages(text, tuple(sentences(text)))
        marked: list[Finding] = []
        read = 0
        failure = None
        for piece in self._pieces(draft, cut):
            try:
                answer, shown = self._ask(draft, piece, so_far)
            except AgentError as error:
                failure = error.notice
                break
            marked += findings_of(answer, shown, piece.passages, text)
            read += len(piece.passages)
            if isinstance(answer, MarkedDraftSoFar):
                so_far = tuple(fold_space(line)[:SO_FAR_CHARS] for line in answer.now[:MOST_SO_FAR])
        return Report(findings=distinct(marked), passages=len(cut), read=read, failure=failure)

    def _pieces(self, draft: _Draft, cut: Sequence[Passage]) -> Iterator[_Piece]:
        there = present(draft.text, cut, draft.names, self.stores.facts)
        at = 0
        for piece in pieces_of(cut, self._room(DRAFT_TOKENS)):
            after = at + len(piece)
            yield _Piece(piece, there[at:after], after == len(cut))
            at = after

    def _room(self, most: int) -> int:
        """Tokens of the context that one part may take: of what the answer leaves, a third."""
        context = self.chat.context_window
        return most if context is None else max(LEAST_TOKENS, min(most, (context - ANSWER_TOKENS) // 3))

    def _ask(self, draft: _Draft, piece: _Piece, so_far: Sequence[str]) -> tuple[MarkedDraft, Mapping[int, Candidate]]:
        lang = draft.told_in
        gathering = Gathering(self.stores, draft.names, draft.chapter, lang, piece.present)
        texts = [draft.text[passage.start : passage.end] for passage in piece.passages]
        lines = chosen(gathering.candidates(), texts, self._room(RECORD_TOKENS), self.embedder)
        shown = dict(enumerate(lines, start=1))
        words = prompts(lang)
        system = words["system"] if piece.last else f"{words['system']}{words['so_far_asked']}"
        request = ChatRequest(
            messages=(
                ChatMessage(role="system", content=system),
                ChatMessage(role="user", content=_question(draft, piece.passages, shown, so_far)),
            ),
            temperature=0.1,
            top_p=0.8,
            max_tokens=ANSWER_TOKENS,
            schema_name="continuity",
        )
        return ask_typed(self.chat, request, MarkedDraft if piece.last else MarkedDraftSoFar), shown


# -- the question -----------------------------------------------------------------------------------------------------


def _question(draft: _Draft, piece: Sequence[Passage], shown: Mapping[int, Candidate], so_far: Sequence[str]) -> str:
    words = prompts(draft.told_in)
    parts = [words["chapter"].format(chapter=draft.chapter)]
    parts.append(f"{words['record']}\n{block('memory', _record(shown, words['group']) or words['nothing'])}")
    if so_far:
        parts.append(f"{words['so_far']}\n{block('memory', chr(10).join(so_far))}")
    text = "\n".join(_numbered(draft.text, piece))
    return "\n\n".join([*parts, f"{words['draft']}\n{block('memory', text)}", words["ask"]])


def _record(shown: Mapping[int, Candidate], heading: str) -> str:
    """The lines with their numbers, below their headings."""
    groups = groupby(shown.items(), key=lambda entry: entry[1].group)
    return "\n".join(
        "\n".join([heading.format(group=group), *(f"r{number} {fold_space(line.text)}" for number, line in lines)])
        for group, lines in groups
    )


def _numbered(text: str, piece: Sequence[Passage]) -> Iterator[str]:
    """The sentences with their numbers, an empty line between paragraphs."""
    after = piece[0].start
    for sentence in (sentence for passage in piece for sentence in passage.sentences):
        if "\n" in text[after : sentence.start]:
            yield ""
        yield f"s{sentence.number} {fold_space(sentence.text)}"
        after = sentence.end
