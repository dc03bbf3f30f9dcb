"""What each session would load and build for itself is there before any is forked: modules, tokenizers, patterns.

Pages that a process only reads stay shared with the one that it was forked from, so all this is paid once for all.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType

from memorybank import documents, engines, llm, retrieval, session, tools
from memorybank.embedding.availability import missing
from memorybank.embedding.counting import counter
from memorybank.embedding.hashed import HashedNgrams
from memorybank.embedding.models import E5_SMALL, MINILM
from memorybank.language.parse import Parsed
from memorybank.language.text import detect_lang
from memorybank.memory.types import Lang
from memorybank.session.assembly import Parts, llm_parts, offline_parts
from memorybank.session.intake import text_source
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings
from memorybank.tools.corpus import Corpus

CLIENT = ("openai.resources.chat.completions", "httpx", "httpcore", "h11", "anyio", "anyio._backends._asyncio")
"""What an endpoint is asked with: 1,400 modules, which an offline batch does not need."""
_ROOMS = (documents, engines, llm, retrieval, session, tools)
_TEXTS: dict[Lang, tuple[str, str]] = {
    "en": ("Which lake is deeper?", "Lake Arne is 40 m deep since 3 May 2020. Lake Arne is said to be 55 m deep."),
    "zh": ("阿恩湖有多深？", "阿恩湖于2020年5月3日测得水深40米。另有人说阿恩湖水深55米。"),
}


def warm_up(*, asks_endpoint: bool) -> None:
    """Import all that a session may, and let small ones run; afterwards no thread of theirs is left."""
    for room in _ROOMS:
        _import_all(room)
    for spec in (MINILM, E5_SMALL):
        if not missing(spec.package):
            counter(spec)("a")
    with _untraced(), tempfile.TemporaryDirectory() as folder:
        for lang in _TEXTS:
            _run(Path(folder) / lang, lang, _offline(lang))
        if asks_endpoint:
            for name in CLIENT:
                importlib.import_module(name)
            with _endpoint() as address:
                _run(Path(folder) / "llm", "en", _asking(address))


def _import_all(room: ModuleType) -> None:
    """Every module of a room, but those whose libraries are not installed or that run as programs."""
    for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        if not module.name.endswith(("worker", "__main__")):
            importlib.import_module(module.name)


@contextmanager
def _untraced() -> Iterator[None]:
    """These sessions are nobody's: no receiver of traces is told of them."""
    before = os.environ.get("OTEL_SDK_DISABLED")
    os.environ["OTEL_SDK_DISABLED"] = "true"
    try:
        yield
    finally:
        if before is None:
            del os.environ["OTEL_SDK_DISABLED"]
        else:
            os.environ["OTEL_SDK_DISABLED"] = before


def _run(folder: Path, lang: Lang, parts: Parts) -> None:
    goal, text = _TEXTS[lang]
    with Session.start(folder, parts, goal=goal, sources=[text_source(text, "context")]) as running:
        running.run()


def _offline(lang: Lang) -> Parts:
    return offline_parts(Settings(), lang, _Unparsed(), Corpus.from_bytes({"lake.md": _TEXTS[lang][1].encode()}))


class _Unparsed(HashedNgrams):
    """Parses nothing: the parsers bring torch along, and belong to the process of the models."""

    def parse(self, sentences: Sequence[str]) -> tuple[Parsed, ...]:
        return tuple(Parsed(sentence, detect_lang(sentence)) for sentence in sentences)


class _Endpoint(BaseHTTPRequestHandler):
    """Answers whatever it is asked with nothing of use: asking is what is to be warm."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        answer = json.dumps({"choices": [{"message": {"role": "assistant", "content": "{}"}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None: ...


@contextmanager
def _endpoint() -> Iterator[str]:
    """An address on this machine's loopback, for as long as the block lasts."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Endpoint)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _asking(address: str) -> Parts:
    llm = LLMSettings(provider="local", base_url=address, model="none", cache=False, attempts=1, timeout=5.0)
    return llm_parts(Settings(engine="llm", llm=llm, max_rounds=1), "en", HashedNgrams())
