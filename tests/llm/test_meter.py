from __future__ import annotations

import hashlib
import json
import threading
from pathlib import Path

import pytest

from memorybank import calls
from memorybank.errors import EndpointError
from memorybank.llm.base import ChatMessage, ChatRequest, ImagePart, TokenUsage
from memorybank.llm.build import build_chat
from memorybank_lab.scripted import Script, ScriptedReply, ScriptedServer, error_reply
from tests.llm.asking import KEY, ask, settings, threads

USED = TokenUsage(input_tokens=40, cached_input_tokens=32, output_tokens=2)
SCHEMA = {"type": "object", "properties": {}}


def test_each_question_is_one_call_with_all_it_took(tmp_path: Path) -> None:
    before = threads()
    script = Script(
        sequence=[
            error_reply(429, "slow down", retry_after=0.2),
            error_reply(400, "response_format json_schema is not supported"),
            ScriptedReply(text="{}", reasoning="hm", usage=USED),
        ]
    )
    picture = b"\x89PNG picture"
    message = ChatMessage(role="user", content="看图", images=(ImagePart(data=picture, media_type="image/png"),))
    request = ChatRequest(messages=(message,), schema=SCHEMA)
    with ScriptedServer(script) as server:
        chat = build_chat(settings(server), tmp_path / "answers.sqlite")
        with calls.watch() as seen:
            first = chat.complete(request)
            second = chat.complete(request)
        chat.close()
    assert (first.cached, second.cached) == (False, True)
    real, cached = seen
    assert (real.model, real.attempts, real.cached) == ("scripted", 3, False)
    assert (real.input_tokens, real.cached_input_tokens, real.output_tokens) == (40, 32, 2)
    assert real.ms >= 200
    assert real.notes == ("429: waited 0.2 s as asked", "the server takes no JSON schema: asked in JSON mode")
    assert real.reply == "<think>hm</think>\n{}"
    (asked,) = json.loads(real.prompt)
    assert asked["content"] == "看图"
    assert asked["images"] == [
        {"sha256": hashlib.sha256(picture).hexdigest(), "type": "image/png", "bytes": len(picture)}
    ]
    assert (cached.cached, cached.attempts, cached.reply) == (True, 0, real.reply)
    assert KEY not in repr(seen)
    assert threads() == before


def test_a_failed_and_a_stopped_question_are_reported_too() -> None:
    script = Script(sequence=[error_reply(401, f"wrong key {KEY}")], default=ScriptedReply(delivery="never"))
    with ScriptedServer(script) as server:
        chat = build_chat(settings(server, cache=False, attempts=2), None)
        with calls.watch() as seen, pytest.raises(EndpointError):
            chat.complete(ask())
        assert seen[0].reply == ""
        assert seen[0].notes[0].startswith("failed: ")
        assert KEY not in repr(seen)
        stop = threading.Event()
        threading.Timer(0.2, stop.set).start()
        with calls.watch(stop.is_set) as seen, pytest.raises(calls.Cancelled):
            chat.complete(ask())
        assert seen[0].notes == ("stopped in flight",)
        chat.close()
