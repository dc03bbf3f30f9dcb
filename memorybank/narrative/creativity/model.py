"""Generators on a language model. They are stateless, and look things up as often as they need.

Each turn of a generator either asks the hub (facts, settings, plans, scenes) or gives its draft; what it asked and
found goes with the draft.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from memorybank.errors import AgentError
from memorybank.language.lexicon import load
from memorybank.language.tags import block, neutralise
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatModel, ChatRequest
from memorybank.memory.types import Lang
from memorybank.narrative.creativity.lookups import Lookups
from memorybank.narrative.creativity.options import Draft, Request
from memorybank.narrative.hub.stores import Stores

MOST_TURNS: Final = 5
MOST_QUESTIONS: Final = 4
"""A turn."""
SHOWN_CHARS: Final = 1_600
"""Of what one look-up found."""
DRAFT_TOKENS: Final = 2_048
CREATIVE: Final = 0.9
SHOWN_BEFORE: Final = 8
"""Of the options that were offered before: the latest, which a new draft is not to repeat."""
BEFORE_CHARS: Final = 300
"""Of one of them."""


class Question(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    source: Literal["facts", "settings", "plans", "scenes"]
    query: str


class GeneratorTurn(BaseModel):
    """Either questions or a draft; a draft ends it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    questions: tuple[Question, ...]
    draft: str


def prompts(lang: Lang) -> Mapping[str, str]:
    """What generators and judges are told, in the story's language."""
    return load(__package__, f"prompts.{lang}")


class ModelGenerator:
    """One brief, one draft."""

    def __init__(self, brief: str, chat: ChatModel, stores: Stores) -> None:
        self.brief, self._chat, self._stores = brief, chat, stores

    def drafts(self, request: Request) -> tuple[Draft, ...]:
        """Raises AgentError when the model gives no draft within its turns, EndpointError when it cannot be reached."""
        lookups = Lookups(self._stores, request.chapter, request.lang)
        words = prompts(request.lang)
        system = f"{words['generator']}\n\n{words[self.brief]}"
        messages = [
            ChatMessage(role="system", content=system),
            ChatMessage(role="user", content=_task_prompt(request)),
        ]
        for turn in range(MOST_TURNS):
            answer = ask_typed(self._chat, self._request(messages), GeneratorTurn)
            if answer.draft.strip():
                made = Draft(
                    brief=self.brief, text=answer.draft.strip(), lookups=tuple(lookups.made), made_by=self._chat.name
                )
                return (made,)
            last = turn >= MOST_TURNS - 2
            messages += [
                ChatMessage(role="assistant", content=answer.model_dump_json()),
                ChatMessage(role="user", content=_answers(answer.questions, lookups, request.lang, last)),
            ]
        raise AgentError("creativity.no_draft", model=self._chat.name, turns=MOST_TURNS)

    def _request(self, messages: Sequence[ChatMessage]) -> ChatRequest:
        return ChatRequest(
            messages=tuple(messages), temperature=CREATIVE, top_p=0.95, max_tokens=DRAFT_TOKENS, schema_name="draft"
        )


def _task_prompt(request: Request) -> str:
    words = prompts(request.lang)
    parts = [request.prompt, f"{words['asked']}\n{block('task', request.asked)}"]
    if request.before:
        listed = "\n".join(f"- {' '.join(text.split())[:BEFORE_CHARS]}" for text in request.before[-SHOWN_BEFORE:])
        parts.append(f"{words['before']}\n{block('memory', listed)}")
    return "\n\n".join(parts)


def _answers(questions: Sequence[Question], lookups: Lookups, lang: Lang, last: bool) -> str:
    words = prompts(lang)
    lines = [
        f"[{question.source}] {neutralise(question.query)}\n{neutralise(answer[:SHOWN_CHARS]) or words['nothing']}"
        for question in questions[:MOST_QUESTIONS]
        for answer in [lookups.sources[question.source](question.query)]
    ]
    return "\n\n".join([*lines, words["write_now" if last or not lines else "go_on"]])
