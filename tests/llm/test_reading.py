"""What is read out of answers: JSON however it is written, reasoning, windows, errors' words."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.errors import AgentError
from memorybank.llm.base import ChatMessage, ChatRequest, ToolSpec
from memorybank.llm.capabilities import Capabilities, is_overflow, learn, prompt_in, window_in
from memorybank.llm.faults import error_words, host_of
from memorybank.llm.repair import NOTE, parse_json
from memorybank.llm.thinking import split
from tests.llm.asking import KEY
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(("text", "answer", "reasoning"), TABLES["reasoning_is_split_off"])
def test_reasoning_is_split_off(text: str, answer: str, reasoning: str) -> None:
    assert split(text) == (answer, reasoning)


@given(st.lists(st.sampled_from(["<think>", "</think>", "a", "\n", " ", "{", "`"])).map("".join))
@settings(deadline=None)
def test_splitting_leaves_no_thought_in_the_answer(text: str) -> None:
    answer, reasoning = split(text)
    assert len(answer) + len(reasoning) <= len(text)
    if not text.strip().startswith(("{", "`")):
        assert not answer.startswith("<think>")


@pytest.mark.parametrize(("words", "window", "prompt"), TABLES["windows_in_the_words_of_many_servers"])
def test_windows_in_the_words_of_many_servers(words: str, window: int | None, prompt: int | None) -> None:
    assert is_overflow(words)
    assert (window_in(words), prompt_in(words)) == (window, prompt)


@pytest.mark.parametrize("words", TABLES["a_number_that_is_not_the_limit_is_not_taken"])
def test_a_number_that_is_not_the_limit_is_not_taken(words: str) -> None:
    assert is_overflow(words)
    assert window_in(words) is None
    assert window_in("the maximum context length is 8192 tokens", 2000) is None, "far above what was sent"


@pytest.mark.parametrize("words", TABLES["what_is_too_much_of_something_else_is_no_overflow"])
def test_what_is_too_much_of_something_else_is_no_overflow(words: str) -> None:
    assert not is_overflow(words)


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
    assert not lesson.known.tools
    assert learn(lesson.known, asked, "tools param requires --jinja flag", broke=True) is None


# -- repair ------------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]))
NUMBERS = st.integers(-(10**15), 10**15) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda part: st.lists(part, max_size=4) | st.dictionaries(TEXTS, part, max_size=4),
    max_leaves=12,
)
WORDS = st.text(st.characters(categories=["L", "N"], include_characters=" .!?-"), max_size=12)
"""Strings without punctuation that could be taken for JSON's."""
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | WORDS,
    lambda part: st.lists(part, max_size=4) | st.dictionaries(WORDS, part, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(WORDS, PLAIN, min_size=1, max_size=4)


@pytest.mark.parametrize(("text", "value", "note"), TABLES["what_models_write"])
def test_what_models_write(text: str, value: Any, note: str) -> None:
    found, notes = parse_json(text)
    assert found == value
    assert note in notes


def test_the_last_that_fits_is_taken_and_a_whole_one_before_one_that_was_cut() -> None:
    text = 'Example: {"b": 0}. Draft: {"a": 1}. Answer: {"a": 2}. Or {"b": 3}'
    assert parse_json(text, lambda value: "a" in value)[0] == {"a": 2}
    assert parse_json(text)[0] == {"b": 3}
    assert parse_json('{"a": 1} and so on {"a": 2, "b', lambda value: "a" in value)[0] == {"a": 1}


SHOWN = r"$\nabla f$ and \rho, in C:\temp\new"


@pytest.mark.parametrize(
    ("written", "read"),
    TABLES["a_backslash_stays_what_the_model_wrote_and_no_control_character_is_read"],
)  # fmt: skip
def test_a_backslash_stays_what_the_model_wrote_and_no_control_character_is_read(written: str, read: str) -> None:
    assert parse_json(f'{{"s": "{written}"}}', source=SHOWN)[0] == {"s": read}
    assert parse_json(r'{"s": "\beta"}') == ({"s": r"\beta"}, (NOTE,))
    assert parse_json(r'{"s": "\\beta\n"}') == ({"s": "\\beta\n"}, ())


@pytest.mark.parametrize("text", ["", "Sure!", "[", "{", '{"a', "} {", "use { braces", "\x00", "{'a'}"])
def test_what_is_no_json_says_so(text: str) -> None:
    with pytest.raises(AgentError, match="holds no JSON"):
        parse_json(text)


@settings(max_examples=60, deadline=None)
@given(VALUES, st.sampled_from([None, 2]), st.booleans())
def test_json_comes_back_as_it_is(value: Any, indent: int | None, ascii_only: bool) -> None:
    written = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert parse_json(written) == (value, ())
    if isinstance(value, dict):
        for around in ("```json\n{}\n```", "<answer>\n{}\n</answer>", "好的：\n{}\n以上。"):
            assert parse_json(around.replace("{}", written))[0] == value


@settings(max_examples=60, deadline=None)
@given(OBJECTS)
def test_the_other_spellings_read_the_same(value: dict[str, Any]) -> None:
    written = json.dumps(value, ensure_ascii=False)
    assert parse_json(repr(value))[0] == value
    wide = written.translate({ord(a): b for a, b in zip("{}[]:,", "｛｝［］：，", strict=True)})
    assert parse_json(wide)[0] == value
    curly = "".join("”“"[at % 2] + part for at, part in enumerate(written.split('"')))[1:]
    assert parse_json(curly)[0] == value
    for closer in "}]":
        loose = written.replace(closer, f",{closer}").replace("{,", "{").replace("[,", "[")
        assert parse_json(loose)[0] == value


@settings(max_examples=60, deadline=None)
@given(OBJECTS, st.data())
def test_a_cut_text_brings_nothing_that_was_not_there(value: dict[str, Any], data: st.DataObject) -> None:
    written = json.dumps(value)
    cut = written[: data.draw(st.integers(1, len(written) - 1))]
    try:
        found, notes = parse_json(cut)
    except AgentError:
        return
    assert notes
    _is_part(found, value)


def _is_part(found: Any, whole: Any) -> None:
    if isinstance(found, dict):
        for key, part in found.items():
            _is_part(part, whole[key])
    elif isinstance(found, list):
        for part, of in zip(found, whole, strict=False):
            _is_part(part, of)
    else:
        assert found == whole


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("{}[]\"'“”:：,，\\/#* \nnulltrue0-.eEuab｛］")) | st.text())
def test_nothing_breaks_it(text: str) -> None:
    with contextlib.suppress(AgentError):
        value, _ = parse_json(text)
        json.dumps(value, allow_nan=False)


def test_what_would_take_long_to_repair_is_not_repaired() -> None:
    for unit in ("{", "[", '{"', "{'", "{]", "{a:'", '{"a":', "{x:{", "/*", "\\"):
        for text in (unit * 9_000, f"{{{unit * 9_000}}}"):
            with pytest.raises(AgentError, match="holds no JSON"):
                parse_json(text)
