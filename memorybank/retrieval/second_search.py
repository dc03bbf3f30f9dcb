"""What to search for next: what a question asks beyond the document that was found first.

Of "Which river flows through the town in which Ada Kerr was born?" the page on Ada Kerr answers one part; the second
search asks for the rest, together with what that page is about. Queries from what is found and what is still uncovered
are those of alignment-based iterative retrieval (Yadav, Bethard and Surdeanu 2020, "Unsupervised Alignment-based
Iterative Evidence Retrieval for Multi-hop Question Answering"); nothing is trained.
"""

from __future__ import annotations

import re

from memorybank.language.text import HAN, one_form
from memorybank.language.tokens import query_tokens, tokenize
from memorybank.memory.types import Entry
from memorybank.retrieval.references import title_of

_UNSPACED = re.compile(rf"[{HAN}]+")


def next_question(question: str, entry: Entry) -> str:
    """The document's title and what the question asks beyond it; empty for a document without a title.

    Without a title nothing short says what the document is about, and without that the rest of a question leads astray.
    """
    title = title_of(entry)
    return f"{title} {unsaid(question, one_form(entry.text))}" if title else ""


def unsaid(question: str, text: str) -> str:
    """The words of a question that a text does not have, in their order; of Chinese, the character pairs."""
    known = frozenset(tokenize(text))
    remaining = (_unsaid_word(word, text, known) for word in question.split())
    return " ".join(word for word in remaining if word)


def _unsaid_word(word: str, text: str, known: frozenset[str]) -> str:
    if _UNSPACED.search(word):
        return _UNSPACED.sub(lambda run: _unsaid_run(run[0], text), word)
    return "" if known.intersection(query_tokens(word)) else word


def _unsaid_run(run: str, text: str) -> str:
    new = [run[place : place + 2] not in text for place in range(len(run) - 1)] or [run not in text]
    return "".join(char for place, char in enumerate(run) if any(new[max(0, place - 1) : place + 1]))
