"""The llm engine on the command line: stopped while a model is waited for, and filed again where an agent failed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from memorybank.__main__ import main
from memorybank.hosting.run import Until
from memorybank.hosting.worker import Worker
from memorybank.runs.run_folder import load
from memorybank.session.phase import Phase
from memorybank.session.session import Session
from memorybank_lab.scripted import FAULTS, Faulty, ScriptedServer, asks
from tests.llm.sessions import DOCUMENTS, TASKS, parts, recorded, sources
from tests.waiting import wait_until

SOON = 10.0
"""Seconds in which a stop must have happened, on a busy machine too; a call would wait for a minute."""


def test_ctrl_c_ends_the_command_and_the_run_resumes(tmp_path: Path) -> None:
    for name, text in DOCUMENTS["en"].items():
        (tmp_path / name).write_text(text, "utf-8")
    script = Faulty(recorded("en"), FAULTS["never_answers"], asks(schema="analysis"), times=1)
    with ScriptedServer(script) as server:
        model = {"LLM_BASE_URL": server.base_url, "LLM_MODEL": "scripted", "LLM_CACHE": "false", "LLM_TIMEOUT": "4"}
        environment = {**os.environ, **model, "EMBEDDING_MODEL": "hashed-ngrams"}
        command = [sys.executable, "-m", "memorybank"]
        asked = [*command, "run", "--engine", "llm", "--task", TASKS["en"], "--out", str(tmp_path / "run"), "--context"]
        asked += [str(tmp_path / name) for name in DOCUMENTS["en"]]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        process = subprocess.Popen(asked, env=environment, **pipes)
        wait_until(lambda: bool(server.select(asks(schema="analysis"))), 60)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
        assert process.returncode == 1
        assert "memorybank resume" in said
        assert "Traceback" not in said
        before = len(load(tmp_path / "run"))
        resume = [*command, "resume", str(tmp_path / "run"), "--json"]
        finished = subprocess.run(resume, env=environment, **pipes, timeout=180, check=False)
        assert finished.returncode == 0, finished.stderr
        assert '"result": "complete"' in finished.stdout
        assert len(load(tmp_path / "run")) > before


def test_pause_ends_a_waiting_call_and_close_leaves_no_thread(run_dir: Path) -> None:
    threads = set(threading.enumerate())
    script = Faulty(recorded("en"), FAULTS["never_answers"], asks(schema="planning"), times=1)
    with ScriptedServer(script) as server:
        served = set(threading.enumerate())

        def begin() -> Session:
            return Session.start(run_dir, parts(server, timeout=60.0), goal=TASKS["en"], sources=sources("en"))

        worker = Worker("0" * 32, begin, until=Until.END)
        wait_until(lambda: bool(server.select(asks(schema="planning"))), 60)
        worker.pause()
        wait_until(lambda: worker.phase is Phase.RESTING, SOON, lambda: "Pause took too long")
        worker.go(Until.END)
        wait_until(lambda: not worker.busy, 120)
        assert worker.error is None
        assert worker.session.result.result == "complete"
        assert worker.close(SOON)
        left = {one for one in threading.enumerate() if one not in served and one not in threads and one.is_alive()}
        replying = {one for one in left if one.name == "scripted reply"}  # the server's, each as long as its connection
        assert not {one.name for one in left - replying if not one.name.startswith(("embedding", "QueueFeeder"))}
        wait_until(lambda: not any(one.is_alive() for one in replying), SOON, lambda: "a connection stayed open")


def test_refile_on_the_command_line(
    run_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("LLM_API_KEY", "LLM_BASE_URL", "LLM_CACHE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"LLM_PROVIDER": "local", "LLM_MODEL": "scripted", "STORAGE_DIR": str(tmp_path / "s")}.items():
        monkeypatch.setenv(name, value)
    files = []
    for one in sources("en"):
        files.append(tmp_path / one.name)
        files[-1].write_text(one.text, "utf-8")
    bad = Faulty(recorded("en"), FAULTS["prose_only"], asks(schema="classification", contains="42"))
    options = ["--engine", "llm", "--embedding-model", "hashed-ngrams", "--lang", "en", "--out", str(run_dir), "--json"]

    def call(server: ScriptedServer, *arguments: str) -> tuple[int, dict[str, object], str]:
        monkeypatch.setenv("LLM_BASE_URL", server.base_url)
        code = main(list(arguments))
        out, err = capsys.readouterr()
        return code, json.loads(out), err

    with ScriptedServer(bad) as server:
        code, told, err = call(server, "ingest", *map(str, files), *options)
        assert (code, told["result"], list(told["failed"])) == (1, "filed_with_failures", ["e3"])  # type: ignore[call-overload]
        assert "classification failed in 1 of 5 calls" in err
        assert any("e3" in str(line) for line in told["notes"])  # type: ignore[attr-defined]
        code, told, _ = call(server, "refile", str(run_dir), "--json")
        assert (code, told["result"]) == (1, "filed_with_failures"), "it failed again, and stays unfiled"
    with ScriptedServer(recorded("en")) as server:
        code, told, err = call(server, "refile", str(run_dir), "--json")
        assert (code, told["result"], told["failed"], told["notes"]) == (0, "filed", {}, [])
        assert "to be filed again: e3" in err
        code, told, err = call(server, "refile", str(run_dir), "--json")
        assert "nothing is left to file again" in err
        assert code == 0
        assert main(["refile", str(run_dir), "e99"]) == 2
        assert "no entry 'e99'" in capsys.readouterr().err
