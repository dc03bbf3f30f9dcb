"""The code blocks of the README and the docs: what is in them, where they stand, and what is to be done with each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
GENERATED = ("docs/files.md", "docs/quality.md", "docs/faults.md")
"""Written by programs, which have tests of their own."""
PAGES = tuple(
    name
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if (name := path.relative_to(ROOT).as_posix()) not in GENERATED
)
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<lang>[\w-]*)(?: +title=\"(?P<title>[^\"]*)\")?.*\n"
    r"(?P<code>(?:.*\n)*?)(?P=indent)```$",
    re.MULTILINE,
)
NOT_RUN, PRINTS = "not run: ", "prints"
READ = ("text", "json", "jsonl", "ini", "markdown")
"""Languages of blocks that are no program."""


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    lang: str
    title: str
    code: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def reason(self) -> str:
        """Why it is not run; empty for one that is."""
        return self.title.removeprefix(NOT_RUN) if self.title.startswith(NOT_RUN) else ""

    @property
    def file(self) -> str:
        """The file that it is the text of; empty where it is none's."""
        return self.title if re.fullmatch(r"[\w./-]+\.\w+", self.title) else ""


def blocks(page: str, text: str | None = None) -> list[Block]:
    """All blocks of a page, in their order. `text`: of a page that is not on the disk."""
    text = (ROOT / page).read_text("utf-8") if text is None else text
    found = []
    for match in FENCE.finditer(text):
        indent = match["indent"]
        code = "".join(line.removeprefix(indent) for line in match["code"].splitlines(keepends=True))
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(page=page, line=line, lang=match["lang"], title=match["title"] or "", code=code))
    return found
