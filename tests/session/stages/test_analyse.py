"""The stage `analyse`: what becomes of the agent's judgements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.contracts import AnalysisInput, IntegrationInput, IntegrationOutput, NeighborUpdate, PairVerdict
from memorybank.memory.events import ConflictFound, NodeDescribed, NodesLinked, RelationsJudged
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import ConflictId, ConflictStatus, Lang, NodeId
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, state_at
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.uniting import MAX_KEYWORDS, Rewrites, integrate, unite
from tests.made_events import created
from tests.scripted import Failing, QuotingAnalysis, WorldExecutor, finished, numbered, start


def test_new_nodes_are_asked_about_together_and_after_a_failure_one_by_one(tmp_path: Path) -> None:
    texts = [f"subject{number} colour: blue\n" for number in range(23)]

    def judged(folder: Path, failing: Callable[[AnalysisInput], bool]) -> tuple[list[int], dict[str, int], int]:
        """(nodes of each call, relations judged by node, nodes that were not compared)."""
        session = finished(folder, "\n\n".join(texts), failing={"analysis": failing})
        agent = session.parts.engine.analysis
        assert isinstance(agent, Failing)
        judgements = [record.event for record in session.records if isinstance(record.event, RelationsJudged)]
        relations = {event.node_id: len(event.relations) for event in judgements}
        return [len(given.comparisons) for given in agent.asked], relations, len(session.bank.uncompared())

    whole = judged(tmp_path / "whole", lambda given: False)
    assert whole[0] == [20, 2], "the first node has nothing to be compared with"
    apart = judged(tmp_path / "apart", lambda given: len(given.comparisons) > 1)
    assert apart == ([20, 2, *[1] * 22], whole[1], 0)
    one = judged(tmp_path / "one", lambda given: any("subject3" in each.new.summary for each in given.comparisons))
    assert one[0] == [20, 2, *[1] * 20]
    assert one[2] == 1
    assert {node for node in whole[1] if one[1][node] != whole[1][node]} == {"n4"}


RIGHT, WRONG, ALIKE = (
    "willow qubits: 105\n",
    "willow qubits: 98\nwillow maker: Google\n",
    "willow maker: Google\nlog date: Tuesday\n",
)


@pytest.mark.parametrize(
    ("verdict", "unites", "nodes", "unions"),
    [
        ("105", True, 1, [2, 2]),  # what the second says was refuted, and it is compared anew
        ("98", True, 1, [3]),
        ("105", False, 2, [2]),  # the sides stay apart, and what they say was refuted in one of them
        ("", True, 2, [2]),
        ("none", True, 2, [2]),
    ],
    ids=["left holds", "right holds", "checked", "not decided", "no verdict twice"],
)
def test_a_pair_judged_the_same_while_one_is_in_a_conflict_is_united_when_it_closes(
    run_dir: Path, verdict: str, unites: bool, nodes: int, unions: list[int]
) -> None:
    """Of three memories the second and the third say the same, and the first contradicts the second. `unions`: of how
    many memories each union is; one that the verdict keeps goes with all that are the same."""
    silent = verdict == "none"
    executor = WorldExecutor(
        {"willow qubits": verdict} if verdict and not silent else {},
        say=lambda given: "<answer>I saw nothing.</answer>" if silent and given.briefs else None,
    )
    failing = {"integration": lambda given: given.trigger == "conflict" and not unites}
    played = {"executor": executor, "failing": failing, "analysis": QuotingAnalysis()}
    with start(run_dir, RIGHT, WRONG, ALIKE, goal="How many?", **played) as session:
        session.run_until(lambda report: report.stage == "analyse")
        bank = session.bank
        assert (len(bank.graph.nodes), len(bank.graph.same)) == (3, 1), "it is in a conflict, and is remembered"
        session.run()
        bank = session.bank
    (conflict,) = bank.conflicts.all.values()
    assert conflict.status is not ConflictStatus.OPEN
    assert len(bank.graph.nodes) == nodes
    assert bank.graph.successor(NodeId("n2")) == bank.graph.successor(NodeId("n3"))
    assert not bank.graph.same
    assert [len(merge.sources) for merge in bank.graph.merges.values()] == unions
    merged = bank.graph.nodes[bank.graph.successor(NodeId("n3"))]
    assert "log date: Tuesday" in merged.summary
    if not unites:
        assert [mark.words for check in merged.checks for mark in check.refuted] == ["98"], "it keeps what was refuted"
    assert fingerprint(state_at(load(run_dir))) == fingerprint(bank)


def test_a_merge_that_a_person_took_back_is_not_taken_up(run_dir: Path) -> None:
    with start(run_dir, WRONG, ALIKE) as session:
        session.run()
        session.undo_merge("m1")
        session.add(*numbered(RIGHT))
        session.ask("How many?")
        session.run()
        assert {conflict.status for conflict in session.bank.conflicts.all.values()} == {ConflictStatus.INCONCLUSIVE}
        assert {"n1", "n2"} <= session.bank.graph.nodes.keys()


LINKS = [(1, 3), (2, 3), (1, 5), (2, 5), (3, 5), (1, 6)]


class Effects:
    """Integration that says of every neighbour what it was asked of."""

    lang: Lang = "en"
    embedder = HashedNgrams()

    def __init__(self) -> None:
        self.asked: list[IntegrationInput] = []

    def asks_together(self, role: str) -> bool:
        return False

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
    bank, names = MemoryState(), {number: NodeId(f"n{number}") for number in range(1, 7)}
    for number in names:
        bank.apply(created(number, f"s{number}", f"c{number}", keywords=("w",)), 1.0)
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
    assert shown == [[(0, "c6", "s6")], []], "n3 and n5 go into a merge of the same round"
    assert not any(node.neighbors for node in second.nodes)
    described = [fact.node_id for fact in draft.facts if isinstance(fact, NodeDescribed)]
    assert described == [], "n6 is under validation"
    assert draft.state.graph.nodes[names[6]].context == "c6"


@pytest.mark.parametrize(
    ("lang", "report"),
    [
        ("en", "n9 bears memory 1 out, not memory 0 (memory 0 against memory 1); c2 and n3 are open."),
        ("zh", "n9支持记忆 1，不支持记忆 0（记忆 0 对记忆 1）；c2与n3未决。"),
    ],
)
def test_nodes_and_conflicts_have_the_numbers_that_the_agent_knows_and_verdicts_are_said_once(
    lang: Lang, report: str
) -> None:
    bank, names = MemoryState(), [NodeId(f"n{number}") for number in range(1, 5)]
    for node_id in names[:3]:
        made = created(node_id, node_id, "c", keywords=("w",))
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


# -- Rewrites of a stage: a list of keywords is the whole one, several lists are brought together, and none ends empty


OWN = ("a", "b", "c")
MANY = tuple(f"w{n}" for n in range(30))

KEYWORDS: list[tuple[str, Sequence[Sequence[str]], Sequence[str]]] = [
    ("an empty list leaves them", [()], OWN),
    ("blanks are no words", [(" ", "")], OWN),
    ("words come and go, in the order given", [("c", "d", "a")], ("c", "d", "a")),
    ("each once", [("a", "a", " b ")], ("a", "b")),
    ("what any list adds comes", [(*OWN, "d"), (*OWN, "e")], (*OWN, "d", "e")),
    ("what any list drops goes", [("a", "b", "d"), ("a", "c")], ("a", "d")),
    ("and some are left", [("d",), ("e",)], ("d", "e")),
    ("a list that drops all the others kept", [("a",), ("b",)], ("a",)),
    ("bounded", [MANY], MANY[:MAX_KEYWORDS]),
    ("bounded together", [(*OWN, *MANY), (*OWN, "x")], (*OWN, *MANY[: MAX_KEYWORDS - 3])),
]


def test_the_last_word_on_keywords_and_topic() -> None:
    for why, lists, expected in KEYWORDS:
        described = _described([("", words) for words in lists])
        assert (described.keywords if described else OWN) == tuple(expected), why
    lines = [("new line", ()), ("line", ()), ("", ())]
    described = _described(lines)
    assert (described.context_before, described.context) == ("line", "new line"), "the old line again changes nothing"
    assert _described([("line", OWN)]) is None


def _described(rewrites: Sequence[tuple[str, Sequence[str]]]) -> NodeDescribed | None:
    bank = MemoryState()
    for node_id in (NodeId("n1"), NodeId("n2")):
        made = created(node_id, "s", "line", keywords=OWN)
        bank.apply(made, 1.0)
    draft = Draft.of(bank, 0.0)
    collected = Rewrites(draft)
    for context, keywords in rewrites:
        collected.add(NodeId("n1"), context, keywords, NodeId("n2"))
    collected.emit(HashedNgrams())
    found = [fact for fact in draft.facts if isinstance(fact, NodeDescribed)]
    assert len(found) <= 1, "embedded once"
    return found[0] if found else None
