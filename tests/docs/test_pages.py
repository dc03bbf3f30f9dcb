"""Every code block of the README and of the docs is run: page by page, in order, in a folder like a fresh checkout.

`bash` is run by a shell, `python` in one process for all blocks of a page; a block whose title is a file's name is
written to that file; what a block titled `prints` holds must have been printed by the block before it. What cannot be
run says so in its title (`not run: WHY`), where readers see it, and is a skipped test of its own here.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import tempfile
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memorybank.settings.config import Settings
from memorybank_lab.scripted import ScriptedServer, scripted_agents
from tests.docs.blocks import PAGES, PRINTS, READ, ROOT, Block, blocks
from tests.docs.forking import MODEL, programs

ALL = {page: blocks(page) for page in PAGES}
RUN = [page for page, found in ALL.items() if any(not one.reason and one.lang not in READ for one in found)]
NOT_RUN = [one for found in ALL.values() for one in found if one.reason]
CHECKOUT = ("examples", ".env.example", "Makefile", "pyproject.toml", "assets/recorded", "assets/images")
CORPUS = ("willow_*", "gaia.md", "ibm_condor.md", "condor_*", "九章*")
"""Of the demo corpora, so that what many pages do takes a fraction of the time."""
MAKE = """#!/bin/sh
[ "$1" = help ] && exec /usr/bin/make help
grep -Eq "make .*\\b$1\\b" {root}/.ci/run || {{ echo "CI does not run make $1" >&2; exit 2; }}
"""
"""The targets that CI makes are made by `.ci/run`; others cannot stand in a block that is run."""


@pytest.fixture(scope="module")
def shell_path() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="mb") as folder, programs(Path(folder)) as commands:
        make = commands / "make"
        make.write_text(MAKE.format(root=ROOT), "utf-8")
        make.chmod(0o755)
        yield f"{commands}:{os.environ['PATH']}"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "checkout"
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "activate").touch()
    for name in CHECKOUT:
        source = ROOT / name
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).symlink_to(source) if source.is_dir() else shutil.copy(source, folder / name)
    corpora = (ROOT / "assets" / "corpus" / lang for lang in ("en", "zh"))
    for source in (found for corpus in corpora for pattern in CORPUS for found in corpus.glob(pattern)):
        copy = folder / source.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("page", RUN)
def test_every_block_of_a_page_does_what_it_says(
    page: str, checkout: Path, shell_path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(Settings.__init__.__kwdefaults__, "embedding_model", MODEL)
    with ScriptedServer(scripted_agents()) as model:
        for name, value in {
            "PATH": shell_path,
            "EMBEDDING_MODEL": MODEL,
            "LLM_BASE_URL": model.base_url,
            "LLM_API_KEY": "none",
            "LLM_MODEL": "scripted",
            "LLM_CACHE": "false",
            "OPENAI_BASE_URL": model.base_url,
            "OPENAI_API_KEY": "none",
        }.items():
            monkeypatch.setenv(name, value)
        _run_page(ALL[page], checkout)


def _run_page(page: list[Block], folder: Path) -> None:
    printed = ""
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in page:
        if block.reason:
            continue
        if block.title == PRINTS:
            missing = [line for line in block.code.splitlines() if line.strip() not in printed]
            assert not missing, f"{block.place}: {missing} was not printed, but:\n{printed}"
        elif block.file:
            (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.file).write_text(block.code, "utf-8")
        elif block.lang == "bash":
            printed = _shell(block, folder)
        elif block.lang == "python":
            printed = _python(block, namespace)
        elif block.lang == "json":
            json.loads(block.code)


def _shell(block: Block, folder: Path) -> str:
    """Run by a shell that goes on where the block before it ended: its exported variables are kept."""
    kept = folder / ".exported"
    code = f"set -euo pipefail\n[ ! -f {kept} ] || . {kept}\n{block.code}\nexport -p >{kept}\n"
    done = subprocess.run(["bash", "-c", code], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    printed = done.stdout + done.stderr
    assert done.returncode == 0, f"{block.place} ended with {done.returncode}:\n{printed[-3000:]}"
    return printed


def _python(block: Block, namespace: dict[str, object]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            program = compile("\n" * block.line + block.code, block.page, "exec", dont_inherit=True)
            with ThreadPoolExecutor(1) as thread:  # in a whole test run a browser's event loop sits in this one
                thread.submit(exec, program, namespace).result()
        except Exception:  # noqa: BLE001  # a page may raise anything: it is the test's failure
            pytest.fail(f"{block.place}: {traceback.format_exc()}\n{printed.getvalue()[-2000:]}")
    return printed.getvalue()


@pytest.mark.parametrize("block", NOT_RUN, ids=lambda one: one.place)
def test_what_cannot_be_run(block: Block) -> None:
    pytest.skip(f"a block of {block.page}: {block.reason}")


def test_every_block_is_of_a_kind_that_is_known() -> None:
    unknown = [
        f"{one.place}: {one.lang!r} {one.title!r}"
        for found in ALL.values()
        for one in found
        if one.lang not in (*READ, "bash", "python")
        or (one.title and not (one.reason or one.file or one.title == PRINTS))
    ]
    assert not unknown
    fences = {page: len(re.findall(r"^ *```", (ROOT / page).read_text("utf-8"), re.MULTILINE)) for page in PAGES}
    assert fences == {page: 2 * len(found) for page, found in ALL.items()}, "a block that is not read"
