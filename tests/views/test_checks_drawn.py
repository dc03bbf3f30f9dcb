"""What a check found is drawn wherever a node is shown: refuted words struck out, what holds, each passage's source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memorybank.integrations.answers import ConflictView, MemoryView, RawPassage
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import Check, ConflictId, ConflictStatus, EntryId, Lang, Node, NodeId, Refuted
from memorybank.retrieval.passages import PassageHit
from memorybank.session.executors.base import Assignment, Execution
from memorybank.session.session import Session
from memorybank.ui.graph_page.node_card import _about as card
from memorybank.ui.tree.tree_node import _about as tree_card
from memorybank.views.box import stack_of
from memorybank.views.boxes.conflict_evidence import checks_box, summary_box
from memorybank.views.boxes.merge_story import after
from memorybank.views.boxes.node_story import NodeNames, history_of
from memorybank.views.graph.moment_view import view_of
from memorybank.views.html_export.panels import node_head
from memorybank.views.i18n import t
from memorybank.views.memory.lineage import merge_stories
from memorybank.views.memory.node_history import node_stories
from memorybank.views.run.playback import Playback
from tests.boxes_read import boxes_of, words_of
from tests.scripted import QuotingAnalysis, finished

TEXTS = [
    "willow qubits: 105\nwillow maker: Google",
    "willow qubits: 98 and willow colour blue",
    "a survey\n\nwillow qubits: 105\nheron: 3",
]


class Weigher:
    """Rules that 105 holds, and quotes every document that has a value of the conflict, parties too."""

    name = "weigher"

    def run(self, given: Assignment, fx: Any) -> Execution:
        verdicts = []
        for brief in given.briefs:
            (pair,) = brief.conflict.contradictions
            sides = {"left": f"{pair.reason}: {pair.left.value}", "right": f"{pair.reason}: {pair.right.value}"}
            evidence = [
                {"source": document.source, "quote": quote, "supports": side, "contradictions": [0]}
                for document in given.documents
                for side, quote in sides.items()
                if quote in document.text
            ]
            winner = "left" if pair.left.value == "105" else "right"
            claim = {"contradiction": 0, "status": "resolved", "winner": winner, "value": "105"}
            stated = {"conflict": brief.conflict.id, "claims": [claim], "evidence": evidence}
            verdicts.append(StatedVerdict.model_validate(stated))
        return Execution(answer="Done.", transcript="Done.", quotes_only=True, verdicts=tuple(verdicts))


def played(folder: Path, lang: Lang, *, united: bool) -> Session:
    """Three texts on one value; the check finds that 105 holds, and the nodes become one or stay two."""
    failing = {} if united else {"integration": lambda given: given.trigger == "conflict"}
    options = {"lang": lang, "executor": Weigher(), "failing": failing, "analysis": QuotingAnalysis()}
    return finished(folder, *TEXTS, goal="How many qubits?", **options)


def test_wherever_a_node_is_shown_what_was_refuted_is_struck_out_and_the_check_stands_below(
    run_dir: Path, lang: Lang
) -> None:
    session = played(run_dir, lang, united=False)
    moment, bank = Playback().at(session.records), session.bank
    loser = next(node for node in bank.graph.nodes.values() if "98" in node.summary)
    stories = node_stories(session.records)
    names = NodeNames(moment, session.records)
    assert words_of(summary_box(loser, lang)) == loser.summary, "no word is lost"
    places = {
        "box": stack_of(summary_box(loser, lang), checks_box(loser, bank, lang)),
        "card": stack_of(*card(loser, moment, lang)),
        "tree": tree_card(loser, moment, None, lang),
        "export": node_head(loser.id, names, lang),
    }
    conflict = next(one for one in bank.conflicts.all.values() if loser.id in one.node_ids)
    for place, drawn in places.items():
        struck = [box for box in boxes_of(drawn) if (box.tag, box.look) == ("del", "refuted")]
        assert {words_of(one) for one in struck} == {"98 and willow colour blue"}, place
        assert "105" in struck[0].title, "what holds instead"
        told = words_of(drawn)
        assert t("conflict.status.resolved", lang) in told
        for piece in loser.checks[0].evidence:
            assert piece.source in told
            assert piece.quote in told
            assert t(f"conflict.supports.{piece.supports}", lang) in told
    steps = [step for step in stories[loser.id].steps if step.kind == "checked"]
    assert {name for step in steps for name in step.conflicts} == {check.conflict_id for check in loser.checks}
    assert conflict.id in words_of(history_of(stories[loser.id], names, lang))
    (drawn_node,) = [node for node in view_of(moment, None, lang).nodes if node["id"] == loser.id]
    assert t("state.refuted", lang, count=1) in drawn_node["title"]


def test_a_merged_node_has_its_check_where_the_merge_is_told(run_dir: Path) -> None:
    session = played(run_dir, "en", united=True)
    stories = merge_stories(session.records)
    made = next(story for story in stories.values() if story.trigger == "conflict")
    told = words_of(after(made, session.bank, "en"))
    assert t("node.checks", "en") in told
    assert "note3.txt" in told


def test_of_a_sentence_that_is_refuted_in_part_the_rest_is_plain() -> None:
    summary = "It has 98 qubits, and it is blue. It is old. It has 98 doors."
    marks = (Refuted(start=0, end=33, words="98 qubits"), Refuted(start=34, end=44))
    check = Check(conflict_id=ConflictId("c1"), state=ConflictStatus.CHECKED, holds="It has 105.", refuted=marks)
    undecided = Check(
        conflict_id=ConflictId("c2"), state=ConflictStatus.INCONCLUSIVE, refuted=(Refuted(start=45, end=61),)
    )
    node = Node(id=NodeId("n1"), summary=summary, context="", keywords=(), checks=(check, undecided))
    drawn = summary_box(node, "en")
    assert [piece if isinstance(piece, str) else (words_of(piece),) for piece in drawn.inside] == [
        "It has ", ("98 qubits",), ", and it is blue. ", ("It is old.",), " It has 98 doors.",
    ]  # fmt: skip


def test_an_agent_is_told_of_checks_as_values(run_dir: Path, lang: Lang) -> None:
    bank = played(run_dir, lang, united=False).bank
    loser = next(node for node in bank.graph.nodes.values() if "98" in node.summary)
    view = MemoryView.of(loser, score=1.0, via=None, disputed=None, lang=lang)
    conflict = next(one for one in bank.conflicts.all.values() if loser.id in one.node_ids)
    seen = ConflictView.of(bank, conflict)
    side = next(one for one in (seen.left, seen.right) if one.node_id == loser.id)
    for told in (view, side):
        assert told.summary != loser.summary, "the sentence says that it was refuted"
        assert conflict.id in told.summary
        check = told.checks[0]
        assert (check.conflict, check.refuted) == (conflict.id, ("98 and willow colour blue",))
        assert "105" in check.holds
        assert ("note3.txt", "left", True) in {(one.source, one.supports, one.independent) for one in check.evidence}
    assert [(point.left, point.value) for point in seen.points] == [("105", "105")]
    for text, refuted_by in ((TEXTS[1], conflict.id), (TEXTS[0], None)):
        hit = PassageHit(entry_id=EntryId("e1"), start=0, end=9, text=text, node_id=loser.id, score=1.0)
        assert RawPassage.of(hit, loser).refuted_by == refuted_by
