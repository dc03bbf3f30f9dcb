"""Rendered prompts are kept as readable files, so that a change of wording shows in a diff."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "kept"


def check(name: str, text: str) -> None:
    """Fails where `text` is not the kept one of this name; with RENDERED=write in the environment it is written anew.

    `name` is that of the call and the language, as "analysis.en".
    """
    path = FOLDER / f"{name}.txt"
    text = text.rstrip("\n") + "\n"
    if os.environ.get("RENDERED") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"no prompt is kept as {path}: run the test with RENDERED=write, then read the file"
    assert text == path.read_text(encoding="utf-8"), f"{name} changed: run with RENDERED=write, read the diff"
