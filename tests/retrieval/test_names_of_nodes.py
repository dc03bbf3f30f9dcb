"""Names: what a topic line is on, and which memories name each other."""

from __future__ import annotations

import numpy as np
import pytest

from memorybank.embedding.base import CosineScale
from memorybank.memory.types import Node, NodeId
from memorybank.retrieval.index import COMMON_NAME, NodeIndex
from memorybank.retrieval.names import name_of, shared_name

SCALE = CosineScale(lo=0.0, hi=1.0)


def node(number: int, context: str, summary: str) -> Node:
    vector = np.zeros(4, "<f2")
    vector[number % 4] = 1
    return Node(
        id=NodeId(f"n{number}"), summary=summary, context=context, keywords=(), vector=vector.tobytes(), seq=number
    )


@pytest.mark.parametrize(
    ("context", "name"),
    [
        ("Trouble (album): It came out in 2000.", "Trouble"),
        ("天眼景区导览：导览词介绍说，FAST很大。", "天眼景区导览"),
        ("12:30 the bell rings", ""),
        ("The bell rings.", ""),
        ("It: a novel", ""),
        (f"{'long ' * 30}: text", ""),
        ("", ""),
    ],
)
def test_the_name_of_a_topic(context: str, name: str) -> None:
    assert name_of(context) == name


@pytest.mark.parametrize(("summary", "name"), [("# Ada Byron (poet)\n\nShe wrote.", "Ada Byron"), ("She wrote.", "")])
def test_a_heading_names_what_the_topic_line_does_not(summary: str, name: str) -> None:
    assert name_of("She wrote.", summary) == name


def test_a_name_stands_word_by_word() -> None:
    def shared(context: str, text: str) -> str:
        return shared_name(node(1, context, "It is so."), node(2, "", text))

    assert shared("Ada Byron: a mathematician", "The program was written by Ada Byron in 1843.") == "Ada Byron"
    assert not shared("Ada Byron: a mathematician", "Byron met Ada.")
    assert not shared("Mill: a building", "The millionaire came.")
    assert shared("南仁东：天文学家", "项目由南仁东主持。") == "南仁东"
    assert not shared("南仁东：天文学家", "南仁和东方都来了。")


def test_both_directions_and_a_common_name() -> None:
    index = NodeIndex(SCALE)
    film = node(1, "The Long Mill: A film of 1931.", "The Long Mill was directed by Ada Byron.")
    person = node(2, "Ada Byron: She was born in Leeds.", "Ada Byron was born in Leeds.")
    other = node(3, "Bridges: Some are long.", "Bridges are of stone.")
    for one in (film, other):
        index.put(one)
    assert index.naming(person) == ["n1"]
    index.put(person)
    assert index.naming(film) == ["n2"]
    assert index.naming(other) == []
    index.discard(NodeId("n2"))
    assert index.naming(film) == []

    index.put(person)
    for number in range(4, 4 + COMMON_NAME):
        index.put(node(number, "", f"In text {number} Ada Byron is mentioned."))
    assert index.naming(film) == [], "a name that stands everywhere is no link"


def test_a_changed_topic_changes_the_name() -> None:
    index = NodeIndex(SCALE)
    index.put(node(1, "Old Name: text", "text"))
    index.put(node(1, "New Name: text", "text of another kind"))
    asking = node(9, "", "Both Old Name and New Name stand here.")
    assert index.naming(asking) == ["n1"]
    index.sync({})
    assert index.naming(asking) == []
