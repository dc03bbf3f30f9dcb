"""Lines of the feed: every event either has words in both languages or is bookkeeping; what it quotes stays text."""

from __future__ import annotations

import inspect
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, get_args

import pytest

from memorybank.contradiction.disputes.dispute import describe
from memorybank.memory import events
from memorybank.memory.events import AgentCalled, ToolUsed
from memorybank.memory.types import Claim, ConflictId, ConflictStatus, Contradiction, Lang, NodeId
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load
from memorybank.views.run import feed as feed_module
from memorybank.views.run.feed import DISPUTE_WIDTH, Feed, say
from memorybank.views.run.feed_item import FeedItem
from memorybank.views.run.playback import Playback
from memorybank.views.text.display import clip
from tests import scripted
from tests.recorded import recorded_run

HOSTILE = "<script>alert(1)</script> $a$ :red[b] ![i](https://example.org/i.png) {k} \u202eback"


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> list[FeedItem]:
    folder = tmp_path_factory.mktemp("runs") / "run"
    texts = ("qubits: 105\nmaker: Google", "qubits: 127\nmaker: Google", HOSTILE, "qubits: 105 \nmaker: IBM")
    with scripted.start(folder, *texts, goal=HOSTILE, world={"qubits": "105"}) as session:
        session.run()
        session.undo_merge(next(iter(session.bank.graph.merges)))
    feed = Feed()
    for record in load(folder):
        feed.take(record)
    return list(feed.until(10_000))


def test_a_run_reads_as_a_story(items: list[FeedItem]) -> None:
    lines = [say(item, "en") for item in items]
    story = "\n".join(lines)
    for piece in (
        "Session started",
        "New node: qubits: 105",
        "Conflict: ",
        "Resolved: ",
        "merged: ",
        "Answer given",
        "Merge undone",
    ):
        assert piece in story
    tones = {item.tone for item in items}
    assert {"conflict", "verdict", "merge", "new", "task", "answer", "quiet"} <= tones
    conflict = next(item for item in items if item.tone == "conflict")
    assert conflict.node is not None
    assert conflict.stage == "analyse"
    assert [item.seq for item in items] == sorted(item.seq for item in items)


@pytest.mark.parametrize(
    ("tone", "kinds"),
    [
        ("new", {"node", "entry"}),
        ("conflict", {"conflict", "node", "entry"}),
        ("verdict", {"conflict", "node", "entry", "call"}),
        ("merge", {"merge", "node", "entry"}),
        ("answer", {"entry"}),
    ],
)
def test_a_line_leads_to_its_node_its_call_and_its_raw_text(items: list[FeedItem], tone: str, kinds: set[str]) -> None:
    item = next(item for item in items if item.tone == tone)
    assert kinds <= {kind for kind, _ in item.targets}, item.targets
    call = next((id_ for kind, id_ in item.targets if kind == "call"), "")
    assert not call or any(
        other.seq == int(call) and isinstance(other.record.event, AgentCalled | ToolUsed) for other in items
    ), "a call that was made"


def test_what_came_in_before_any_call_has_none(items: list[FeedItem]) -> None:
    first = next(item for item in items if isinstance(item.record.event, events.EntryRecorded))
    assert {kind for kind, _ in first.targets} == {"entry"}


def test_both_languages_have_words_for_every_line(items: list[FeedItem]) -> None:
    for item in items:
        english, chinese = say(item, "en"), say(item, "zh")
        assert english
        assert chinese
        assert "\u202e" not in english + chinese
        assert "\n" not in english


def test_what_it_quotes_is_quoted_as_it_is(items: list[FeedItem]) -> None:
    task = next(item for item in items if item.tone == "task")
    assert "<script>alert(1)</script> $a$ :red[b]" in say(task, "en")
    assert "{k}" in say(task, "zh")


