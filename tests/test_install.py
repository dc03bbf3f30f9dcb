"""The library as a stranger installs it: a wheel that is whole, and works where the app's packages are not.

The app that comes with it is started in tests/app/test_installed_app.py.
"""

from __future__ import annotations

import json
import re
import socket
from email.parser import Parser
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest

from memorybank.__main__ import main
from tests.wheels import APP_ONLY, ROOT, installed, python, wheel

__all__ = ["installed", "wheel"]

APP_FILES = ("app.py", "shell.py", "pages", "assets", ".streamlit")
CODE = {".py", ".js", ".css", ".html", ".svg", ".yaml", ".toml", ".md", ".txt", ".typed"}
OURS = CODE | {".png", ".pdf", ".zip", ".xhtml", ".opf", ".ncx", ".xml"}
"""Kinds of files in the wheel. Images, a PDF and recorded runs were made for the demo; a book has templates."""
THIRD_PARTY = (ROOT / "THIRD_PARTY.md").read_text("utf-8")
IMPORTING = """
import json, sys, memorybank
heavy = {"torch", "streamlit", "pyvis", "sentence_transformers", "openai", "cv2"}
print(json.dumps({"file": memorybank.__file__, "heavy": sorted(filter(sys.modules.get, heavy))}))
"""


def test_the_wheel_holds_every_file_of_the_package_and_of_the_app_and_nothing_of_the_lab(wheel: Path) -> None:
    library = _files(ROOT / "memorybank")
    library |= {name for name in _files(ROOT / "memorybank_studio") if not name.startswith("memorybank_studio/tests/")}
    app = {f"memorybank/app/{name}" for top in APP_FILES for name in _files(ROOT / top)}
    with ZipFile(wheel) as archive:
        names = archive.namelist()
    held = {name for name in names if ".dist-info/" not in name}
    assert held == library | app
    assert {
        "memorybank/py.typed",
        "memorybank/prompts/wording.zh.yaml",
        "memorybank/app/.streamlit/config.toml",
    } <= held
    assert {Path(name).name for name in names if "/licenses/" in name} == {"LICENSE", "THIRD_PARTY.md"}


def _files(top: Path) -> set[str]:
    found = [top] if top.is_file() else [path for path in top.rglob("*") if path.is_file()]
    return {path.relative_to(ROOT).as_posix() for path in found if "__pycache__" not in path.parts}


def test_weights_fonts_and_scripts_of_others_are_where_the_notices_say(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        kinds = {Path(name).suffix for name in archive.namelist() if ".dist-info/" not in name}
    assert kinds <= OURS, "no weights or fonts: THIRD_PARTY.md says so"
    rows = [line.strip("| ").split(" | ") for line in THIRD_PARTY.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 7
    for _, file, package, _, licence, _ in rows:
        name = package.partition(" ")[0]
        found = distribution(name)
        assert any(one.as_posix() == file.strip("`") for one in found.files or ()), file
        stated = f"{found.metadata.get('License-Expression')} {found.metadata.get('License')}"
        assert licence in stated, (name, stated)


def test_the_apps_packages_are_an_extra(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        told = Parser().parsestr(archive.read(name).decode("utf-8"))
    assert told["Name"] == "agentic-memory-bank"
    assert "app" in told.get_all("Provides-Extra", [])
    needs = told.get_all("Requires-Dist", [])
    extras = {(_name(line), *re.findall(r"extra == ['\"](\w+)", line)) for line in needs if _name(line) in APP_ONLY}
    assert extras == {("streamlit", "app"), ("pyvis", "app"), ("pyvis", "export")}
    base = {_name(line) for line in needs if "extra ==" not in line}
    assert {"numpy", "pydantic", "openai"} <= base
    assert not {"torch", "spacy", "rapidocr", "onnxruntime", "chromadb", "arcadedb-embedded"} & base


def _name(requirement: str) -> str:
    match = re.match(r"[\w.-]+", requirement)
    return match[0].lower()


def test_importing_loads_nothing_heavy(installed: Path, tmp_path: Path) -> None:
    found = json.loads(python(installed, tmp_path, "-c", IMPORTING).stdout)
    assert Path(found["file"]).is_relative_to(installed)
    assert found["heavy"] == []


def test_a_session_runs_where_the_app_cannot(installed: Path, tmp_path: Path) -> None:
    for name in APP_ONLY:
        assert "ModuleNotFoundError" in python(installed, tmp_path, "-c", f"import {name}").stderr
    refused = python(installed, tmp_path, "-m", "memorybank", "demo")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert 'pip install "agentic-memory-bank[app]"' in refused.stderr
    (tmp_path / "bridge.md").write_text("The Tamar Bridge was opened in 1961. It carries three lanes.", "utf-8")
    (tmp_path / "ferry.md").write_text("The Tamar Bridge was opened in 1981, and a ferry runs beside it.", "utf-8")
    arguments = ["--task", "When was the Tamar Bridge opened?", "--context", "bridge.md", "ferry.md", "--out", "run"]
    done = python(
        installed, tmp_path, "-m", "memorybank", "run", *arguments, "--json", "--embedding-model", "hashed-ngrams"
    )
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["result"] == "complete"
    assert summary["conflicts"]
    assert "1961" in summary["answer"]
    assert {"journal.jsonl", "memory.json", "answer.md"} <= {path.name for path in (tmp_path / "run").iterdir()}
    replayed = python(installed, tmp_path, "-m", "memorybank", "replay", "run", "--json")
    assert json.loads(replayed.stdout) == json.loads((tmp_path / "run" / "memory.json").read_text("utf-8"))


def test_the_base_alone_runs_a_session_and_says_what_it_lacks(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "bridge.md").write_text("The Tamar Bridge was opened in 1961. It carries three lanes.", "utf-8")
    arguments = ["run", "--task", "When was the Tamar Bridge opened?", "--context", "bridge.md", "--out", "run"]
    done = python(installed, tmp_path, "-m", "memorybank", *arguments, LIGHT="yes")
    assert done.returncode == 0, done.stderr
    assert "opened in 1961" in done.stdout
    assert "Embedding model: hashed-ngrams, which compares wording" in done.stderr
    for extra in ("embeddings", "offline"):
        assert f'pip install "agentic-memory-bank[{extra}]"' in done.stderr
    reading = "from memorybank.tools.ocr import _model; _model()"
    assert "agentic-memory-bank[ocr]" in python(installed, tmp_path, "-c", reading, LIGHT="yes").stderr


def test_an_address_that_cannot_be_served_at_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for host, port in (("127.0.0.1", taken.getsockname()[1]), ("127.0.0.1", 99_999), ("no host", 8501)):
            assert main(["demo", "--host", host, "--port", str(port)]) == 2
            refused = capsys.readouterr().err
            assert refused.count("\n") == 1
            assert f"{host}, port {port}" in refused
