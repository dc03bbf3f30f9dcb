"""A damaged run: refused as ever with the remedy named, opened up to the last good of it by name, and nothing lost."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from memorybank.__main__ import main
from memorybank.errors import DamagedError, JournalError, LockedError
from memorybank.memory.events import OBSERVATIONS, StageFinished
from memorybank.runs.export import fingerprint
from memorybank.runs.journal import take_lock
from memorybank.runs.run_folder import RunFolder, load, split_committed
from memorybank.runs.salvage import load_to_last_good, put_aside
from memorybank.session.session import Session
from tests.command_line import refused
from tests.scripted import opened, parts, source
from tests.test_bad_input import finished
from tests.test_bad_input import run as ended

__all__ = ["ended", "finished"]  # fixtures

NOTES = ("a=1 b=2", "c=3", "a=9")


TAILS: dict[str, Callable[[int], bytes]] = {
    "a zero block and a newline": lambda seq: b"\0" * 512 + b"\n",
    "garbage and a newline": lambda seq: b"\xff\xfe{]\n",
    "half a line and the next line": lambda seq: (
        f'{{"seq": {seq}, "at": 17\n{{"seq": {seq + 1}, "at": 1771.0, "event": {{}}}}\n'.encode()
    ),
    "an unknown event": lambda seq: f'{{"seq": {seq}, "at": 1771.0, "event": {{"type": "Nothing"}}}}\n'.encode(),
    "a line that was moved": lambda seq: f'{{"seq": {seq + 7}, "at": 1771.0, "event": {{}}}}\n'.encode(),
    "damage and a torn end": lambda seq: b"\0\n\0\0\0",
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was left in the middle, behind a stage."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    sources = [source(text, f"{number}.txt") for number, text in enumerate(NOTES)]
    with Session.start(folder, parts(), goal="What is a?", sources=sources) as session:
        session.run_until(lambda report: report.stage == "analyse")
    return folder


@pytest.fixture(scope="module")
def end(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the run comes to when nothing happens to it."""
    copy = Path(shutil.copytree(whole, tmp_path_factory.mktemp("end") / "run"))
    with opened(copy) as session:
        session.run()
        return fingerprint(session.bank)


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


@pytest.mark.parametrize("kind", TAILS)
def test_damage_behind_the_last_stage(run: Path, end: str, kind: str) -> None:
    journal = run / "journal.jsonl"
    good, records = journal.read_bytes(), load(run)
    tail = TAILS[kind](len(records) + 1)
    journal.write_bytes(good + tail)
    before = journal.read_bytes()
    stages = sum(isinstance(record.event, StageFinished) for record in records)
    for act in (lambda: load(run), lambda: opened(run)):
        with pytest.raises(DamagedError) as error:
            act()
        assert f"line {len(records) + 2} " in str(error.value)
        assert f"is whole (ended stages: {stages})" in str(error.value)
        assert "--to-last-good" in str(error.value)
        assert journal.read_bytes() == before

    read, left_out = load_to_last_good(run)
    assert read == records
    assert (left_out.line, left_out.bytes, left_out.file) == (len(records) + 2, len(tail), "")
    assert left_out.lines == len([line for line in tail.split(b"\n") if line])
    assert f"line {left_out.line} on" in str(left_out)
    assert journal.read_bytes() == before

    put_aside(RunFolder(run))
    with opened(run) as session:
        session.run()
        assert fingerprint(session.bank) == end
    assert (run / "journal.left-out-1.jsonl").read_bytes() == tail
    assert journal.read_bytes().startswith(good)
    assert put_aside(RunFolder(run)) is None
    RunFolder(run).remove()
    assert not run.exists(), "what was put aside is the run's too"


def test_damage_between_stages_and_a_second_time(run: Path, end: str) -> None:
    journal = run / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    ends = [place for place, line in enumerate(lines) if b'"type": "StageFinished"' in line]
    bad = ends[1] + 1
    damaged = b"".join([*lines[:bad], b"\0\n", *lines[bad + 1 :]])
    journal.write_bytes(damaged)
    left_out = put_aside(RunFolder(run))
    assert (left_out.line, left_out.lines, left_out.stages) == (bad + 1, len(lines) - bad, len(ends) - 2)
    assert (left_out.events, left_out.file) == (bad - 1, "journal.left-out-1.jsonl")
    assert journal.read_bytes() + (run / left_out.file).read_bytes() == damaged
    with journal.open("ab") as file:
        file.write(b"\0\n")
    again = put_aside(RunFolder(run))
    assert again.file == "journal.left-out-2.jsonl"
    assert (run / left_out.file).exists()
    with opened(run) as session:
        session.run()
        assert fingerprint(session.bank) == end


