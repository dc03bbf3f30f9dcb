"""A settlement's extractor on a language model: the turns of a task in, what they settle out (an `Extract`).

The turns are read as numbered sentences, piece by piece (`numbered`). Every sentence that counts comes out in a row, as
not taken with why, or as not read: what an answer leaves out is asked for once more. An answer of another form, with
unknown kinds or numbers, is sent back once; then it is an AgentError, and whoever called decides who reads instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from memorybank.errors import AgentError
from memorybank.language.text import detect_lang
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatModel, ChatRequest
from memorybank.memory.types import Lang
from memorybank_studio.drafts import Extracted
from memorybank_studio.hub.stores import Stores
from memorybank_studio.settlement.drafted_names import with_drafts
from memorybank_studio.settlement.model_answer import Settlement
from memorybank_studio.settlement.model_drafts import ModelDrafts
from memorybank_studio.settlement.model_prompt import SettlementPrompt
from memorybank_studio.settlement.numbered import NumberedSentence, before, numbered, pieces
from memorybank_studio.settlement.rows_so_far import RowsSoFar
from memorybank_studio.types import TaskId, Turn

WINDOW: Final = 2_400
"""Estimated tokens of sentences read at once, where the model tells of no smaller context."""
ANSWER_TOKENS: Final = 4_096
_SHARE_BEFORE: Final = 8
"""Of the window: what a piece is shown of the sentences before it …"""
_SHARE_ROWS: Final = 4
"""… and of the rows that these gave."""


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
        return WINDOW if context is None else max(200, min(WINDOW, context // 5))

    def __call__(self, turns: Sequence[Turn], task: TaskId) -> Extracted:
        """Raises AgentError (EndpointError when it cannot be reached), StoreUnavailableError."""
        sentences = numbered(turns, self.window)
        rows = RowsSoFar(self._stores, self._lang, self._chat.name)
        waiting = list(pieces(sentences, self.window))
        while waiting:
            piece = waiting.pop(0)
            if not any(sentence.counts for sentence in piece):
                continue  # what nobody took; the next piece is shown the end of it
            try:
                self._read(piece, sentences, rows, task)
            except AgentError as error:
                if not _was_cut_off(error) or len(piece) == 1:
                    raise
                half = len(piece) // 2
                waiting[:0] = [piece[:half], piece[half:]]
        return rows.extracted(sentences)

    def _read(
        self, piece: Sequence[NumberedSentence], sentences: Sequence[NumberedSentence], rows: RowsSoFar, task: TaskId
    ) -> None:
        context = before(sentences, piece[0].number, self.window // _SHARE_BEFORE)
        stores = with_drafts(self._stores, rows.drafts)
        lang = detect_lang("\n".join(sentence.text for sentence in piece))
        prompt = SettlementPrompt(piece, context, stores, rows.shown(self.window // _SHARE_ROWS, lang), lang)
        answer = self._answer(prompt, rows)
        shown = {sentence.number: sentence for sentence in (*context, *piece)}
        rows.add(answer, ModelDrafts(shown, task, stores, self._lang, self._chat.name).read(answer))

    def _answer(self, prompt: SettlementPrompt, rows: RowsSoFar) -> Settlement:
        """With what was left out, where it comes when it is asked for. Raises AgentError."""
        request = ChatRequest(
            messages=prompt.messages(), temperature=0.1, top_p=0.8, max_tokens=ANSWER_TOKENS, schema_name="settlement"
        )
        check = partial(_problems, prompt.numbers, rows.count)
        answer = ask_typed(self._chat, request, Settlement, check=check)
        missing = prompt.counted - answer.accounted
        if not missing:
            return answer
        again = (
            ChatMessage(role="assistant", content=answer.model_dump_json()),
            ChatMessage(role="user", content=prompt.asks_for(missing)),
        )
        try:
            more = ask_typed(
                self._chat, replace(request, messages=(*request.messages, *again)), Settlement, check=check
            )
        except AgentError:
            return answer  # what it left out is not read, and the author is told
        return answer.with_more(more, missing)


def _was_cut_off(error: AgentError) -> bool:
    return error.notice.code in ("agent.cut_off", "agent.cut_off_context")


def _problems(shown: frozenset[int], rows: int, answer: Settlement) -> list[str]:
    """What no schema says: the numbers are among those that were shown."""
    cited = (number for read in answer.all for number in read.sentences)
    taken_back = (number for read in answer.taken_back for number in read.rows)
    return [
        *(f"there is no sentence {number}: name sentences that are shown" for number in _not_in(shown, cited)),
        *(f"there is no row {number}: name rows that are shown" for number in _not_in(range(1, rows + 1), taken_back)),
    ]


def _not_in(known: frozenset[int] | range, numbers: Iterable[int]) -> list[int]:
    return sorted({number for number in numbers if number not in known})
