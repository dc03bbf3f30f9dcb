"""Values as Python source: it makes the same value again, and no text breaks out of its literal."""

from __future__ import annotations

import ast
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.memory import contracts, types
from memorybank.memory.contracts import AnalysisInput, NodeInfo, PlanningOutput, TaskDraft
from memorybank.memory.types import Claim, Contradiction, Relation, TaskType
from memorybank.testing.written.python_code import code, identifier, import_lines, imports, literal, words

HOSTILE = (
    '"""\nimport os\nos.abort()\n"""', "'''", "\\", "\\'\"", '"', "'\"", "a\x00b", "\u202eevil\u2066", "\ud800",
    "\u2028x", "{x}", "%s", "${x}", "`x`", "\r\n\t", "é中文😀", "x" * 5_000, "word " * 1_000, "",
    "\n" * 50, "#", "\\N{DASH}",
)  # fmt: skip

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(HOSTILE),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4) | st.tuples(inner, inner),
    max_leaves=12,
)


@given(VALUES, st.integers(min_value=0, max_value=3))
def test_plain_values_are_made_again(value: object, indent: int) -> None:
    assert ast.literal_eval(code(value, indent)) == value


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_breaks_out_of_its_literal(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text
    written = code({"text": text})
    tree = ast.parse(written, mode="eval")
    assert {type(node).__name__ for node in ast.walk(tree)} <= {"Expression", "Dict", "Constant", "Load"}
    assert not any(ord(char) in range(0x202A, 0x202F) or char == "\x00" for char in written)
    assert ast.literal_eval(written) == {"text": text}


def test_models_and_dataclasses_are_made_again_without_their_defaults() -> None:
    claim = Claim(text="It has 105 qubits.", kind="number", subject="it", attribute="qubits", value="105")
    values = [
        AnalysisInput(
            new=NodeInfo(summary="a\n" * 40, context="中文", keywords=("one",)),
            candidates=(),
            relations=(Relation.MERGE,),
        ),
        PlanningOutput(reasoning="", next_task=TaskDraft(type=TaskType.NORMAL, description=HOSTILE[0], final=True)),
        Contradiction(left=claim, right=claim, reason="x", confidence=0.5),
        NodeInfo(summary="", context="", keywords=()),
    ]
    for value in values:
        made = eval(code(value), {**vars(contracts), **vars(types)})
        assert made == value
        assert type(made) is type(value)
    assert "lang" not in code(values[0])
    names = imports(values)
    assert names["memorybank.memory.types"] == {"Relation", "TaskType", "Contradiction", "Claim"}
    ast.parse(import_lines(names, {"os": {"path"}}))


def test_float_values_that_json_has_not_and_values_of_no_kind() -> None:
    assert eval(code([float("inf"), float("-inf")])) == [float("inf"), float("-inf")]
    with pytest.raises(TypeError, match="cannot be written"):
        code(object())


@pytest.mark.parametrize("text", HOSTILE)
def test_names_from_outside_are_made_harmless(text: str) -> None:
    assert not set(words(text)) & set("\"'\\\n\r#{}\u202e")
    assert identifier(text).isidentifier() or identifier(text)[0].isdigit()
    assert json.dumps(identifier(text)).isascii()
