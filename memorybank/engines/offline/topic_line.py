"""One line that says what a topic is about, taken from the text itself: its heading and its most central sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memorybank.engines.offline.units import Before, Unit, plain, width
from memorybank.language.text import fold_space, sentences

WIDEST = 120
"""Characters, a Han character counted as two."""
_HEADING_WIDEST = 70
_SHORT = 24
"""A sentence narrower than this rarely tells a topic."""
_LEAD = 0.15
"""What the first sentence is more worth than another, as a share of the best centrality."""
_NAMING = 0.05
"""The same for each keyword in it."""
_CLAUSE_RE = re.compile(r"[,;:，；：、。—–]\s*|\s+[-–—]\s+")
_WORDLIKE_RE = re.compile(r"[A-Za-z0-9\u00c0-\u024f_'’.%-]")


def topic_line(text: str, units: Sequence[Unit], centrality: Sequence[float], keywords: Sequence[str]) -> str:
    """`centrality`: how near each unit is to the topic; a sentence that names the keywords is preferred too.

    At most `WIDEST` wide, never half a word; empty only for a topic without a written character.
    """
    heading = next((unit.heading for unit in units if unit.heading), "")
    heading = trimmed(heading, _HEADING_WIDEST)
    sentence = _central_sentence(text, units, centrality, keywords)
    if heading and sentence:
        joint = "：" if width(sentence) > 1.4 * len(sentence) else ": "
        if sentence.startswith(heading):
            return trimmed(sentence, WIDEST)
        return f"{heading}{joint}{trimmed(sentence, WIDEST - width(heading) - 2)}"
    marks = fold_space(text[units[0].start : units[0].end]) if units else ""
    return trimmed(sentence or heading or marks, WIDEST)


def _central_sentence(text: str, units: Sequence[Unit], centrality: Sequence[float], keywords: Sequence[str]) -> str:
    best = max(centrality, default=0.0)
    scored = []
    for place, (unit, value) in enumerate(zip(units, centrality, strict=True)):
        words = _shown(text, unit)
        if not words:
            continue
        length = width(words)
        score = value + _NAMING * best * sum(keyword in words for keyword in keywords)
        if place == 0 and unit.before is Before.SECTION:
            score += _LEAD * best
        if unit.whole or length < _SHORT:
            score -= best
        elif length > 2 * WIDEST:
            score -= 0.3 * best
        scored.append((-round(score, 6), place, words))
    return min(scored)[2] if scored else ""


def _shown(text: str, unit: Unit) -> str:
    """The unit as it is written, without its headings and list marks; of a table or code the first line."""
    lines = [line for line in text[unit.start : unit.end].splitlines() if line.strip(" \t\r-=|:`~")]
    if unit.whole:
        return fold_space(lines[0].strip(" |")) if lines else ""
    if unit.heading:
        body = text[unit.start : unit.end].rstrip()
        last = sentences(body)[-1]
        return plain(body[last.start : last.end])
    return plain(text[unit.start : unit.end])


def trimmed(text: str, widest: int) -> str:
    """Cut at a clause, else between two words, and marked with an ellipsis; a text that fits is left as it is."""
    if width(text) <= widest:
        return text
    end, used = 0, 1
    while end < len(text) and used + width(text[end]) <= widest:
        used += width(text[end])
        end += 1
    clauses = [match.start() for match in _CLAUSE_RE.finditer(text, 0, end) if match.start() > end // 2]
    if clauses:
        return text[: clauses[-1]].rstrip() + "…"
    cut = end
    while 0 < cut < len(text) and _WORDLIKE_RE.match(text[cut]) and _WORDLIKE_RE.match(text[cut - 1]):
        cut -= 1
    return text[: cut or end].rstrip() + "…"  # a single word wider than the line is cut after all
