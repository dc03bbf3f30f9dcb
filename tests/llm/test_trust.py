"""Which authorities a client trusts: read once a process, those of the environment for the world outside alone."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Any

import certifi
import pytest

from memorybank.llm.openai_client import http_library, open_client

OUTSIDE, HERE = "https://models.example/v1", "http://127.0.0.1:8080/v1"


def trust_of(address: str, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """The context that the client's connections get."""
    library = http_library()
    given: list[ssl.SSLContext] = []
    made = library.AsyncClient.__init__

    def watched(self: object, **named: Any) -> None:
        given.append(named["verify"])
        made(self, **named)

    with monkeypatch.context() as patched:
        patched.setattr(library.AsyncClient, "__init__", watched)
        asyncio.run(open_client(address, "", timeout=1.0, account=False, most=1_000).close())
    return given[0]


def test_authorities_are_read_once_and_those_of_the_environment_only_for_the_world_outside(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    common = trust_of(OUTSIDE, monkeypatch)
    assert common.verify_mode is ssl.CERT_REQUIRED
    assert common.check_hostname
    assert trust_of(OUTSIDE, monkeypatch) is common
    assert trust_of(HERE, monkeypatch) is common

    one = tmp_path / "one.pem"
    bundle = Path(certifi.where()).read_text("utf-8")
    one.write_text(bundle[: bundle.index("END CERTIFICATE-----")] + "END CERTIFICATE-----\n", "utf-8")
    monkeypatch.setenv("SSL_CERT_FILE", str(one))
    own = trust_of(OUTSIDE, monkeypatch)
    assert len(own.get_ca_certs()) == 1 < len(common.get_ca_certs())
    assert trust_of(HERE, monkeypatch) is common
