"""Commands of the documents as processes of their own that begin with everything imported.

A process with the library loaded forks one for each command that a shell calls: `memorybank` and `python` on the
shell's path hand their arguments, folder, environment and streams over a socket. Importing anew would take longer
than most of the commands.
"""

from __future__ import annotations

import json
import os
import runpy
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.lending import lent

ROOT = Path(__file__).parents[2]
CLIENT = """#!{python} -IS
import json, os, socket, sys
asking = socket.socket(socket.AF_UNIX)
asking.connect({address!r})
told = json.dumps([{name!r}, sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
socket.send_fds(asking, [len(told).to_bytes(4, "big")], [0, 1, 2])
asking.sendall(told)
code = asking.recv(1)
sys.exit(code[0] if code else 70)
"""
MODEL = "hashed-ngrams"
"""An embedding model that needs no torch, where a program names none."""


@contextmanager
def programs(folder: Path) -> Iterator[Path]:
    """A folder for the shell's path, with `memorybank` and `python` in it. `folder` has a name short enough."""
    address = str(folder / "s")
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    for name in ("memorybank", "python"):
        client = bin_folder / name
        client.write_text(CLIENT.format(python=sys.executable, address=address, name=name), "utf-8")
        client.chmod(0o755)
    environment = {**os.environ, **lent(), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    line = [sys.executable, "-m", "tests.docs.forking", address]
    with subprocess.Popen(line, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert server.stdout.readline() == "ready\n"
            yield bin_folder
        finally:
            server.kill()


ROOMS = ("commands", "llm", "engines", "session", "views", "documents", "batch")
"""What commands import where they use it."""


def _load() -> None:
    """Import what the commands do, and what a session loads while it runs."""
    from openai import OpenAI

    from memorybank import Session, Settings, assemble, text_source

    assert OpenAI(api_key="none").chat.completions  # its parts are loaded when they are asked for
    for room in ROOMS:
        for path in sorted((ROOT / "memorybank" / room).rglob("*.py")):
            if path.name != "pdf_worker.py":
                import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    with tempfile.TemporaryDirectory() as folder:
        sources = [text_source("Willow has 105 qubits.", "a.md"), text_source("Willow has 98 qubits.", "b.md")]
        parts = assemble(Settings(embedding_model=MODEL), ["Willow?"])
        with Session.start(Path(folder) / "run", parts, goal="How many qubits has Willow?", sources=sources) as session:
            session.run()


def _child(connection: socket.socket) -> int:
    """Be the command that a client asks for: its folder, its streams, its environment."""
    size, streams, _, _ = socket.recv_fds(connection, 4, 3)
    told = b""
    while len(told) < int.from_bytes(size, "big"):
        told += connection.recv(65_536)
    name, arguments, cwd, environment = json.loads(told)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, mode, closefd=False)  # noqa: SIM115  # as long as the process lives
        for number, mode in enumerate("rww")
    )
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    try:
        if name == "memorybank":
            from memorybank.__main__ import main

            return main(arguments)
        if arguments[:2] == ["-m", "memorybank_lab"]:
            from memorybank_lab.__main__ import main as measure

            return measure(arguments[2:])
        from memorybank.settings.config import Settings

        defaults: dict[str, Any] = Settings.__init__.__kwdefaults__
        defaults["embedding_model"] = MODEL
        sys.argv = arguments
        sys.path.insert(0, str(Path(arguments[0]).resolve().parent))
        runpy.run_path(arguments[0], run_name="__main__")
        return 0
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001  # as an interpreter ends
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
        return 1


def _serve(address: str) -> None:
    _load()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        print("ready", flush=True)
        while True:
            connection, _ = listening.accept()
            if os.fork():
                connection.close()
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
                continue
            listening.close()
            code = _child(connection)
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            connection.sendall(bytes([code]))
            os._exit(0)


if __name__ == "__main__":
    _serve(sys.argv[1])
