"""Lines of the feed: every event either has words in both languages or is bookkeeping; what it quotes stays text."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, get_args

import pytest

from memorybank.memory import events
from memorybank.runs.run_folder import load
from memorybank.ui.feed import Feed, FeedItem, say
from tests import scripted

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
        ("new", {"node", "entry", "call"}),
        ("conflict", {"conflict", "node", "entry", "call"}),
        ("verdict", {"conflict", "node", "entry", "call"}),
        ("merge", {"merge", "node", "entry", "call"}),
        ("answer", {"entry"}),
    ],
)
def test_a_line_leads_to_its_node_its_call_and_its_raw_text(items: list[FeedItem], tone: str, kinds: set[str]) -> None:
    item = next(item for item in items if item.tone == tone)
    assert kinds <= {kind for kind, _ in item.targets}, item.targets
    call = next((id_ for kind, id_ in item.targets if kind == "call"), "")
    assert not call or any(other.seq == int(call) and other.kind in ("calls", "tools") for other in items), (
        "a call that was made"
    )


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
        "NodesAnalysed", "TaskExecuted", "ContextIntercepted", "ValidationApplied",
    }  # fmt: skip
    known = {kind.__name__ for kind in _kinds()}
    source = Path(events.__file__).parents[0].joinpath("ui", "feed.py").read_text(encoding="utf-8")
    unspoken = {name for name in known if f" events.{name}(" not in source}
    assert unspoken == bookkeeping - {"StageStarted", "StageFinished"}
    assert bookkeeping <= known


def _kinds() -> list[Any]:
    union: UnionType = events.Fact | events.Observation
    return [kind for kind in get_args(union) if is_dataclass(kind) and fields(kind)]
