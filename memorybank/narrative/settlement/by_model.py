"""A settlement's extractor on a language model: the turns of a task in, what they settle out (an `Extract`).

The model gives names, not keys, and says for each item the turns and the words it stands on. What it says happened in
words that are in none of these turns is shown, and not ticked. An answer of another form, with unknown kinds or turns,
is sent back once; then it is an AgentError, and whoever called decides who reads instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from memorybank.language.tags import block
from memorybank.language.text import detect_lang
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatModel, ChatRequest
from memorybank.memory.types import Lang
from memorybank.narrative.drafts import DraftItem, Extracted
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.settlement.block_reading import with_drafts
from memorybank.narrative.settlement.model_answer import Settlement
from memorybank.narrative.settlement.model_drafts import ModelDrafts, words_of
from memorybank.narrative.types import TaskId, Turn

WINDOW: Final = 4_000
"""Estimated tokens of turns read at once, where the model tells of no smaller context."""
ANSWER_TOKENS: Final = 4_096
SHOWN_NAMES: Final = 200
"""Names of the story and titles of outlines that the model is told, each."""


class ModelExtract:
    """A settlement's `Extract` on a language model. Stateless."""

    def __init__(self, chat: ChatModel, stores: Stores, lang: Lang) -> None:
        """`lang`: of the reasons; the turns may be in either."""
        self._chat = chat
        self._stores = stores
        self._lang = lang

    @property
    def window(self) -> int:
        context = self._chat.context_window
        return WINDOW if context is None else max(200, min(WINDOW, context // 4))

    def __call__(self, turns: Sequence[Turn], task: TaskId) -> Extracted:
        """Raises AgentError (EndpointError when it cannot be reached), StoreUnavailableError."""
        request = ChatRequest(
            messages=tuple(self._messages(turns)),
            temperature=0.1,
            top_p=0.8,
            max_tokens=ANSWER_TOKENS,
            schema_name="settlement",
        )
        shown = {turn.number for turn in turns}
        answer = ask_typed(self._chat, request, Settlement, check=partial(_turn_problems, shown))
        return ModelDrafts(turns, task, self._stores, self._lang, self._chat.name).read(answer)

    def knowing(self, drafts: Sequence[DraftItem]) -> ModelExtract:
        """With the names and plans of the blocks before (`drafts.ReadsOn`)."""
        return ModelExtract(self._chat, with_drafts(self._stores, drafts), self._lang)

    def _messages(self, turns: Sequence[Turn]) -> Iterator[ChatMessage]:
        words = words_of(detect_lang("\n".join(turn.text for turn in turns)))
        names = list(self._stores.facts.names())[:SHOWN_NAMES]
        outlines = [plan.title for plan in self._stores.plans.all()][:SHOWN_NAMES]
        known = f"{words['names']}{', '.join(names)}\n{words['outlines']}{', '.join(outlines)}"
        history = "\n\n".join(f"[{turn.number} {turn.role}] {turn.text}" for turn in turns)
        yield ChatMessage(role="system", content=words["settler"])
        yield ChatMessage(
            role="user", content=f"{block('memory', known)}\n\n{block('task', history)}\n\n{words['now']}"
        )


def _turn_problems(shown: set[int], answer: Settlement) -> list[str]:
    """What no schema says: the turns are among those that were shown."""
    unknown = (sorted(set(item.turns) - shown) for item in answer.items)
    return [f"there is no turn {turns[0]}: name turns that are shown" for turns in unknown if turns]
