"""A framework that is not installed: one line that names the extra, and nothing else of the package suffers.

One process loads what needs no framework, and tells what came along; each framework is missing in a fork of it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
