"""The check of the built site finds what it is for on small sites; `make docs` builds the site itself and checks it."""

from __future__ import annotations

import re

from tests.docs import check_site
from tests.docs.blocks import ROOT


def test_every_page_is_in_the_navigation() -> None:
    """The strict build says so too; this is told before it."""
    navigation = set(re.findall(r"([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert {page for page in pages if not page.endswith(".zh.md")} == navigation
    assert {page.replace(".zh.md", ".md") for page in pages if page.endswith(".zh.md")} <= navigation


def test_what_is_to_be_in_both_languages_is() -> None:
    for name in check_site.IN_BOTH:
        for ending in (".md", ".zh.md"):
            assert (ROOT / "docs" / f"{name}{ending}").is_file()
