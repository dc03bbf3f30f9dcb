"""What is said of a neighbour after a merge goes to the neighbour, if it is still there and nobody checks it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.bank import Draft, MemoryBank
from memorybank.memory.contracts import IntegrationInput, IntegrationOutput, NeighborUpdate, PairVerdict
from memorybank.memory.events import ConflictFound, NodeCreated, NodeDescribed, NodesLinked
from memorybank.memory.types import ConflictId, ConflictStatus, Lang, NodeId
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.rewriting import Rewrites
from memorybank.session.stages.uniting import integrate, unite

LINKS = [(1, 3), (2, 3), (1, 5), (2, 5), (3, 5), (1, 6)]


class Effects:
    """Integration that says of every neighbour what it was asked of."""

    lang: Lang = "en"
    embedder = HashedNgrams()

    def __init__(self) -> None:
        self.asked: list[IntegrationInput] = []

    def ask_all(self, role: str, given: Sequence[IntegrationInput], output: Any) -> list[IntegrationOutput]:
        self.asked += given
        return [self._answer(one) for one in given]

    def _answer(self, given: IntegrationInput) -> IntegrationOutput:
        near = {neighbor.ref: neighbor for node in given.nodes for neighbor in node.neighbors}
        updates = [NeighborUpdate(ref=ref, context=f"{one.context} anew", keywords=()) for ref, one in near.items()]
        return IntegrationOutput(
            summary="united",
            context="united",
            keywords=("k",),
            neighbor_updates=tuple(updates),
            interaction_tree_description="united",
        )


def test_neighbours_of_all_sources_are_shown_with_whose_they_are_and_those_that_went_are_left() -> None:
    bank, names = MemoryBank(), {number: NodeId(f"n{number}") for number in range(1, 7)}
    for number, node_id in names.items():
        made = NodeCreated(
            node_id=node_id, summary=f"s{number}", context=f"c{number}", keywords=("w",), vector=b"", spans=()
        )
        bank.apply(made, 1.0)
    for left, right in LINKS:
        bank.apply(NodesLinked(left=names[left], right=names[right], reason=""), 1.0)
    bank.apply(ConflictFound(conflict_id=ConflictId("c1"), node_ids=(names[4], names[6]), description="d"), 1.0)
    draft, fx = Draft.of(bank, 0.0), Effects()
    rewrites = Rewrites(draft)
    groups = [(names[1], names[2]), (names[3], names[5])]
    effects = cast(StageEffects, fx)
    integrations = integrate(draft, effects, groups, trigger="merge")
    assert unite(draft, effects, integrations, trigger="merge", rewrites=rewrites) == ()
    rewrites.emit(HashedNgrams())

    first, second = fx.asked
    shown = [[(one.ref, one.context, one.summary) for one in node.neighbors] for node in first.nodes]
    assert shown == [[(0, "c3", "s3"), (1, "c5", "s5"), (2, "c6", "s6")], [(0, "c3", "s3"), (1, "c5", "s5")]]
    assert {one.context for node in second.nodes for one in node.neighbors} == {"c1", "c2"}, "asked before any went"
    described = [fact.node_id for fact in draft.facts if isinstance(fact, NodeDescribed)]
    assert described == [], "n3 and n5 went into a merge, n6 is under validation, n1 and n2 were merged before"
    assert draft.state.graph.nodes[names[6]].context == "c6"


@pytest.mark.parametrize(
    ("lang", "report"),
    [
        ("en", "n9 bears memory 1 out, not memory 0 (the conflict between memory 0 and memory 1); c2 and n3 are open."),
        ("zh", "n9支持记忆 1，不支持记忆 0（记忆 0 与记忆 1 的冲突）；c2与n3未决。"),
    ],
)
def test_nodes_and_conflicts_have_the_numbers_that_the_agent_knows_and_verdicts_are_said_once(
    lang: Lang, report: str
) -> None:
    bank, names = MemoryBank(), [NodeId(f"n{number}") for number in range(1, 5)]
    for node_id in names[:3]:
        made = NodeCreated(node_id=node_id, summary=node_id, context="c", keywords=("w",), vector=b"", spans=())
        bank.apply(made, 1.0)
    for conflict, pair in (("c1", ("n1", "n2")), ("c2", ("n2", "n3"))):
        found = ConflictFound(conflict_id=ConflictId(conflict), node_ids=cast(Any, pair), description="d")
        bank.apply(found, 1.0)
    fx = Effects()
    fx.lang = lang
    written = {
        "en": "n9 bears n2 out, not n1 (c1); c2 and n3 are open.",
        "zh": "n9支持n2，不支持n1（c1）；c2与n3未决。",
    }[lang]
    verdict = PairVerdict(left=0, right=1, status=ConflictStatus.RESOLVED, winner="right", value="2", reasoning=written)
    answer = f'{written}\n<verdict>{{"conflict": "c1", "status": "resolved", "winner": "right"}}</verdict>'
    integrate(
        Draft.of(bank, 0.0),
        cast(StageEffects, fx),
        [(names[0], names[1])],
        trigger="conflict",
        verdicts=[(verdict,)],
        validation_result=answer,
    )
    (given,) = fx.asked
    assert given.validation_result == report
    assert given.verdicts[0].reasoning == report
