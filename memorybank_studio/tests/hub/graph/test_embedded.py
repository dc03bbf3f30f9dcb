"""The embedded engine's process: where it listens, who may, and that it never outlives its parent or its data."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from memorybank.errors import InputError, LockedError, StoreUnavailableError
from memorybank_studio.hub import connection
from memorybank_studio.hub.connection import USER, GraphConnection, GraphServer
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.plans import Plans
from memorybank_studio.tests.hub.graph.story import CAST, EVERYTHING, MEI, SWORD, entity, fact
from memorybank_studio.types import EntityKind
from tests.raw_http import ask
from tests.waiting import wait_until

PARENT = """
import sys, time
from pathlib import Path
from memorybank_studio.hub.connection import GraphConnection
from memorybank_studio.hub.facts import Facts
from memorybank_studio.tests.hub.graph.story import CAST
connection = GraphConnection(Path(sys.argv[1]))
Facts(connection.facts).apply(CAST, [])
print(connection._engine.pid, flush=True)
time.sleep(600)
"""


def _alive(pid: int) -> bool:
    """Whether it runs; a process that only waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _listening(pid: int) -> set[tuple[str, int]]:
    """Addresses and ports on which a process listens, from the system's own tables."""
    inodes = {str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()}
    found = set[tuple[str, int]]()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
                address, _, port = fields[1].partition(":")
                found.add((address, int(port, 16)))
    return found


LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F"}
"""127.0.0.1 as the system's tables write it, also as seen through IPv6."""
RESTRICTED = (
    "GET /",
    "GET /api/v1/server",
    "GET /api/v1/databases",
    "POST /api/v1/command/facts",
    "POST /api/v1/login",
)
"""Of the engine's HTTP interface, which nothing here uses and which cannot be switched off."""


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphConnection]:
    """With an engine of its own: one test looks at it, the other kills it."""
    with GraphConnection(tmp_path_factory.mktemp("running")) as opened:
        yield opened


def test_it_listens_on_loopback_alone_and_shows_its_password_nowhere(running: GraphConnection) -> None:
    engine = running._engine
    assert engine is not None
    listening = _listening(engine.pid)
    assert {address for address, _ in listening} <= LOOPBACK
    (http,) = {port for _, port in listening} - {urlsplit(engine.uri).port}
    for request in RESTRICTED:  # it asks nobody's host: what a page that was led here lacks is the password
        head = "Host: evil.example\r\nOrigin: http://evil.example\r\n"
        assert ask(f"http://127.0.0.1:{http}", request, head, b"{}")[0] in (401, 404), request
    process = Path(f"/proc/{engine.pid}")
    for place in ("cmdline", "environ"):
        assert engine.password.encode() not in (process / place).read_bytes()
    held = [path for path in engine._folder.rglob("*") if path.is_file()]
    assert held
    assert not [path for path in held if engine.password.encode() in path.read_bytes()]


def test_a_killed_engine_is_noticed_and_comes_back_with_all_it_held(running: GraphConnection, tmp_path: Path) -> None:
    engine, facts, plans = running._engine, Facts(running.facts), Plans(running.plans)
    assert engine is not None
    old = engine.password
    facts.apply(CAST, [fact(MEI, "OWNS", SWORD)])
    plans.apply(EVERYTHING, [])
    people = [entity(EntityKind.CHARACTER, f"person {number}") for number in range(4_000)]
    raised: list[BaseException] = []
    spent = _killed_in(running, lambda: facts.apply(people, [fact(one, "KNOWS", MEI) for one in people]), raised)
    assert [type(one) for one in raised] == [StoreUnavailableError], raised
    assert "cannot be reached" in str(raised[0])
    assert "try again, it is started anew" in str(raised[0])
    assert spent < 60, "seconds until it was noticed"
    assert facts.count() == (len(CAST), 1), "of the write that was under way, nothing is there"
    assert len(plans.all()) == len(EVERYTHING)
    facts.apply(people[:10], [fact(one, "KNOWS", MEI) for one in people[:10]])
    assert facts.count() == (len(CAST) + 10, 11)
    assert engine.password != old, "each start has one of its own"
    with pytest.raises(InputError, match="NEO4J_USER and NEO4J_PASSWORD") as caught:
        GraphConnection(tmp_path, GraphServer(uri=engine.uri, user=USER, password=old, database="facts"))
    assert old not in str(caught.value)


def _killed_in(connection: GraphConnection, write: object, raised: list[BaseException]) -> float:
    """Kill the engine in the middle of a write; seconds from then until the writer was told."""

    def work() -> None:
        try:
            write()  # type: ignore[operator]
        except StoreUnavailableError as error:
            raised.append(error)

    assert connection._engine is not None
    pid = connection._engine.pid
    before = _cpu_seconds(pid)
    writer = threading.Thread(target=work)
    writer.start()
    # It takes the engine seconds: this is in the middle of it, and not before it on a machine that has much to do.
    wait_until(lambda: _cpu_seconds(pid) > before + 0.5, 30)
    assert writer.is_alive(), "the write was over too soon for this test"
    os.kill(pid, signal.SIGKILL)
    start = time.monotonic()
    writer.join(60)
    return time.monotonic() - start


def _cpu_seconds(pid: int) -> float:
    """Processor time that a process has used."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def test_a_folder_of_any_name_is_let_go_by_a_start_that_fails_and_by_a_parent_that_is_killed(tmp_path: Path) -> None:
    folder = tmp_path / '我 林黛玉\'s "book" `$(x)`'
    folder.mkdir()
    (folder / "databases").write_text("where a folder should be")
    with pytest.raises(StoreUnavailableError, match=r"did not start on .+: .+; its log is in .*NEO4J_URI") as caught:
        GraphConnection(folder)
    assert "\n" not in str(caught.value)
    (folder / "databases").unlink()
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(folder)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert _alive(pid)
    with pytest.raises(LockedError, match="is open in another process: close that one"):
        GraphConnection(folder)
    parent.kill()
    parent.wait()
    # At once, while the old one may still be closing the folder: the new one waits for it.
    with GraphConnection(folder) as connection:
        assert not _alive(pid)
        facts = Facts(connection.facts)
        assert facts.count() == (len(CAST), 0), "its data outlives the parent"
        with pytest.raises(LockedError, match="is open in another process: close that one"):
            GraphConnection(folder)
    connection.close()
    with pytest.raises(StoreUnavailableError, match="is closed"):
        facts.count()
    parent.stdout.close()


def test_an_engine_whose_parent_is_killed_while_it_starts_ends_too(tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    wait_until(lambda: bool(_children(parent.pid)), 30)
    children = _children(parent.pid)
    parent.kill()
    parent.wait()
    wait_until(lambda: not any(map(_alive, children)), 10)
    assert parent.stdout is not None
    parent.stdout.close()


def _children(pid: int) -> list[int]:
    return [int(child) for task in Path(f"/proc/{pid}/task").glob("*/children") for child in task.read_text().split()]


def test_a_start_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "START_WITHIN", 0.2)
    with pytest.raises(StoreUnavailableError, match=r"it took more than 0\.2 s"):
        GraphConnection(tmp_path)
