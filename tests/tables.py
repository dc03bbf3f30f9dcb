"""Tables of a test, in a YAML file beside it: rows of text that anybody can read and add to, without Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml


def tables(test: str) -> dict[str, Any]:
    """Return the tables of a test by their names; `test` is its `__file__`."""
    return yaml.safe_load(Path(test).with_suffix(".yaml").read_text("utf-8"))  # type: ignore[no-any-return]
