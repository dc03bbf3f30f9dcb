"""Whatever an endpoint sends, with whatever status and packing: no more of it is held than is read."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import pytest

from memorybank.embedding.endpoint import EndpointEmbedder
from memorybank.errors import MemoryBankError
from memorybank.llm.listing import listed_models
from tests.llm.asking import ask, client, settings
from tests.tools.web.servers import Handler, Route, site

_ZEROS = gzip.compress(bytes(300_000_000), 9)


def _endless(status: int, packed: str = "") -> Route:
    """Sends on, as long as somebody reads; packed as a stream that never ends."""

    def route(handler: Handler) -> None:
        handler.head(status, {"Content-Type": "application/json", **({"Content-Encoding": packed} if packed else {})})
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        while not handler.site.over.is_set():
            block = b'{"error": "' + b"x" * 100_000
            handler.wfile.write(packer.compress(block) + packer.flush(zlib.Z_SYNC_FLUSH) if packed else block)

    return route


def _bomb(status: int, encoding: str = "gzip") -> Route:
    return status, {"Content-Type": "application/json", "Content-Encoding": encoding}, _ZEROS


def _chat(address: str) -> None:
    with client(address, timeout=20.0) as chat:
        chat.complete(ask())


def _models(address: str) -> None:
    listed_models(settings(address))


def _embeddings(address: str) -> None:
    embedder = EndpointEmbedder("m", address, "", timeout=20.0, attempts=1)
    try:
        embedder.documents(["a text"])
    finally:
        embedder.close()


ASKED: dict[str, tuple[Callable[[str], None], str]] = {
    "chat": (_chat, "/chat/completions"),
    "models": (_models, "/models"),
    "embeddings": (_embeddings, "/embeddings"),
}


@pytest.mark.parametrize("what", ASKED)
@pytest.mark.parametrize(
    ("route", "words"),
    [
        (_endless(500), "500"),
        (_endless(404, "gzip"), "404"),
        (_bomb(503), "503"),
        (_bomb(302), "302"),
        (_bomb(400, "zstd"), "400"),
        (_bomb(200), "sent more than 32 MB|no end"),
        (_bomb(200, "br"), "broke off|DecodingError"),
    ],
    ids=["endless", "endless, packed", "bomb", "bomb that redirects", "zstd", "bomb of success", "brotli of success"],
)
def test_no_more_of_a_body_is_held_than_is_read(what: str, route: Route, words: str) -> None:
    act, path = ASKED[what]
    with site({path: route}) as endpoint:
        tracemalloc.start()
        try:
            with pytest.raises(MemoryBankError, match=words):
                act(endpoint.url)
            assert tracemalloc.get_traced_memory()[1] < 200_000_000
        finally:
            tracemalloc.stop()
