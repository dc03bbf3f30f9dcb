"""A verdict without a merge, written into both nodes by rule: no model is needed (design section 2).

What holds becomes a line that begins with the mark of a check and names its sources. Sentences that state what was
refuted leave the summaries; no sentence is ever rewritten with another value, and the raw text keeps all of them. Where
a refuted statement cannot be found word for word, or its value is still named, the line comes first and says that what
the memory holds against it does not stand: nothing refuted is shown unmarked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memorybank.contradiction.checks import checked_line, names_value, states, without
from memorybank.embedding.base import Embedder
from memorybank.language.text import fold_space, without_list_mark
from memorybank.memory.bank import Draft
from memorybank.memory.events import NodeDescribed
from memorybank.memory.types import Claim, ConflictId, Lang, Node, NodeId
from memorybank.prompts import say
from memorybank.retrieval.recall import embed_nodes

_TOPIC_KEYWORDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedPoint:
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
class PairRuling:
    """A verdict on two nodes that stay apart."""

    conflict_id: ConflictId
    nodes: tuple[NodeId, NodeId]
    losers: tuple[NodeId, ...]
    """The nodes of the pair whose statement does not hold."""
    points: tuple[DecidedPoint, ...]
    sources: tuple[str, ...]
    """Sources that state what holds."""

    @property
    def claims(self) -> list[Claim]:
        """The refuted claims, where the conflict has them word for word."""
        return [claim for point in self.points for _, claim in point.lost]


def write_checked(draft: Draft, embedder: Embedder, rulings: Sequence[PairRuling], lang: Lang) -> None:
    """Correct the nodes that the rulings are on, and embed them anew."""
    changed = [
        (node, _corrected(node, rulings, lang))
        for node_id in dict.fromkeys(node_id for ruling in rulings for node_id in ruling.nodes)
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
                conflict_ids=tuple(ruling.conflict_id for ruling in rulings if node.id in ruling.nodes),
            )
        )


def _corrected(node: Node, rulings: Sequence[PairRuling], lang: Lang) -> tuple[str, str, tuple[str, ...]]:
    """The node's summary, topic line and keywords by the verdicts."""
    kept, withdrawn = without(node.summary, [claim for ruling in rulings for claim in ruling.claims])
    own = [ruling for ruling in rulings if node.id in ruling.nodes]
    claims = [claim for ruling in own for claim in ruling.claims]
    made = [claim for ruling in own for point in ruling.points for node_id, claim in point.lost if node_id == node.id]
    told_in_words = any(node.id in ruling.losers and not ruling.claims for ruling in own)
    named = any(names_value(kept, claim) for claim in claims)
    doubtful = told_in_words or named or any(claim not in withdrawn for claim in made)
    lines = _lines(own, rulings, lang)
    if doubtful:
        lines[-1] = f"{lines[-1]} {say('checked_against', lang)}"
    summary = "\n".join(part for part in ((*lines, kept) if doubtful else (kept, *lines)) if part)
    keywords = tuple(keyword for keyword in node.keywords if not any(names_value(keyword, claim) for claim in claims))
    context = node.context
    if told_in_words or any(states(context, claim) or names_value(context, claim) for claim in claims):
        context = ", ".join(keywords[:_TOPIC_KEYWORDS]) or say(
            "checked_topic", lang, ids=", ".join(ruling.conflict_id for ruling in own)
        )
    return summary, context, keywords


# -- the lines --------------------------------------------------------------------------------------------------------


def _lines(own: Sequence[PairRuling], rulings: Sequence[PairRuling], lang: Lang) -> list[str]:
    """Writes one line for each statement that holds. One that won here and lost in another ruling does not hold."""
    standing = [(ruling, holding) for ruling in rulings if (holding := _holding(ruling, rulings))]
    shown = [entry for entry in standing if entry[0] in own] or standing
    shown = shown or [(ruling, [fold_space(point.holds) for point in ruling.points]) for ruling in own]
    by_holding: dict[str, list[PairRuling]] = {}
    for ruling, holding in shown:
        holds = " ".join(dict.fromkeys(map(without_list_mark, holding)))
        by_holding.setdefault(holds, []).append(ruling)
    return [
        checked_line(
            (ruling.conflict_id for ruling in by), holds, (source for ruling in by for source in ruling.sources), lang
        )
        for holds, by in by_holding.items()
    ]


def _holding(ruling: PairRuling, rulings: Sequence[PairRuling]) -> list[str]:
    """The statements that hold by a ruling and are refuted by no other."""
    if not ruling.claims:
        beaten = {node_id for ruling in rulings if not ruling.claims for node_id in ruling.losers}
        winners = set(ruling.nodes) - set(ruling.losers)
        return [] if winners and winners <= beaten else [fold_space(point.holds) for point in ruling.points]
    lost = {fold_space(claim.text) for ruling in rulings for claim in ruling.claims}
    return [statement for point in ruling.points if (statement := fold_space(point.holds)) not in lost]
