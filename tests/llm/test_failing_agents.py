"""Each agent of the llm engine over HTTP: a bad answer that is mended is an answer, a second bad one fails a task."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank.__main__ import main
from memorybank_lab.scripted import FAULTS, Faulty, ScriptedServer, asks
from tests.llm.sessions import recorded, sources


def test_refile_on_the_command_line(
    run_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("LLM_API_KEY", "LLM_BASE_URL", "LLM_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LLM_PROVIDER", "local")
    monkeypatch.setenv("LLM_MODEL", "scripted")
    monkeypatch.setenv("STORAGE_DIR", str(tmp_path / "storage"))
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
