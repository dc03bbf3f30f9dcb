"""Figures as values: whether a text states what another one says, however the two write it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.language.figures import unstated
from tests.tables import tables

TABLES = tables(__file__)


def missing(text: str, source: str) -> list[str]:
    return [figure.written for figure in unstated(text, source)]


@pytest.mark.parametrize(("text", "source"), TABLES["the_same_values_in_another_form"])
def test_the_same_values_in_another_form(text: str, source: str) -> None:
    assert missing(text, source) == []


@pytest.mark.parametrize(("text", "source", "unknown"), TABLES["another_value_is_not_stated"])
def test_another_value_is_not_stated(text: str, source: str, unknown: list[str]) -> None:
    assert missing(text, source) == unknown


@given(st.text(alphabet="0123456789.,-–:/ \nth第三年月日万百%TmkgMay£¥[)-×^", max_size=60))
def test_every_text_states_its_own_figures(text: str) -> None:
    assert unstated(text, text) == ()


def test_endless_digits_are_read_as_well() -> None:
    assert missing("9" * 400 + " billion km", "3 km") != []
