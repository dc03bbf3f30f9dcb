"""Any moment of a run from its records: the same as folding them anew, whatever was looked at before."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memorybank.memory.events import StageFinished, TaskReceived
from memorybank.runs import banks
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load, state_at
from memorybank.views.run.playback import Playback
from tests import scripted

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
        assert moment.strip == Playback().at(records[:k]).strip, "a prefix knows nothing of what comes"
    assert player.at(records).bank.graph == state_at(records).graph


def test_stages_new_nodes_and_merges_at_a_moment(records: list[Record[object]]) -> None:
    player = Playback()
    started = next(record for record in records if type(record.event).__name__ == "StageStarted")
    assert player.at(records, started.seq).strip.current == "classify"

    filed = next(
        record.seq for record in records if getattr(record.event, "stage", "") == "file" and hasattr(record.event, "ms")
    )
    assert player.at(records, filed).new == set(player.at(records, filed).bank.graph.nodes)
    assert player.at(records, filed).strip.last == "file"
    assert player.at(records, filed + 1).new == player.at(records, filed).new, "until the next stage ends"
    after = next(record.seq for record in records if record.seq > filed and isinstance(record.event, StageFinished))
    assert not player.at(records, after).new & player.at(records, filed).new

    merged = next(record for record in records if type(record.event).__name__ == "NodesMerged")
    border = next(
        record.seq for record in records if record.seq > merged.seq and type(record.event).__name__ == "StageFinished"
    )
    assert player.at(records, border).merged

    end = player.at(records)
    assert end.strip.last == "finish"
    assert not end.new
    begun = max(record.seq for record in records if isinstance(record.event, TaskReceived))
    ended = [record.event.ms for record in records[begun:] if isinstance(record.event, StageFinished)]
    assert end.strip.total == pytest.approx(sum(ended) / 1000), "counted anew for each task"


def test_places_do_not_move(records: list[Record[object]]) -> None:
    player = Playback()
    early = dict(player.at(records[:40]).points)
    late = player.at(records).points
    assert {node: late[node] for node in early} == early