def test_answers_that_are_whole_behind_the_last_stage_are_kept(run: Path) -> None:
    with opened(run) as session:
        count = len(session.records)
        session.step()
        records = list(session.records)
    stage = next(place for place in range(count, len(records)) if not isinstance(records[place].event, OBSERVATIONS))
    journal = run / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[: stage + 1]) + b"\0\n")
    kept, left_out = load_to_last_good(run)
    assert left_out.lines == 1
    assert len(kept) == stage > len(split_committed(kept)[0])


def test_a_run_that_contradicts_itself_is_opened_up_to_there(run: Path, end: str) -> None:
    journal = run / "journal.jsonl"
    good = journal.read_bytes()
    records = load(run)
    last = good.splitlines(keepends=True)
    # The first fact of a session once more, under the next number: a line that reads, and cannot be true.
    first = next(line for line in last if b'"type": "EntryRecorded"' in line)
    known = json.loads(first)
    twice = json.dumps({**known, "seq": len(records) + 1}).encode() + b"\n"
    border = json.dumps({**json.loads(last[-1]), "seq": len(records) + 2}).encode() + b"\n"
    assert b"StageFinished" in border
    journal.write_bytes(good + twice + border)
    with pytest.raises(DamagedError, match=r"entry 'e1'.*--to-last-good"):
        opened(run)
    kept, left_out = load_to_last_good(run)
    assert (kept, left_out.lines, left_out.stages) == (records, 2, 1)
    assert "entry 'e1'" in left_out.damage
    put_aside(RunFolder(run))
    with opened(run) as session:
        session.run()
        assert fingerprint(session.bank) == end
    assert (run / "journal.left-out-1.jsonl").read_bytes() == twice + border


def test_what_cannot_be_opened_in_part_is_refused_and_not_touched(run: Path) -> None:
    journal = run / "journal.jsonl"
    header, first, *rest = journal.read_bytes().splitlines(keepends=True)
    for broken, said in (
        (b"".join([b"\0\n", first, *rest]), "is no journal"),
        (b"".join([header, b"\0\n", *rest]), "nothing to open"),
        (b"".join([header, first, b"\0\n", *rest]), "nothing to open"),
        (b"", "is empty"),
    ):
        journal.write_bytes(broken)
        for act in (lambda: load_to_last_good(run), lambda: put_aside(RunFolder(run))):
            with pytest.raises(JournalError, match=said) as error:
                act()
            assert not isinstance(error.value, DamagedError)
        assert journal.read_bytes() == broken
    assert not list(run.glob("journal.left-out*"))


def test_a_run_that_another_writes_is_not_cut(run: Path) -> None:
    with (run / "journal.jsonl").open("ab") as file:
        file.write(b"\0\n")
    before = (run / "journal.jsonl").read_bytes()
    lock = take_lock(run / "journal.jsonl")
    with pytest.raises(LockedError):
        put_aside(RunFolder(run))
    lock.release()
    assert (run / "journal.jsonl").read_bytes() == before


def test_the_commands(ended: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, journal = ended, ended / "journal.jsonl"
    assert main(["replay", str(run), "--json"]) == 0
    state = capsys.readouterr().out
    good, events = journal.read_bytes(), len(load(run))
    journal.write_bytes(good + b"\0\0\n{\n")
    page = tmp_path / "run.html"
    for command in (["replay", run], ["export", run, "--html", page], ["resume", run], ["pack", run, tmp_path / "z"]):
        line = refused(*command)
        assert "with --to-last-good" in line, command
    told = (
        f"memorybank: opened up to event {events}; left out%s: all from line {events + 2} on "
        f"(lines: 2, bytes: 5, ended stages: 0), for journal.jsonl line {events + 2} is not a journal record; "
        "restore the file from a copy\n"
    )
    assert main(["replay", str(run), "--json", "--to-last-good"]) == 0
    assert capsys.readouterr() == (state, told % "")
    assert main(["export", str(journal), "--html", str(page), "--to-last-good"]) == 0
    assert capsys.readouterr().err == told % ""
    assert page.stat().st_size > 100_000
    assert journal.read_bytes() == good + b"\0\0\n{\n"
    assert main(["resume", str(run), "--to-last-good"]) == 0
    assert (told % " and kept in journal.left-out-1.jsonl") in capsys.readouterr().err
    assert (run / "journal.left-out-1.jsonl").read_bytes() == b"\0\0\n{\n"
    assert journal.read_bytes().startswith(good)
    assert main(["replay", str(run), "--json", "--to-last-good"]) == 0
    assert capsys.readouterr() == (state, "memorybank: nothing had to be left out\n")
