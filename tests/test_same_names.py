"""Documents of one name give what the same documents of different names give, through each door."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.batch.cluster.home import SentInputs, received
from memorybank.batch.shared import SharedStorage
from memorybank.batch.tasks import read_tasks
from memorybank.batch.worker import SerialScheduler
from memorybank.commands import batching
from memorybank.hosting.browser_mark import Visitor
from memorybank.hosting.registry import Runs
from memorybank.hosting.run import NewRun, Until, Upload
from memorybank.integrations.bank_tools import BankTools
from memorybank.integrations.foreign import Handover
from memorybank.integrations.turns import Turns
from memorybank.language import quotation
from memorybank.memory.state import MemoryState
from memorybank.runs.run_folder import load, state_at
from memorybank.session.assembly import Parts, assemble, reassemble
from memorybank.session.intake import text_source
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from tests.batch.making import task_file
from tests.command_line import memorybank
from tests.documents.pdf_files import pdf
from tests.waiting import wait_until

GOAL = "How tall is the Harnby lighthouse?"
TEXTS = (
    "# Harnby lighthouse\n\nThe Harnby lighthouse is 34 metres tall. It was built in 1861 by the harbour board.\n",
    "# Harnby lighthouse\n\nThe Harnby lighthouse is 41 metres tall. Its keeper in 1900 was called Brandt.\n",
    "# Survey of the sound\n\nThe surveyors measured every tower. The Harnby lighthouse is 34 metres tall.\n",
    "# Pilot book\n\nPilots steer by it. The Harnby lighthouse is 34 metres tall. It is white with a red band.\n",
)
ITS_OWN = ("1861", "Brandt", "surveyors", "Pilots")
"""A word of each that no other has."""
PATHS = [f"{number}/README.md" for number in range(1, 5)]
CONTROL = ["a.md", "b.md", "c.md", "d.md"]
NUMBERED = ["README.md", *(f"README.md ({number})" for number in range(2, 5))]
SETTINGS = Settings(embedding_model="hashed-ngrams")
_METRES_RE = re.compile(r"\d+ metres")
HASHED = ("--embedding-model", "hashed-ngrams")


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    return written(tmp_path / "docs", dict(zip(PATHS, TEXTS, strict=True)))


def written(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return [folder / name for name in texts]


# -- the doors: each gives the run's folder and the names that the four documents have --------------------------------


def command_line(folder: Path, files: Sequence[Path]) -> tuple[Path, list[str]]:
    done = memorybank("run", "--task", GOAL, "--context", *files, "--out", folder / "run", *HASHED)
    assert done.returncode == 0, done.stderr
    return folder / "run", PATHS


def corpus(folder: Path, files: Sequence[Path]) -> tuple[Path, list[str]]:
    done = memorybank("run", "--task", GOAL, "--corpus", files[0].parents[1], "--out", folder / "run", *HASHED)
    assert done.returncode == 0, done.stderr
    return folder / "run", PATHS


def uploaded(folder: Path, **given: Any) -> Path:
    runs = Runs(folder / "runs")
    run = runs.start(NewRun(prompt=GOAL, settings=SETTINGS, **given), by=Visitor("tab"), until=Until.END)
    wait_until(lambda: not run.busy, 60, lambda: run.phase)
    assert run.error is None
    run.close()
    return runs.root / run.run_id


def upload(folder: Path, files: Sequence[Path]) -> tuple[Path, list[str]]:
    return uploaded(folder, context=tuple(Upload(name="README.md", data=text.encode()) for text in TEXTS)), NUMBERED


def corpus_upload(folder: Path, files: Sequence[Path]) -> tuple[Path, list[str]]:
    """The third is called what the fourth would be called if its number alone stood before its name."""
    names = ["README.md", "README.md", "4-README.md", "README.md"]
    uploads = tuple(Upload(name=name, data=text.encode()) for name, text in zip(names, TEXTS, strict=True))
    return uploaded(folder, corpus=uploads), ["README.md", "2-README.md", "4-README.md", "4-4-README.md"]


def batch(folder: Path, files: Sequence[Path]) -> tuple[Path, list[str]]:
    tasks = task_file(folder, [{"id": "a", "task": GOAL, "context": [f"docs/{name}" for name in PATHS]}])
    done = memorybank("batch", tasks, "--out", folder / "out", *HASHED)
    assert done.returncode == 0, done.stderr
    return folder / "out" / "runs" / "a", PATHS


Door = Callable[[Path, Sequence[Path]], tuple[Path, list[str]]]
DOORS: Sequence[Door] = (command_line, corpus, upload, corpus_upload, batch)


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(batching, "_scheduler", lambda *_: SerialScheduler())
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def told(bank: MemoryState, names: Sequence[str]) -> set[tuple[str, str, frozenset[tuple[int, str]]]]:
    """What came of each conflict, and which document says what, by its place among the four."""
    return {
        (
            conflict.status.value,
            conflict.value,
            frozenset((names.index(piece.source), _METRES_RE.findall(piece.quote)[0]) for piece in conflict.evidence),
        )
        for conflict in bank.conflicts.all.values()
    }


@pytest.fixture(scope="module")
def control(tmp_path_factory: pytest.TempPathFactory) -> MemoryState:
    folder = tmp_path_factory.mktemp("control")
    files = written(folder, dict(zip(CONTROL, TEXTS, strict=True)))
    done = memorybank("run", "--task", GOAL, "--context", *files, "--out", folder / "run", *HASHED)
    assert done.returncode == 0, done.stderr
    return state_at(load(folder / "run"))


@pytest.mark.parametrize("door", DOORS, ids=[door.__name__ for door in DOORS])
def test_the_result_is_that_of_different_names(
    door: Callable[[Path, Sequence[Path]], tuple[Path, list[str]]],
    tmp_path: Path,
    files: list[Path],
    control: MemoryState,
) -> None:
    folder, names = door(tmp_path, files)
    bank = state_at(load(folder))
    expected = told(control, CONTROL)
    voices = frozenset(enumerate(f"{metres} metres" for metres in (34, 41, 34, 34)))
    assert expected == {("resolved", "34 metres", voices)}
    assert told(bank, names) == expected
    assert sorted({entry.source for entry in bank.tree.entries.values() if entry.is_source}) == sorted(names)
    assert "34 metres" in bank.progress.answer
    assert str(tmp_path) not in (folder / "journal.jsonl").read_text("utf-8"), "no absolute path in a journal"
    for conflict in bank.conflicts.all.values():
        for piece in conflict.evidence:
            own = [entry.text for entry in bank.tree.entries.values() if entry.source == piece.source]
            assert any(quotation.place(text, piece.quote) for text in own), "a quote is cited to its own document"
    searched = tmp_path / "docs" if door is corpus else folder / "corpus" if door is corpus_upload else None
    with Session.open(folder, lambda begun: reassemble(begun, SETTINGS, searched)) as session:
        check_visits(session, names)


def parts() -> Parts:
    return assemble(SETTINGS, [GOAL])


def check_visits(session: Session, names: Sequence[str]) -> None:
    tools = {tool.name: tool for tool in session.parts.tools(lambda: session.bank, session.folder)}
    for name, word in zip(names, ITS_OWN, strict=True):
        assert word in tools["visit"].run({"url": name}).text, f"{name} is reached by its name"
    found = tools["search"].run({"query": "Harnby lighthouse tall"})
    assert {material.source for material in found.materials} == set(names)


# -- agents from outside ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "names"),
    [(["README.md"] * 4, NUMBERED), ([f"/home/me/{path}" for path in PATHS], NUMBERED), (list("abcd"), list("abcd"))],
)
def test_what_an_agent_ingests(tmp_path: Path, given: list[str], names: list[str]) -> None:
    """An MCP client's texts, one at a time: each is told the name that it has in memory."""
    handed_over = replace(parts(), executor=Handover("client"))
    bank = BankTools(None, begin=lambda sources: Session.start(tmp_path / "run", handed_over, sources=sources))
    done = [bank.ingest(text, name) for text, name in zip(TEXTS, given, strict=True)]
    assert [one.source for one in done] == names
    assert [len(one.conflicts) for one in done] == [0, 1, 1, 1]
    assert bank.ingest(TEXTS[1], "again.md").source == names[1]
    check_visits(bank.session, names)
    bank.close()


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (PATHS, PATHS),
        ([f"/home/me/{path}" for path in PATHS], PATHS),
        (["README.md"] * 4, ["README.md (2)"] * 4),
        ([f"https://a.org/{path}" for path in PATHS], [f"https://a.org/{path}" for path in PATHS]),
    ],
)
def test_what_an_outside_loop_reads(tmp_path: Path, given: list[str], names: list[str]) -> None:
    """What the loop calls by one name is one source, however it is read; a document of that name is another."""
    first = [text_source("A note on something else.", "README.md")]
    with Turns.start(tmp_path / "run", GOAL, sources=first, parts=parts()) as turns:
        turns.enhance_prompt()
        turns.intercept("Read.", sources=list(zip(given, TEXTS, strict=True)))
        entries = turns.session.bank.tree.entries.values()
        assert [entry.source for entry in entries if entry.kind == "tool"] == names


