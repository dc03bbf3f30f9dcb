"""The findings of a check, as values on the nodes that it is about: what holds, the evidence, and the refuted words.

Code never edits a summary, it marks it: a refuted sentence stays where it stands, and whoever shows
it says which of its words were refuted. Whoever compares memories leaves it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memorybank.contradiction.votes import is_on, speaking
from memorybank.language.figures import figures, states, unstated
from memorybank.language.names import is_named_in, names_in
from memorybank.language.quotation import names, place
from memorybank.language.text import fold_space, sentences
from memorybank.language.tokens import query_tokens, tokenize
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import (
    SIDES,
    Check,
    Claim,
    ClaimVerdict,
    Conflict,
    ConflictId,
    ConflictStatus,
    Evidence,
    Lang,
    Node,
    NodeId,
    Refuted,
    Side,
    ruled_on,
)
from memorybank.prompts import say
from memorybank.prompts.tags import neutralise

MOST_QUOTES = 2
"""Passages of a check that a prompt quotes, independent ones first."""
_END_RE = re.compile(r"[.。!！?？;；:：”\"'’)）\]】\s]*\Z")
_SAYS_SO_RE = re.compile(r"\b(?:does|do|did) not hold\b|\brefuted\b|不成立|(?:已|被)否定")
"""The words with which a memory says itself that a statement was refuted."""
_ENDED_RE = re.compile(r"[.。!！?？;；][”\"'’)）\]】]*\Z")


# -- from a verdict ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledPoint:
    """A verdict on one point of a conflict: the check for both nodes, and the claims that it refutes."""

    check: Check
    lost: tuple[tuple[Side, Claim], ...]

    def on(self, node: Node, sides: Iterable[Side]) -> Check:
        """Return the check as it bears on a node that speaks for these sides."""
        claims = [claim for side, claim in self.lost if side in sides]
        return replace(self.check, refuted=refuted_in(node.summary, claims))


def ruled_points(conflict: Conflict, verdict: StatedVerdict, *, apart: bool) -> list[RuledPoint]:
    """Return the verdict point by point. `apart`: its nodes are not united, so what it decides is closed as checked."""
    points = []
    for number in range(max(1, len(conflict.contradictions))):
        whole = ClaimVerdict(contradiction=number, status=verdict.status, winner=verdict.winner, value=verdict.value)
        ruled = ruled_on(whole, verdict.claims)
        pairs = conflict.contradictions[number : number + 1]
        claims = [(side, claim) for pair in pairs for side, claim in zip(SIDES, (pair.left, pair.right), strict=True)]
        decides = ruled.status.merges
        points.append(
            RuledPoint(
                check=Check(
                    conflict_id=conflict.id,
                    point=number,
                    state=ConflictStatus.CHECKED if decides and apart else ruled.status,
                    winner=ruled.winner,
                    holds=_holds(ruled, verdict, [claim for side, claim in claims if side == ruled.winner]),
                    evidence=tuple(piece for piece in verdict.evidence if is_on(piece, number)),
                ),
                lost=tuple((side, claim) for side, claim in claims if decides and side != ruled.winner),
            )
        )
    return points


def _holds(ruled: ClaimVerdict, verdict: StatedVerdict, won: Sequence[Claim]) -> str:
    """Return what holds as a sentence: a source's plainest that names the value, else the verdict's own words.

    These stand beside the first passage that supports them, so it has their figures and names; where it does not, or
    they have none to be known by, what holds is a passage.
    """
    if not ruled.status.merges:
        return ""
    heard = speaking(ruled, verdict.evidence)
    value, quotes = fold_space(ruled.value), [fold_space(piece.quote) for piece in heard]
    named = (quote for quote in quotes if names(quote, value))
    naming = min(named, key=lambda quote: (not _ENDED_RE.search(quote), len(quote)), default="")  # a heading last
    stated = next((text for claim in won if names(text := fold_space(claim.text), value or text)), "")
    if naming or stated or not quotes:
        return naming or stated or value or verdict.reasoning
    if _bears_out(quotes[0], value):
        return value
    # A party's own words may say more than was found: they count where the verdict's words have the value, too.
    values = [claim.value for claim in won if claim.value]
    own = [piece.quote for piece in heard if piece.independent or any(states(ruled.value, each) for each in values)]
    stating = (fold_space(quote) for quote in own if any(states(quote, each) for each in values))
    return min(stating, key=len, default=quotes[0])


def _bears_out(passage: str, sentence: str) -> bool:
    """Whether a passage has the figures and the names of a sentence, which has at least one of these."""
    called = names_in(sentence)
    known = bool(called or figures(sentence)) and not unstated(sentence, passage)
    return known and all(is_named_in(passage, [name]) for name in called)


def what_holds(points: Iterable[RuledPoint]) -> Mapping[str, str]:
    """Map each refuted statement to what holds instead, so that one that won here and lost elsewhere is followed."""
    return {fold_space(claim.text): point.check.holds for point in points for _, claim in point.lost}


def followed(check: Check, instead: Mapping[str, str]) -> Check:
    """Return the check with what holds after all, where another check has refuted what holds by this one."""
    seen, holds = set[str](), check.holds
    while holds in instead and holds not in seen:
        seen.add(holds)
        holds = instead[holds]
    return replace(check, holds=holds)


# -- marks in a summary -----------------------------------------------------------------------------------------------


def refuted_in(summary: str, claims: Iterable[Claim]) -> tuple[Refuted, ...]:
    """Find the sentences of a summary that make these claims word for word; one that it words otherwise has no mark."""
    found: dict[tuple[int, int], Refuted] = {}
    for claim in claims:
        at = place(summary, claim.text) if claim.text.strip() else None
        if at is not None:
            words = claim.value if claim.value and claim.value in summary[at[0] : at[1]] else ""
            found.setdefault(at, Refuted(start=at[0], end=at[1], words=words))
    return tuple(found[at] for at in sorted(found))


def carried(node: Node, summary: str) -> Iterator[Check]:
    """Yield a node's checks for the node it is merged into: the marks where the refuted sentences stand there."""
    for check in node.checks:
        refuted = ((node.summary[mark.start : mark.end], mark.words) for mark in check.refuted)
        marks = [
            Refuted(start=at[0], end=at[1], words=words if words in summary[at[0] : at[1]] else "")
            for sentence, words in refuted
            if (at := place(summary, sentence)) is not None
        ]
        yield replace(check, refuted=tuple(marks))


