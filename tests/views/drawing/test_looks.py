"""The style sheets of the pages: one sheet a class, for two pages that mean two things by a name spoil each other."""

from __future__ import annotations

import re
from collections import defaultdict
from importlib import resources

RULE_RE = re.compile(r"^\.(?P<name>[\w-]+)\s*\{", re.MULTILINE)


def test_a_class_is_laid_out_by_one_sheet() -> None:
    sheets: dict[str, set[str]] = defaultdict(set)
    for sheet in resources.files("memorybank.views.drawing.rich").joinpath("css").iterdir():
        for rule in RULE_RE.finditer(sheet.read_text("utf-8")):
            sheets[rule["name"]].add(sheet.name)
    assert len(sheets) > 100
    assert {name: found for name, found in sheets.items() if len(found) > 1} == {}
