"""Notes on the way to an answer: every line that the library writes is read again, and has words in both languages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import memorybank
from memorybank.engines.llm.audit import Doubt, Findings
from memorybank.views.boxes.call_words import note_words
from memorybank.views.calls.call_view import KEYS, call_note
from memorybank.views.i18n import catalogue

PACKAGE = Path(memorybank.__file__).parent
WRITERS = (*sorted((PACKAGE / "engines" / "llm").glob("*.py")), PACKAGE / "llm" / "answers.py")
PUT_TOGETHER = ("structure: 3", "classification: 3 3", "3")
"""Lines whose words come from elsewhere; they are tried below."""
ELSEWHERE = (
    *Findings(unknown=(Doubt(statement="It has 7.", figures=("7", "8")),), lost=("5 km",)).notes,
    "3 ranges named units that are not there",
    "2 units were in two topics: the first has them",
    "1 units were in no topic: they go with the ones before them",
)


def written() -> Iterator[str]:
    """Every line that is given to a `note(…)`, with 3 where a value stands."""
    for path in WRITERS:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "note":
                for argument in node.args:
                    if isinstance(argument, ast.Starred) and isinstance(argument.value, ast.GeneratorExp):
                        argument = argument.value.elt
                    if isinstance(argument, ast.Constant):
                        yield str(argument.value)
                    elif isinstance(argument, ast.JoinedStr):
                        parts = (part.value if isinstance(part, ast.Constant) else "3" for part in argument.values)
                        yield "".join(map(str, parts))


def test_every_note_that_is_written_is_known() -> None:
    lines = [line for line in written() if line not in PUT_TOGETHER]
    assert len(lines) > 15
    assert [line for line in lines if not call_note(line).key] == []
    audited = [f"{'classification' if 'units' in line else 'structure'}: {line}" for line in ELSEWHERE]
    assert [call_note(line).key for line in audited] == ["doubt", "left_out", "outside", "doubles", "missing"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_note_is_put_in_words_with_its_values_and_a_foreign_one_stays(lang: str) -> None:
    assert {f"call_note.{key}" for key in KEYS} <= set(catalogue(lang))  # type: ignore[arg-type]
    note = call_note("structure: 7, 8 is not in the text: It has 7.")
    assert note.kind == "check"
    assert all(value in note_words(note, lang) for value in ("7, 8", "It has 7."))  # type: ignore[arg-type]
    foreign = call_note("something a later version says {count}")
    assert (foreign.kind, note_words(foreign, lang)) == ("plain", foreign.text)  # type: ignore[arg-type]
