from __future__ import annotations

import subprocess
import threading
import urllib.request
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from memorybank_lab.bench import browser as module
from memorybank_lab.bench.browser import Server, Wire, watched


def test_the_relay_counts_what_the_server_sends_and_changes_none_of_it(tmp_path: Path) -> None:
    content = bytes(range(256)) * 4_000
    (tmp_path / "page.bin").write_bytes(content)
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        with subprocess.Popen(["true"]) as process:
            server = Server(f"http://127.0.0.1:{site.server_address[1]}", tmp_path, process)
        with watched(server) as (relayed, wire):
            assert relayed.address != server.address
            with urllib.request.urlopen(f"{relayed.address}/page.bin") as answer:
                assert answer.read() == content
            assert len(content) < sum(wire.take_bursts()) < len(content) + 2_000, "the file and its headers"
            assert wire.take_bursts() == []
        site.shutdown()


def test_what_silence_parts_is_a_burst_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    wire, now = Wire(), [10.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    for after, count in ((0.0, 5), (0.1, 7), (0.5, 11), (0.01, 13)):
        now[0] += after
        wire.add(count)
    assert wire.take_bursts() == [12, 24]
    assert wire.take_bursts() == []
