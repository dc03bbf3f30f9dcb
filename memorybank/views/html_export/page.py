"""The page of a run: its data, the code that shows it and the app's own drawing code in one file (drawing/file.py)."""

from __future__ import annotations

import functools
from typing import Any

from memorybank.memory.types import Lang
from memorybank.views.drawing.beside import text_beside
from memorybank.views.drawing.file import html_file
from memorybank.views.drawing.graph.script import graph_script
from memorybank.views.drawing.rich.script import rich_css, rich_script

read = functools.partial(text_beside, __package__)
"""A file of the page, by its name."""

_CODE = ("data.js", "elements.js", "player.js", "panels.js", "main.js")


def page(data: Any, lang: Lang, slides: str = "") -> bytes:
    """Return the file in UTF-8. `slides` is the markup of what is printed; empty: the page as it is seen."""
    scripts = [rich_script(), graph_script(), "\n".join(map(read, _CODE))]
    style = read("page.css")
    if slides:
        style += f"{read('slides.css')}.slides {{\n{rich_css()}\n}}\n"
    return html_file(data, lang, scripts=scripts, style=style, markup=slides)
