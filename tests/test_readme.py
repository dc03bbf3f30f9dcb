"""The README's Python runs as it stands (with a model that needs no torch, and in a folder of its own)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import memorybank
from memorybank.lab.scripted import ScriptedServer, scripted_agents
from memorybank.settings.config import Settings

ROOT = Path(__file__).parents[1]


def _python_blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)


def test_library_use_in_ten_lines(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, watching, _ = _python_blocks()
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    monkeypatch.chdir(tmp_path)
    quick = code.replace("Settings(corpus=", 'Settings(embedding_model="hashed-ngrams", corpus=')
    exec(compile(quick, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "finish" in printed
    assert "105" in printed
    namespace: dict[str, object] = {}
    exec(compile(watching, "README.md", "exec"), namespace)
    assert "finish" in capsys.readouterr().out


def test_ones_own_loop_in_ten_lines(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    *_, code = _python_blocks()
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    quick = code.replace('(Path("runs/mine"), goal)', '(Path("runs/mine"), goal, settings=settings)')
    assert quick != code
    with ScriptedServer(scripted_agents()) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        exec(compile(quick, "README.md", "exec"), {"settings": Settings(embedding_model="hashed-ngrams")})
        assert server.chats
    assert capsys.readouterr().out.strip()


def test_the_public_names_are_there_and_listed() -> None:
    for name in memorybank.__all__:
        assert getattr(memorybank, name) is not None
    with pytest.raises(AttributeError, match="nothing_here"):
        _ = memorybank.nothing_here
