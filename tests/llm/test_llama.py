from __future__ import annotations

import json

import jsonschema
import pytest

from memorybank.llm.base import ChatMessage, ChatRequest
from memorybank.llm.build import build_chat
from memorybank.llm.faults import TooLongError
from memorybank.settings.llm import LLMSettings
from tests.llm.llama_server import LlamaServer, llama

__all__ = ["llama"]

SCHEMA = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string", "maxLength": 60},
        "topics": {"type": "array", "maxItems": 2, "items": {"type": "string", "maxLength": 20}},
        "sure": {"type": "boolean"},
    },
    "required": ["reasoning", "topics", "sure"],
    "additionalProperties": False,
}
QUESTION = "Which topics has this text? IBM showed the Condor chip in 2023. Penicillin was found in 1928."


def test_it_keeps_to_a_schema_and_our_client_reads_it(llama: LlamaServer) -> None:
    chat = build_chat(LLMSettings(provider="local", base_url=llama.base_url, model=llama.model, cache=False), None)
    try:
        reply = chat.complete(
            ChatRequest(
                messages=(ChatMessage(role="user", content=QUESTION),),
                schema=SCHEMA,
                schema_name="topics",
                max_tokens=120,
                temperature=0.1,
            )
        )
        assert reply.mode == "schema"
        jsonschema.validate(json.loads(reply.text), SCHEMA)
        assert reply.usage.measured
        assert reply.usage.input_tokens > 20
        assert 5 < reply.usage.output_tokens <= 120
        with pytest.raises(TooLongError, match=f"{llama.context} tokens"):
            chat.complete(ChatRequest(messages=(ChatMessage(role="user", content="word " * (llama.context + 100)),)))
    finally:
        chat.close()
