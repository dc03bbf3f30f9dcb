"""The embedding process as its parent sees it: started, asked, ended.

Both sides speak by `multiprocessing.connection`. The process itself is not `multiprocessing`'s: its spawn runs the
parent's main script again, which under Streamlit is the app, and its fork does not go with threads.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

from memorybank.embedding.base import CosineScale, Matrix
from memorybank.embedding.encoders import Kind
from memorybank.embedding.models import ModelSpec, is_intel
from memorybank.embedding.pieces import TextPiece
from memorybank.language.parse import Parsed

_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); import memorybank; del sys.path[0]; "
    "from memorybank.embedding.worker import main; main(int(sys.argv[2]))"
)
"""Not `-m`: that would search the working directory, and find another copy of the package before this one."""
_ROOT = Path(__file__).resolve().parents[2]
_MOST_THREADS = 4
_TAIL = 4_000
"""The most bytes of standard error that go into an error's notes."""
_PATIENCE = 0.5
"""Seconds that a child which answers no more has to come to its end, before it is killed."""
_EXCEPTION_RE = re.compile(r"^(?:[a-z_]\w*\.)*[A-Z]\w*: (.*)", re.MULTILINE | re.DOTALL)


class ChildEndedError(Exception):
    """The child is gone. The message says how, in one line; `tail` is the end of what it wrote to standard error."""

    def __init__(self, reason: str, tail: str = "") -> None:
        super().__init__(reason)
        self.tail = tail


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The properties of a loaded model; the fields are those of `Encoder`."""

    dim: int
    max_tokens: int
    scale: CosineScale
    tokenizer: str


class ModelServer(Protocol):
    """The process that a model runs in: a child of this one, or a service. One thread asks; any may call `end`."""

    @property
    def pid(self) -> int:
        """Return the id of the process that the model runs in."""

    @property
    def alive(self) -> bool: ...

    def loaded(self) -> Loaded:
        """Wait until the model is loaded. Raises ChildEndedError."""

    def embed(self, pieces: Sequence[TextPiece], kind: Kind) -> Matrix:
        """Return unit rows of shape (len(pieces), dim). Raises ChildEndedError."""

    def parse(self, sentences: Sequence[str]) -> list[Parsed]:
        """Return each sentence with its words, in order. Raises ChildEndedError."""

    def end(self) -> None: ...

    def release(self) -> None: ...


class Child:
    """One running worker. `loaded` once, then `embed`, then `release`, from one thread; `end` from any."""

    def __init__(self, spec: ModelSpec) -> None:
        self._spec = spec
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child
        self._connection, its = Pipe()
        with its:
            self._process = subprocess.Popen(  # noqa: S603 - our own module in our own interpreter
                [sys.executable, "-P", "-c", _START, str(_ROOT), str(its.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=self._errors,
                stderr=self._errors,
                env=_environment(spec),
                cwd=_ROOT,  # it may outlive the folder that this process stands in, and parsers ask where they are
                start_new_session=True,  # Ctrl-C in the terminal is the parent's to answer
                **_inherited(its),
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def loaded(self) -> Loaded:
        """Name the model and wait until it is loaded. Raises ChildEndedError."""
        loaded: Loaded = self._ask(self._spec)
        return loaded

    def embed(self, pieces: Sequence[TextPiece], kind: Kind) -> Matrix:
        rows: Matrix = self._ask((kind, [piece.text for piece in pieces]))
        return rows

    def parse(self, sentences: Sequence[str]) -> list[Parsed]:
        return list(self._ask(("parse", list(sentences))))

    def end(self) -> None:
        """Kill it, for it has nothing to save, and collect it; a second call does nothing."""
        self._process.kill()
        self._process.wait()

    def release(self) -> None:
        """End it and give back its files; for the thread that asks, when it asks no more."""
        self.end()
        self._connection.close()
        self._errors.close()

    def _ask(self, request: object) -> Any:
        try:
            self._connection.send(request)
            return self._connection.recv()
        except (EOFError, OSError):
            raise self._ended() from None

    def _ended(self) -> ChildEndedError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        self.end()
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - _TAIL))
        tail = self._errors.read().decode("utf-8", "replace").strip()
        code = self._process.returncode
        known = {member.value: member.name for member in signal.Signals}
        how = f"killed by {known.get(-code, f'signal {-code}')}" if code < 0 else f"exit code {code}"
        raised = _EXCEPTION_RE.findall(tail)
        return ChildEndedError(f"{how}: {' '.join(raised[-1].split())[:400]}" if raised and code > 0 else how, tail)


def _inherited(connection: Connection) -> dict[str, Any]:
    """Return the arguments of Popen that let a child have a connection under the number that it has here."""
    if sys.platform != "win32":
        return {"pass_fds": (connection.fileno(),)}
    os.set_handle_inheritable(connection.fileno(), True)
    return {"startupinfo": subprocess.STARTUPINFO(lpAttributeList={"handle_list": [connection.fileno()]})}


def _environment(spec: ModelSpec) -> dict[str, str]:
    """Return the parent's environment, less what would be slow, noisy or talk to a network nobody asked for."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    threads = str(min(_MOST_THREADS, cores))  # of those that it may use; where the system does not say, of all
    environment = {
        # Waiting threads sleep: beside busy neighbours, spinning ones took e5 from 18 to 11 texts a core-second.
        "OMP_WAIT_POLICY": "PASSIVE",
        "OMP_NUM_THREADS": threads,
        "MKL_NUM_THREADS": threads,
        **same_bits(),
        **os.environ,
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "DO_NOT_TRACK": "1",
        "PYTHONIOENCODING": "utf-8",
    }
    if spec.origin != "hub":
        environment |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
    return environment


def same_bits() -> dict[str, str]:
    """Return what keeps torch from choosing how to multiply by the number of rows and threads, which changes the bits.

    Measured: without it rows of up to 192 tokens differ on a processor with AMX, with it none do, in the same time;
    where that is kept to AVX2 a batch takes a quarter longer. It must be there before torch is first used. Of other
    makers' processors nothing was measured: they are left alone.
    Source: oneMKL developer guide, "Conditional Numerical Reproducibility".
    """
    return {"MKL_CBWR": "AUTO,STRICT"} if is_intel() else {}
