"""A verdict without a merge, written into both nodes by rule: no model is needed (design section 2).

What holds becomes a line that begins with the mark of a check and names its sources. Sentences that state what was
refuted leave the summaries; no sentence is ever rewritten with another value, and the raw text keeps all of them. Where
a refuted statement cannot be found word for word, or its value is still named, the line comes first and says that what
the memory holds against it does not stand: nothing refuted is shown unmarked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from memorybank.bank import Draft
from memorybank.embedding.base import Embedder
from memorybank.events import NodeDescribed
from memorybank.prompts import say
from memorybank.retrieval.recall import embed_nodes
from memorybank.retrieval.tokens import query_tokens
from memorybank.text import fold_space, sentences
from memorybank.types import Claim, ConflictId, Lang, Node, NodeId

MARK_RE = re.compile(r"(?:Checked \(|已核实（)c\d+")
"""How a checked line begins, in either language."""
_TOPIC_KEYWORDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One point of a conflict that a verdict decides."""

    won: Claim | None
    """None: neither side holds, `value` does; or the conflict was told in words alone."""
    lost: tuple[tuple[NodeId, Claim], ...]
    """Refuted claims and the node that makes each."""
    value: str = ""

    @property
    def holds(self) -> str:
        """The sentence of the side that won, word for word; without one, the verdict's value."""
        return self.won.text if self.won is not None else self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A verdict on two nodes that stay apart."""

    conflict_id: ConflictId
    nodes: tuple[NodeId, NodeId]
    losers: tuple[NodeId, ...]
    """Those of them whose statement does not hold."""
    points: tuple[Point, ...]
    sources: tuple[str, ...]
    """Who says what holds."""

    @property
    def claims(self) -> list[Claim]:
        """What is refuted, where the conflict has it word for word."""
        return [claim for point in self.points for _, claim in point.lost]


def write_checked(draft: Draft, embedder: Embedder, rulings: Sequence[Ruling], lang: Lang) -> None:
    """Correct the nodes that the rulings are on, and embed them anew."""
    changed = [
        (node, _corrected(node, rulings, lang))
        for node_id in dict.fromkeys(node_id for one in rulings for node_id in one.nodes)
        for node in [draft.state.graph.nodes[node_id]]
    ]
    vectors = embed_nodes(embedder, [text for _, text in changed])
    for (node, (summary, context, keywords)), vector in zip(changed, vectors, strict=True):
        draft.emit(
            NodeDescribed(
                node_id=node.id,
                context_before=node.context,
                context=context,
                keywords_before=node.keywords,
                keywords=keywords,
                vector=vector,
                because=node.id,
                summary_before=node.summary,
                summary=summary,
                conflict_ids=tuple(one.conflict_id for one in rulings if node.id in one.nodes),
            )
        )


def _corrected(node: Node, rulings: Sequence[Ruling], lang: Lang) -> tuple[str, str, tuple[str, ...]]:
    """The node's summary, topic line and keywords by the verdicts."""
    kept, withdrawn = _without(node.summary, [claim for one in rulings for claim in one.claims])
    own = [one for one in rulings if node.id in one.nodes]
    claims = [claim for one in own for claim in one.claims]
    made = [claim for one in own for point in one.points for node_id, claim in point.lost if node_id == node.id]
    told_in_words = any(node.id in one.losers and not one.claims for one in own)
    named = any(_has_value(kept, claim) for claim in claims)
    doubtful = told_in_words or named or any(claim not in withdrawn for claim in made)
    lines = _lines(own, rulings, lang)
    if doubtful:
        lines[-1] = f"{lines[-1]} {say('checked_against', lang)}"
    summary = "\n".join(part for part in ((*lines, kept) if doubtful else (kept, *lines)) if part)
    keywords = tuple(one for one in node.keywords if not any(_has_value(one, claim) for claim in claims))
    context = node.context
    if told_in_words or any(_is_refuted(context, claim) or _has_value(context, claim) for claim in claims):
        context = ", ".join(keywords[:_TOPIC_KEYWORDS]) or say("checked_topic", lang, ids=_ids(own))
    return summary, context, keywords


# -- the lines --------------------------------------------------------------------------------------------------------


