"""Boxes that change while a run goes on: the browser keeps what it shows and is sent what differs.

    draw_live(box("ol", "feed", *lines), key="feed")

Use it inside a fragment that polls; it looks like `draw`. A long list that grows by a line costs a line: the entries of
its channel are lists of patches, the first of which puts up the whole tree.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import streamlit as st

from memorybank.ui.components.channel import Channel, asked_under, draw_again
from memorybank.ui.components.rich import Drawn, take_choice, tree_of
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


# -- what is sent of a change -----------------------------------------------------------------------------------------


Tree = list[Any]


class Patch(NamedTuple):
    """Follow `path` by places among siblings, then take `gone` children away from `start` on and put `come` there.

    A tree is a list of children; a child is a text, or a box `[tag, look, children]`, perhaps with a fourth item.
    Patches are applied in their order.
    """

    path: tuple[int, ...]
    start: int
    gone: int
    come: tuple[Any, ...]


def patches(old: Tree, new: Tree) -> list[Patch]:
    """What makes `new` of `old`; empty when they are equal."""
    return list(_between(old, new, ()))


def apply(tree: Tree, patches: Sequence[Patch]) -> Tree:
    """The tree after the patches; `tree` itself is not changed. The browser does the same (live.js)."""
    for patch in patches:
        tree = _apply(tree, patch.path, patch)
    return tree


def _apply(children: Tree, path: tuple[int, ...], patch: Patch) -> Tree:
    if not path:
        return [*children[: patch.start], *patch.come, *children[patch.start + patch.gone :]]
    at, *rest = path
    tag, look, inside, *extra = children[at]
    return [*children[:at], [tag, look, _apply(inside, tuple(rest), patch), *extra], *children[at + 1 :]]


def _between(old: Tree, new: Tree, path: tuple[int, ...]) -> Iterator[Patch]:
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    gone, come = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(gone) == len(come):
        for place, (before, after) in enumerate(zip(gone, come, strict=True), start=head):
            yield from _of_child(before, after, path, place)
    elif gone:
        yield from _moved(gone, come, path, head)
    elif come:
        yield Patch(path, head, 0, tuple(come))


def _of_child(before: Any, after: Any, path: tuple[int, ...], place: int) -> Iterator[Patch]:
    if before == after:
        return
    if isinstance(before, list) and isinstance(after, list) and _frame(before) == _frame(after):
        yield from _between(before[2], after[2], (*path, place))
    else:
        yield Patch(path, place, 1, (after,))


def _moved(gone: Tree, come: Tree, path: tuple[int, ...], head: int) -> Iterator[Patch]:
    """The list has grown at its beginning and perhaps lost its end, as a feed does."""
    shift = next((place for place, child in enumerate(come) if child == gone[0]), 0)
    kept = _common(gone, come[shift:])
    if not shift or not kept:
        yield Patch(path, head, len(gone), tuple(come))
        return
    if kept < len(gone) or shift + kept < len(come):
        yield Patch(path, head + kept, len(gone) - kept, tuple(come[shift + kept :]))
    yield Patch(path, head, 0, tuple(come[:shift]))


def _frame(box: list[Any]) -> tuple[Any, ...]:
    """All of a box but its children."""
    return (box[0], box[1], *box[3:])


def _common(before: Sequence[Any], after: Sequence[Any]) -> int:
    """Length of the common beginning."""
    length = 0
    for left, right in zip(before, after, strict=False):
        if left != right:
            break
        length += 1
    return length
