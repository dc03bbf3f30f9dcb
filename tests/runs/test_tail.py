"""A reader that follows a run while another process writes it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from memorybank.memory.events import NodeCreated, SessionFinished, StageFinished
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import RunFolder, load, state_at
from memorybank.runs.tail import Tail
from memorybank.session.session import Session
from tests.scripted import finished, parts, source, start

ROOT = Path(__file__).parents[2]
WRITER = """
import sys, time
from pathlib import Path
from tests.scripted import source, start
with start(Path(sys.argv[1]), "willow qubits: 105", goal="How many?") as session:
    for _ in session.iterate():
        time.sleep(0.02)
    for number in range(5):
        session.add(source(f"topic {number} size: {number}", f"note{number}.txt"))
        session.run()
"""


def test_a_run_is_watched_from_another_process(run_dir: Path) -> None:
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(run_dir)], env={**os.environ, "PYTHONPATH": str(ROOT)})
    tail = Tail(run_dir)
    assert tail.poll() == []
    assert not tail.begun
    looks, deadline = [], time.monotonic() + 60
    while writer.poll() is None and time.monotonic() < deadline:
        if new := tail.poll():
            looks.append(new)
            state_at(tail.records)  # any prefix folds: an unfinished commit is left out
        time.sleep(0.005)
    tail.poll()
    assert writer.wait(10) == 0
    assert len(looks) > 3, "it came piece by piece"
    assert tail.begun
    assert [record.seq for record in tail.records] == list(range(1, len(tail.records) + 1))
    assert fingerprint(state_at(tail.records)) == fingerprint(state_at(load(run_dir)))
    assert sum(isinstance(record.event, SessionFinished) for record in tail.records) == 6
    assert tail.poll() == []


def test_a_look_reads_only_what_is_new(run_dir: Path) -> None:
    with start(run_dir, "willow qubits: 105") as session:
        tail = Tail(run_dir / "journal.jsonl")
        assert tail.poll() == session.records
        session.run()
        seen = list(tail.records)
        new = tail.poll()
        assert [*seen, *new] == tail.records == session.records
        assert any(isinstance(record.event, NodeCreated) for record in new)


def test_a_torn_line_waits_until_it_is_whole(run_dir: Path) -> None:
    finished(run_dir, "willow qubits: 105")
    whole = RunFolder(run_dir).journal.read_bytes()
    cut = whole.rfind(b"\n", 0, -1) + 20
    RunFolder(run_dir).journal.write_bytes(whole[:cut])
    tail = Tail(run_dir)
    before = len(tail.poll())
    with RunFolder(run_dir).journal.open("ab") as file:
        file.write(whole[cut:])
    assert [record.seq for record in tail.poll()] == [before + 1]


def test_a_writer_that_cuts_its_tail_off_is_followed(run_dir: Path) -> None:
    finished(run_dir, "willow qubits: 105")
    journal = RunFolder(run_dir).journal
    lines = journal.read_bytes().splitlines(keepends=True)
    last = max(n for n, record in enumerate(load(run_dir), start=1) if isinstance(record.event, StageFinished))
    journal.write_bytes(b"".join(lines[:last]))  # killed before the last commit was whole
    tail = Tail(run_dir)
    tail.poll()
    kept = tail.records
    with Session.open(run_dir, lambda _: parts()) as session:
        tail.poll()
        session.add(source("maker: Google"))
        session.run()
        tail.poll()
        assert tail.records == session.records
        assert kept is not tail.records, "what a page holds is not changed under it"


def test_lines_of_a_write_that_was_taken_back_are_forgotten(run_dir: Path) -> None:
    tail = Tail(run_dir)
    with start(run_dir, "willow qubits: 105") as session:
        session.run()
        path = RunFolder(run_dir).journal
        good = path.stat().st_size
        seen = len(tail.poll())
        session.add(source("beta masts: 5", "b.txt"))
        tail.poll()
        os.truncate(path, good)  # as after a write of which only a part came through
        assert tail.poll() == tail.records
        assert len(tail.records) == seen
        line = path.read_bytes().splitlines(keepends=True)[-1]
        longer = line.replace(f'"seq": {seen}'.encode(), f'"seq": {seen + 1}'.encode())
        with path.open("ab") as file:
            file.write(longer)
        assert [record.seq for record in tail.poll()] == [seen + 1]
        os.truncate(path, good)
        with path.open("ab") as file:  # another line, longer than what was seen: it does not begin where that ended
            file.write(longer.replace(b'"ms": ', b'"ms": 1234'))
        assert tail.poll() == tail.records
        assert len(tail.records) == seen + 1
