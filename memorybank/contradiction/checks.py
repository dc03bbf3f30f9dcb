"""What a verdict leaves of a text, by rule: sentences that state what was refuted go, none is rewritten.

What holds and stands in no sentence any more becomes a checked line, after the mark of a check and with its sources:

    Checked (c1): The Kessel viaduct has 24 stone arches. [guide.md]
    已核实（c1）：凯塞尔高架桥有24孔。 [guide.md]

Checked lines are the only ones of an offline memory that no entry has word for word (design section 6, "Verbatim").
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby

from memorybank.language.text import fold_space, sentences
from memorybank.language.tokens import query_tokens
from memorybank.memory.types import Claim, Lang
from memorybank.prompts import say

MARK_RE = re.compile(r"(?:Checked \(|已核实（)c\d+")
"""How a checked line begins, in either language."""
_SOURCES_RE = re.compile(r"\[[^\n]*[^\s\[\]][^\n]*\]")


def checked_line(ids: Iterable[str], holds: str, sources: Iterable[str], lang: Lang) -> str:
    """The line that says what holds by the verdict on these conflicts."""
    named = ", ".join(dict.fromkeys(fold_space(source) for source in sources))
    return say("checked_line", lang, ids=", ".join(dict.fromkeys(ids)), holds=fold_space(holds), sources=named)


def is_checked_line(text: str) -> bool:
    """Whether a line begins with the mark of a check and names its sources."""
    return bool(MARK_RE.match(text)) and bool(_SOURCES_RE.search(text))


def lines_and_prose(summary: str) -> Iterator[str]:
    """The summary in pieces that joined equal it: each marked line by itself, and what stands between them."""
    for marked, lines in groupby(summary.splitlines(keepends=True), key=lambda line: bool(MARK_RE.match(line))):
        texts = list(lines)
        yield from texts if marked else ["".join(texts)]


# -- what leaves ------------------------------------------------------------------------------------------------------


def without(summary: str, claims: Collection[Claim], own: Collection[Claim] = ()) -> tuple[str, set[Claim]]:
    """The summary without the sentences that state one of the claims, and which claims those were.

    `own`: those of the claims that this text made itself, whose values need not be told of by name in it.
    """
    words = {claim: _where(claim.text, summary) for claim in claims}
    kept, withdrawn = [], set[Claim]()
    for start, end in _pieces(summary):
        text = summary[start:end]
        touched = {
            claim for claim, spans in words.items() if any(begin < end and start < other for begin, other in spans)
        }
        stated = touched | {claim for claim in claims if states(text, claim, own=claim in own)}
        withdrawn |= stated
        if not stated:
            kept.append(text)
    return "".join(kept).strip(), withdrawn


def _where(claimed: str, text: str) -> list[tuple[int, int]]:
    """Where a claim stands word for word; it may stand on two lines."""
    pattern = r"\s+".join(map(re.escape, claimed.split()))
    return [match.span() for match in re.finditer(pattern, text)] if pattern else []


def _pieces(summary: str) -> Iterator[tuple[int, int]]:
    """Sentences with the space behind them; a checked line, which a later verdict may refute, is one piece."""
    at = 0
    for text in lines_and_prose(summary):
        marked = MARK_RE.match(text)
        yield from [(at, at + len(text))] if marked else ((at + start, at + end) for start, end in sentences(text))
        at += len(text)


def states(sentence: str, claim: Claim, *, own: bool = False) -> bool:
    """Whether a sentence makes the claim: in its words, or giving its value to its subject and attribute.

    In the text that made the claim itself (`own`) the value before its unit, or beside the subject, is enough.
    """
    folded, claimed = fold_space(sentence), fold_space(claim.text)
    if not folded or not claimed:
        return False
    if claimed in folded or (folded in claimed and names_value(folded, claim)):
        return True
    if claim.kind in ("negation", "text") or not names_value(folded, claim, unit=True):
        return False
    if own:
        return bool(claim.unit) or _mentions(folded, claim.subject, every=True)
    return _mentions(folded, claim.subject, every=True) and _mentions(folded, claim.attribute, every=False)


def names_value(text: str, claim: Claim, *, unit: bool = False) -> bool:
    """Whether the claim's value is named, not as a part of a longer number or word; with `unit`, before its unit."""
    if claim.kind == "negation":
        return False
    behind = rf"[\s-]?{re.escape(claim.unit)}" if unit and claim.unit and not _has_unit(claim) else ""
    return names(text, claim.value, behind)


def _has_unit(claim: Claim) -> bool:
    return claim.value.strip().casefold().endswith(claim.unit.casefold())


def names(text: str, value: str, behind: str = "") -> bool:
    """Whether a text has the value, not as a part of a longer number or word."""
    value = value.strip()
    if not value:
        return False
    before = r"(?<![\d.,])" if value[0].isdigit() else r"(?<![A-Za-z])" if value[0].isascii() else ""
    after = r"(?!\d|[.,]\d)" if value[-1].isdigit() else r"(?![A-Za-z])" if value[-1].isascii() else ""
    return re.search(f"{before}{re.escape(value)}{after}{behind}", text, re.IGNORECASE) is not None


def _mentions(sentence: str, words: str, *, every: bool) -> bool:
    wanted = set(query_tokens(words, limit=len(words) + 1))
    tokens = set(query_tokens(sentence, limit=len(sentence) + 1))
    return bool(wanted) and (wanted <= tokens if every else bool(wanted & tokens))
