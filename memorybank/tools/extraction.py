"""The part of a page that bears on a goal: by a language model where there is one, else the sentences, verbatim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Protocol

from memorybank.embedding.base import Embedder
from memorybank.embedding.parsing import parse_beside
from memorybank.engines.llm.wire import ModelAnswer, Text
from memorybank.engines.offline.asking import question_of
from memorybank.engines.offline.quotable import Passage
from memorybank.engines.offline.quoting import quotes
from memorybank.engines.pieces import pieces
from memorybank.errors import AgentError
from memorybank.language.text import fold_space
from memorybank.llm.base import Chats
from memorybank.memory.types import Lang
from memorybank.prompts import say
from memorybank.settings.llm import LLMSettings

_QUOTES: Final = 8
_OPENING_CHARS: Final = 1_000
_BYLINE_CHARS: Final = 160
_MOST_PARTS: Final = 6
"""The most parts of one page that a model is asked about, one call each."""


class Extraction(Protocol):
    def extract(self, goal: str, source: str, text: str) -> str:
        """Return the part of the text to show for the goal; empty when nothing bears on it. Safe in threads."""


class QuoteExtraction:
    """Quotes the sentences that bear on the goal; needs no model."""

    def __init__(self, embedder: Embedder, lang: Lang) -> None:
        self._embedder = embedder
        self._lang = lang

    def extract(self, goal: str, source: str, text: str) -> str:
        parse = parse_beside(self._embedder)
        evidence = quotes(question_of(goal, parse), [Passage(source=source, text=text)], self._embedder, parse, _QUOTES)
        if not evidence:
            return ""
        head = [*_origin(_opening(text), self._lang), say("visit_evidence", self._lang)]
        return "\n".join([*head, *(f"- {quote.text}" for quote in evidence)])


def _opening(text: str) -> list[str]:
    """Return a heading and the short line under it, which often says who wrote this and when."""
    first = [line.strip() for line in text[:_OPENING_CHARS].split("\n") if line.strip()][:2]
    if not first or not first[0].startswith("#"):
        return []
    return [line.strip("#*_ ") for line in first if len(line) <= _BYLINE_CHARS]


def _origin(parts: Iterable[str], lang: Lang) -> list[str]:
    """Return one line that says what the page says of itself; none when it says nothing."""
    named = " · ".join(part for part in parts if part)
    return [say("visit_origin", lang, origin=named)] if named else []


class ExtractionAnswer(ModelAnswer):
    """The model fills in these fields, `rational` before the rest."""

    rational: Text = ""
    title: Text = ""
    author: Text = ""
    date: Text = ""
    evidence: Text = ""
    summary: Text = ""


class ModelExtraction:
    """Asks a model for rational, evidence (verbatim) and summary, for each part of the page that fits its window.

    Where the model gives no usable answer the sentences of `QuoteExtraction` serve, and the text says so.
    """

    def __init__(
        self,
        chats: Chats,
        settings: LLMSettings,
        count_tokens: Callable[[str], int],
        without: Extraction,
        lang: Lang,
        *,
        chunk_ratio: float = 0.9,
    ) -> None:
        from memorybank.engines.llm.asking import Asker  # here: it loads jinja2, which a session without a model spares

        self._asker = Asker(chats, settings, count_tokens, chunk_ratio, lambda _: None)
        self._without = without
        self._lang = lang

    def extract(self, goal: str, source: str, text: str) -> str:
        try:
            return self._ask(goal, text)
        except AgentError as error:
            note = say("extraction_failed", self._lang, reason=str(error))
            quoted = self._without.extract(goal, source, text)
            return f"{note}\n{quoted}" if quoted else ""

    def _ask(self, goal: str, text: str) -> str:
        """Raises AgentError when the model can say nothing at all; a part that fails beside others is left out."""
        room = self._asker.room("extraction", self._lang, ExtractionAnswer, goal=goal, page="")
        parts = [text[start:end] for start, end in pieces(text, room, self._asker.count)]
        answers: list[tuple[ExtractionAnswer, str]] = []
        failure: AgentError | None = None
        for part in parts[:_MOST_PARTS]:
            try:
                answer = self._asker.ask("extraction", self._lang, ExtractionAnswer, goal=goal, page=part)
                answers.append((answer, part))
            except AgentError as error:
                failure = error
        if not answers and failure is not None:
            raise failure
        extracts = [extract for answer, part in answers if (extract := self._written(answer, part))]
        if extracts:
            extracts[:0] = _origin(_named(answers), self._lang)
        if len(parts) > _MOST_PARTS:
            extracts.append(say("extraction_part", self._lang, count=_MOST_PARTS, total=len(parts)))
        return "\n\n".join(extracts)

    def _written(self, answer: ExtractionAnswer, part: str) -> str:
        """Evidence that stands in the page word for word is told from what the model made of it."""
        quoted = [passage.strip() for passage in answer.evidence.split("\n") if passage.strip(' -*>"“”')]
        verbatim = [quote for quote in quoted if _stands_in(quote.strip(' -*>"“”'), part)]
        lines = []
        if verbatim:
            lines += [say("visit_evidence", self._lang), *verbatim]
        if loose := [quote for quote in quoted if quote not in verbatim]:
            lines += [say("visit_loose", self._lang), *loose]
        if answer.summary:
            lines.append(say("visit_summary", self._lang, summary=answer.summary))
        return "\n".join(lines)


def _named(answers: Sequence[tuple[ExtractionAnswer, str]]) -> Iterator[str]:
    """Yield the title, author and date, each as the first part tells it in which it stands word for word."""
    for field in ("title", "author", "date"):
        named = ((fold_space(getattr(answer, field)), part) for answer, part in answers)
        yield next((words for words, part in named if words and _stands_in(words, part)), "")


def _stands_in(words: str, page: str) -> bool:
    return fold_space(words).casefold() in fold_space(page).casefold()
