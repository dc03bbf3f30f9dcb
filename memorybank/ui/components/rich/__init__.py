"""Text from outside, drawn with marks and colours and still as text: boxes (views/box.py), never markup.

    draw(muted(topic), box("p", "", "It has ", box("mark", "", "105"), " qubits."), key="claim")

A click on a box with `choose` leads where its link says (ui/shell/links.py), unless the drawer takes the choice itself.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, NamedTuple

import streamlit as st

from memorybank.ui.shell import links
from memorybank.ui.shell.tab import sent_by
from memorybank.views.box import Box
from memorybank.views.drawing.beside import text_beside
from memorybank.views.drawing.rich.script import rich_script

_read = functools.partial(text_beside, __package__)

Drawn = Box | Iterable[Box] | None


def draw(*boxes: Drawn, key: str, on_choose: Callable[[str], None] = links.follow) -> None:
    """Draw boxes, and those of lists, below each other. `on_choose` takes the `choose` of the box that is clicked."""
    # A tuple: Streamlit asks of a list whether it is a data frame, and imports pandas for that before the first paint.
    data = {"boxes": tuple(tree_of(boxes))}
    _components().rich(key=key, data=data, on_chosen_change=functools.partial(take_choice, key, on_choose))
    links.turn_page()


def tree_of(boxes: Iterable[Drawn]) -> list[Any]:
    """Return the boxes as data; None is left out."""
    lists = ([drawn] if isinstance(drawn, Box) else drawn or () for drawn in boxes)
    return [each.data() for each in chain.from_iterable(lists)]


def take_choice(key: str, on_choose: Callable[[str], None]) -> None:
    """Hand on what was clicked in the boxes under `key`."""
    chosen = sent_by(key, "chosen")
    if isinstance(chosen.get("what"), str):
        on_choose(chosen["what"])


def load() -> None:
    """Send the code and the looks, once a page. Every page begins with it."""
    _components().loader(key="rich-loader", height=1)


class _Components(NamedTuple):
    loader: Any
    rich: Any


@functools.cache
def _components() -> _Components:
    """Register the component, once a process, at the first drawing."""
    return _Components(
        loader=st.components.v2.component("memorybank_rich_loader", js=rich_script()),
        rich=st.components.v2.component("memorybank_rich", html='<div class="rich"></div>', js=_read("rich.js")),
    )
