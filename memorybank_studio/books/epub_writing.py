"""A story as EPUB 3, with the table of contents of EPUB 2 beside its own. The pages are in `templates/`.

Templates escape what they are given, so what is the author's can be neither markup nor link nor script. The same story
made at the same moment is the same file, to the byte.
"""

from __future__ import annotations

import io
import uuid
import zipfile
from dataclasses import dataclass, field
from datetime import UTC
from typing import Final

from memorybank_studio.books.story import Edition
from memorybank_studio.books.typography import TYPOGRAPHY, is_scene_break, template

_BOOKS: Final = uuid.UUID("5a3b0f0e-3d55-4b7e-9a7a-0d2f4a1c6b11")
"""The namespace of books' identifiers: each making of one book has the same."""
_PARTS: Final = {
    "META-INF/container.xml": "container.xml",
    "EPUB/package.opf": "package.opf",
    "EPUB/nav.xhtml": "nav.xhtml",
    "EPUB/toc.ncx": "toc.ncx",
    "EPUB/style.css": "style.css",
    "EPUB/title.xhtml": "title.xhtml",
}
"""The templates of the file's parts but its chapters, by their names in the archive."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the table of contents."""

    label: str
    target: str
    """The page and the place in it to which the line leads."""
    below: list[_Line] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.target.partition("#")[2]


def story_epub(story: Edition) -> bytes:
    """Return the file's bytes."""
    values = {
        "story": story,
        "set_in": TYPOGRAPHY[story.language],
        "lines": _contents(story),
        "first": f"chapter-{story.chapters[0].number}.xhtml" if story.chapters else "title.xhtml",
        "identifier": uuid.uuid5(_BOOKS, f"{story.title}\n{story.author}").urn,
        "at": story.at.astimezone(UTC),
        "is_scene_break": is_scene_break,
    }
    files = {"mimetype": "application/epub+zip"}  # the first and not compressed, as the format has it
    files |= {name: template(source).render(values) for name, source in _PARTS.items()}
    page = template("chapter.xhtml")
    for chapter in story.chapters:
        files[f"EPUB/chapter-{chapter.number}.xhtml"] = page.render(values, chapter=chapter)
    return _zipped(files, story)


def _contents(story: Edition) -> list[_Line]:
    """Chapters, below the part that they belong to where there are parts."""
    top: list[_Line] = []
    inside = top
    for chapter in story.chapters:
        page = f"chapter-{chapter.number}.xhtml"
        for at, name in enumerate(chapter.above):
            part = _Line(name, f"{page}#part-{chapter.number}-{at}")
            top.append(part)
            inside = part.below
        inside.append(_Line(chapter.heading, f"{page}#chapter-{chapter.number}"))
    return top


def _zipped(files: dict[str, str], story: Edition) -> bytes:
    written = io.BytesIO()
    at = story.at.astimezone(UTC)
    moment = (max(at.year, 1980), at.month, at.day, at.hour, at.minute, at.second)
    with zipfile.ZipFile(written, "w") as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text.strip())
    return written.getvalue()
