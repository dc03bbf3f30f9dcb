"""The files that stand beside a module: its scripts, style sheets, pages.

_read = functools.partial(text_beside, __package__)
"""

from __future__ import annotations

from importlib import resources


def text_beside(package: str, name: str) -> str:
    """Return the text of a file of a package.

    All that a component of the app is made of have many lines: Streamlit takes a single one for a path.
    """
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")
