"""An answer against its schema: what fits has no problem; what is missing or wrong is told at its place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.engines.llm import wire
from memorybank.llm.hand.checking import check
from memorybank.llm.schemas import strict_schema
from memorybank_lab.scripted import instance_of

ANSWERS = (wire.ClassificationAnswer, wire.AnalysisAnswer, wire.IntegrationAnswer, wire.PlanningAnswer)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=3),
    max_leaves=6,
)
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "a": {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "maxItems": 2},
        "b": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]},
        "c": {"type": "string", "maxLength": 2},
    },
    "required": ["a", "b"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_what_fits_has_no_problem_and_a_missing_field_is_named(answer: type[wire.ModelAnswer]) -> None:
    schema = strict_schema(answer)
    value = instance_of(schema)
    assert list(check(value, schema)) == []
    for name in schema["required"]:
        (problem,) = check({key: part for key, part in value.items() if key != name}, schema)
        assert (problem.path, problem.notice.code) == ((name,), "hand.missing")


@given(VALUES)
def test_it_finds_a_problem_where_a_validator_does(value: Any) -> None:
    assert bool(list(check(value, SCHEMA))) == (not jsonschema.Draft202012Validator(SCHEMA).is_valid(value))


@pytest.mark.parametrize("answer", [*ANSWERS, wire.StructureAnswer, wire.NeighborsAnswer])
def test_no_docstring_of_ours_is_sent_to_a_model(answer: type[wire.ModelAnswer]) -> None:
    assert '"description":' not in json.dumps(strict_schema(answer)).replace('"description": {', "")
