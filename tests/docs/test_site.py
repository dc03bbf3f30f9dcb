"""The check of the built site finds what it is for on small sites; `make docs` builds the site itself and checks it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs import check_site
from tests.docs.blocks import ROOT

PAGE = '<html lang="{lang}"><head>{head}</head><body><h1 id="top">{words}</h1>{body}</body></html>'
WORDS = {"en": "A page in English", "zh": "这一页是用中文写的"}


def site(folder: Path, head: str = "", body: str = "") -> Path:
    for lang, below in (("en", ""), ("zh", "zh/")):
        for name in check_site.IN_BOTH:
            path = folder / f"{below}{name}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(PAGE.format(lang=lang, head="", words=WORDS[lang], body=""), "utf-8")
    index = PAGE.format(lang="en", head=head, words=WORDS["en"], body=body)
    (folder / "index.html").write_text(index, "utf-8")
    return folder


def test_a_whole_site_has_no_problem(tmp_path: Path) -> None:
    body = '<a href="tutorial.html#top">t</a><a href="https://example.org/">out</a><a href="zh/index.html">中文</a>'
    assert list(check_site.problems(site(tmp_path, body=body))) == []


@pytest.mark.parametrize(
    ("head", "body", "says"),
    [
        ('<script src="https://unpkg.com/x.js"></script>', "", "loads https://unpkg.com/x.js from another host"),
        ('<link rel="stylesheet" href="//fonts.example/css">', "", "loads //fonts.example/css"),
        ('<link rel="preconnect" href="https://fonts.example">', "", "loads https://fonts.example"),
        ("", '<img src="http://example.org/a.png">', "loads http://example.org/a.png"),
        ("", '<p style="background: url(https://example.org/a.png)">', "loads https://example.org/a.png"),
        ("", '<pre class="mermaid">graph</pre>', "Mermaid"),
        ("", '<a href="nowhere.html">x</a>', "nowhere.html leads nowhere"),
        ("", '<a href="tutorial.html#nowhere">x</a>', "has no such anchor"),
        ("", '<a href="/tutorial.html">x</a>', "begins at a server's root"),
        ("", '<img src="pictures/gone.png">', "gone.png leads nowhere"),
    ],
)
def test_what_is_wrong_is_found(tmp_path: Path, head: str, body: str, says: str) -> None:
    found = list(check_site.problems(site(tmp_path, head, body)))
    assert len(found) == 1
    assert says in found[0]


def test_a_language_that_is_missing_or_only_named_is_found(tmp_path: Path) -> None:
    folder = site(tmp_path)
    (folder / "zh/tutorial.html").unlink()
    (folder / "zh/concepts.html").write_text(PAGE.format(lang="zh", head="", words=WORDS["en"], body=""), "utf-8")
    (folder / "app.html").write_text(PAGE.format(lang="zh", head="", words=WORDS["en"], body=""), "utf-8")
    found = "\n".join(check_site.problems(folder))
    assert "zh/tutorial.html is missing" in found
    assert "zh/concepts.html is not written in zh" in found
    assert "app.html says its language is 'zh'" in found


def test_a_style_that_loads_a_font_is_found(tmp_path: Path) -> None:
    folder = site(tmp_path)
    (folder / "a.css").write_text('@import "https://fonts.example/css"; p { background: url("b.png") }', "utf-8")
    assert list(check_site.problems(folder)) == ["a.css loads https://fonts.example/css from another host"]


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
