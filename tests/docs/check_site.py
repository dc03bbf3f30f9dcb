"""Is the built site whole? Nothing is loaded from another host, no link begins at a root, both languages are there.

`python tests/docs/check_site.py [FOLDER]`, run by `make docs` behind the strict build, which looks for every
link and anchor.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[2]
IN_BOTH = ("index", "tutorial", "concepts", "app", "howto/key", "howto/own-agent", "howto/studio")
"""Pages that there are in English and in 中文."""
OUTSIDE = ("404.html",)
"""Written for a server's root, where no page of a folder on the disk is."""
LOADING_LINKS = {"stylesheet", "icon", "preload", "preconnect", "dns-prefetch", "prefetch", "modulepreload", "manifest"}
LOADING = {
    ("script", "src"),
    ("img", "src"),
    ("img", "srcset"),
    ("source", "src"),
    ("source", "srcset"),
    ("iframe", "src"),
    ("embed", "src"),
    ("object", "data"),
    ("video", "src"),
    ("video", "poster"),
    ("audio", "src"),
    ("form", "action"),
}
HAN = re.compile(r"[一-鿿]")


@dataclass
class Page:
    """What one page loads, says and points to."""

    loads: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    classes: set[str] = field(default_factory=set)
    lang: str = ""
    text: str = ""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        page = self.page
        page.classes |= set(values.get("class", "").split())
        page.loads += [values[name] for element, name in LOADING if element == tag and name in values]
        page.loads += re.findall(r"url\(([^)]+)\)", values.get("style", ""))
        if tag == "html":
            page.lang = values.get("lang", "")
        if tag == "link":
            loading = LOADING_LINKS & set(values.get("rel", "").split())
            (page.loads if loading else page.links).append(values.get("href", ""))
        if tag == "a" and "href" in values:
            page.links.append(values["href"])
        self._silent += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.page.text += data


def read(path: Path) -> Page:
    reader = _Reader()
    reader.feed(path.read_text("utf-8"))
    return reader.page


def problems(site: Path) -> Iterator[str]:
    """What is wrong with the site, a line each."""
    paths = [path for path in sorted(site.rglob("*.html")) if path.name not in OUTSIDE]
    pages = {path.resolve(): read(path) for path in paths}
    if not pages:
        yield f"there is no page in {site}"
    for path, page in pages.items():
        here = path.relative_to(site.resolve())
        yield from (f"{here} loads {one} from another host" for one in page.loads if _elsewhere(one))
        if "mermaid" in page.classes:
            yield f"{here} has a Mermaid diagram, whose script the theme loads from another host"
        rooted = [one for one in (*page.loads, *page.links) if one.startswith("/") and not _elsewhere(one)]
        yield from (f"{here}: the link {one} begins at a server's root" for one in rooted)
    for path in sorted(site.rglob("*.css")):
        for target in re.findall(r"(?:@import\s+|url\()[\"']?([^\"')\s]+)", path.read_text("utf-8")):
            if _elsewhere(target):
                yield f"{path.relative_to(site)} loads {target} from another host"
    yield from _languages(pages, site.resolve())


def _elsewhere(target: str) -> bool:
    return bool(urlsplit(target).netloc) and not target.startswith("data:")


def _languages(pages: dict[Path, Page], site: Path) -> Iterator[str]:
    for name in IN_BOTH:
        for folder, lang in (("", "en"), ("zh/", "zh")):
            page = pages.get(site / f"{folder}{name}.html")
            if page is None:
                yield f"{folder}{name}.html is missing"
                continue
            if page.lang != lang:
                yield f"{folder}{name}.html says its language is {page.lang!r}"
            share = len(HAN.findall(page.text)) / max(len(re.sub(r"\s", "", page.text)), 1)
            if (share > 0.25) != (lang == "zh"):
                yield f"{folder}{name}.html is not written in {lang}: {share:.0%} of it is Chinese"


def main() -> int:
    site = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"
    found = list(problems(site))
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