def test_what_a_task_is_sent_has_the_same_names_on_every_node(tmp_path: Path, files: list[Path]) -> None:
    (task,) = read_tasks(
        task_file(tmp_path, [{"id": "a", "task": GOAL, "context": [f"docs/{name}" for name in PATHS]}])
    )
    storage = SharedStorage(str(tmp_path / "shared"))
    there = received(task, SentInputs(storage, "in").send(task), storage, "in", tmp_path / "there")
    assert [path.relative_to(tmp_path / "there").as_posix() for path in there.context] == [
        f"context{number}/{name}" for number, name in enumerate(PATHS)
    ]


def test_two_pdfs_of_one_name(tmp_path: Path) -> None:
    paths = written(tmp_path, {"一/计划 A.pdf": "", "二/计划 A.pdf": ""})
    for path, text in zip(paths, ("The tower is 34 metres tall.", "The tower is 41 metres tall."), strict=True):
        path.write_bytes(pdf([[text]]))
    done = memorybank("ingest", *paths, "--out", tmp_path / "run", *HASHED)
    assert done.returncode == 0, done.stderr
    tree = state_at(load(tmp_path / "run")).tree
    said = {entry.source: entry.body.strip() for entry in tree.entries.values()}
    assert said == {"一/计划 A.pdf": "The tower is 34 metres tall.", "二/计划 A.pdf": "The tower is 41 metres tall."}
    assert [file.name for file in tree.attachments.values()] == ["计划 A.pdf"] * 2
