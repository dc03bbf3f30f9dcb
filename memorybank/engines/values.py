"""The values of a text: its numbers, dates and names. Which of them does another text not state?"""

from __future__ import annotations

from memorybank.engines.offline.salience import mentions
from memorybank.language.figures import unstated
from memorybank.language.text import fold_space
from memorybank.language.tokens import tokenize


def new_values(text: str, source: str) -> tuple[str, ...]:
    """The numbers, dates and names of a text that another text does not state, however it writes them."""
    figures = tuple(figure.written for figure in unstated(text, source))
    known, words = fold_space(source).casefold(), frozenset(tokenize(source))
    names = (mention.key for mention in mentions(text) if mention.kind == "name" and mention.certain)
    return (*figures, *(name for name in names if not (_stands(name, known) or words.issuperset(tokenize(name)))))


def _stands(name: str, text: str) -> bool:
    """Whether a name stands in a text, whole or in two parts: a Chinese name may be read with the words before it."""
    return name in text or any(name[:at] in text and name[at:] in text for at in range(2, len(name) - 1))
