"""What a cross-validation's verdicts change in the texts of the nodes that were in conflict.

A losing value (number, date, name, place) gives way to the one that holds, in the sentence that claimed it and where
else its node says the same of the same thing, and with it whoever was said to say so: the winning value is not put in
the mouth of who said otherwise. A losing sentence whose value cannot be exchanged (a negation, another unit) or parted
from who says it is withdrawn; the raw text still has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memorybank.contracts import PairVerdict
from memorybank.engines.offline.attribution import without_attribution
from memorybank.retrieval.tokens import query_tokens
from memorybank.text import fold_space
from memorybank.types import Claim, ClaimKind, ConflictStatus

_EXCHANGEABLE: tuple[ClaimKind, ...] = ("number", "date", "name", "place")


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """In the texts of node `node`: `claim` does not hold. `value` holds instead; empty: the sentence is withdrawn."""

    node: int
    claim: Claim
    value: str
    subjects: tuple[str, ...]
    """What the claim is about, in the words of both sides."""


def corrections(verdicts: Sequence[PairVerdict]) -> list[Correction]:
    """One a losing claim. A value that wins one pair and loses another is followed to the one that holds in the end."""
    found: list[Correction] = []
    for verdict in verdicts:
        if verdict.status is ConflictStatus.RESOLVED and verdict.winner:
            found += _resolved(verdict)
        elif verdict.status is ConflictStatus.BOTH_WRONG and verdict.value:
            found += _both_wrong(verdict)
    return [replace(one, value=_final(one, found)) for one in found]


def _resolved(verdict: PairVerdict) -> Iterable[Correction]:
    for contradiction in verdict.contradictions:
        left_wins = verdict.winner == "left"
        won, lost = (
            (contradiction.left, contradiction.right) if left_wins else (contradiction.right, contradiction.left)
        )
        exchangeable = lost.kind in _EXCHANGEABLE and won.kind == lost.kind and won.unit == lost.unit
        yield Correction(
            node=verdict.right if left_wins else verdict.left,
            claim=lost,
            value=won.value if exchangeable else "",
            subjects=(lost.subject, won.subject),
        )


def _both_wrong(verdict: PairVerdict) -> Iterable[Correction]:
    """The third value answers one question: the first contradiction it fits."""
    for contradiction in verdict.contradictions:
        pair = ((verdict.left, contradiction.left), (verdict.right, contradiction.right))
        if all(_fits(verdict.value, claim) for _, claim in pair):
            subjects = (contradiction.left.subject, contradiction.right.subject)
            return [Correction(node=node, claim=claim, value=verdict.value, subjects=subjects) for node, claim in pair]
    return []


def _fits(value: str, claim: Claim) -> bool:
    if claim.kind in ("number", "date"):
        return bool(re.search(r"\d|[一二三四五六七八九十百千万亿]", value)) and len(value) <= 40
    return claim.kind in _EXCHANGEABLE and len(value) <= 60


def _final(correction: Correction, everything: Sequence[Correction]) -> str:
    lost = {one.claim.value: one.value for one in everything if one.claim.attribute == correction.claim.attribute}
    value, seen = correction.value, {correction.claim.value}
    while value in lost and lost[value] and value not in seen:
        seen.add(value)
        value = lost[value]
    return value


def corrected(sentence: str, correction: Correction) -> str | None:
    """The sentence as the verdict has it; None when it is withdrawn; the sentence itself when it is not concerned."""
    claimed = correction.claim.text.strip()
    is_claim = bool(claimed) and fold_space(claimed) in fold_space(sentence)
    if not correction.value:
        return None if is_claim else sentence
    if is_claim or says_the_same(sentence, correction):
        return restated(sentence, correction)
    return sentence


def restated(text: str, correction: Correction) -> str | None:
    """The text with the value that holds, said by nobody; None when it cannot be parted from who said otherwise."""
    if exchanged(text, correction) == text:
        return text
    unattributed = without_attribution(text, correction.claim.value)
    return None if unattributed is None else exchanged(unattributed, correction)


def states(sentence: str, claim: Claim) -> bool:
    """Whether a sentence makes the claim: in the claim's words, or giving its value to its subject."""
    said = fold_space(claim.text)
    alone = Correction(node=0, claim=claim, value="", subjects=(claim.subject,))
    return (bool(said) and said in fold_space(sentence)) or says_the_same(sentence, alone)


