"""The journal: what is written comes back, what cannot be trusted is refused; stage and round of each event."""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memorybank.errors import JournalError, LockedError
from memorybank.memory.events import (
    EVENT,
    ConflictFound,
    Event,
    Fact,
    NodeCreated,
    NodesLinked,
    StageFinished,
    StageStarted,
    TaskReceived,
)
from memorybank.memory.types import Claim, Contradiction, Lang, Span
from memorybank.runs.journal import Format, Journal, Record, read
from memorybank.runs.run_folder import SESSION, RunFolder, fork, fork_border, load
from memorybank.runs.stages import StageReader, border_of, place_at, placed
from memorybank.settings.redaction import MASK, hide
from memorybank.views.run.commits import commits
from tests.recorded import recorded_run

LINKED = NodesLinked(left="n1", right="n2", reason="both on qubits")
DONE = StageFinished(stage="analyse", round=0)


def journal(folder: Path) -> Path:
    path = folder / "journal.jsonl"
    with Journal.create(path, SESSION) as writer:
        writer.append([LINKED])
        writer.append([LINKED, DONE], durable=True)
    return path


def test_a_torn_line_is_dropped_by_readers_and_cut_off_by_a_writer(tmp_path: Path) -> None:
    path = journal(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"seq": 4, "at": 17')
    assert len(read(path, SESSION)[0]) == 3
    writer, records = Journal.open(path, SESSION)
    with writer:
        assert len(records) == 3
        writer.append([LINKED])
    assert path.read_bytes().startswith(whole)
    records, _ = read(path, SESSION)
    assert [record.seq for record in records] == [1, 2, 3, 4]
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert read(path, SESSION)[0] == records, "lines as Windows ends them"


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    path = journal(tmp_path)
    writer, _ = Journal.open(path, SESSION)
    with writer:
        with pytest.raises(LockedError, match="another session"):
            Journal.open(path, SESSION)
        assert len(read(path, SESSION)[0]) == 3  # readers need no lock
    again, _ = Journal.open(path, SESSION)
    again.close()


def test_a_run_is_not_begun_twice_in_one_folder(tmp_path: Path) -> None:
    path = journal(tmp_path)
    with pytest.raises(JournalError, match="already holds a run"):
        Journal.create(path, SESSION)


def renamed(event: dict[str, Any]) -> dict[str, Any]:
    return {("reason" if key == "why" else key): value for key, value in event.items()}


def test_older_schemas_are_raised_once(tmp_path: Path) -> None:
    path = journal(tmp_path)
    path.write_text(path.read_text().replace('"reason"', '"why"'))
    newer = Format(kind="memorybank", schema=SESSION.schema + 1, events=EVENT, upcasts={SESSION.schema: renamed})
    assert [record.event for record in read(path, newer)[0]] == [LINKED, LINKED, DONE]
    path.with_name("odd").write_text(path.read_text() + '{"seq": 4, "at": 1, "event": null}\n')
    with pytest.raises(JournalError, match="line 5 is not a journal record"):  # which no function could raise
        read(path.with_name("odd"), newer)
    Journal.open(path, newer)[0].close()
    assert json.loads(path.read_text().splitlines()[0])["schema"] == SESSION.schema + 1
    assert [record.event for record in read(path, newer)[0]] == [LINKED, LINKED, DONE]


def test_secrets_are_replaced_at_the_door(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    secret = "correct-horse-battery"
    hide(secret)
    with Journal.create(path, SESSION) as writer:
        said = NodesLinked(left="n1", right="n2", reason=f"key {secret} and sk-abcdefghijklmnop1234")
        (record,) = writer.append([said])
    assert record.event.reason == f"key {MASK} and {MASK}"
    assert secret not in path.read_text()
    assert read(path, SESSION)[0][0].event == record.event


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
claims = st.builds(
    Claim, text=texts, kind=st.sampled_from(["number", "date", "name"]), subject=texts, attribute=texts, value=texts
)
nodes = st.builds(
    NodeCreated,
    node_id=st.just("n1"),
    summary=texts,
    context=texts,
    keywords=st.lists(texts, max_size=4).map(tuple),
    vector=st.lists(st.floats(width=16, allow_nan=False, allow_infinity=False), max_size=20).map(
        lambda numbers: struct.pack(f"<{len(numbers)}e", *numbers)
    ),
    spans=st.lists(st.builds(Span, entry_id=texts, start=st.integers(0, 9), end=st.integers(9, 99)), max_size=3).map(
        tuple
    ),
    cluster_id=st.none() | texts,
)
conflicts = st.builds(
    ConflictFound,
    conflict_id=texts,
    node_ids=st.tuples(texts, texts),
    description=texts,
    contradictions=st.lists(
        st.builds(Contradiction, left=claims, right=claims, reason=texts, confidence=st.floats(0, 1)), max_size=2
    ).map(tuple),
)


@settings(suppress_health_check=[HealthCheck.too_slow])  # on a busy machine
@given(st.one_of(nodes, conflicts))
def test_any_event_round_trips(event: Event) -> None:
    assert EVENT.validate_json(json.dumps(EVENT.dump_python(event, mode="json"))) == event


@pytest.mark.parametrize("at", ["NaN", "Infinity", "-Infinity", "1e300", "-1"])
def test_a_time_that_no_calendar_has_is_refused(tmp_path: Path, at: str) -> None:
    path = journal(tmp_path)
    lines = path.read_text("utf-8").splitlines()
    lines[1] = re.sub(r'"at": [0-9.e+]+', f'"at": {at}', lines[1])
    assert at in lines[1]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(JournalError, match="line 2"):
        read(path, SESSION)


# -- Stage and round of an event: of each record, of each commit, of a moment, the same; acts of a person by name ------


def test_a_record_is_placed_where_its_commit_is(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    places = {record.seq: place for record, place in placed(records)}
    assert [record for record, _ in placed(records)] == list(records)
    for commit in commits(records):
        for record in commit.records:
            assert places[record.seq] == commit.place(record)
    assert max(place.round for place in places.values()) > 1


def test_a_moment_is_read_back_to_the_border_before_it_only(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    for record, place in placed(records):
        assert place_at(records, record.seq) == place
    assert place_at(records, 0) is None


def test_the_round_of_enhance_begins_with_it_and_a_new_task_counts_anew() -> None:
    events: list[Fact | StageStarted] = [
        StageStarted(stage="enhance", round=4),
        StageFinished(stage="enhance", round=4, ms=1500),
        TaskReceived(doc_id="d2", goal="Another task"),
        StageFinished(stage="receive", round=5),
        StageStarted(stage="classify", round=0),
    ]
    reader, seen = StageReader(), []
    for seq, event in enumerate(events, start=1):
        reader.take(Record(seq, 0.0, event))
        seen.append((reader.first, reader.stage, reader.round))
    assert seen == [(1, "enhance", 5), (1, "enhance", 5), (3, "receive", 5), (3, "receive", 5), (5, "classify", 0)]
    ended = border_of(events[1])
    assert ended.seconds == 1.5


def test_a_branch_that_parts_after_enhance_stays_in_its_round(tmp_path: Path) -> None:
    source = recorded_run("en")
    records = load(source.path)
    ends = [one.seq for one in records if isinstance(one.event, StageFinished) and one.event.stage == "enhance"]
    fork(RunFolder(source.path), records, ends[1], RunFolder(tmp_path / "branch"))
    branch = load(tmp_path / "branch")
    assert fork_border(records, ends[1]) == ends[1]
    last, parted = place_at(branch, len(branch)), place_at(records, ends[1])
    assert (last.stage, last.round) == ("settings", parted.round)
