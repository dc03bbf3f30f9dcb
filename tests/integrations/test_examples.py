"""Every example runs as it stands, without a key; and a framework that is not installed is one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memorybank.runs.run_folder import load, state_at
from memorybank.session.checks import standing_summary
from tests.docs.forking import programs
from tests.lending import lent

ROOT = Path(__file__).parents[2]
WORKING = ("plain_loop", "own_agent", "langgraph_agent", "langgraph_session", "openai_agents_sdk", "smolagents_agent")


@pytest.fixture(scope="module")
def python() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="mb") as folder, programs(Path(folder)) as commands:
        yield commands / "python"


def example(python: Path, name: str, storage: Path, *arguments: object) -> str:
    kept = ("PATH", "HOME", "XDG_STATE_HOME", "OMP_NUM_THREADS", "LANG")
    settings = {"EMBEDDING_MODEL": "hashed-ngrams", "STORAGE_DIR": str(storage), **lent()}
    done = subprocess.run(
        [python, str(ROOT / "examples" / f"{name}.py"), *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=storage,
        env={name: os.environ[name] for name in kept if name in os.environ} | settings,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", WORKING)
def test_an_agent_settles_the_contradiction_and_answers(python: Path, name: str, tmp_path: Path) -> None:
    said = example(python, name, tmp_path)
    assert "105 qubits" in said
    bank = state_at(load(tmp_path / "examples" / name / "run"))
    assert bank.progress.result == "complete"
    assert bank.conflicts.all
    assert all(one.status.merges and one.value == "105" for one in bank.conflicts.all.values())
    assert "report.md" in {entry.source for entry in bank.tree.entries.values()}
    assert not any("98 qubits" in standing_summary(node) for node in bank.graph.nodes.values())


def test_a_client_uses_the_mcp_server_and_a_reader_watches(python: Path, tmp_path: Path) -> None:
    said = example(python, "mcp_client", tmp_path)
    assert "c1" in said
    assert "105 qubits" in said.splitlines()[-1] or "105 qubits" in said
    events = example(python, "watch", tmp_path, tmp_path / "examples" / "mcp_client" / "run")
    assert "SessionStarted" in events
    assert "SessionFinished" in events


def test_every_example_is_listed() -> None:
    listed = (ROOT / "examples" / "README.md").read_text("utf-8")
    names = {path.stem for path in (ROOT / "examples").glob("*.py")} - {"setting"}
    assert names == {*WORKING, "mcp_client", "watch"}
    assert all(f"`{name}.py" in listed for name in names)


# -- A framework that is not installed: one line that names the extra, and nothing else of the package suffers ---------
# One process loads what needs no framework, and tells what came along; each framework is missing in a fork of it.

HEAVY = ("langgraph", "langchain_core", "agents", "smolagents", "mcp", "openai", "torch", "streamlit", "opentelemetry")
MISSING = {
    "langgraph": ("langgraph", "langgraph.graph"),
    "openai_agents": ("openai-agents", "agents"),
    "smolagents": ("smolagents", "smolagents"),
    "mcp": ("mcp", "mcp.server.lowlevel"),
    "tracing.otlp": ("otel", "opentelemetry.exporter.otlp.proto.http.trace_exporter"),
}
"""By module of ours: the extra, and what is not to be found."""
PROGRAM = """
import json, os, sys
from importlib import import_module
import memorybank.integrations.turns, memorybank.integrations.foreign, memorybank.runs.tail
from memorybank.errors import InputError
heavy, missing = json.load(sys.stdin)
print(json.dumps([name for name in heavy if name in sys.modules]), flush=True)
for module, (extra, hidden) in missing.items():
    if os.fork() == 0:
        said = "it was loaded"
        sys.modules[hidden] = None
        try:
            import_module(f"memorybank.integrations.{module}")
        except InputError as error:
            said = str(error)
        print(json.dumps([module, said]), flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.fixture(scope="module")
def told() -> tuple[list[str], dict[str, str]]:
    """What is loaded without any of them, and what each module of ours says without its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=json.dumps([HEAVY, MISSING]), cwd=ROOT, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    loaded, *said = map(json.loads, done.stdout.splitlines())
    return loaded, dict(said)


@pytest.mark.parametrize("module", MISSING)
def test_the_error_names_the_extra(module: str, told: tuple[list[str], dict[str, str]]) -> None:
    extra, hidden = MISSING[module]
    said = told[1][module]
    assert f'pip install "agentic-memory-bank[{extra}]"' in said
    assert said.startswith(f"{hidden} is not installed")
    assert "\n" not in said


def test_what_needs_no_framework_loads_none(told: tuple[list[str], dict[str, str]]) -> None:
    assert told[0] == []
