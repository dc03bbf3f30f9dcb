"""Denials of existence against statements that say what is denied."""

from __future__ import annotations

import pytest

from tests.contradiction.readers import by

DENIED = (
    ("There is no potter glazing a bowl", "A potter is glazing a blue bowl in the yard"),
    ("There are no children feeding the geese", "Three children feed the geese by the pond"),
    ("There isn't any person repairing the roof", "A woman is repairing the roof of the barn"),
    ("Nobody is rowing across the lake", "A man is rowing across the lake"),
    ("No sailor is mending a net", "The net is mended by a sailor"),
    ("没有人在湖上划船", "一个男人在湖上划船"),
)
BOTH_HOLD = (
    # narrower than what is stated
    ("There is no potter glazing a large bowl", "A potter is glazing a bowl"),
    ("There is no woman repairing the roof", "A person is repairing the roof"),
    # an exception, a condition, a doubt
    ("There is no potter glazing a bowl except Anna", "A potter is glazing a bowl"),
    ("There is no ferry to the island if the wind is strong", "A ferry to the island leaves at eight in strong wind"),
    ("There is no potter glazing a bowl", "A potter might be glazing a bowl"),
    # another time
    ("There was no bridge across the river", "There is a bridge across the river"),
    ("There was no bridge across the river in 1920", "The bridge across the river was opened in 1950"),
    # two denials, and what denies no existence
    ("There is no potter glazing a bowl", "No potter is glazing a bowl"),
    ("No longer does the potter glaze bowls", "The potter glazes bowls"),
    ("There is no potter", "A potter is glazing a bowl"),
    ("Is there no potter glazing a bowl?", "A potter is glazing a bowl"),
    ("没有人在湖上划船", "一个男人在湖边散步"),
)


@pytest.mark.parametrize(("denial", "statement"), DENIED)
def test_what_is_denied_is_stated(denial: str, statement: str) -> None:
    for left, right in ((denial, statement), (statement, denial)):
        (found,) = by("denials", left, right)
        assert (found.left.text, found.right.text) == (left, right)
        assert found.left.polarity != found.right.polarity
        assert denial in found.reason


@pytest.mark.parametrize(("left", "right"), BOTH_HOLD)
def test_both_may_hold(left: str, right: str) -> None:
    assert not by("denials", left, right)
    assert not by("denials", right, left)


def test_texts_with_a_topic_must_share_it() -> None:
    denial = "Marrow Bridge is old. Marrow Bridge is narrow. There is no toll for cars and lorries."
    statement = "Calder Bridge is new. Calder Bridge is wide. There is a toll for cars and lorries."
    assert not by("denials", denial, statement)
    assert by("denials", denial, statement.replace("Calder", "Marrow"))
