from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.errors import AgentError
from memorybank.llm.escapes import NOTE
from memorybank.llm.repair import CUT_OFF, FULL_WIDTH, MISSPELT, parse_json

TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
VALUES = st.recursive(
    SCALARS, lambda part: st.lists(part, max_size=4) | st.dictionaries(TEXTS, part, max_size=4), max_leaves=12
)
WORDS = st.text(st.characters(categories=["L", "N"], include_characters=" .!?-"), max_size=12)
"""Strings without punctuation that could be taken for JSON's."""
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
        ("{'a': 'don't do that', 'b': 2}", {"a": "don't do that", "b": 2}, MISSPELT),
        ('{"a": [1, 2,], }', {"a": [1, 2]}, MISSPELT),
        ('{"a": "x"\n "b": "y"}', {"a": "x", "b": "y"}, MISSPELT),
        ('{"a": True, "b": None, "c": False}', {"a": True, "b": None, "c": False}, MISSPELT),
        ('{"a": NaN, "b": 1e999}', {"a": None, "b": None}, MISSPELT),
        ("{a: 1, b_c: [x y, z]}", {"a": 1, "b_c": ["x y", "z"]}, MISSPELT),
        ('{"a": 1, # one\n "b": "# no"}', {"a": 1, "b": "# no"}, MISSPELT),
        ("｛“标题”：“北京，2024”，“标签”：［“甲”、“乙”］｝", {"标题": "北京，2024", "标签": ["甲", "乙"]}, FULL_WIDTH),
        ('{"句子"："他说：“好，走吧。”"，"数"：3}', {"句子": "他说：“好，走吧。”", "数": 3}, FULL_WIDTH),
        ('{"t": "他说"好"，走了", "k": 1}', {"t": '他说"好"，走了', "k": 1}, MISSPELT),
        ('{"a": "she said "yes", and left", "b": 2}', {"a": 'she said "yes", and left', "b": 2}, MISSPELT),
        ('{"a": "one\ntwo", "b": "\\ud83d\\ude00"}', {"a": "one\ntwo", "b": "😀"}, MISSPELT),
        ('{"a": [1, 2}', {"a": [1, 2]}, MISSPELT),
        ('{"a": .5, "b": +2, "c": 007}', {"a": 0.5, "b": 2, "c": 7}, MISSPELT),
        ('{"a": {"b": 1, "c": "x', {"a": {"b": 1}}, CUT_OFF),
        ('[{"a": 1, "b": 2}, {"a": 3', [{"a": 1, "b": 2}], CUT_OFF),
        ('{"a": 1, "b": 12', {"a": 1}, CUT_OFF),
        ('As [1] shows: {"a": 1}. See [2].', {"a": 1}, "one of 3 JSON values"),
        ('{"draft": 1}\n{"a": 2}', {"a": 2}, "one of 2 JSON values"),
        ('{{"a": 1}}', {"a": 1}, MISSPELT),
        ('So $\\frac{a}{b}$: {"a": 1}', {"a": 1}, "text around the JSON"),
    ],
)  # fmt: skip
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
    [
        (r"$\frac{1}{n} \sum_i \beta_i$ at $\theta_0 \neq 1$", r"$\frac{1}{n} \sum_i \beta_i$ at $\theta_0 \neq 1$"),
        (r"in C:\temp\reports\2.txt", r"in C:\temp\reports\2.txt"),
        (r"the gradient \nabla f,\nthe density \rho", "the gradient \\nabla f,\nthe density \\rho"),
        (r"\(\tau \neq \alpha\), \users, \_x", r"\(\tau \neq \alpha\), \users, \_x"),
        (r"C:\\temp\\new\nand $\\theta$, a\tb", "C:\\temp\\new\nand $\\theta$, a\tb"),
        (r"Option B:\nThen\nthat", "Option B:\nThen\nthat"),
        (r"from $5\nto $6, $$\nx = 5\n$$", "from $5\nto $6, $$\nx = 5\n$$"),
        (r"a\u0008b\u000c\u0000c\u0041", "abcA"),
    ],
)  # fmt: skip
def test_a_backslash_stays_what_the_model_wrote_and_no_control_character_is_read(written: str, read: str) -> None:
    assert parse_json(f'{{"s": "{written}"}}', source=SHOWN)[0] == {"s": read}


def test_a_backslash_that_was_kept_is_noted() -> None:
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


@settings(max_examples=200, deadline=None)
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