def marks_of(node: Node) -> list[tuple[Refuted, Check]]:
    """Return the marks of all checks on a node, in the order of its summary; overlapping ones once."""
    marks = sorted(
        ((mark, check) for check in node.checks if check.state.decides for mark in check.refuted),
        key=lambda pair: (pair[0].start, -pair[0].end),
    )
    kept: list[tuple[Refuted, Check]] = []
    for mark, check in marks:
        if not kept or mark.start >= kept[-1][0].end:
            kept.append((mark, check))
    return kept


def standing_summary(node: Node) -> str:
    """Return the summary without the sentences that were refuted: what may be compared with other memories."""
    kept, at = [], 0
    for mark, _ in marks_of(node):
        kept.append(node.summary[at : mark.start])
        at = mark.end
    return re.sub(r"[ \t]{2,}", " ", "".join([*kept, node.summary[at:]])).strip() if kept else node.summary


def marked_summary(node: Node, lang: Lang) -> str:
    """Return the summary with each sentence that has refuted words said to, before the mark that ends it."""
    parts, at, ends = [], 0, [end for _, end in sentences(node.summary)]
    for mark, check in marks_of(node):
        end = next((end for end in ends if end >= mark.end), mark.end)
        if _SAYS_SO_RE.search(node.summary[mark.start : end]):
            continue
        body = mark.start + len(_END_RE.sub("", node.summary[mark.start : end]))
        parts += [node.summary[at:body], _mark(mark, check, lang)]
        at = body
    return "".join([*parts, node.summary[at:]])


