from __future__ import annotations

import json

import jsonschema
import openai
import pytest
from openai import OpenAI

from memorybank.llm.base import ChatMessage, ChatRequest
from memorybank.llm.build import build_chat
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


def test_it_answers_a_chat_with_usage(llama: LlamaServer) -> None:
    with OpenAI(base_url=llama.base_url, api_key="none", max_retries=0, timeout=60) as client:
        assert [model.id for model in client.models.list().data] == [llama.model]
        answer = client.chat.completions.create(
            model=llama.model, messages=[{"role": "user", "content": "Say hello."}], max_tokens=8, temperature=0
        )
        assert answer.choices[0].message.content
        assert answer.usage is not None
        assert answer.usage.prompt_tokens > 5
        assert 1 <= answer.usage.completion_tokens <= 8
        with pytest.raises(openai.BadRequestError, match="exceeds the available context size"):
            client.chat.completions.create(
                model=llama.model, messages=[{"role": "user", "content": "word " * (llama.context + 100)}]
            )


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
        assert reply.usage.output_tokens > 5
    finally:
        chat.close()
