"""Cards in lanes, in a Streamlit component of the second kind.

    draw(lanes, words, turns, key="studio-board", as_of=12, on_act=act)

What the author does is told as acts, each with a number: `place` (a card, its lane, the card it stands before),
`status`, and whatever else a card offers. The browser shows a move at once and says it again until a drawing has
answered its number, so that quick moves are not lost to a rerun; each act comes to `on_act` once, in order. Whatever
the answer is, the lanes that are drawn next are the truth.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

import streamlit as st

from memorybank.ui.shell.sending import wrap_for_component
from memorybank.ui.shell.tab import sent_by, this_tab
from memorybank.views.drawing.beside import text_beside
from memorybank.views.graph.style import NODE_LOOKS
from memorybank.views.text.display import plain

_read = functools.partial(text_beside, __package__)

Act = Mapping[str, Any]
"""What the browser says was done. It is outside text: look at it before use."""
MOST_ACTS: Final = 200
"""Acts of one message that are listened to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCard:
    key: str
    title: str
    text: str
    status: str
    due: str
    late: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Cards that keep together: a card moves among those of its own group, in whichever lane."""

    key: str
    order: int
    """Its place among all groups, in whichever lane."""
    title: str
    cards: tuple[StepCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    name: str
    label: str
    notes: tuple[str, ...]
    groups: tuple[Group, ...]


class _Components(NamedTuple):
    loader: Any
    board: Any


def draw(
    lanes: Sequence[Lane],
    words: Mapping[str, str],
    turns: Mapping[str, Sequence[tuple[str, str]]],
    *,
    key: str,
    as_of: int,
    on_act: Callable[[Act], None],
) -> None:
    """Draw the lanes. `turns`: by status, those it can be changed to, each with the button's word; `as_of`: what an act
    says of the moment at which its author saw the board."""
    take = functools.partial(_take, key, on_act)
    take()  # what was said in a run that another one cut short
    data = {
        "lanes": [_plain(asdict(lane)) for lane in lanes],
        "words": dict(words),
        "moves": {status: list(to) for status, to in turns.items()},
        "heard": this_tab().browser.heard.get(key, 0),
        "as_of": as_of,
    }
    components = _components()
    with st.container(gap=None):
        components.loader(key=f"{key}-loader", height=1)
        components.board(key=key, data=wrap_for_component(data), on_said_change=take)


def _plain(value: Any) -> Any:
    """Text as it is fit for the screen, in all of it but names, which come back as they are."""
    if isinstance(value, Mapping):
        return {name: each if name in ("key", "name") else _plain(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return plain(value) if isinstance(value, str) else value


def _take(key: str, on_act: Callable[[Act], None]) -> None:
    acts, heard = sent_by(key, "said").get("acts"), this_tab().browser.heard
    for act in acts[:MOST_ACTS] if isinstance(acts, list) else ():
        turn = act.get("turn") if isinstance(act, Mapping) else None
        if isinstance(turn, int) and turn > heard.get(key, 0):
            heard[key] = turn
            on_act(act)


@functools.cache
def _components() -> _Components:
    """Registered once a process, at the first drawing."""
    colours = "\n".join(f"  --c-{kind.value}: {look.fill};" for kind, look in NODE_LOOKS.items())
    css = f".board {{\n{colours}\n}}\n{_read('board.css')}"
    code = "".join(map(_read, ("model.js", "moving.js", "view.js")))
    loader = _read("loader.js").replace("/* CSS */", json.dumps(css), 1).replace("/* CODE */", code, 1)
    return _Components(
        loader=st.components.v2.component("memorybank_board_loader", js=loader),
        board=st.components.v2.component("memorybank_board", html='<div class="board"></div>', js=_read("board.js")),
    )
