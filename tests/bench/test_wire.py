from __future__ import annotations

import subprocess
import threading
import time
import urllib.request
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from memorybank.bench.app.serving import Server
from memorybank.bench.app.wire import watched


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
            assert len(content) < sum(wire.taken()) < len(content) + 2_000, "the file and its headers"
            assert wire.taken() == []
            with urllib.request.urlopen(f"{relayed.address}/page.bin") as answer:
                assert answer.read() == content
            time.sleep(0.3)
            with urllib.request.urlopen(f"{relayed.address}/page.bin") as answer:
                assert answer.read() == content
            assert [round(one, -6) for one in wire.taken()] == [1_000_000] * 2, "what silence parts is told apart"
        site.shutdown()
