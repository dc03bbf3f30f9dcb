"""The shortcuts of the app, each of them that of a button (`st.button(shortcut=…)`); `settings.look_keys` tells them.

Streamlit hears them anywhere but in a field, while the button is on the page and not disabled. R and C are Streamlit's
own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Shortcut(NamedTuple):
    """A key of the keyboard and the buttons that it presses."""

    key: str
    """The key by Streamlit's name for it."""
    buttons: tuple[str, ...]
    """The Streamlit keys of the buttons; at most one of them can be pressed at a time."""


SHORTCUTS: Sequence[Shortcut] = (
    Shortcut("T", ("story-start", "story-leave")),
    Shortcut("Left", ("story-previous",)),
    Shortcut("Space", ("story-pause",)),
    Shortcut("Right", ("story-next",)),
    Shortcut("G", ("run", "pause")),
    Shortcut("S", ("step",)),
)


def shortcut_of(button: str) -> str | None:
    """Return the shortcut of the button with this Streamlit key, or None where it has none."""
    return next((shortcut.key for shortcut in SHORTCUTS if button in shortcut.buttons), None)
