"""A question to the record, answered from numbered lines of the hub: by a language model, or by quoting them.

Every sentence of a model's answer names the lines it stands on; a line that was not shown is refused. Where the hub has
no line at all nothing is asked of the model: it is not on record.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from pydantic import BaseModel, ConfigDict

from memorybank.errors import AgentError, EndpointError
from memorybank.language.text import fold_space
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatModel, ChatRequest
from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import load
from memorybank.prompts.tags import block
from memorybank_studio.hub.verbalisation import word
from memorybank_studio.journal.answers import Citation, Taken
from memorybank_studio.journal.context import BuiltContext, PartKind
from memorybank_studio.tasks.record_lines import RecordLines
from memorybank_studio.tasks.replies import Creation
from memorybank_studio.wording import cut

ANSWER_TOKENS: Final = 1_024
_TITLED: Final[tuple[PartKind, ...]] = ("setting", "scene", "hook")
"""Kinds of lines that say what they are about in their title alone."""
LINE_CHARS: Final = 600
"""Of a cited line in the history; the citation has it whole."""


class CitedSentence(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    lines: tuple[int, ...]


class RecordAnswer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    answer: tuple[CitedSentence, ...]
    missing: str


class OnRecord:
    def __init__(self, lines: RecordLines, chat: ChatModel | None) -> None:
        """`chat` None: the lines are quoted as they stand."""
        self._lines = lines
        self._chat = chat

    def __call__(self, context: BuiltContext, question: str, taken: Taken) -> Creation:
        """Raises EndpointError when the model cannot be reached, StoreUnavailableError."""
        if self._chat is None:
            lines = self._lines.quoted(taken.kind, question, context.chapter)
            return quoted(lines, context.lang) if lines else Creation(text=word("answer_unquoted", context.lang))
        lines = self._lines.of(taken.kind, question, taken.sought, context.chapter)
        if not lines:
            return quoted((), context.lang)
        try:
            answer = ask_typed(
                self._chat,
                _request(context, lines),
                RecordAnswer,
                check=partial(_problems, {line.number for line in lines}),
            )
        except EndpointError:
            raise
        except AgentError as error:
            lead = word("answer_unread", context.lang, reason=error.in_language(context.lang))
            return quoted(lines, context.lang, lead)
        return _told(answer, lines, context.lang)


def quoted(lines: Sequence[Citation], lang: Lang, lead: str = "") -> Creation:
    """The lines as they stand; that there is none."""
    if not lines:
        return Creation(text=word("answer_nothing", lang))
    return Creation(text="\n\n".join(filter(None, (lead, _listed(lines, lang)))), cited=tuple(lines))


def _told(answer: RecordAnswer, lines: Sequence[Citation], lang: Lang) -> Creation:
    """The sentences with the numbers of the lines they stand on, in the order in which they are cited."""
    by_number = {line.number: line for line in lines}
    order = dict.fromkeys(number for sentence in answer.answer for number in sentence.lines)
    new = {number: place for place, number in enumerate(order, start=1)}
    cited = tuple(replace(by_number[number], number=place) for number, place in new.items())
    sentences = [
        sentence.text.strip() + "".join(f"[{new[number]}]" for number in dict.fromkeys(sentence.lines))
        for sentence in answer.answer
    ]
    if answer.missing.strip():
        sentences.append(word("answer_not_told", lang, what=answer.missing.strip()))
    text = (" " if lang == "en" else "").join(sentences) or word("answer_nothing", lang)
    return Creation(text="\n\n".join(filter(None, (text, _listed(cited, lang)))), cited=cited)


def _listed(lines: Sequence[Citation], lang: Lang) -> str:
    """A line each, so that it is one paragraph."""
    return "\n".join(
        word("answer_cited", lang, number=line.number, text=cut(_named(line, lang), LINE_CHARS)) for line in lines
    )


def _named(line: Citation, lang: Lang) -> str:
    """With what it is from, where the line does not say so itself."""
    text = fold_space(line.text)
    return word("noted", lang, name=line.title, note=text) if line.kind in _TITLED else text


def _request(context: BuiltContext, lines: Sequence[Citation]) -> ChatRequest:
    words: Mapping[str, str] = load(__package__, f"on_record.{context.lang}")
    record = block("memory", "\n".join(f"{line.number}. [{_label(line, words)}] {line.text}" for line in lines))
    user = "\n\n".join([words["record"].format(chapter=context.chapter), record, context.discussion(), words["now"]])
    return ChatRequest(
        messages=(
            ChatMessage(role="system", content=words["answerer"].strip()),
            ChatMessage(role="user", content=user),
        ),
        temperature=0.1,
        top_p=0.8,
        max_tokens=ANSWER_TOKENS,
        schema_name="record_answer",
    )


def _label(line: Citation, words: Mapping[str, str]) -> str:
    if line.kind == "plan":  # of which level: a line says nothing of it
        return line.origin
    return line.title if line.kind in _TITLED else words[line.kind]


def _problems(shown: Collection[int], answer: RecordAnswer) -> list[str]:
    """What no schema says: every sentence stands on lines that were shown, and nothing is silent."""
    problems = [
        f"answer: there is no line {number}"
        for sentence in answer.answer
        for number in sentence.lines
        if number not in shown
    ]
    problems += [
        f"answer: {sentence.text[:40]!r} stands on no line" for sentence in answer.answer if not sentence.lines
    ]
    if not answer.answer and not answer.missing.strip():
        problems.append("missing: nothing is answered, so say what is not on record")
    return problems