def _lines(own: Sequence[Ruling], rulings: Sequence[Ruling], lang: Lang) -> list[str]:
    """One for each thing that holds. What won here and lost there holds not: the ruling that it lost says what does."""
    standing = [(one, holding) for one in rulings if (holding := _holding(one, rulings))]
    shown = [one for one in standing if one[0] in own] or standing
    shown = shown or [(one, [fold_space(point.holds) for point in one.points]) for one in own]
    by_holding: dict[str, list[Ruling]] = {}
    for ruling, holding in shown:
        by_holding.setdefault(" ".join(dict.fromkeys(holding)), []).append(ruling)
    return [
        say("checked_line", lang, ids=_ids(by), holds=holds, sources=", ".join(_sources(by)))
        for holds, by in by_holding.items()
    ]


def _sources(rulings: Iterable[Ruling]) -> Iterable[str]:
    return dict.fromkeys(fold_space(source) for one in rulings for source in one.sources)


def _holding(ruling: Ruling, rulings: Sequence[Ruling]) -> list[str]:
    """What holds by a ruling and is not refuted by another."""
    if not ruling.claims:
        beaten = {node_id for one in rulings if not one.claims for node_id in one.losers}
        winners = set(ruling.nodes) - set(ruling.losers)
        return [] if winners and winners <= beaten else [fold_space(point.holds) for point in ruling.points]
    lost = {fold_space(claim.text) for one in rulings for claim in one.claims}
    return [said for point in ruling.points if (said := fold_space(point.holds)) not in lost]


def _ids(rulings: Iterable[Ruling]) -> str:
    return ", ".join(dict.fromkeys(one.conflict_id for one in rulings))


# -- what leaves ------------------------------------------------------------------------------------------------------


def _without(summary: str, claims: Sequence[Claim]) -> tuple[str, set[Claim]]:
    """The summary without the sentences that state one of the claims, and which claims those were."""
    words = {claim: _where(claim.text, summary) for claim in claims}
    kept, withdrawn = [], set[Claim]()
    for start, end in _pieces(summary):
        text = summary[start:end]
        touched = {claim for claim, found in words.items() if any(one < end and start < other for one, other in found)}
        stated = touched | {claim for claim in claims if _is_refuted(text, claim)}
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
    for marked, lines in groupby(summary.splitlines(keepends=True), key=lambda line: bool(MARK_RE.match(line))):
        texts = list(lines)
        for text in texts if marked else ["".join(texts)]:
            yield from [(at, at + len(text))] if marked else ((at + start, at + end) for start, end in sentences(text))
            at += len(text)


def _is_refuted(sentence: str, claim: Claim) -> bool:
    """Whether a sentence makes the claim: in its words, or giving its value to its subject and attribute."""
    said, claimed = fold_space(sentence), fold_space(claim.text)
    if not said or not claimed:
        return False
    if claimed in said or (said in claimed and _has_value(said, claim)):
        return True
    return (
        claim.kind not in ("negation", "text")
        and _has_value(said, claim, unit=True)
        and _mentions(said, claim.subject, every=True)
        and _mentions(said, claim.attribute, every=False)
    )


def _has_value(text: str, claim: Claim, *, unit: bool = False) -> bool:
    """Whether the claim's value is named, not as a part of a longer number or word; with `unit`, before its unit."""
    value = claim.value.strip()
    if not value or claim.kind == "negation":
        return False
    before = r"(?<![\d.,])" if value[0].isdigit() else r"(?<![A-Za-z])" if value[0].isascii() else ""
    after = r"(?!\d|[.,]\d)" if value[-1].isdigit() else r"(?![A-Za-z])" if value[-1].isascii() else ""
    behind = rf"[\s-]?{re.escape(claim.unit)}" if unit and claim.unit else ""
    return re.search(f"{before}{re.escape(value)}{after}{behind}", text, re.IGNORECASE) is not None


def _mentions(sentence: str, words: str, *, every: bool) -> bool:
    wanted = set(query_tokens(words, limit=len(words) + 1))
    said = set(query_tokens(sentence, limit=len(sentence) + 1))
    return bool(wanted) and (wanted <= said if every else bool(wanted & said))
