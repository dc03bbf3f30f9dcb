"""The library as a stranger installs it: a wheel that is whole, and works where the app's packages are not.

The wheel is built offline from a copy of the sources and installed into a folder of the test. The library then runs in
a process of its own that sees that folder first, and in which Streamlit and pyvis cannot be imported.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from email.message import Message
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
APP_ONLY = {"streamlit", "pyvis"}
BLOCK = f"""
import importlib.abc, sys

class Absent(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {sorted(APP_ONLY)!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

# An editable install of the working copy would lend what the wheel has not.
sys.meta_path[:] = [one for one in sys.meta_path if not getattr(one, "__module__", "").startswith("__editable__")]
sys.meta_path.insert(0, Absent())
"""
TIMED = """
import sys, time
before = time.perf_counter()
import memorybank
seconds = time.perf_counter() - before
import json
heavy = {"torch", "streamlit", "pyvis", "sentence_transformers", "openai", "cv2"}
print(json.dumps({"file": memorybank.__file__, "seconds": seconds, "heavy": sorted(heavy & set(sys.modules))}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "memorybank", source / "memorybank", ignore=shutil.ignore_patterns("__pycache__"))
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", built, source)
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the library in it, and with what keeps the app's packages out."""
    target = tmp_path_factory.mktemp("site")
    pip("install", "--no-deps", "--target", target, wheel)
    (target / "sitecustomize.py").write_text(BLOCK, "utf-8")
    return target


def pip(*arguments: object) -> None:
    command = [sys.executable, "-m", "pip", "--no-input", "--disable-pip-version-check", *map(str, arguments)]
    offline = {**os.environ, "PIP_NO_INDEX": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=offline, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def python(installed: Path, cwd: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run Python where only what was installed is ours: not the working copy."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(installed)},
        timeout=300,
        check=False,
    )


def metadata(wheel: Path) -> Message:
    with ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode("utf-8"))


def test_the_wheel_holds_every_file_of_the_package_but_the_lab(wheel: Path) -> None:
    package = ROOT / "memorybank"
    ours = {
        path.relative_to(ROOT).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.is_relative_to(package / "lab")
    }
    with ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == ours
    assert {"memorybank/py.typed", "memorybank/prompts/wording.zh.yaml"} <= held
    assert {Path(name).suffix for name in held} >= {".py", ".yaml", ".js", ".css"}


def test_the_apps_packages_are_an_extra(wheel: Path) -> None:
    told = metadata(wheel)
    assert told["Name"] == "agentic-memory-bank"
    assert "app" in told.get_all("Provides-Extra", [])
    needs = told.get_all("Requires-Dist", [])
    extras = {(_name(line), *re.findall(r'extra == "(\w+)"', line)) for line in needs if _name(line) in APP_ONLY}
    assert extras == {("streamlit", "app"), ("pyvis", "app"), ("pyvis", "export")}
    assert {"numpy", "pydantic", "torch"} <= {_name(line) for line in needs if "extra ==" not in line}


def _name(requirement: str) -> str:
    match = re.match(r"[\w.-]+", requirement)
    return match[0].lower()


def test_importing_is_quick_and_light(installed: Path, tmp_path: Path) -> None:
    """Under half a second: the best of three, for it is the import that is measured, not the machine's other work."""
    found = [json.loads(python(installed, tmp_path, "-c", TIMED).stdout) for _ in range(3)]
    assert Path(found[0]["file"]).is_relative_to(installed)
    assert found[0]["heavy"] == []
    assert min(one["seconds"] for one in found) < 0.5


def test_a_session_runs_where_the_app_cannot(installed: Path, tmp_path: Path) -> None:
    for name in APP_ONLY:
        assert "ModuleNotFoundError" in python(installed, tmp_path, "-c", f"import {name}").stderr
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


@pytest.mark.parametrize("command", [("eval", "limits", "--data", "."), ("bench", "retrieval")])
def test_a_command_of_the_lab_says_where_to_get_it(installed: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    done = python(installed, tmp_path, "-m", "memorybank", *command)
    assert done.returncode == 2
    assert 'pip install -e ".[lab]"' in done.stderr
    assert "Traceback" not in done.stderr