def test_every_kind_of_event_is_known_to_the_feed(tmp_path: Path) -> None:
    """A new event must be given words or be named here as bookkeeping."""
    bookkeeping = {
        "StageStarted", "StageFinished", "FilingQueued", "ClustersSummarised", "CandidatesRetrieved", "RelationsJudged",
        "NodesAnalysed", "NodeChecked", "TaskExecuted", "ContextIntercepted", "ValidationApplied",
    }  # fmt: skip
    known = {kind.__name__ for kind in _kinds()}
    source = inspect.getsource(feed_module)
    unspoken = {name for name in known if f" events.{name}(" not in source}
    assert unspoken == bookkeeping
    assert bookkeeping <= known


def _kinds() -> list[Any]:
    union: UnionType = events.Fact | events.Observation
    return [kind for kind in get_args(union) if is_dataclass(kind) and fields(kind)]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_conflicts_of_a_stage_on_one_matter_are_one_line_with_sources(lang: Lang) -> None:
    """And before the stage has ended, each has a line of its own: then nothing is known of the dispute."""
    records = load(recorded_run(lang).path)
    playback, single = Playback(), Feed()
    for record in records:
        single.take(record)
    lines = list(playback.at(records).feed)
    for kind in (events.ConflictFound, events.ConflictClosed):
        raised = [item for item in single.until(len(records)) if isinstance(item.record.event, kind)]
        shown = [item for item in lines if isinstance(item.record.event, kind)]
        assert 0 < len(shown) < len(raised), "the recorded run has several conflicts on one matter"
        said = [(item.dispute, item.round, item.stage) for item in shown]
        assert len(set(said)) == len(said)
        for item in shown:
            assert item.dispute is not None
            assert say(item, lang).endswith(clip(describe(item.dispute, lang), DISPUTE_WIDTH))
            assert all(source in say(item, lang) for one in item.dispute.values for source in one.sources)
    first = next(item for item in lines if isinstance(item.record.event, events.ConflictFound))
    end = next(one.seq for one in records if one.seq > first.seq and isinstance(one.event, events.StageFinished))
    for k in range(first.seq, end + 1):
        early, late = Playback().at(records[:k]).feed, playback.at(records, k).feed
        assert [say(item, lang) for item in early] == [say(item, lang) for item in late], k
        assert (late[-1].dispute is None) or k == end
    assert [item.seq for item in lines] == sorted(item.seq for item in lines)


def test_what_a_later_stage_adds_to_a_dispute_is_said_so() -> None:
    def found(number: int) -> events.ConflictFound:
        pair = Contradiction(left=willow("105"), right=willow("98"), reason="", confidence=0.9)
        return events.ConflictFound(
            conflict_id=ConflictId(f"c{number}"),
            node_ids=(NodeId("n1"), NodeId(f"n{number + 1}")),
            description=f"d{number}",
            contradictions=(pair,),
        )

    def willow(value: str) -> Claim:
        return Claim(text=value, kind="number", subject="Willow", attribute="qubits", value=value)

    nodes = [
        events.NodeCreated(node_id=NodeId(f"n{n}"), summary="", context="", keywords=(), vector=b"", spans=())
        for n in (1, 2, 3, 4)
    ]
    closed = [
        events.ConflictClosed(conflict_id=ConflictId("c1"), status=ConflictStatus.FALSE_ALARM, reason="", closed_by="x")
    ]
    stages: list[list[Any]] = [nodes, [found(1), found(2)], closed, [found(3)]]
    facts = [fact for stage in stages for fact in (*stage, events.StageFinished(stage="analyse", round=1, ms=0))]
    lines = Playback().at([Record(seq, 0.0, fact) for seq, fact in enumerate(facts, start=1)]).feed
    told = [say(item, "en") for item in lines if isinstance(item.record.event, events.ConflictFound)]
    assert told == ["Conflict: Willow, qubits: 105 or 98", "More on a dispute: Willow, qubits: 105 or 98"]
    assert say(lines[-2], "en") == "False alarm: d1", "closed while its dispute is open: in its own words"
