"""Boxes that change while a run goes on: the browser keeps what it shows and is sent what differs.

    draw_live([box("ol", "feed", *lines)], key="feed")

Use it inside a fragment that polls; it looks like `draw`. A long list that grows by a line costs a line. The browser
speaks only when it has missed something: what a part of a page says by itself, as it appears, would name that page and
undo a link that was followed at the same moment.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import streamlit as st

from memorybank.ui.components.rich.patches import Patch, Tree, patches
from memorybank.ui.shell import links
from memorybank.views.box import Box

_JS = """export default (component) => {
  const live = (globalThis.__memorybank_live ??= { waiting: [] });
  if (live.show) live.show(component);
  else live.waiting.push(component);
};
"""


_REMEMBERED = 4
"""Trees that are kept for a browser that missed the last ones: Streamlit drops what it could not send in time."""


class _Sent(NamedTuple):
    digest: str
    tree: Tree
    message: dict[str, Any]
    before: tuple[tuple[str, Tree], ...] = ()
    """Digest and tree of what was sent before, the newest first."""


def draw_live(boxes: Sequence[Box], *, key: str, on_choose: Callable[[str], None] = links.follow) -> None:
    """Draw boxes below each other. `on_choose` is told the `choose` of the box that is clicked."""
    state = st.session_state
    tree: Tree = [one.data() for one in boxes]
    digest = hashlib.sha256(json.dumps(tree).encode()).hexdigest()[:12]
    known: _Sent | None = state.get(f"{key}-live-sent")
    if known is None or known.digest != digest:
        message = _message(key, digest, tree, known if _is_browser() else None)
        before = ((known.digest, known.tree), *known.before)[:_REMEMBERED] if known is not None else ()
        known = state[f"{key}-live-sent"] = _Sent(digest, tree, message, before)

    def take() -> None:
        chosen = state[key].get("chosen") or {}
        if isinstance(chosen.get("what"), str):
            on_choose(chosen["what"])

    # What has not changed is the same message to the byte, of which Streamlit sends a mere reference.
    _component()(
        key=key,
        data=known.message,
        on_chosen_change=take,
        on_missed_change=functools.partial(_begin_from, key),
    )
    links.turn_page()


def _is_browser() -> bool:
    """Whether the page is shown by a browser, which keeps trees, and not read by a program, which sees what is sent."""
    return "User-Agent" in st.context.headers


def _message(key: str, digest: str, tree: Tree, known: _Sent | None) -> dict[str, Any]:
    if known is not None:
        found = patches(known.tree, tree)
        if _size(found) < _size(tree):
            return {"key": key, "digest": digest, "base": known.digest, "patches": _sendable(found)}
    # A tuple: Streamlit asks of a list whether it is a data frame, and imports pandas for that before the first paint.
    return {"key": key, "digest": digest, "boxes": tuple(tree)}


def _sendable(found: Sequence[Patch]) -> tuple[Any, ...]:
    return tuple(list(patch) for patch in found)


def _size(value: Any) -> int:
    return len(json.dumps(value))


def _begin_from(key: str) -> None:
    """The browser shows an older tree than was thought: what differs is told from there, or all is sent."""
    known: _Sent | None = st.session_state.pop(f"{key}-live-sent", None)
    missed = st.session_state[key].get("missed") or {}
    tree = dict(known.before).get(str(missed.get("have"))) if known is not None else None
    if tree is not None:
        st.session_state[f"{key}-live-sent"] = _Sent(missed["have"], tree, {})


@functools.cache
def _component() -> Any:
    """Registered once a process, at the first drawing. Its code travels with each change, so it is short."""
    return st.components.v2.component("memorybank_rich_live", html='<div class="rich"></div>', js=_JS)
