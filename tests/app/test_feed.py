"""What the feed and the panels make of data, without a page: words for each event, marks, links, any moment."""

from __future__ import annotations

import inspect
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memorybank.contradiction.disputes.dispute import describe
from memorybank.memory import events
from memorybank.memory.events import AgentCalled, ToolUsed
from memorybank.memory.types import ConflictId, ConflictStatus, Lang
from memorybank.runs import banks
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load, state_at
from memorybank.session.phase import Phase
from memorybank.views.box import Box, box
from memorybank.views.boxes.answer_card import answer_boxes, answer_lines
from memorybank.views.boxes.conflicts import ClaimSide, mark_claims
from memorybank.views.boxes.state import run_state
from memorybank.views.run import feed as feed_module
from memorybank.views.run.feed import DISPUTE_WIDTH, Feed, FeedItem, say
from memorybank.views.run.playback import Playback
from memorybank.views.text.display import clip
from tests import scripted
from tests.boxes_read import words_of
from tests.made_events import claim, conflict, created, n, recorded
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
    story = "\n".join(say(item, "en") for item in items)
    told = (
        "Session started",
        "New node: qubits: 105",
        "Conflict: ",
        "Resolved: ",
        "merged: ",
        "Answer given",
        "Merge undone",
    )
    assert [piece for piece in told if piece not in story] == []
    tones = {item.tone for item in items}
    assert {"conflict", "verdict", "merge", "new", "task", "answer", "quiet"} <= tones
    conflict = next(item for item in items if item.tone == "conflict")
    assert conflict.node is not None
    assert conflict.stage == "analyse"
    assert [item.seq for item in items] == sorted(item.seq for item in items)


def test_a_line_leads_to_its_node_its_call_and_its_raw_text(items: list[FeedItem]) -> None:
    made = {str(item.seq) for item in items if isinstance(item.record.event, AgentCalled | ToolUsed)}
    for tone, kinds in (
        ("new", {"node", "entry"}),
        ("conflict", {"conflict", "node", "entry"}),
        ("verdict", {"conflict", "node", "entry", "call"}),
        ("merge", {"merge", "node", "entry"}),
        ("answer", {"entry"}),
    ):
        item = next(item for item in items if item.tone == tone)
        assert kinds <= {kind for kind, _ in item.targets}, tone
        assert {id_ for kind, id_ in item.targets if kind == "call"} <= made


def test_both_languages_have_a_line_for_each_and_what_it_quotes_is_quoted_as_it_is(items: list[FeedItem]) -> None:
    for english, chinese in ((say(item, "en"), say(item, "zh")) for item in items):
        assert english
        assert chinese
        assert not set("\u202e\n") & set(english + chinese)
    first = next(item for item in items if isinstance(item.record.event, events.EntryRecorded))
    assert {kind for kind, _ in first.targets} == {"entry"}, "before any call"
    task = next(item for item in items if item.tone == "task")
    assert "<script>alert(1)</script> $a$ :red[b]" in say(task, "en")
    assert "{k}" in say(task, "zh")


def test_every_kind_of_event_is_known_to_the_feed(tmp_path: Path) -> None:
    """A new event must be given words or be named here as bookkeeping."""
    bookkeeping = {
        "StageStarted", "StageFinished", "FilingQueued", "ClustersSummarised", "CandidatesRetrieved", "RelationsJudged",
        "NodesAnalysed", "NodeChecked", "TaskExecuted", "ContextIntercepted", "ValidationApplied",
    }  # fmt: skip
    union: UnionType = events.Fact | events.Observation
    known = {kind.__name__ for kind in get_args(union) if is_dataclass(kind) and fields(kind)}
    source = inspect.getsource(feed_module)
    unspoken = {name for name in known if f" events.{name}(" not in source}
    assert unspoken == bookkeeping
    assert bookkeeping <= known


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
        left, right = (claim(value, value, subject="Willow", attribute="qubits") for value in ("105", "98"))
        about = {"description": f"d{number}", "contradictions": conflict(left, right).contradictions}
        return events.ConflictFound(conflict_id=ConflictId(f"c{number}"), node_ids=(n(1), n(number + 1)), **about)

    closed = events.ConflictClosed(
        conflict_id=ConflictId("c1"), status=ConflictStatus.FALSE_ALARM, reason="", closed_by="x"
    )
    stages: list[list[Any]] = [[*map(created, (1, 2, 3, 4))], [found(1), found(2)], [closed], [found(3)]]
    facts = [fact for stage in stages for fact in (*stage, events.StageFinished(stage="analyse", round=1, ms=0))]
    lines = Playback().at(recorded(*facts)).feed
    told = [say(item, "en") for item in lines if isinstance(item.record.event, events.ConflictFound)]
    assert told == ["Conflict: Willow, qubits: 105 or 98", "New statement in a dispute: Willow, qubits: 105 or 98"]
    assert say(lines[-2], "en") == "Both hold: d1", "closed while its dispute is open: in its own words"