def marked_topic(node: Node, lang: Lang) -> str:
    """Return the topic line, with the words of it that were refuted in the summary said to be refuted."""
    marks = [
        _mark(mark, check, lang)
        for mark, check in marks_of(node)
        if names(node.context, mark.words or node.summary[mark.start : mark.end])
    ]
    return "".join([node.context, *dict.fromkeys(marks)])


def _mark(mark: Refuted, check: Check, lang: Lang) -> str:
    key, gap = "refuted_words" if mark.words else "refuted_sentence", "" if lang == "zh" else " "
    return gap + say(key, lang, id=check.conflict_id, words=fold_space(mark.words))


def check_lines(nodes: Iterable[Node], conflicts: Mapping[ConflictId, Conflict], lang: Lang) -> dict[str, list[NodeId]]:
    """Return what checks decided, by the value of their verdicts, with passages that say so under the names of their
    sources, and the nodes that it is on."""
    by_holds: dict[str, list[tuple[NodeId, Check]]] = {}
    for node in nodes:
        for check in node.checks:
            if check.state.decides and check.holds:
                holds = _value(check, conflicts[check.conflict_id]) or check.holds
                by_holds.setdefault(holds, []).append((node.id, check))
    lines: dict[str, list[NodeId]] = {}
    for holds, held in by_holds.items():
        pieces = [piece for _, check in held for piece in supporting(check)[:MOST_QUOTES]]
        quotes = dict.fromkeys(
            say("check_quote", lang, quote=fold_space(piece.quote), source=piece.source) for piece in pieces
        )
        ids = ", ".join(dict.fromkeys(check.conflict_id for _, check in held))
        lost = dict.fromkeys(each for _, check in held for each in _lost_by(check, conflicts[check.conflict_id], lang))
        told = say("outcome_refuted", lang, holds=holds, refuted=say("sources_between", lang).join(lost))
        line = say("check_holds", lang, ids=ids, holds=told if lost else holds)
        line = neutralise("\n".join([line, *list(quotes)[:MOST_QUOTES]]))
        lines[line] = list(dict.fromkeys(node_id for node_id, _ in held))
    return lines


def outcomes(checked: Iterable[tuple[Conflict, Sequence[Check]]], lang: Lang) -> tuple[str, ...]:
    """Return the outcome of each of these conflicts, a line for all that have the same one.

    `checked`: each with its checks, as one of its nodes carries them.
    """
    ids: dict[tuple[str, str], dict[str, None]] = {}
    for conflict, checks in checked:
        for outcome in _outcomes(conflict, checks, lang):
            ids.setdefault(outcome, {})[conflict.id] = None
    return tuple(say(key, lang, ids=", ".join(of), what=what) for (key, what), of in ids.items())


def _outcomes(conflict: Conflict, checks: Sequence[Check], lang: Lang) -> Iterator[tuple[str, str]]:
    """Yield how points of a conflict were decided, then why the others were not; each as a wording and its words."""
    if conflict.status is ConflictStatus.OPEN:
        yield "outcome_open", ""
        return
    between, states = say("sources_between", lang), {check.state for check in checks} or {conflict.status}
    why = say("evidence_between", lang).join(map(_bare, conflict.reason.splitlines()))
    for check in checks:
        if not check.state.decides:
            continue
        holds = _said(check, _value(check, conflict), lang)
        refuted = between.join(_lost_by(check, conflict, lang))
        yield "outcome_decided", say("outcome_refuted", lang, holds=holds, refuted=refuted) if refuted else holds
    if ConflictStatus.FALSE_ALARM in states:
        yield "outcome_both_hold", why
    if ConflictStatus.INCONCLUSIVE in states:
        yield "outcome_undecided", why


