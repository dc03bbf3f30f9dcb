"""A draft read by a language model, passage by passage, beside the lines of the record that bear on it.

As many passages as fit go into one call. Of a longer draft the pieces follow each other, and what a piece has changed
(who is where, who has learned what) is told to the next, so that it is no fault there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Final

import numpy as np

from memorybank.embedding.base import Embedder
from memorybank.errors import AgentError
from memorybank.language.quotation import place as place_of
from memorybank.language.text import fold_space, sentences
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatModel
from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang
from memorybank.prompts.tags import block
from memorybank_studio.continuity.candidates import Candidate, Gathering, Present, present
from memorybank_studio.continuity.findings import (
    Finding,
    FindingKind,
    Passage,
    Report,
    Sentence,
    distinct,
    passages,
    prompts,
)
from memorybank_studio.drafts import packed
from memorybank_studio.hub.stores import Stores
from memorybank_studio.reading.mentions import Names
from memorybank_studio.types import FromOutside, normal
from memorybank_studio.wording import request_of

DRAFT_TOKENS: Final = 4_000
"""The estimated tokens of the draft in one call, where the model tells of no smaller context."""
RECORD_TOKENS: Final = 3_000
ANSWER_TOKENS: Final = 2_048
LEAST_TOKENS: Final = 300
"""The least tokens of draft and of record each, however small the context."""
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
    """The names that are on record."""


@dataclass(frozen=True, slots=True)
class _Piece:
    passages: Sequence[Passage]
    present: Sequence[Present]
    last: bool


@dataclass(frozen=True, slots=True)
class ModelReader:
    """Stateless, but for what it asks its hub. Thread-safe."""

    chat: ChatModel
    stores: Stores
    embedder: Embedder

    def read(self, text: str, chapter: int, lang: Lang, so_far: Sequence[str] = ()) -> Report:
        """Check a draft of `chapter` and report, in `lang`, what does not fit; the draft may be in either language.
        `so_far`: what the chapter has told before it, a line each (who is where, who has learned what).

        An answer that cannot be used, or had, ends it (`failure`). Raises StoreUnavailableError, Cancelled.
        """
        draft = _Draft(text, chapter, lang, Names.of(self.stores.facts))
        cut = passages(text, tuple(sentences(text)))
        marked: list[Finding] = []
        failure = None
        for piece in self._pieces(draft, cut):
            try:
                answer, shown = self._ask(draft, piece, so_far)
            except AgentError as error:
                failure = error.notice
                break
            marked += findings_of(answer, shown, piece.passages, text)
            if isinstance(answer, MarkedDraftSoFar):
                so_far = tuple(fold_space(line)[:SO_FAR_CHARS] for line in answer.now[:MOST_SO_FAR])
        return Report(findings=distinct(marked), failure=failure)

    def _pieces(self, draft: _Draft, cut: Sequence[Passage]) -> Iterator[_Piece]:
        there = present(draft.text, cut, draft.names, self.stores.facts)
        at = 0
        for piece in packed(cut, lambda passage: passage.tokens, self._room(DRAFT_TOKENS)):
            after = at + len(piece)
            yield _Piece(piece, there[at:after], after == len(cut))
            at = after

    def _room(self, most: int) -> int:
        """Return tokens of the context that one part may take: of what the answer leaves, a third."""
        context = self.chat.context_window
        return most if context is None else max(LEAST_TOKENS, min(most, (context - ANSWER_TOKENS) // 3))

    def _ask(self, draft: _Draft, piece: _Piece, so_far: Sequence[str]) -> tuple[MarkedDraft, Mapping[int, Candidate]]:
        lang = draft.told_in
        texts = [draft.text[passage.start : passage.end] for passage in piece.passages]
        gathering = Gathering(self.stores, draft.names, draft.chapter, lang, piece.present, texts)
        lines = chosen(gathering.candidates(), texts, self._room(RECORD_TOKENS), self.embedder)
        shown = dict(enumerate(lines, start=1))
        words = prompts(lang)
        system = words["system"] if piece.last else f"{words['system']}{words['so_far_asked']}"
        user = _question(draft, piece.passages, shown, so_far)
        request = request_of(system, user, "continuity", max_tokens=ANSWER_TOKENS)
        return ask_typed(self.chat, request, MarkedDraft if piece.last else MarkedDraftSoFar), shown


def _question(draft: _Draft, piece: Sequence[Passage], shown: Mapping[int, Candidate], so_far: Sequence[str]) -> str:
    words = prompts(draft.told_in)
    parts = [words["chapter"].format(chapter=draft.chapter)]
    parts.append(f"{words['record']}\n{block('memory', _record(shown, words['group']) or words['nothing'])}")
    if so_far:
        parts.append(f"{words['so_far']}\n{block('memory', chr(10).join(so_far))}")
    text = "\n".join(_numbered(draft.text, piece))
    return "\n\n".join([*parts, f"{words['draft']}\n{block('memory', text)}", words["ask"]])


def _record(shown: Mapping[int, Candidate], heading: str) -> str:
    groups = groupby(shown.items(), key=lambda entry: entry[1].group)
    return "\n".join(
        "\n".join([heading.format(group=group), *(f"r{number} {fold_space(line.text)}" for number, line in lines)])
        for group, lines in groups
    )


def _numbered(text: str, piece: Sequence[Passage]) -> Iterator[str]:
    """Yield the sentences with their numbers, an empty line between paragraphs."""
    after = piece[0].start
    for sentence in (sentence for passage in piece for sentence in passage.sentences):
        if "\n" in text[after : sentence.start]:
            yield ""
        yield f"s{sentence.number} {fold_space(sentence.text)}"
        after = sentence.end


WEIGHED: Final = 240
"""Candidates whose closeness to the draft is measured: more than are ever shown."""
_PER_LINE: Final = 4
"""Estimated tokens of a line's number."""


