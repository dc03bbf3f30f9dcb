"""Does a summary say what the text says? Numbers and dates are checked, because models lose and invent them.

A statement with a number that the text does not have is taken out; where too many numbers or dates of the text were
lost, the sentences that hold them are put back word for word. The rest is the model's.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from memorybank.engines.offline.salience import fold, mentions
from memorybank.language.text import sentences

LOST_AT_MOST = 0.25
"""Share of the text's numbers and dates that a summary may leave out."""
MOST_LENGTH = 0.6
"""Share of the text up to which sentences are put back: a little over what was asked for."""
_NUMBER_RE = re.compile(r"\d+(?:[.,]\d+)*")
_LIST_NUMBER_RE = re.compile(r"^\s*(?:[-*•]\s*)?\(?\d{1,2}[.)、）]\s*|\[\[\d+\]\]", re.MULTILINE)


def audited(summary: str, content: str, extract: str, kept: Sequence[str] = ()) -> tuple[str, tuple[str, ...]]:
    """The summary corrected, and what was done to it, one line each.

    `extract` is a summary in the text's own sentences; `kept` are tables and code that stand in the text anyway.
    """
    notes: list[str] = []
    known = numbers_of(content)
    honest = [sentence for sentence in _statements(summary) if numbers_of(sentence) <= known]
    text = "".join(honest).strip()
    invented = numbers_of(summary) - known
    if invented:
        notes.append(f"statements with numbers that the text does not have were left out: {_listed(invented)}")
    if not text:
        return extract, (*notes, "nothing was left: sentences of the text stand instead")
    lost = _lost(content, "\n".join((text, *kept)))
    if lost:
        text, back = _completed(text, extract, lost, int(MOST_LENGTH * len(content)))
        if back:
            notes.append(f"numbers or dates were lost: {back} sentences of the text were put back")
    return text, tuple(notes)


def numbers_of(text: str) -> frozenset[str]:
    """Numbers in digits, thousands separators and the numbers of a list left out."""
    plain = unicodedata.normalize("NFKC", _LIST_NUMBER_RE.sub("", text))
    return frozenset(number.replace(",", "") for number in _NUMBER_RE.findall(plain))


def _statements(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def _facts(text: str) -> list[str]:
    return list(dict.fromkeys(mention.key for mention in mentions(text) if mention.kind in ("number", "date")))


def _lost(content: str, text: str) -> frozenset[str]:
    """Numbers and dates that are gone, when they are too many; else none."""
    facts = _facts(content)
    folded = fold(text)
    lost = frozenset(key for key in facts if key not in folded)
    return lost if len(lost) > LOST_AT_MOST * len(facts) else frozenset()


def _completed(text: str, extract: str, lost: Iterable[str], longest: int) -> tuple[str, int]:
    missing = set(lost)
    back = 0
    for sentence in _statements(extract):
        facts = missing.intersection(_facts(sentence))
        if facts and len(text) + len(sentence) <= longest:
            text = f"{text}\n{sentence.strip()}"
            missing -= facts
            back += 1
    return text, back


def _listed(numbers: Iterable[str]) -> str:
    return ", ".join(sorted(numbers)[:5])
