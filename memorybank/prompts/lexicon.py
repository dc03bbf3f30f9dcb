"""Word lists and wordings: data in YAML in the folder of its only reader, read when first asked for."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

try:  # the C loader reads the lists ten times faster, where PyYAML was built with it
    from yaml import CSafeLoader as SafeLoader
except ImportError:
    from yaml import SafeLoader  # type: ignore[assignment]


@cache
def load(package: str, name: str) -> dict[str, Any]:
    """Return what `name`.yaml of a package holds; it is shared, and must not be changed."""
    text = (files(package) / f"{name}.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.load(text, Loader=SafeLoader)
    return loaded


def entries_of(listed: str | Iterable[str]) -> tuple[str, ...]:
    """Return a list as its words: parted by blanks, or one an entry where one of them holds blanks."""
    return tuple(listed.split() if isinstance(listed, str) else listed)
