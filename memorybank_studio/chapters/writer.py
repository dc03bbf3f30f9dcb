"""A language model that plans a chapter, writes its pieces and rewrites passages: one call each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Final, Literal, TypeVar

from pydantic import AfterValidator, BaseModel

from memorybank.llm.answers import Check, ask_typed
from memorybank.llm.base import ChatModel
from memorybank.llm.tokens import estimate_prompt
from memorybank.memory.types import Lang
from memorybank_studio.chapters.context import (
    ChapterContext,
    next_length,
    plans_of,
    running_state,
    system_prompt,
    words_for,
)
from memorybank_studio.chapters.manuscript import (
    Beat,
    Manuscript,
    PassageOrder,
    Piece,
    Revision,
    StateKind,
    StateLine,
    pieces_for,
    tokens_for,
)
from memorybank_studio.counting import words_in
from memorybank_studio.creativity.evidence import STYLE_CHARS
from memorybank_studio.hub.stores import Stores
from memorybank_studio.types import FromOutside
from memorybank_studio.wording import request_of

PROSE: Final = 0.8
PLANNING: Final = 0.5
STYLE_STEPS: Final = (STYLE_CHARS, STYLE_CHARS // 3, 0)
"""Characters of each of the chapters before: less where the model's context is too small."""
TOKENS_A_BEAT: Final = 250
M = TypeVar("M", bound=BaseModel)


class ChapterWriter:
    """Stateless: what it knows of a chapter comes with it. All raise AgentError (EndpointError when the model cannot be
    reached), StoreUnavailableError."""

    def __init__(self, chat: ChatModel, stores: Stores, lang: Lang) -> None:
        """Keep the model, the hub and `lang`, the language of the story."""
        self._chat = chat
        self._stores = stores
        self._lang = lang

    @property
    def name(self) -> str:
        return self._chat.name

    def plan(self, chapter: Manuscript) -> tuple[Beat, ...]:
        """Plan the pieces in which the chapter is to be written."""
        steps = [step.key for step in plans_of(chapter, self._stores)]
        ids = {f"S{number}": key for number, key in enumerate(steps, start=1)}
        wanted = pieces_for(chapter.length, len(steps), self._lang)
        answer = self._ask(
            chapter,
            "planner",
            ChapterContext.to_plan,
            ChapterPlan,
            max_tokens=1_000 + TOKENS_A_BEAT * wanted,
            temperature=PLANNING,
            check=partial(_plan_problems, wanted, len(steps), self._lang),
        )
        return tuple(
            Beat(
                title=piece.title,
                happens=piece.happens,
                outcome=piece.outcome,
                cast=tuple(name for name in piece.cast if name.strip()),
                step=ids.get(_bare(piece.step)),
            )
            for piece in answer.pieces
        )

    def piece(self, chapter: Manuscript) -> Piece:
        """Write the next piece of the chapter's plan."""
        number = len(chapter.pieces) + 1
        answer = self._ask(
            chapter,
            "writer",
            ChapterContext.to_write,
            WrittenPiece,
            max_tokens=tokens_for(next_length(chapter)),
            temperature=PROSE,
        )
        known = {line.id for line in running_state(chapter.pieces)}
        return Piece(
            number=number,
            text=answer.text,
            summary=answer.summary.strip(),
            outcome_quote=answer.outcome_quote.strip(),
            state=_lines(answer.state, f"{number}"),
            ended=tuple(id_ for id_ in answer.ended if id_ in known),
            made_by=self.name,
        )

    def revise(self, chapter: Manuscript, passage: PassageOrder, number: int) -> Revision:
        """Write the passage anew. `number`: the revision's among all of this chapter, which names its lines."""
        answer = self._ask(
            chapter,
            "reviser",
            lambda context: context.to_revise(passage),
            RevisedPassage,
            max_tokens=tokens_for(2 * words_in(passage.text) + 200),
            temperature=PROSE,
        )
        return Revision(
            passage=passage,
            text=answer.text,
            summary=answer.summary.strip(),
            state=_lines(answer.state, f"{passage.piece}.r{number}"),
            made_by=self.name,
        )

    def _ask(
        self,
        chapter: Manuscript,
        role: str,
        told: Callable[[ChapterContext], str],
        answer: type[M],
        *,
        max_tokens: int,
        temperature: float,
        check: Check[M] | None = None,
    ) -> M:
        request = None
        for style_chars in STYLE_STEPS:
            context = ChapterContext(chapter=chapter, stores=self._stores, lang=self._lang, style_chars=style_chars)
            system, user = system_prompt(role, self._lang), told(context)
            request = request_of(
                system, user, _SCHEMAS[role], max_tokens=max_tokens, temperature=temperature, top_p=0.95
            )
            window = self._chat.context_window
            if window is None or estimate_prompt(request) + max_tokens <= window:
                break
        assert request is not None
        return ask_typed(self._chat, request, answer, check=check)


_SCHEMAS: Final = {"planner": "chapter_plan", "writer": "chapter_piece", "reviser": "chapter_passage"}


def _plan_problems(wanted: int, steps: int, lang: Lang, answer: ChapterPlan) -> list[str]:
    """Return what no schema checks: unknown steps, steps without a piece, far more or fewer pieces than wanted."""
    words = words_for(lang)
    ids = [f"S{number}" for number in range(1, steps + 1)]
    named = [_bare(piece.step) for piece in answer.pieces]
    problems = [
        words["problem_step"].format(number=number, step=step, steps=", ".join(ids))
        for number, step in enumerate(named, start=1)
        if ids and step not in ids
    ]
    if not problems:
        problems += [words["problem_steps"].format(step=id_) for id_ in ids if id_ not in named]
    most = max(wanted + 2, 2 * wanted)
    if not 0 < len(answer.pieces) <= most:
        problems.append(words["problem_count"].format(count=len(answer.pieces), wanted=wanted))
    return problems


def _bare(step: str) -> str:
    return step.strip().strip("[].").upper()


def _lines(changes: Sequence[StateChange], prefix: str) -> tuple[StateLine, ...]:
    """Return the changes as lines with ids; one that names nobody, nothing or no words is left out."""
    told = [change for change in changes if change.who.strip() and change.what.strip() and change.quote.strip()]
    return tuple(
        StateLine(
            id=f"{prefix}.{place}",
            kind=StateKind(change.kind),
            who=change.who.strip(),
            what=change.what.strip(),
            quote=change.quote.strip(),
        )
        for place, change in enumerate(told, start=1)
    )


def _words(written: str) -> str:
    text = written.strip()
    if not text:
        raise ValueError("it is empty")
    return text


Words = Annotated[str, AfterValidator(_words)]


class PlannedPiece(FromOutside):
    title: Words
    happens: Words
    outcome: Words
    cast: tuple[str, ...]
    step: str
    """The id of the step that it serves, as S1; empty where no steps were shown."""


class ChapterPlan(FromOutside):
    pieces: tuple[PlannedPiece, ...]


class StateChange(FromOutside):
    kind: Literal["place", "possession", "knowledge"]
    who: str
    what: str
    quote: str


class WrittenPiece(FromOutside):
    """The text first: what is said about it is said of what stands there."""

    text: Words
    outcome_quote: str
    summary: str
    state: tuple[StateChange, ...]
    ended: tuple[str, ...]


class RevisedPassage(FromOutside):
    text: Words
    summary: str
    state: tuple[StateChange, ...]
