from __future__ import annotations

import contextlib
import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.errors import AgentError
from memorybank.llm.repair import parse_json

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
)
VALUES = st.recursive(
    SCALARS,
    lambda part: st.lists(part, max_size=4) | st.dictionaries(st.text(max_size=8), part, max_size=4),
    max_leaves=12,
)
WORDS = st.text(st.characters(categories=["L", "N"], include_characters=" .!?-"), max_size=12)
"""Strings without punctuation that could be taken for JSON's."""
WIDE, INNER = "full-width punctuation", "quote inside a string"
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | WORDS,
    lambda part: st.lists(part, max_size=4) | st.dictionaries(WORDS, part, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(WORDS, PLAIN, min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("text", "value", "note"),
    [
        ('```json\n{"a": [1, 2]}\n```', {"a": [1, 2]}, "code fence"),
        ('Sure, here it is: {"a": 1}. Anything else?', {"a": 1}, "text around the JSON"),
        ("{'a': 'it is', 'b': 2}", {"a": "it is", "b": 2}, "single quotes"),
        ("{'a': 'don't do that', 'b': 2}", {"a": "don't do that", "b": 2}, INNER),
        ('{"a": [1, 2,], }', {"a": [1, 2]}, "trailing comma"),
        ('{"a": 1,, "b": 2}', {"a": 1, "b": 2}, "extra comma"),
        ('{"a": 1 "b": 2}', {"a": 1, "b": 2}, "missing comma"),
        ('{"a": "x"\n "b": "y"}', {"a": "x", "b": "y"}, "missing comma"),
        ('{"a": True, "b": None, "c": False}', {"a": True, "b": None, "c": False}, "True is not JSON"),
        ('{"a": NaN, "b": 1e999}', {"a": None, "b": None}, "NaN is not JSON"),
        ("{a: 1, b_c: [x y, z]}", {"a": 1, "b_c": ["x y", "z"]}, "unquoted key"),
        ('{"a": 1, // one\n "b": 2 /* two */}', {"a": 1, "b": 2}, "comment"),
        ('{"a": 1, # one\n "b": "# no"}', {"a": 1, "b": "# no"}, "comment"),
        ("｛“标题”：“北京，2024”，“标签”：［“甲”、“乙”］｝", {"标题": "北京，2024", "标签": ["甲", "乙"]}, WIDE),
        ('{"句子"："他说：“好，走吧。”"，"数"：3}', {"句子": "他说：“好，走吧。”", "数": 3}, WIDE),
        ('{"t": "他说"好"，走了", "k": 1}', {"t": '他说"好"，走了', "k": 1}, INNER),
        ('{"a": "she said "yes", and left", "b": 2}', {"a": 'she said "yes", and left', "b": 2}, INNER),
        ('{"a": "one\ntwo"}', {"a": "one\ntwo"}, "line break inside a string"),
        ('{"a": "C:\\data", "b": "\\ud83d\\ude00"}', {"a": "C:\\data", "b": "😀"}, "unknown escape"),
        ('{"a": [1, 2}', {"a": [1, 2]}, "mismatched brackets"),
        ('{"a": 1]', {"a": 1}, "mismatched brackets"),
        ('{"a": .5, "b": +2, "c": 007}', {"a": 0.5, "b": 2, "c": 7}, "number not as in JSON"),
        ('{"a": 12%, "b": 2024-05-01}', {"a": "12%", "b": "2024-05-01"}, "unquoted word"),
        ('{"a": {"b": 1, "c": "x', {"a": {"b": 1}}, "cut off: closed after the last whole value"),
        ('[{"a": 1, "b": 2}, {"a": 3', [{"a": 1, "b": 2}], "cut off: closed after the last whole value"),
        ('{"a": 1, "b": 12', {"a": 1}, "cut off: closed after the last whole value"),
        ('As [1] shows: {"a": 1}. See [2].', {"a": 1}, "one of 3 JSON values"),
        ('{"draft": 1}\n{"a": 2}', {"a": 2}, "one of 2 JSON values"),
        ('{{"a": 1}}', {"a": 1}, "text around the JSON"),
    ],
)  # fmt: skip
def test_what_models_write(text: str, value: Any, note: str) -> None:
    found, notes = parse_json(text)
    assert found == value
    assert note in notes


def test_the_first_that_fits_is_taken() -> None:
    text = 'Example: {"b": 0}. Answer: {"a": 1}. Or {"a": 2}. Or {"b": 3}'
    assert parse_json(text, lambda value: "a" in value)[0] == {"a": 1}
    assert parse_json(text)[0] == {"b": 3}


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


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("{}[]\"'“”:：,，\\/#* \nnulltrue0-.eEuab｛］")) | st.text())
def test_nothing_breaks_it(text: str) -> None:
    with contextlib.suppress(AgentError):
        value, _ = parse_json(text)
        json.dumps(value, allow_nan=False)


HOSTILE = ["{", "[", '"', '{"a":', '{"', '[{"a":[', "/*", "{/*", "“", "[,", '{"a":"x" ', '{"a":"   ', '[""', "{]",
           "[1 ", "\\", '{"a":"\\', "{a b", " {", "```", '["a",   ', "{x:{", "９", "{'", '"{"a":1}"']  # fmt: skip


def test_time_is_linear_on_hostile_text() -> None:
    def seconds(text: str) -> float:
        began = time.process_time()
        with contextlib.suppress(AgentError):
            parse_json(text)
        return time.process_time() - began

    for (
        unit
    ) in HOSTILE:  # eight times the text: 8 times the time, where a square would be 64; a busy machine may blur one
        linear = (seconds(unit * 8_000) < 24 * seconds(unit * 1_000) + 0.05 for _ in range(3))
        assert any(linear), unit
