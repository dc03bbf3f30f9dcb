"""Whole sessions in which every call waits for a hand: answered by a playing thread, stopped, killed, resumed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank.llm.hand import chat
from memorybank.llm.hand.folder import HandFolder
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder, load
from memorybank.session.assembly import assemble
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings, RoleModel
from memorybank.testing.cases import StageCase, run_case
from memorybank.testing.making import stage_case, stage_spans
from tests.llm.hand.answering import Reader, by_script
from tests.llm.sessions import DOCUMENTS, TASKS, agent_calls, recorded, sources
from tests.waiting import wait_until

BY_HAND = Settings(engine="llm", embedding_model="hashed-ngrams", llm=LLMSettings(provider="hand"))


@pytest.fixture(autouse=True)
def quick_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "LOOK", 0.02)


def test_agents_ask_side_by_side_and_a_stop_ends_their_waiting(run_dir: Path) -> None:
    apart = replace(BY_HAND, lang="en", llm=replace(BY_HAND.llm, windows={"classification": 2048}))
    long = [replace(source, text=45 * source.text) for source in sources("en")]  # no two of them fit one request
    with Session.start(run_dir, assemble(apart, [TASKS["en"]]), goal=TASKS["en"], sources=long) as session:
        running = threading.Thread(target=session.run)
        running.start()
        folder = HandFolder(run_dir / "hand")
        wait_until(lambda: len(folder.waiting()) == BY_HAND.parallel_calls, 20, folder.waiting)
        session.pause()
        running.join(10)
        before = folder.names()
        session.unpause()
        with Reader(run_dir / "hand", by_script(recorded("en"))) as reader:
            session.step()
        assert reader.answered[:4] == before, "what waited is asked by the same files"


def test_killed_and_answered_meanwhile_it_goes_on(tmp_path: Path) -> None:
    for name, text in DOCUMENTS["en"].items():
        (tmp_path / name).write_text(text, "utf-8")
    own = {"LLM_PROVIDER": "hand", "HAND_DIR": str(tmp_path / "desk"), "EMBEDDING_MODEL": "hashed-ngrams"}
    environment = {**os.environ, **own}
    command = [sys.executable, "-m", "memorybank"]
    begun = [*command, "run", "--engine", "llm", "--task", TASKS["en"], "--out", str(tmp_path / "run"), "--context"]
    log = tmp_path / "log"
    with log.open("wb") as output:
        begun += [str(tmp_path / name) for name in DOCUMENTS["en"]]
        process = subprocess.Popen(begun, env=environment, stderr=output)
    folder = HandFolder(tmp_path / "desk")
    answer = by_script(recorded("en"))
    with Reader(folder.path, answer, role="classification"):
        wait_until(lambda: any(name.endswith("analysis") for name in folder.waiting()), 60, log.read_text)
    wait_until(lambda: f" in {folder.path}: " in log.read_text("utf-8"), 20, log.read_text)
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    unanswered = folder.waiting()
    assert unanswered
    for name in unanswered:
        request = folder.request(name)
        folder.give(name, answer(request))
    with Reader(folder.path, answer):
        resumed = [*command, "resume", str(tmp_path / "run"), "--json"]
        done = subprocess.run(resumed, env=environment, capture_output=True, text=True, timeout=180, check=False)
    assert '"result": "complete"' in done.stdout, done.stderr
    asked = [request.digest for name in folder.names() if (request := folder.request(name))]
    assert len(set(asked)) == len(asked), "nothing was asked twice"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_person_plays_the_analysis_agent_beside_the_offline_engine(run_dir: Path, lang: Lang) -> None:
    llm = LLMSettings(roles={"analysis": RoleModel(provider="hand")})
    parts = assemble(replace(BY_HAND, engine="offline", lang=lang, llm=llm), [TASKS[lang]])
    with (
        Session.start(run_dir, parts, goal=TASKS[lang], sources=sources(lang)) as session,
        Reader(run_dir / "hand", by_script(recorded(lang))) as reader,
    ):
        result = session.run()
        made = agent_calls(session)
        begun, conflicts = session.bank.settings, session.bank.conflicts.all
    assert result.result.startswith("complete")
    assert begun is not None
    assert (begun.engine, begun.model) == ("offline", "hand")
    assert {(call.role, call.engine) for call in made} >= {("analysis", "llm"), ("planning", "offline")}
    assert {call.role for call in made if call.engine == "llm"} == {"analysis"}
    assert {name.partition(".")[2] for name in reader.answered} == {"analysis"}
    assert conflicts, "24 arches or 42"
    records = load(run_dir)
    span = [span for span in stage_spans(records) if span.stage == "analyse"][-1]
    case = stage_case(span, records, RunFolder(run_dir), Settings())
    assert isinstance(case, StageCase)
    run_case(case)
