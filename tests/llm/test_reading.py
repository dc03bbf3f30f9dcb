"""What is read out of answers besides JSON: reasoning, windows, errors' words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.llm.base import ChatMessage, ChatRequest, ToolSpec
from memorybank.llm.capabilities import Capabilities, learn
from memorybank.llm.faults import error_words, host_of
from memorybank.llm.overflow import is_overflow, prompt_in, window_in
from memorybank.llm.thinking import split
from memorybank.llm.window import agent_window
from memorybank.settings.llm import LLMSettings

KEY = "sk-proj-Zq7mXw29LtRb4VhN8sKd3pYc"


@pytest.mark.parametrize(
    ("text", "answer", "reasoning"),
    [
        ("Lima.", "Lima.", ""),
        ("<think>Peru?</think>\n\nLima.", "Lima.", "Peru?"),
        ("<think>\nPeru?\n</think>Lima.\n<think>Sure?</think>\nYes.", "Lima.\n\nYes.", "Peru?\nSure?"),
        ("<think>Peru? It is", "", "Peru? It is"),
        ("Peru?\n</think>\n\nLima.", "Lima.", "Peru?"),
        ("<THINKING>hm</THINKING> ok", "ok", "hm"),
        ("◁think▷hm◁/think▷ok", "ok", "hm"),
        ("<seed:think>hm</seed:think>ok", "ok", "hm"),
        ("[THINK]hm[/THINK]ok", "ok", "hm"),
        ("[THINK]hm", "", "hm"),
        ("hm</think>", "", "hm"),
        ("【思考】\n桥很旧。", "【思考】\n桥很旧。", ""),
        ("<|begin_of_thought|>hm<|end_of_thought|>ok", "ok", "hm"),
        ("<|START_THINKING|>hm<|END_THINKING|>ok", "ok", "hm"),
        ("<thinking_process>hm</thinking_process>ok", "ok", "hm"),
        ("＜think＞hm＜/think＞ok", "ok", "hm"),
        ("<思考>hm</思考>ok", "ok", "hm"),
        ("<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>ok", "ok", "hm"),
        ("analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>ok<|return|>", "ok", "hm"),
        ("<|channel|>analysis<|message|>hm", "", "hm"),
        ("<|channel>thought\nhm<channel|>ok", "ok", "hm"),
        ('analysishm assistantfinal{"a": 1}', '{"a": 1}', "hm"),
        ("<think>h<think>m</think>more</think>ok", "ok", "h<think>m\nmore"),
        ("[Analysis]\nThe bridge is old.", "[Analysis]\nThe bridge is old.", ""),
        ("[Reasoning](https://example.org) is a link.", "[Reasoning](https://example.org) is a link.", ""),
        ('{"a": "<think>no</think>"}', '{"a": "<think>no</think>"}', ""),
        ("Models write `<think>` and `</think>` tags.", "Models write `<think>` and `</think>` tags.", ""),
        ("<think></think>Lima.", "Lima.", ""),
        (
            "<think>look</think>\n<tool_call>{}</tool_call><think>then</think>",
            "<tool_call>{}</tool_call>",
            "look\nthen",
        ),
    ],
)
def test_reasoning_is_split_off(text: str, answer: str, reasoning: str) -> None:
    assert split(text) == (answer, reasoning)


@given(st.lists(st.sampled_from(["<think>", "</think>", "a", "\n", " ", "{", "`"])).map("".join))
@settings(deadline=None)
def test_splitting_leaves_no_thought_in_the_answer(text: str) -> None:
    answer, reasoning = split(text)
    assert len(answer) + len(reasoning) <= len(text)
    if not text.strip().startswith(("{", "`")):
        assert not answer.startswith("<think>")


@pytest.mark.parametrize(
    ("words", "window", "prompt"),
    [
        (
            "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (5000 in the "
            "messages, 4000 in the completion). · context_length_exceeded",
            8192,
            5000,
        ),
        (
            "request (931 tokens) exceeds the available context size (512 tokens), try increasing it · "
            "n_ctx=512 · n_prompt_tokens=931",
            512,
            931,
        ),
        (
            "'max_tokens' or 'max_completion_tokens' is too large: 100000. This model's maximum context length is "
            "32768 tokens and your request has 5 input tokens",
            32768,
            5,
        ),
        (
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 1000 `inputs` tokens "
            "and 5000 `max_new_tokens`",
            4096,
            1000,
        ),
        ("Your messages resulted in 2731 tokens; the maximum context length is 2048 tokens", 2048, 2731),
        ("提示超过上下文长度 4096", 4096, None),
        ("The input token count (1250000) exceeds the maximum number of tokens allowed (1,048,576).", 1048576, 1250000),
        ("This model's maximum prompt length is 131072 but the request contains 212345 tokens.", 131072, 212345),
        ("Range of input length should be [1, 30720]", 30720, None),
        ("prompt is too long: 215000 tokens > 200000 maximum", 200000, 215000),
        ("Prompt contains 40211 tokens, too large for model with 32768 maximum context length", 32768, 40211),
        ("The prompt has 40211 tokens which is over the model's 32k context.", 32000, 40211),
        ("输入内容过长，超过了最大token数 8192", 8192, None),
    ],
)
def test_windows_in_the_words_of_many_servers(words: str, window: int | None, prompt: int | None) -> None:
    assert is_overflow(words)
    assert (window_in(words), prompt_in(words)) == (window, prompt)


@pytest.mark.parametrize(
    "words",
    [
        "Input is too long for requested model.",
        "Prompt exceeds max length",
        "invalid params, context window exceeds limit (2013)",
        "too many tokens: size limit exceeded by 2000 tokens. Try using shorter or fewer inputs.",
        "The total length of messages exceeds the limit, code 1261",
        "the input length exceeds the context length",
    ],
)
def test_a_number_that_is_not_the_limit_is_not_taken(words: str) -> None:
    assert is_overflow(words)
    assert window_in(words) is None
    assert window_in("the maximum context length is 8192 tokens", 2000) is None, "far above what was sent"


@pytest.mark.parametrize(
    "words",
    [
        "Invalid API key",
        "Rate limit reached: limit 6000 tokens per minute",
        "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
        "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
        "Input should be less than or equal to 2 · temperature",
        "image too large: exceeds 20 MB",
    ],
)
def test_what_is_too_much_of_something_else_is_no_overflow(words: str) -> None:
    assert not is_overflow(words)


def test_a_window_larger_than_the_context_is_lowered_and_reported() -> None:
    settings = LLMSettings(windows={"analysis": 8000})
    assert agent_window(settings, "analysis", None) == (8000, "")
    assert agent_window(settings, "analysis", 128_000) == (8000, "")
    size, note = agent_window(settings, "planning", 2048)
    assert size == 2048
    assert "32000 to 2048" in note


def test_what_an_error_says() -> None:
    assert error_words('{"error": {"message": "No.", "code": "x", "param": "top_p"}}') == "No. · top_p · x"
    fastapi = '{"detail": [{"loc": ["body", "top_p"], "msg": "Extra inputs", "input": {"temperature": 1}}]}'
    assert error_words(fastapi) == "Extra inputs · body · top_p", "what was sent is not what is refused"
    assert error_words("<html><h1>502 Bad Gateway</h1></html>") == "502 Bad Gateway"
    assert error_words("") == ""
    assert host_of(f"https://user:{KEY}@host.example:8443/v1") == "host.example:8443"


def test_what_is_refused_for_another_reason_teaches_nothing() -> None:
    request = ChatRequest(messages=(ChatMessage(role="user", content="x"),), schema={})
    known = Capabilities()
    for words in ("The model `m` does not exist", "Invalid API key", "", "I like tools"):
        assert learn(known, request, words) is None
    tool = ToolSpec(name="t", description="", parameters={})
    asked = ChatRequest(messages=request.messages, tools=(tool,))
    lesson = learn(known, asked, "tools param requires --jinja flag", broke=True)
    assert lesson is not None
    assert not lesson.known.tools
    assert learn(lesson.known, asked, "tools param requires --jinja flag", broke=True) is None
