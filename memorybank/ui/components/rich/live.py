"""Boxes that change while a run goes on: the browser keeps what it shows and is sent what differs.

    draw_live(box("ol", "feed", *lines), key="feed")

Use it inside a fragment that polls; it looks like `draw`. A long list that grows by a line costs a line: the entries of
its channel are lists of patches, the first of which puts up the whole tree.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from memorybank.ui.components.channel import Channel, asked_under, draw_again
from memorybank.ui.components.rich import Drawn, take_choice, tree_of
from memorybank.ui.components.rich.patches import Patch, Tree, patches
from memorybank.ui.shell import links
from memorybank.ui.shell.tab import sender

_JS = """export default (component) => {
  const live = (globalThis.__memorybank_live ??= { waiting: [] });
  if (live.show) live.show(component);
  else live.waiting.push(component);
};
"""

_MOST_ENTRIES = 1_000
"""Of patches that nobody will ask for any more; beyond, the whole tree is sent anew."""


@dataclass(slots=True)
class TreeSender:
    """The boxes under one key, as far as the browser of one tab has them."""

    channel: Channel = field(default_factory=Channel)
    _tree: Tree | None = None
    _message: dict[str, Any] = field(default_factory=dict)

    def send(self, tree: Tree, *, key: str = "", request: object = None) -> dict[str, Any]:
        """The message for `tree`. What has not changed is the same to the byte: Streamlit sends a mere reference."""
        channel = self.channel
        if not channel.hear(key, request) and tree == self._tree:
            return self._message
        if self._tree is not None and tree != self._tree:
            channel.entries.append(_as_entry(patches(self._tree, tree)))
        if self._tree is None or channel.unsent_size() > _size(tree) or len(channel.entries) > _MOST_ENTRIES:
            channel.begin()
            channel.entries.append(_as_entry([Patch((), 0, 0, tuple(tree))]))
        self._tree, self._message = tree, channel.next()
        return self._message


def _as_entry(differing: Sequence[Patch]) -> list[Any]:
    return [list(patch) for patch in differing]


def _size(tree: Tree) -> int:
    return len(json.dumps(tree)) + 100


def draw_live(*boxes: Drawn, key: str, on_choose: Callable[[str], None] = links.follow) -> None:
    """Draw boxes as `draw` does."""
    tree: Tree = tree_of(boxes)
    if "User-Agent" in st.context.headers:
        data = {"key": key, **sender(key, TreeSender).send(tree, key=key, request=asked_under(key))}
    else:  # a program reads what is sent and keeps nothing
        data = {"boxes": tuple(tree)}
    _component()(
        key=key, data=data, on_chosen_change=functools.partial(take_choice, key, on_choose), on_asked_change=draw_again
    )
    links.turn_page()


@functools.cache
def _component() -> Any:
    """Registered once a process, at the first drawing. Its code travels with each change, so it is short."""
    return st.components.v2.component("memorybank_rich_live", html='<div class="rich"></div>', js=_JS)
