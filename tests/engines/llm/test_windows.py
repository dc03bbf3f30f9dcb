from __future__ import annotations

import pytest

from memorybank.embedding.hashed import count_tokens
from memorybank.engines.llm.schemas import bounded
from memorybank.engines.llm.windows import TokenCounter, window
from memorybank.engines.llm.wire import AnalysisAnswer, ClassificationAnswer, PlanningAnswer, StructureAnswer
from memorybank.llm.base import ChatMessage, ChatReply, ChatRequest, TokenUsage
from memorybank.llm.faults import TooLongError
from memorybank.llm.schemas import strict_schema
from memorybank.memory.contracts import StructureInput
from memorybank.settings.llm import LLMSettings
from tests.engines.llm.scripted import Bench
from tests.engines.llm.test_structure import ENGLISH, GOOD


@pytest.mark.parametrize(
    ("windows", "context", "limit", "answer"),
    [
        ({}, None, 28_800, 4_096),
        ({"analysis": 8_000}, None, 7_200, 2_400),
        ({}, 2_048, 1_843, 614),
        ({}, 200_000, 28_800, 4_096),
    ],
)
def test_prompt_and_answer_fit_the_smaller_of_window_and_context(
    windows: dict[str, int], context: int | None, limit: int, answer: int
) -> None:
    size, note = window("analysis", LLMSettings(windows=windows), context, 0.9)  # type: ignore[arg-type]
    assert (size.limit, size.answer, size.prompt) == (limit, answer, limit - answer)
    assert bool(note) == (context == 2_048)


def test_a_text_that_was_too_long_is_cut_again_within_the_call() -> None:
    def answer(request: ChatRequest) -> object:
        prompt = sum(count_tokens(message.content) for message in request.messages)
        if prompt + request.max_tokens > 1_800:
            bench.chat.context_window = (bench.chat.context_window or 32_000) // 2
            raise TooLongError("llm.prompt_over_context", model="m", host="h", tokens=bench.chat.context_window)
        return {"summary": GOOD}

    bench = Bench(answer)
    found = bench.engine.structure.run(StructureInput(content=ENGLISH * 40, context="Bridges", keywords=()))
    assert found.summary
    assert bench.chat.context_window == 2_000


def _learn(counter: TokenCounter, text: str, tokens: int, *, measured: bool = True) -> float:
    request = ChatRequest(messages=(ChatMessage(role="user", content=text),))
    counter.learn(request, ChatReply(text="", usage=TokenUsage(input_tokens=tokens, measured=measured)))
    return counter.factor


def test_counts_are_corrected_by_what_the_server_counted() -> None:
    counter = TokenCounter(len)
    assert counter("x" * 10) == 10
    assert _learn(counter, "x" * 1_000, 900) == 1.0
    assert _learn(counter, "x" * 1_000, 5_000, measured=False) == 1.0
    assert _learn(counter, "x" * 50, 200) == 1.0  # too little to tell from the template
    assert _learn(counter, "x" * 1_000, 1_300) == 1.5
    assert counter("x" * 10) == 15
    assert counter.plain("x" * 10) == 10  # a schema is English whatever the session's language
    assert _learn(counter, "x" * 1_000, 1_000) == 1.5  # never less than was seen
    assert _learn(counter, "x" * 1_000, 90_000) == 4.0


def test_after_a_correction_less_is_sent_at_a_time() -> None:
    content = "\n\n".join(f"{ENGLISH} {n}." for n in range(12))
    bench = Bench([{"summary": GOOD}], context=6_000, per_token=2.0)
    bench.engine.structure.run(StructureInput(content=content))
    before = len(bench.prompts)
    bench.engine.structure.run(StructureInput(content=content))
    assert len(bench.prompts) - before > before
    assert "lowered from 32000 to 6000" in bench.notes[0]
    assert sum("lowered" in note for note in bench.notes) == 1


@pytest.mark.parametrize("answer", [ClassificationAnswer, StructureAnswer, AnalysisAnswer, PlanningAnswer])
def test_strings_and_lists_are_bounded_only_in_a_small_context(answer: type) -> None:
    assert bounded(answer, 4_000, 5) is answer
    small = strict_schema(bounded(answer, 600, 5))
    for node in _nodes(small):
        if node.get("type") == "string" and "enum" not in node:
            assert 24 <= node["maxLength"] <= 1_200
        if node.get("type") == "array":
            assert node.get("maxItems", 99) <= 5 or node["items"]["type"] == "integer"
    plain = strict_schema(answer)
    assert not any("maxLength" in node for node in _nodes(plain))


def _nodes(schema: object) -> list[dict[str, object]]:
    if isinstance(schema, list):
        return [node for part in schema for node in _nodes(part)]
    if not isinstance(schema, dict):
        return []
    return [schema, *(node for part in schema.values() for node in _nodes(part))]
