"""Whether an extract cuts sentences in half, told by end marks, commas and line breaks alone.

Nothing of the engine is used: a sentence of the extract stands whole in the source, or is one of its sentences without
parts that stand between clause marks there (commas, semicolons, brackets, dashes).
"""

from __future__ import annotations

import re
from typing import Final

from memorybank.text import sentences

_END_MARKS: Final = frozenset(".!?…:;。！？：；．｡”’」』）)\"'")
_CLAUSE_MARK_RE: Final = re.compile(r"[,，;；()（）—–]|--")
_STOPS: Final = ".。．｡"
_SPACE_RE: Final = re.compile(r"\s+")


def cut_sentences(extract: str, source: str) -> list[str]:
    """Sentences of the extract that stand in the source neither whole nor with whole clauses left out."""
    given = _said(source)
    return [said for said in not_verbatim(extract, source) if not any(_made_of_clauses(said, one) for one in given)]


def not_verbatim(extract: str, source: str) -> list[str]:
    """Sentences of the extract that do not stand whole in the source."""
    return [sentence for sentence in _said(extract) if not _made_of_whole_lines(sentence, source)]


def verbatim_share(extract: str, source: str) -> float:
    """Share of the extract's sentences that stand whole in the source; 1 for none."""
    count = len(_said(extract))
    return 1 - len(not_verbatim(extract, source)) / count if count else 1.0


def _said(text: str) -> list[str]:
    return [said for start, end in sentences(text) if (said := text[start:end].strip())]


def _made_of_clauses(sentence: str, whole: str) -> bool:
    """Whether a sentence is the first part of `whole` and some of its other parts, in order, with its end mark."""
    if sentence[-1] != whole[-1]:
        return False
    parts = [part for part in map(_letters, _CLAUSE_MARK_RE.split(whole)) if part]
    wanted = _letters(_CLAUSE_MARK_RE.sub("", sentence)).rstrip(_STOPS)
    reached = {0}
    for number, part in enumerate(parts):
        ends = {len(wanted) for at in reached if wanted[at:] == part.rstrip(_STOPS)}  # its stop may end the sentence
        goes_on = {at + len(part) for at in reached if wanted.startswith(part, at)}
        reached = (reached if number else set()) | ends | goes_on
    return len(wanted) in reached


def _letters(text: str) -> str:
    return _SPACE_RE.sub("", text)


def _made_of_whole_lines(sentence: str, source: str) -> bool:
    """The sentence, or each of its lines: lines without end marks may have been apart in the source."""
    if _stands_whole(sentence, source):
        return True
    lines = [line.strip() for line in sentence.splitlines()]
    return len(lines) > 1 and all(_stands_whole(line, source) for line in lines)


def _stands_whole(sentence: str, source: str) -> bool:
    at = source.find(sentence)
    while at >= 0:
        before, after = source[:at], source[at + len(sentence) :]
        if _is_border(before) and (_is_border(before + sentence) or after[:1] in ("", "\n")):
            return True
        at = source.find(sentence, at + 1)
    return False


def _is_border(before: str) -> bool:
    """Whether a sentence may begin after this text: nothing, a line break, or an end mark and space."""
    line = before.rstrip(" \t\u3000")
    return not line or line.endswith("\n") or line[-1] in _END_MARKS
