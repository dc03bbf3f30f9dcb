"""The built site in a real browser, opened from the disk with the network gone: search, language and colours work.

`python tests/docs/browse_site.py`, behind `make docs`; it needs the environment of the tests.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import expect

from memorybank_lab.bench.browser import browser

ROOT = Path(__file__).parents[2]
SITE = ROOT / "site"
SEARCHES = {"index.html": ("conflict", "mcp server"), "zh/index.html": ("灯塔", "密钥")}
NARROW = {"width": 390, "height": 844}


def main() -> int:
    problems: list[str] = []
    with browser() as chromium:
        context = chromium.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
        context.set_offline(True)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
        page.on("request", lambda request: _only_ours(request.url, problems))
        for start, words in SEARCHES.items():
            page.goto((SITE / start).as_uri())
            for word in words:
                field = page.locator(".md-search__input").first
                field.click()
                field.fill(word)
                field.press("End")  # the theme listens to keys
                expect(page.locator(".md-search-result__item").first).to_be_visible()
                page.keyboard.press("Escape")
        page.goto((SITE / "zh/tutorial.html").as_uri())
        page.locator(".md-select button").click()
        page.get_by_role("link", name="English").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.locator("h1")).to_contain_text("Your own run")
        before = page.evaluate("getComputedStyle(document.body).backgroundColor")
        page.locator("label[for='__palette_1']").first.click()
        page.wait_for_function("(before) => getComputedStyle(document.body).backgroundColor !== before", arg=before)
        page.set_viewport_size(NARROW)  # type: ignore[arg-type]
        for path in _written():
            page.goto(path.as_uri(), wait_until="domcontentloaded")
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                problems.append(f"{path.relative_to(SITE)} is wider than {NARROW['width']} px")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def _written() -> Iterator[Path]:
    """Pages that have a text of their own: not those that stand in for a translation."""
    for path in sorted((ROOT / "docs").rglob("*.md")):
        name = path.relative_to(ROOT / "docs").as_posix().removesuffix(".md")
        yield SITE / f"zh/{name.removesuffix('.zh')}.html" if name.endswith(".zh") else SITE / f"{name}.html"


def _only_ours(url: str, problems: list[str]) -> None:
    if not url.startswith((SITE.as_uri(), "data:", "blob:", "about:")):
        problems.append(f"{url} was asked for")


if __name__ == "__main__":
    sys.exit(main())
