"""A story as Markdown, and back: every character of the author's is text there, and nothing a link, markup or HTML.

What the file is stands in a block of YAML at its beginning, as Pandoc and others read it; `chapters` are the chapters'
numbers, by which the file is read back as what it was.
"""

from __future__ import annotations

import json
import re
from typing import Final

from memorybank_studio.books.packed.blocks import Block, Reading
from memorybank_studio.books.story import Edition

_FENCE: Final = "---\n"
_MOST_FRONT: Final = 1_000_000
"""Characters of the block; the numbers of 100,000 chapters take fewer."""
_ESCAPED_RE: Final = re.compile(r"[\\`*_\[\]<>~|$&#{}!^@]|(?<=[a-zA-Z]):(?=//)|(?<=www)\.", re.IGNORECASE)
_BEGINS_RE: Final = re.compile(r"(?:[+=:-]|\d{1,9}(?=[.)]))")
"""What begins a list, a rule or a definition at the beginning of a line."""
_UNESCAPED_RE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_HEADING_RE: Final = re.compile(r"(#{1,6}) (.*)")


def story_markdown(story: Edition) -> str:
    head = {"title": story.title, "author": story.author, "lang": story.language}
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items() if value]
    numbers = json.dumps([chapter.number for chapter in story.chapters])
    parts = [f"{_FENCE}{chr(10).join(lines)}\ndate: {story.at:%Y-%m-%d}\nchapters: {numbers}\n---"]
    marks = "##" if story.in_parts else "#"
    for chapter in story.chapters:
        parts += [f"# {_escaped(above)}" for above in chapter.above]
        parts.append(f"{marks} {_escaped(chapter.heading)}")
        parts += [_line(paragraph) for paragraph in chapter.paragraphs]
    return "\n\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    return _ESCAPED_RE.sub(r"\\\g<0>", text)


def _line(paragraph: str) -> str:
    """A paragraph, of which the first character begins no list and no rule."""
    escaped = _escaped(paragraph)
    begins = _BEGINS_RE.match(escaped)
    if begins is None:
        return escaped
    at = begins.end() if begins[0].isdigit() else 0
    return f"{escaped[:at]}\\{escaped[at:]}"


def markdown_blocks(text: str) -> Reading | None:
    """What `story_markdown` has written, be it that the author has changed it since; None for any other text."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    end = text.find(f"\n{_FENCE}", 0, _MOST_FRONT) if text.startswith(_FENCE) else -1
    if end < 0:
        return None
    head = dict(map(_entry, text[len(_FENCE) : end].splitlines()))
    numbers = head.get("chapters")
    if not isinstance(numbers, list) or not all(type(number) is int and number >= 0 for number in numbers):
        return None
    reading = Reading(title=str(head.get("title", "")), author=str(head.get("author", "")))
    _read(reading, text[end + len(_FENCE) + 1 :], numbers)
    return reading


def _entry(line: str) -> tuple[str, object]:
    """Of the block; what is not as it was written here is text."""
    key, _, written = line.partition(":")
    try:
        value: object = json.loads(written)
    except (ValueError, RecursionError):
        value = written.strip()
    return key.strip(), value


def _read(reading: Reading, text: str, numbers: list[int]) -> None:
    lines = [line for line in text.split("\n") if line.strip()]
    levels = [len(heading[1]) for line in lines if (heading := _HEADING_RE.fullmatch(line))]
    deepest = max(levels, default=0)
    own = iter(numbers if levels.count(deepest) == len(numbers) else ())
    for line in lines:
        heading = _HEADING_RE.fullmatch(line)
        level = len(heading[1]) if heading else 0
        words = _UNESCAPED_RE.sub(r"\1", heading[2] if heading else line)
        reading.add(Block(text=words, level=level, mark=next(own, None) if level == deepest and level else None))
