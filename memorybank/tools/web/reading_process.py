"""A fetched page as text, read in a process of its own that can be stopped and killed at any moment."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memorybank.errors import ToolError
from memorybank.tools.web.fetch import Fetched
from memorybank.tools.web.pace import STEP, Pace, TransferError
from memorybank.types import Value

_START: Final = (
    "import sys; sys.path.insert(0, sys.argv[1]); import memorybank; del sys.path[0]; "
    "from memorybank.tools.web.page_worker import main; main()"
)
"""Not `-m`: that would search the working directory, and find another copy of the package before this one."""
_ROOT: Final = Path(__file__).resolve().parents[3]
_SECRET_RE: Final = re.compile("KEY|TOKEN|SECRET|PASS|CREDENTIAL", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits(Value):
    seconds: float = 30.0
    """For one page, the start of the process included."""
    memory_bytes: int = 1_500_000_000
    """Address space of the process."""
    characters: int = 200_000
    """Of text that are kept; what is left is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText(Value):
    url: str
    title: str
    text: str
    left: int = 0
    """Characters of the page after `text`, over the limit."""
    pdf: bytes = b""
    """The file itself, when the page is one."""


def read_page(fetched: Fetched, limits: ReadingLimits | None = None) -> PageText:
    """The main text of what was fetched.

    Raises ToolError when it has none or is hostile, Cancelled when the call was stopped.
    """
    limits = limits or ReadingLimits()
    answer = _ask(fetched, limits)
    if "refused" in answer:
        raise ToolError(f"{fetched.url[:200]}: {answer['refused']}")
    return PageText(
        url=fetched.url,
        title=str(answer["title"]),
        text=str(answer["text"]),
        left=int(answer["left"]),
        pdf=fetched.data if fetched.kind == "pdf" else b"",
    )


def _ask(fetched: Fetched, limits: ReadingLimits) -> dict[str, str | int]:
    given = {
        "kind": fetched.kind,
        "charset": fetched.media.charset,
        "seconds": limits.seconds,
        "memory_bytes": limits.memory_bytes,
        "characters": limits.characters,
    }
    with tempfile.TemporaryFile() as page:  # not a pipe: `communicate` in steps loses what it has not written yet
        page.write(fetched.data)
        page.seek(0)
        process = subprocess.Popen(  # noqa: S603 - our own module in our own interpreter
            [sys.executable, "-P", "-c", _START, str(_ROOT), json.dumps(given)],
            stdin=page,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if not _SECRET_RE.search(name)},
            start_new_session=True,  # so that the PDF reader below it ends with it
        )
    try:
        line = _output(process, Pace.of(limits.seconds, 0))
    except TransferError:
        return {"refused": f"it takes over {limits.seconds:g} s to read: try another source"}
    finally:
        _end(process)
    try:
        answer: dict[str, str | int] = json.loads(line)
    except ValueError:  # killed by its limits, or dead before it could speak
        return {"refused": "it cannot be read within the limits of time and memory: try another source"}
    return answer


def _output(process: subprocess.Popen[bytes], pace: Pace) -> bytes:
    while True:
        pace.check()
        try:
            return process.communicate(timeout=STEP)[0]
        except subprocess.TimeoutExpired:
            continue


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill it with what it started, and collect it."""
    if process.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
