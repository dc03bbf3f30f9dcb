"""A document filed by a real model, and each schema asked of it: SmolLM2-135M by llama.cpp on loopback, 4,096 tokens.

The model is far too small for the task: what is proven is that the session ends, that every answer is accounted for
and that nothing is longer than the model takes. Quality is not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from memorybank.engines.llm.classification import TOPICS_ONLY
from memorybank.engines.llm.schemas import analysis_answer, drop_whole_lists, edited, without_neighbors
from memorybank.engines.llm.wire import IntegrationAnswer, PlanningAnswer, StructureAnswer
from memorybank.llm.base import ChatMessage, ChatRequest
from memorybank.llm.faults import TooLongError
from memorybank.llm.schemas import strict_schema
from memorybank.memory.events import AgentCalled, SessionStarted
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, state_at
from memorybank.session.assembly import assemble
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import ALL_RELATIONS, Settings
from memorybank.settings.llm import SAMPLING, LLMSettings
from tests.llm.llama_server import LlamaServer, llama
from tests.llm.sessions import agent_calls

__all__ = ["llama"]

LETTER = "The lighthouse at Marn was built in 1904 by the harbour board of the town. Its white tower is 32 metres high."

MAX_TOKENS = 64
# As they are for so small an answer, but for the bounds of lists and strings.
SCHEMAS = {
    "classification": strict_schema(TOPICS_ONLY),
    "structure": strict_schema(StructureAnswer),
    "analysis": strict_schema(edited(analysis_answer(ALL_RELATIONS), drop_whole_lists)),
    "integration": strict_schema(edited(without_neighbors(IntegrationAnswer), drop_whole_lists)),
    "planning": strict_schema(PlanningAnswer),
}
MENDED = ("repaired: ", "the answer was sent back once and corrected")


def settings(llama: LlamaServer) -> Settings:
    greedy = {role: replace(sampling, temperature=0.0) for role, sampling in SAMPLING.items()}
    asked = {"max_tokens": MAX_TOKENS, "sampling": greedy, "attempts": 2, "timeout": 300.0, "cache": False}
    model = LLMSettings(provider="local", base_url=llama.base_url, model=llama.model, **asked)  # type: ignore[arg-type]
    return Settings(engine="llm", embedding_model="hashed-ngrams", llm=model, parallel_calls=1)


def test_a_document_is_filed_every_schema_is_answered_and_what_is_too_long_is_told(
    llama: LlamaServer, run_dir: Path
) -> None:
    """A session without a goal files what it is given; what the other agents are asked for is asked in few words."""
    parts = assemble(settings(llama), [LETTER])
    with Session.start(run_dir, parts, sources=[Source(name="letter.md", text=LETTER, kind="document")]) as session:
        result = session.run()
        bank = session.bank
        asked = [call for call in agent_calls(session) if call.model]
        made = [json.loads(session.folder.blobs.get(call.output_blob)) for call in asked]
        events = [record.event for record in session.records]
        for role, schema in SCHEMAS.items():
            chat, words = parts.chats.of(role), ChatMessage(role="user", content="The lighthouse at Marn. JSON:")
            reply = chat.complete(ChatRequest(messages=(words,), schema=schema, max_tokens=MAX_TOKENS // 4))
            if reply.finish == "stop":
                jsonschema.validate(json.loads(reply.text), schema)
            assert (reply.mode, reply.usage.measured) == ("schema", True)
        long = ChatMessage(role="user", content="word " * (llama.context + 100))
        with pytest.raises(TooLongError, match=f"{llama.context} tokens"):
            parts.chats.of("classification").complete(ChatRequest(messages=(long,)))

    assert result.result in ("filed", "filed_with_failures")
    assert asked
    for call, questions in zip(asked, made, strict=True):
        _account(call, questions, llama)
    notes = [note for call in asked for note in call.notes]
    for role in {call.role for call in asked}:
        lowered = f"the window of {role} is lowered from 32000 to {llama.context} tokens: the server takes no more"
        assert notes.count(lowered) == 1
    assert LETTER in {entry.text for entry in bank.tree.entries.values()}, "raw text stays whatever a model says"

    begun = events[0]
    assert isinstance(begun, SessionStarted)
    assert (begun.engine, begun.model) == ("llm", llama.model)
    assert llama.base_url.encode() not in (run_dir / "journal.jsonl").read_bytes()
    assert fingerprint(state_at(load(run_dir))) == fingerprint(bank), "the journal replays"


def _account(call: AgentCalled, made: Sequence[dict[str, Any]], llama: LlamaServer) -> None:
    """The answer needed nothing, and so is valid; else its event says that it was repaired or failed. Prompt and answer
    fit the context, as counted by the server.
    """
    assert made, "each call asked the model"
    assert call.input_tokens == sum(each["input_tokens"] for each in made)
    assert call.output_tokens == sum(each["output_tokens"] for each in made)
    for each in made:
        assert 0 < each["input_tokens"] <= llama.context - each["output_tokens"]
        assert each["output_tokens"] <= 2 * MAX_TOKENS, "one longer try, after an answer that was cut off"
        assert not any("estimated" in note for note in each["notes"]), "tokens are those of `usage`"
    if call.error:
        assert "\n" not in call.error
        assert any(note.startswith(("unusable: ", "cut off", "failed: ", "refused")) for note in call.notes)
    elif not any(note.startswith(MENDED) for note in call.notes):
        jsonschema.validate(json.loads(made[-1]["reply"]), SCHEMAS[call.role])
