"""The browser's side of a channel, run by node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CODE = Path(__file__).parents[3] / "memorybank" / "views" / "drawing"


class Receiver:
    """The real code of one page, in another process."""

    def __init__(self, *code: str) -> None:
        command = [str(shutil.which("node")), str(Path(__file__).with_name("receiver.js"))]
        command += [str(CODE / name) for name in ("channel.js", *code)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.asked: dict[str, Any] | None = None
        """Kept by Streamlit until the browser asks again."""
        self.is_asking = False

    def hear(self, step: Mapping[str, Any] | None, *, turning: bool = False) -> Any:
        """What is there afterwards. None: the message was lost. `turning`: another page was just asked for."""
        assert self.process.stdin
        assert self.process.stdout
        data = step and {**step, "key": "g", "height": 1}
        message = {"step": data, "turning": turning}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.is_asking = answer["asked"] is not None
        self.asked = answer["asked"] or self.asked
        return answer["there"]


@contextmanager
def receiver(*code: str) -> Iterator[Receiver]:
    if shutil.which("node") is None:
        pytest.skip("no node on this machine")
    running = Receiver(*code)
    try:
        yield running
    finally:
        running.process.kill()
        running.process.wait()
