"""What differs between two trees of boxes, as data: few and small patches for what usually happens to a list. Pure.

A tree is a list of children; a child is a text, or a box `[tag, look, children]` or `[tag, look, children, extra]`.
A patch is `(path, start, gone, come)`: follow `path` by places among siblings, then take `gone` children away from
`start` on and put `come` there. Patches are applied in their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

Tree = list[Any]


class Patch(NamedTuple):
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