def _said(check: Check, value: str, lang: Lang) -> str:
    """Return the value of the verdict, else what holds, with the sources whose passages state it; where none does, what
    holds with the first passage of the check."""
    pieces = supporting(check)
    stating = sorted({piece.source for piece in pieces if value and states(piece.quote, value)})
    holds = value if stating else _bare(check.holds)
    saying = stating or sorted({piece.source for piece in pieces if place(piece.quote, holds)})
    if saying:
        return say("dispute_value", lang, value=holds, sources=say("sources_between", lang).join(saying))
    if not pieces:
        return holds
    return say("outcome_backed", lang, holds=holds, quote=_bare(pieces[0].quote), source=pieces[0].source)


def _lost_by(check: Check, conflict: Conflict, lang: Lang) -> Iterator[str]:
    """Yield what does not hold by a check."""
    for pair in conflict.contradictions[check.point : check.point + 1]:
        sides = zip(SIDES, (pair.left, pair.right), strict=True)
        yield from (_refuted(claim, side, check, lang) for side, claim in sides if side != check.winner)


def _refuted(claim: Claim, side: Side, check: Check, lang: Lang) -> str:
    """Return what does not hold, with the sources whose passages for its side state it."""
    value = _bare(claim.value or claim.text)
    heard = (piece for piece in check.evidence if piece.is_said and piece.supports == side)
    stating = sorted({piece.source for piece in heard if states(piece.quote, value)})
    sources = say("sources_between", lang).join(stating)
    return say("dispute_value", lang, value=f"“{value}”", sources=sources) if stating else f"“{value}”"


def _value(check: Check, conflict: Conflict) -> str:
    """Return the verdict's words for what holds by a check; none where another check has refuted that since."""
    value = _bare(conflict.ruling_on(check.point).value)
    own = [_bare(piece.quote) for piece in supporting(check)]
    return value if _bare(check.holds) in own or names(check.holds, value) else ""


def _bare(sentence: str) -> str:
    """Return the words of a sentence without the mark that ends it, to stand within another."""
    return fold_space(sentence).rstrip(".。")


def supporting(check: Check) -> list[Evidence]:
    """Return the passages that state what holds, independent ones first."""
    pieces = [piece for piece in check.evidence if piece.is_said and piece.supports == (check.winner or "other")]
    return sorted(pieces, key=lambda piece: not piece.independent)


def refuted_by(conflict: Conflict) -> Iterator[str]:
    """Yield the sentences that a conflict's verdict refutes, with single spaces: claims, and quotes of documents."""
    for number in range(max(1, len(conflict.contradictions))) if conflict.status.decides else ():
        held = conflict.ruling_on(number)
        if not held.status.decides:
            continue
        yield from (fold_space(claim.text) for _, claim in _lost(conflict, held))
        for piece in conflict.evidence:
            if is_on(piece, number) and piece.supports not in (held.winner or "other", "neither"):
                yield fold_space(piece.quote)


def repeats_refuted(text: str, source: str, conflict: Conflict) -> bool:
    """Whether a sentence of a source that lost a check repeats the figures with which it lost, and a word of what they
    are of, and gives not those that hold."""
    parties = conflict.parties
    if parties is None or not conflict.status.decides:
        return False
    for number in range(len(conflict.contradictions)):
        held = conflict.ruling_on(number)
        for side, claim in _lost(conflict, held) if held.status.decides else ():
            own = parties.left if side == SIDES[0] else parties.right
            is_on_it = bool(frozenset(query_tokens(claim.attribute)) & frozenset(tokenize(text)))
            gives = source in own and is_on_it and bool(figures(claim.value)) and states(text, claim.value)
            if gives and not (held.value and states(text, held.value)):
                return True
    return False


def _lost(conflict: Conflict, held: ClaimVerdict) -> Iterator[tuple[Side, Claim]]:
    for pair in conflict.contradictions[held.contradiction : held.contradiction + 1]:
        claims = zip(SIDES, (pair.left, pair.right), strict=True)
        yield from ((side, claim) for side, claim in claims if side != held.winner)