def chosen(
    candidates: Sequence[Candidate], passages: Sequence[str], tokens: int, embedder: Embedder
) -> tuple[Candidate, ...]:
    """Return the candidates that fit, in the order in which they came. Raises ModelUnavailableError."""
    costs = [estimate(candidate.text) + _PER_LINE for candidate in candidates]
    if sum(costs) <= tokens:
        return tuple(candidates)
    kept: set[int] = set()
    for place in _by_turns(candidates, _near(candidates, passages, embedder)):
        if costs[place] <= tokens:
            tokens -= costs[place]
            kept.add(place)
    return tuple(candidate for place, candidate in enumerate(candidates) if place in kept)


def _near(candidates: Sequence[Candidate], passages: Sequence[str], embedder: Embedder) -> dict[int, float]:
    """Return the cosine with the nearest passage, of those that are weighed."""
    order = [(one.hop, not one.foremost, -one.since) for one in candidates]
    weighed = sorted(range(len(candidates)), key=order.__getitem__)[:WEIGHED]
    lines = embedder.documents([candidates[place].text for place in weighed])
    cosines = np.max(lines @ embedder.queries(passages).T, axis=1)
    return dict(zip(weighed, map(float, cosines), strict=True))


def _by_turns(candidates: Sequence[Candidate], near: dict[int, float]) -> list[int]:
    """Return the first of each group, then the second of each; within a group by hop, then by closeness."""
    groups: dict[str, list[int]] = {}
    for place in near:
        groups.setdefault(candidates[place].group, []).append(place)
    for places in groups.values():
        places.sort(key=lambda place: (candidates[place].hop, not candidates[place].foremost, -near[place], place))
    ordered = sorted(groups.values(), key=min)
    return [place for turn in zip_longest(*ordered) for place in turn if place is not None]


REASON_CHARS: Final = 400
_LEAST_QUOTE: Final = 2
_SENTENCE_RE: Final = re.compile(r"\W*(?:s|sentence )?(\d{1,6})\W*", re.IGNORECASE)
_LINE_RE: Final = re.compile(r"\W*(?:r|line r?)?(\d{1,6})\W*", re.IGNORECASE)


class MarkedSentence(FromOutside):
    """One sentence that cannot stand beside a line of the record."""

    sentence: str
    quote: str
    against: str
    reason: str
    kind: FindingKind


class MarkedDraft(FromOutside):
    marks: tuple[MarkedSentence, ...]


class MarkedDraftSoFar(MarkedDraft):
    """With what the passages changed, for those that follow."""

    now: tuple[str, ...]


def findings_of(
    answer: MarkedDraft, shown: Mapping[int, Candidate], piece: Sequence[Passage], text: str
) -> tuple[Finding, ...]:
    """Return the marks that count, as findings: each of the sentence in which its quotation stands."""
    findings = []
    for mark in answer.marks:
        line = shown.get(_number(_LINE_RE, mark.against))
        sentence = _quoted(mark, piece, text)
        reason = fold_space(mark.reason).strip()[:REASON_CHARS]
        if line is None or sentence is None or not reason:
            continue
        findings.append(
            Finding(kind=mark.kind, start=sentence.start, end=sentence.end, against=line.item, reason=reason)
        )
    return tuple(findings)


def _number(form: re.Pattern[str], written: str) -> int:
    """Return the number as int; 0 for what is no number of a sentence, or of a line."""
    match = form.fullmatch(written)
    return int(match[1]) if match else 0


def _quoted(mark: MarkedSentence, piece: Sequence[Passage], text: str) -> Sentence | None:
    """Return the sentence where the quotation begins: the one that is named, else another of its passage."""
    if len(normal(mark.quote)) < _LEAST_QUOTE:
        return None
    number = _number(_SENTENCE_RE, mark.sentence)
    for passage in piece:
        numbered = {sentence.number: sentence for sentence in passage.sentences}
        if number in numbered:
            if place_of(numbered[number].text, mark.quote):
                return numbered[number]
            found = place_of(text[passage.start : passage.end], mark.quote)
            starts = passage.start + found[0] if found else -1
            return next((sentence for sentence in passage.sentences if sentence.start <= starts < sentence.end), None)
    return None
