"""A process that reads one untrusted file for us: it wastes nothing but itself, and can be ended at any moment.

What runs in it is our own code: `pdf_worker`, or `tools.web.page_worker`. It gets the file on its standard input,
answers with one line of JSON, has no keys in its environment, and bounds its own memory and processor time
(`pdf_worker.bound`); the clock is held here.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from memorybank import calls

_STEP: Final = 0.1
"""Seconds between two looks at the clock and at whether the call was stopped."""
_ROOT: Final = Path(__file__).resolve().parents[2]
_SECRET_RE: Final = re.compile("KEY|TOKEN|SECRET|PASS|CREDENTIAL", re.IGNORECASE)


def running(module: str) -> list[str]:
    """Return the interpreter's arguments that run `main` of a module of ours. Not `-m`: that would search the working
    directory, and find another copy of the package before this one."""
    ours = "import sys; sys.path.insert(0, sys.argv[1]); import memorybank; del sys.path[0]"
    return ["-c", f"{ours}; from {module} import main; main()", str(_ROOT)]


def ask_reader(arguments: Sequence[str], data: bytes, seconds: float) -> tuple[dict[str, Any], int]:
    """Return the process's answer on the data, and its return code; the answer of one that died first is empty.

    `arguments` are the interpreter's. Raises TimeoutError when it takes longer than `seconds`, its start included, and
    Cancelled when the call was stopped.
    """
    deadline = time.monotonic() + seconds
    with tempfile.TemporaryFile() as file:  # not a pipe: `communicate` in steps loses what it has not written yet
        file.write(data)
        file.seek(0)
        process = subprocess.Popen(  # noqa: S603 - our own code in our own interpreter, no shell
            [sys.executable, "-P", *arguments],
            stdin=file,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if not _SECRET_RE.search(name)},
            start_new_session=True,  # Ctrl-C is for the session, which stops the call
        )
    with process:
        try:
            line = _output(process, deadline)
        finally:
            process.kill()  # nothing happens to one that has ended
    try:
        answer: dict[str, Any] = json.loads(line)
    except ValueError:
        answer = {}
    return answer, process.returncode


def _output(process: subprocess.Popen[bytes], deadline: float) -> bytes:
    while (remaining := deadline - time.monotonic()) >= 0:
        calls.check()
        try:
            return process.communicate(timeout=min(_STEP, remaining))[0]
        except subprocess.TimeoutExpired:
            continue
    raise TimeoutError