# -- what the panels make of data, without a page ---------------------------------------------------------------------


WORDS = st.text(alphabet="abc 九章<>&\n12.", max_size=60)


def marks_of(side: ClaimSide) -> list[str]:
    return [words_of(piece) for piece in side.pieces if isinstance(piece, Box)]


def test_sentences_built_alike_are_marked_by_word_and_others_by_value() -> None:
    left, right = mark_claims(("Willow has 105 qubits.", "105"), ("Willow has 98 qubits.", "98"))
    assert (marks_of(left), marks_of(right)) == (["105"], ["98"])
    left, right = mark_claims(
        ("其一，“九章”于2020年8月发布，消息一出，讨论持续了好几个星期。", "2020年8月"),
        ("二〇二〇年十二月，团队发布了“九章”。", "二〇二〇年十二月"),
    )
    assert (marks_of(left), marks_of(right)) == (["2020年8月"], ["二〇二〇年十二月"])


@given(left=WORDS, right=WORDS, one=WORDS, other=WORDS)
def test_marks_never_change_a_claim(left: str, right: str, one: str, other: str) -> None:
    for side, text in zip(mark_claims((left, one), (right, other)), (left, right), strict=True):
        assert "".join(map(words_of, side.pieces)) == text


def test_a_run_that_rests_is_not_shown_as_disputed() -> None:
    """Amber is kept for what is disputed: the chip says in words that nothing runs."""
    assert run_state(Playback().at(()), Phase.PARKED) == ("session.stopped", "")
    assert run_state(Playback().at(()), Phase.RESTING) == ("run.paused", "")


def test_a_citation_becomes_a_link_to_its_node() -> None:
    lines = answer_lines(
        "On it:\n- Willow has 105 qubits. [n7: a.md, b.md]\n- Opened in 1961. [n1: one.txt]\n[not one]", "en"
    )
    links = [piece for line in lines for piece in line.inside if isinstance(piece, Box)]
    assert [(link.choose, words_of(link)) for link in links] == [("node:n7", "2 sources"), ("node:n1", "one.txt")]
    assert links[0].title == "n7\na.md\nb.md"
    assert words_of(lines[-1]) == "[not one]"


def test_an_answer_shows_its_list_as_a_list() -> None:
    answer = "On it:\n- one [n1: a.md]\n\n* two - with a dash\nBut:\n• 三\n-5 degrees\n- \n**bold**"
    found = answer_boxes(answer, "en")
    assert [(one.tag, words_of(one)) for one in found] == [
        ("p", "On it:"),
        ("ul", "onea.mdtwo - with a dash"),
        ("p", "But:"),
        ("ul", "三"),
        ("p", "-5 degrees"),
        ("p", "- "),
        ("p", "**bold**"),
    ]
    assert [one.tag for one in found[1].inside if isinstance(one, Box)] == ["li", "li"]


def test_what_is_sent_holds_no_control_characters_and_no_markup_of_ours() -> None:
    data = box("p", "text", "<b>\u202ebold\x00</b>", None, box("mark", "", "[x](javascript:1)"), title="a\x07b").data()
    assert data == ["p", "text", ["<b>bold</b>", ["mark", "", ["[x](javascript:1)"]]], {"title": "ab"}]


# -- any moment of a run is the fold of its events ---------------------------------------------------------------------


TEXTS = (
    "qubits: 105\nmaker: Google\n\nlaunch site: Kourou",
    "qubits: 127\nmaker: Google\n\nmirror width: 6.5 m",
    "launch site: Kourou\n\nmirror width: 6.5 m\nmirror maker: Ball",
)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Record[object]]:
    folder = tmp_path_factory.mktemp("runs") / "run"
    with scripted.start(folder, *TEXTS, goal="How many qubits?", world={"qubits": "105"}) as session:
        session.run()
        session.undo_merge(next(iter(session.bank.graph.merges)))
        session.ask("And where was it launched?")
        session.run()
    return load(folder)


@given(order=st.lists(st.integers(0, 200), min_size=1, max_size=12), cut=st.integers(0, 200))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_moment_is_the_fold_of_its_events(
    records: list[Record[object]], order: list[int], cut: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(banks, "SNAPSHOT", 10)
    player = Playback()
    player.at(records[: min(cut, len(records))])  # a live run grows
    for wanted in order:
        k = min(wanted, len(records))
        moment = player.at(records, k)
        folded = state_at(records, k)
        assert moment.at == k
        assert moment.bank.graph == folded.graph
        assert moment.bank.tree == folded.tree
        assert moment.bank.conflicts == folded.conflicts
        assert moment.bank.progress == folded.progress
        assert player.bank_at(records, k) == moment.bank
        assert all(item.seq <= k for item in moment.feed)
        assert set(moment.bank.graph.nodes) <= set(moment.points)
    assert player.at(records).bank.graph == state_at(records).graph
