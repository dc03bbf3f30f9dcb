"""`memorybank …` as a test gives it: in this process, or typed, in a process of its own that imports all anew."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

from memorybank.__main__ import main
from tests.lending import lent

ROOT = Path(__file__).parents[1]


def memorybank(*arguments: object) -> subprocess.CompletedProcess[str]:
    """What it prints and how it ends, as if it had been typed."""
    given = list(map(str, arguments))
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(given)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 0
    return subprocess.CompletedProcess(given, code, out.getvalue(), err.getvalue())


def refused(*arguments: object) -> str:
    """The one line with which a command is refused."""
    done = memorybank(*arguments)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert "Traceback" not in done.stderr
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("memorybank: "))
    assert len(line) < 500
    return line


def typed(*arguments: object, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memorybank", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**os.environ, **lent()},
        timeout=300,
        check=False,
    )
