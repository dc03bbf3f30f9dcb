"""The reference names what the library offers: every public name, where it lives."""

from __future__ import annotations

import re

import pytest

import memorybank
from tests.docs.blocks import ROOT

WITHOUT_A_PAGE = {"__version__"}


def test_the_public_names_are_there_and_listed() -> None:
    for name in memorybank.__all__:
        assert getattr(memorybank, name) is not None
    with pytest.raises(AttributeError, match="nothing_here"):
        _ = memorybank.nothing_here


def test_each_public_name_is_in_the_reference() -> None:
    pages = [path.read_text("utf-8") for path in sorted((ROOT / "docs/reference").glob("*.md"))]
    documented = {one for page in pages for one in re.findall(r"^::: (\S+)", page, re.MULTILINE)}
    homes = {f"memorybank.{memorybank._HOME[name]}": name for name in memorybank.__all__ if name not in WITHOUT_A_PAGE}
    assert homes
    missing = {
        name
        for name in set(memorybank.__all__) - WITHOUT_A_PAGE
        if not {(home := f"memorybank.{memorybank._HOME[name]}"), f"{home}.{name}"} & documented
    }
    assert not missing
