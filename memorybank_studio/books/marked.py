"""A book whose file says itself what its headings are: an e-book, a word processor's file, Markdown of the studio's.

* A file that the studio wrote names its chapters' numbers; they are taken as they stand.
* Else chapters open at one level of headings: that of the headings with chapters' numbers where there are any, else
  the shallowest level that comes again and has text below it. Above it are parts of the book, which go with the
  chapter that follows.
* Where the headings do not part the book, or its lines do it better (第一章 in every tenth line, all of it plain
  text), it is cut as a text is, by `chapters`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from memorybank_studio.books.chapters import LONGEST_TITLE, Chapter, chapters, counted, cut_at, without_contents
from memorybank_studio.books.headings import Heading, Rank, heading_of
from memorybank_studio.books.packed.blocks import Block

_APART = "\n\n"
_CHAPTERS = (Rank.CHAPTER, Rank.SECTION)


def marked_chapters(blocks: Sequence[Block], *, title: str = "") -> tuple[Chapter, ...]:
    """Every block but those of a title page is in exactly one chapter."""
    blocks = _without_title_page(blocks)
    text, headings, marks = _as_text(blocks)
    if marks:
        own = [(heading, marks[heading.start]) for heading in headings if heading.start in marks]
        if _all_are_marked(headings, own):
            above = {heading.start for heading in headings} - marks.keys()
            return cut_at(text, own, headings, above, _title)
    opening = _opening(text, headings)
    cuts = counted(without_contents(text, opening, headings))
    by_lines = chapters(text, title=title)
    if len(cuts) < 2 or (len(by_lines) > len(cuts) + 1 and not _numbered(opening)):
        return by_lines
    above = {heading.start for heading in headings if heading.level < cuts[-1][0].level or heading.rank is Rank.VOLUME}
    return cut_at(text, cuts, headings, above, _title)


def _without_title_page(blocks: Sequence[Block]) -> list[Block]:
    """What stands on a title page goes as long as no heading has come."""
    first = next((at for at, block in enumerate(blocks) if block.level), len(blocks))
    kept = [block for at, block in enumerate(blocks) if not (block.front and at < first)]
    return kept or list(blocks)


def _as_text(blocks: Sequence[Block]) -> tuple[str, list[Heading], dict[int, int]]:
    """The blocks as one text, its headings, and by their starts the numbers that the studio gave to its own."""
    parts: list[str] = []
    headings: list[Heading] = []
    marks: dict[int, int] = {}
    start = 0
    for block in blocks:
        part = block.text + _APART
        if block.level and (heading := heading_of(block.text, start, start + len(part), block.level)):
            headings.append(heading)
            if block.mark is not None:
                marks[start] = block.mark
        parts.append(part)
        start += len(part)
    return "".join(parts), headings, marks


def _all_are_marked(headings: Sequence[Heading], own: Sequence[tuple[Heading, int]]) -> bool:
    """Whether nobody has added or moved chapters since: numbers ascend, and no other heading is of their level."""
    levels = {heading.level for heading, _ in own}
    others = sum(heading.level in levels for heading in headings) - len(own)
    return len(levels) == 1 and not others and all(earlier < later for (_, earlier), (_, later) in pairwise(own))


def _numbered(opening: Sequence[Heading]) -> bool:
    return any(heading.rank in _CHAPTERS for heading in opening)


def _opening(text: str, headings: Sequence[Heading]) -> list[Heading]:
    """The headings of the chapters' level, and shallower ones with text of their own, as a prologue's."""
    following = dict(pairwise(heading.start for heading in headings))
    filled = {
        heading.start for heading in headings if text[heading.end : following.get(heading.start, len(text))].strip()
    }
    level = _level(headings, filled)
    alone = Counter(heading.level for heading in headings)
    return [
        heading
        for at, heading in enumerate(headings)
        if heading.level == level
        or (heading.level < level and heading.start in filled and (at or alone[heading.level] > 1))
    ]


def _level(headings: Sequence[Heading], filled: set[int]) -> int:
    numbered = Counter(heading.level for heading in headings if heading.rank in _CHAPTERS)
    if numbered:
        return numbered.most_common(1)[0][0]
    levels = Counter(heading.level for heading in headings)
    with_text = {heading.level for heading in headings if heading.start in filled}
    again = sorted(level for level in with_text if levels[level] > 1)
    return again[0] if again else min(with_text, default=0)


def _title(text: str, heading: Heading, end: int) -> str:
    return heading.line[:LONGEST_TITLE]
