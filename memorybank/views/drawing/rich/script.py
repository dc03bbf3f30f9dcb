"""The drawing code of boxes as one plain script, the looks in it: for the component, and for a page of one's own."""

from __future__ import annotations

import functools
import json
from importlib import resources

from memorybank.views.drawing.beside import text_beside
from memorybank.views.graph.style import MARK_LOOKS, NODE_LOOKS, NodeMark

STYLES: dict[str, str] = {}
"""The looks of the pages of packages beside the bank, by the package."""

_read = functools.partial(text_beside, __package__)


def rich_script() -> str:
    """Return the code, one module. It makes text nodes of texts; safe inside a <script> element."""
    return _read("loader.js").replace("/* CSS */", json.dumps(rich_css()))


def rich_css() -> str:
    """Return the looks of boxes, for an element of the class `rich` and what is in it."""
    colours = "\n".join(f"  --c-{state.value}: {look.fill};" for state, look in NODE_LOOKS.items())
    colours += f"\n  --c-changed: {MARK_LOOKS[NodeMark.CHANGED].fill};"
    return f".rich {{\n{colours}\n}}\n{_styles()}"


def _styles() -> str:
    """Return the style sheets, the base first, then one an area of the app."""
    names = sorted(file.name for file in resources.files(__package__).joinpath("css").iterdir())
    names.sort(key=lambda name: name != "base.css")
    return "\n".join([*(_read(f"css/{name}") for name in names), *STYLES.values()])
