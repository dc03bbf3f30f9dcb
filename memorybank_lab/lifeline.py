"""A process that works for another ends with it, however that one ends: killed, it can tell nobody.

spawned(2)                                  a pool whose workers end with the process that asks them
command("streamlit", "run", "app.py")       a module as a program that ends when its standard input does
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.context import SpawnContext
from pathlib import Path
from typing import Any, BinaryIO

SPAWN: SpawnContext = multiprocessing.get_context("spawn")
"""A fork would share the parent's embedding process and its threads' locks."""
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from memorybank_lab.lifeline import serve; "
    "del sys.path[0], sys.argv[1]; serve()"
)
_ROOT = Path(__file__).resolve().parents[1]


def spawned(count: int, begin: Callable[..., object] | None = None, given: tuple[Any, ...] = ()) -> ProcessPoolExecutor:
    """So many workers, of which each does `begin(*given)` first."""
    return ProcessPoolExecutor(count, mp_context=SPAWN, initializer=_join, initargs=(begin, given))


def command(module: str, *arguments: str) -> list[str]:
    """How to start a module (as `python -m` does) with a pipe as its standard input, which its starter holds open."""
    return [sys.executable, "-c", _START, str(_ROOT), module, *arguments]


def _join(begin: Callable[..., object] | None, given: tuple[Any, ...]) -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.join,), name="lifeline", daemon=True).start()
    if begin is not None:
        begin(*given)


def serve() -> None:
    """Run the module that the command line names, until it ends or standard input does."""
    threading.Thread(target=_end_after, args=(_read_out, sys.stdin.buffer), name="lifeline", daemon=True).start()
    module, *arguments = sys.argv[1:]
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _read_out(stream: BinaryIO) -> None:
    while stream.read(4096):
        pass


def _end_after(wait: Callable[..., object], *given: object) -> None:
    """At once, whatever is being done: nobody is left to do it for."""
    wait(*given)
    os._exit(1)
