"""The embedded graph engine's process from inside; connection.py starts it and nothing else does.

Reads one line of JSON on standard input (folder, password, databases), starts ArcadeDB with its Bolt plugin on free
ports of 127.0.0.1, and answers with one line of JSON on standard output: the Bolt port, or why it did not start. It
ends when its input does: so it never outlives the process that started it, even one that was killed.
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import socket
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

from filelock import FileLock, Timeout

HOST = "127.0.0.1"
BOLT = "Bolt:com.arcadedb.bolt.BoltProtocolPlugin"
HEAP = "1g"
JVM = (
    "-XX:+UseSerialGC",  # one author on a small machine: fewer threads, less memory
    "-Darcadedb.txWalFlush=1",  # a settled fact outlives a power cut, not only a killed process
)
_PATIENCE = 5.0
"""Seconds to close the databases in; after a kill the write-ahead log brings them back all the same."""
_HANDOVER = 20.0
"""Seconds to wait for an engine whose parent was killed and that is still closing this folder."""


def main() -> None:
    """Serve until the input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what Java prints goes to standard error
    request = json.loads(sys.stdin.buffer.readline())
    engine = _Engine()
    threading.Thread(target=engine.end_with, args=(sys.stdin.buffer,), daemon=True).start()
    answer: dict[str, Any]
    try:
        answer = {"port": engine.start(Path(request["folder"]), request["password"], request["databases"])}
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent tells the author
        answer = {"error": " ".join(str(error).split())[:400] or type(error).__name__}
    _write(answers, answer)
    if "port" in answer:
        threading.Event().wait()  # `end_with` ends the process
    os._exit(1)


class _Engine:
    def __init__(self) -> None:
        self._server: Any = None
        self._lock: FileLock | None = None

    def start(self, folder: Path, password: str, databases: list[str]) -> int:
        """Start on this folder and give the Bolt port."""
        self._lock = _locked(folder)
        server_module = importlib.import_module("arcadedb_embedded.server")
        bolt, http = _free_ports(2)
        # The users file is made anew, so that each start has a password of its own and an old one opens nothing.
        shutil.rmtree(folder / "config", ignore_errors=True)
        os.chdir(folder)  # the engine writes its log to ./log
        settings: dict[str, str | int] = {
            "host": HOST,
            "mode": "production",
            "http_port": http,
            "bolt_port": bolt,
            "server_plugins": BOLT,
        }
        server = server_module.ArcadeDBServer(
            str(folder), password, settings, {"heap_size": HEAP, "jvm_args": list(JVM)}
        )
        server.start()
        for name in databases:
            server.create_database(name)
        self._server = server
        return bolt

    def end_with(self, stream: BinaryIO) -> None:
        """Close the databases and exit when the stream ends; at once while it is still starting."""
        while stream.read(4096):
            pass
        if self._server is not None:
            timer = threading.Timer(_PATIENCE, os._exit, (0,))
            timer.daemon = True
            timer.start()
            self._server.stop()
        os._exit(0)


def _locked(folder: Path) -> FileLock:
    lock = FileLock(folder / ".engine.lock", thread_local=False)
    try:
        lock.acquire(timeout=_HANDOVER)
    except Timeout:
        raise RuntimeError("another engine still holds this folder: wait for it to end and try again") from None
    return lock


def _free_ports(count: int) -> list[int]:
    """Return different ports that nobody listens on now."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for listener in sockets:
            listener.bind((HOST, 0))
        return [listener.getsockname()[1] for listener in sockets]
    finally:
        for listener in sockets:
            listener.close()


def _write(stream: BinaryIO, answer: dict[str, Any]) -> None:
    stream.write(json.dumps(answer).encode() + b"\n")
    stream.flush()