def says_the_same(text: str, correction: Correction, beside: str = "") -> bool:
    """Whether a text gives the losing value to the claim's subject (which may be named in `beside`) or to its unit."""
    claim = correction.claim
    match = _value_pattern(claim.value).search(text)
    if not match:
        return False
    if claim.unit and not beside and re.match(rf"[\s-]?{re.escape(claim.unit)}", text[match.end() :], re.IGNORECASE):
        return True
    return mentions_subject(f"{text}\n{beside}", correction)


def mentions_subject(text: str, correction: Correction) -> bool:
    said = set(query_tokens(text, limit=len(text) + 1))
    named = [set(query_tokens(subject, limit=len(subject) + 1)) for subject in correction.subjects if subject.strip()]
    return any(subject <= said for subject in named)


def exchanged(text: str, correction: Correction) -> str:
    """The text with the losing value exchanged; as it is when it already says the one that holds."""
    claim, value = correction.claim, _in_form(correction.value, correction.claim.value)
    if _value_pattern(value).search(text):
        return text

    def put(match: re.Match[str]) -> str:
        return _fitting(match, value)

    pattern = _value_pattern(claim.value)
    unit = claim.unit
    if unit and value.lower().endswith(unit.lower()):  # "127 qubits" for "98 qubits"
        pattern = re.compile(rf"{pattern.pattern}[\s-]?{re.escape(unit)}", re.IGNORECASE)
        if not pattern.search(text):
            pattern, value = _value_pattern(claim.value), value[: -len(unit)].strip()
    return _with_preposition(pattern.sub(put, text), value)


_MEASURE_RE = re.compile(r"(?P<number>\d[\d.,]*)(?P<gap>[\s-]?)(?P<unit>[A-Za-z]+)")


def _in_form(value: str, lost: str) -> str:
    """A measure in the form of the one it replaces: "2.4-metre" for "2.1 metres" reads "2.4 metres"."""
    one, other = _MEASURE_RE.fullmatch(value), _MEASURE_RE.fullmatch(lost)
    if one is None or other is None or one["unit"].rstrip("s") != other["unit"].rstrip("s"):
        return value
    return f"{one['number']}{other['gap']}{other['unit']}"


def _fitting(match: re.Match[str], value: str) -> str:
    """The value with a capital where the one it replaces opens the sentence with one."""
    if match.start() == 0 and match[0][:1].isupper() and value[:1].islower():
        return value[:1].upper() + value[1:]
    return value


def _value_pattern(value: str) -> re.Pattern[str]:
    """The value, not as a part of a longer number or word."""
    before = (
        r"(?<![\d.,])"
        if value[:1].isdigit()
        else r"(?<![A-Za-z])"
        if value[:1].isascii() and value[:1].isalpha()
        else ""
    )
    after = (
        r"(?![\d]|[.,]\d)"
        if value[-1:].isdigit()
        else r"(?![A-Za-z])"
        if value[-1:].isascii() and value[-1:].isalpha()
        else ""
    )
    return re.compile(f"{before}{re.escape(value)}{after}" if value.strip() else r"(?!)")


_DAY_RE = re.compile(r"^\d{1,2}(?:st|nd|rd|th)?\s[A-Z]|^[A-Z][a-z]+\s\d{1,2}(?:,|$)")


def _with_preposition(text: str, value: str) -> str:
    """ "in 9 December 2024" reads "on 9 December 2024", "on December 2024" reads "in December 2024"."""
    if not value.isascii() or not re.search(r"\d{4}$", value):
        return text
    wrong, right = ("in", "on") if _DAY_RE.match(value) else ("on", "in")
    return re.sub(rf"\b{wrong}(?=\s{re.escape(value)})", right, text)
