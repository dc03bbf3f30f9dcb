"""A real S3 server for the tests: moto's, in a process of its own on this machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from tests.waiting import wait_until

KEY, SECRET = "AKIDEXAMPLE0000000", "wJalrXUtnFEMI-tested-secret-0000"


@contextmanager
def serving() -> Iterator[dict[str, str]]:
    """The environment of whoever may use it; a bucket `shared` is there."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", "from moto.server import main; import sys; main(sys.argv[1:])"]
    environment = {**os.environ, "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none"}
    process = subprocess.Popen(
        [*command, "-H", "127.0.0.1", "-p", str(port)], env=environment, stderr=subprocess.DEVNULL
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: _is_up(address), 120, lambda: process.poll())
        yield {
            "AWS_ENDPOINT_URL": address,
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_DEFAULT_REGION": "us-east-1",
        }
    finally:
        process.kill()
        process.wait()


def _is_up(address: str) -> bool:
    """Makes the bucket, once somebody answers."""
    request = urllib.request.Request(f"{address}/shared", method="PUT", headers={"Authorization": _AUTHORIZATION})
    try:
        with urllib.request.urlopen(request, timeout=5):
            return True
    except (urllib.error.URLError, ConnectionError):
        return False


_SCOPE = "20260101/us-east-1/s3/aws4_request"
_AUTHORIZATION = f"AWS4-HMAC-SHA256 Credential={KEY}/{_SCOPE}, SignedHeaders=host, Signature=0"
