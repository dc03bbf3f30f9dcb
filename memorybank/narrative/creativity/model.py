"""Generators and evaluators on a language model. Both are stateless; a generator looks things up as often as it needs.

Each turn of a generator either asks the hub (facts, settings, plans, scenes) or gives its draft; what it asked and
found goes with the draft. An evaluator judges one criterion in one call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated, Final, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from memorybank.errors import AgentError
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatModel, ChatRequest
from memorybank.narrative.creativity.lookups import Lookups, Stores
from memorybank.narrative.creativity.options import Criterion, Draft, Request, Score
from memorybank.tags import neutralise
from memorybank.types import Lang

MOST_TURNS: Final = 5
MOST_QUESTIONS: Final = 4
"""A turn."""
SHOWN_CHARS: Final = 1_600
"""Of what one look-up found."""
DRAFT_TOKENS: Final = 2_048
CREATIVE: Final = 0.9
STRICT: Final = 0.1


class Question(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    source: Literal["facts", "settings", "plans", "scenes"]
    query: str


class GeneratorTurn(BaseModel):
    """Either questions or a draft; a draft ends it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    questions: tuple[Question, ...]
    draft: str


class Judgement(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    criterion: Criterion
    reason: str
    value: Annotated[float, Field(ge=0, le=1)]


@cache
def _prompts(lang: Lang) -> Mapping[str, str]:
    loaded: dict[str, str] = yaml.safe_load((files(__package__) / f"prompts.{lang}.yaml").read_text("utf-8"))
    return loaded


class ModelGenerator:
    """One brief, one draft."""

    def __init__(self, brief: str, chat: ChatModel, stores: Stores) -> None:
        self._brief, self._chat, self._stores = brief, chat, stores

    @property
    def brief(self) -> str:
        return self._brief

    def drafts(self, request: Request) -> tuple[Draft, ...]:
        """Raises AgentError when the model gives no draft within its turns, EndpointError when it cannot be reached."""
        lookups = Lookups(self._stores, request.chapter, request.lang)
        prompts = _prompts(request.lang)
        system = f"{prompts['generator']}\n\n{prompts[self._brief]}"
        said = [
            ChatMessage(role="system", content=system),
            ChatMessage(role="user", content=_asked(request)),
        ]
        for turn in range(MOST_TURNS):
            answer = ask_typed(self._chat, self._request(said), GeneratorTurn)
            if answer.draft.strip():
                made = Draft(
                    brief=self._brief, text=answer.draft.strip(), lookups=tuple(lookups.made), made_by=self._chat.name
                )
                return (made,)
            last = turn >= MOST_TURNS - 2
            said += [
                ChatMessage(role="assistant", content=answer.model_dump_json()),
                ChatMessage(role="user", content=_found(answer.questions, lookups, request.lang, last)),
            ]
        raise AgentError(f"{self._chat.name} wrote no draft in {MOST_TURNS} turns: ask for something smaller")

    def _request(self, said: Sequence[ChatMessage]) -> ChatRequest:
        return ChatRequest(
            messages=tuple(said), temperature=CREATIVE, top_p=0.95, max_tokens=DRAFT_TOKENS, schema_name="draft"
        )


def _asked(request: Request) -> str:
    words = _prompts(request.lang)
    return f"{request.prompt}\n\n{words['asked']}\n<task>\n{neutralise(request.asked)}\n</task>"


def _found(questions: Sequence[Question], lookups: Lookups, lang: Lang, last: bool) -> str:
    words = _prompts(lang)
    lines = [
        f"[{one.source}] {neutralise(one.query)}\n{neutralise(found[:SHOWN_CHARS]) or words['nothing']}"
        for one in questions[:MOST_QUESTIONS]
        for found in [lookups.sources[one.source](one.query)]
    ]
    return "\n\n".join([*lines, words["write_now" if last or not lines else "go_on"]])


class ModelJudge:
    """One criterion. The model is told what rules found already, so that it does not overlook it."""

    def __init__(self, criterion: Criterion, chat: ChatModel) -> None:
        self._criterion, self._chat = criterion, chat

    def score(self, draft: Draft, request: Request) -> Score:
        """Raises AgentError, EndpointError."""
        words = _prompts(request.lang)
        system = f"{words['evaluator']}\n\n{words[f'criterion_{self._criterion}']}"
        user = f"{request.prompt}\n\n{words['draft']}\n<memory>\n{neutralise(draft.text)}\n</memory>"
        asked = ChatRequest(
            messages=(ChatMessage(role="system", content=system), ChatMessage(role="user", content=user)),
            temperature=STRICT,
            top_p=0.8,
            max_tokens=512,
            schema_name="judgement",
        )
        answer = ask_typed(self._chat, asked, Judgement)
        return Score(criterion=self._criterion, value=answer.value, reasons=(answer.reason.strip() or "-",))
