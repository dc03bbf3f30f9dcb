"""A sample of changed journals and memory files through every reader; `eval robustness --full` runs 10,000."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from memorybank.lab.evaluation import borders, specimens
from memorybank.lab.evaluation.borders import BorderOutcome, Pages, outcomes
from memorybank.lab.evaluation.mutation import MISSING, MutatedText, Specimen, cases, paths, pattern, with_value
from memorybank.lab.lifeline import spawned
from memorybank.runs.run_folder import RunFolder, load
from memorybank.ui.shell import every_page, state

SAMPLE = 110


def test_a_changed_journal_or_memory_file_is_refused_in_one_line_or_read_by_all() -> None:
    found = list(outcomes(SAMPLE, seed=1, workers=2))
    assert [(one.case.specimen, one.case.what, one.faults, one.refused) for one in found if not one.holds] == []
    accepted = Counter(one.case.specimen for one in found if not one.refused)
    refused = Counter(one.case.specimen for one in found if one.refused)
    assert len(found) == SAMPLE
    assert len(accepted) == len(refused) == 5, "each specimen is read, and refused"
    assert min(sum(accepted.values()), sum(refused.values())) > SAMPLE / 5


JOURNAL = Specimen(
    "small",
    "\n".join(
        [
            json.dumps({"journal": "memorybank", "schema": 1}),
            json.dumps({"seq": 1, "at": 1.0, "event": {"type": "A", "ids": ["n1", "n2"], "of": {"n1": 1}}}),
            json.dumps({"seq": 2, "at": 2.0, "event": {"type": "B", "ms": 1.5}}),
        ]
    ),
    True,
)


def test_every_field_is_changed_the_same_way_each_time() -> None:
    drawn = list(cases([JOURNAL], 400))
    assert drawn == list(cases([JOURNAL], 400))
    assert drawn != list(cases([JOURNAL], 400, seed=1))
    fields = {one.what.partition(" = ")[0] for one in drawn if " = " in one.what}
    assert fields == {"A.type", "A.ids", "A.ids.*", "A.of", "A.of.*", "B.type", "B.ms"}
    ends = {one.what.rpartition(" ")[2] for one in drawn if one.what.startswith("line")}
    assert ends == {"twice", "gone", "moved", "copied", "cut"}
    assert any("exchanged" in one.what for one in drawn)
    assert all(one.text != JOURNAL.text + "\n" or " = " in one.what or "exchanged" in one.what for one in drawn[:1])
    assert {"nothing", "nan", "huge", "over", "None", "'\\ud800'"} <= {one.what.rpartition(" = ")[2] for one in drawn}


def test_a_value_is_changed_in_a_copy() -> None:
    whole = {"a": [{"b": 1}]}
    assert list(paths(whole)) == [("a",), ("a", 0), ("a", 0, "b")]
    assert pattern(("a", 0, "b", "n7")) == "a.*.b.*"
    assert with_value(whole, ("a", 0, "b"), MISSING) == {"a": [{}]}
    assert whole == {"a": [{"b": 1}]}


# -- what fails is seen -----------------------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunFolder:
    monkeypatch.setenv("STORAGE_DIR", str(tmp_path / "runs"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("EMBEDDING_MODEL", "hashed-ngrams")
    state.local.clear()
    state.runs.clear()
    folder = RunFolder(tmp_path / "runs" / ("ab" * 16))
    folder.path.mkdir(parents=True)
    shutil.copy(Path(__file__).parents[2] / "data" / "journal-1.jsonl", folder.journal)
    return folder


def test_a_page_that_fails_is_named(run: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    found = next(record.seq for record in load(run.path) if type(record.event).__name__ == "ConflictFound")
    assert list(every_page.faults_of(run, found, "en")) == []

    def fails(*given: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr("memorybank.views.boxes.conflict_claims._pair", fails)
    faults = list(every_page.faults_of(run, found, "en"))
    assert [one.partition(":")[0] for one in faults] == ["export", "conflicts"]
    assert "planted (conflict_claims.py:" in faults[0]
    assert not [one for one in faults if "\n" in one]


def test_a_process_spawned_after_the_pages_were_drawn_does_not_draw_them_again(run: RunFolder) -> None:
    assert list(every_page.faults_of(run, 1, "en")) == []
    with spawned(1) as pool:
        assert pool.submit(os.getppid).result() == os.getpid()


def test_a_reader_that_fails_or_dies_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (specimen, stores), *_ = specimens.write(tmp_path / "specimens")
    case, parts = MutatedText(specimen.name, "nothing", specimen.text, True), specimens.parts()
    monkeypatch.setattr(borders, "PAGES", "memorybank.no_such_module")
    pages = Pages(tmp_path)
    died = borders.outcome(case, stores, tmp_path / "runs", parts, pages)
    pages.close()
    assert (died.holds, died.faults) == (False, ("the process that draws the pages has died",))

    def fails(*given: object) -> None:
        raise KeyError("planted")

    monkeypatch.setattr(borders, "fingerprint", fails)
    broken = borders.outcome(case, stores, tmp_path / "runs", parts, pages)
    assert "KeyError: 'planted' (borders.py:" in broken.faults[0]
    assert not list((tmp_path / "runs").glob("*")), "no case is left behind"
    assert not BorderOutcome(case, "two\nlines", ()).holds
