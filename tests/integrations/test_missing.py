"""A framework that is not installed: one line that names the extra, and nothing else of the package suffers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WITHOUT = """
import sys
for name in {hidden!r}:
    sys.modules[name] = None
import memorybank.integrations.turns
from memorybank.errors import InputError
try:
    import memorybank.integrations.{module}
except InputError as error:
    print(error)
"""
HEAVY = ("langgraph", "langchain_core", "agents", "smolagents", "mcp", "openai", "torch", "streamlit", "opentelemetry")


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("module", "extra", "hidden"),
    [
        ("langgraph", "langgraph", ["langgraph.graph"]),
        ("openai_agents", "openai-agents", ["agents"]),
        ("smolagents", "smolagents", ["smolagents"]),
        ("mcp", "mcp", ["mcp.server.fastmcp"]),
        ("tracing.otlp", "otel", ["opentelemetry.exporter.otlp.proto.common.trace_encoder"]),
    ],
)
def test_the_error_names_the_extra(module: str, extra: str, hidden: list[str]) -> None:
    said = python(WITHOUT.format(hidden=hidden, module=module))
    assert f'pip install "agentic-memory-bank[{extra}]"' in said
    assert said.startswith(f"{hidden[0]} is not installed")
    assert "\n" not in said


def test_what_needs_no_framework_loads_none() -> None:
    loaded = python(
        "import sys, memorybank.integrations.turns, memorybank.integrations.foreign, memorybank.runs.tail;"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    assert loaded == "[]"
