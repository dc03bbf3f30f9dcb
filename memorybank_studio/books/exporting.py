"""Out of the hub again: the chapters as one text, exactly as they were imported, and its semantic parts as JSON."""

from __future__ import annotations

import json

from pydantic import TypeAdapter

from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.contracts import SettingBase
from memorybank_studio.types import Chunk, Setting

SCHEMA = 1
_SETTINGS = TypeAdapter(tuple[Setting, ...])


def book_text(archive: Archive) -> str:
    """All chapters in their order, joined. Equal to the imported text, to the character."""
    return "".join(chunk.text for chunk in archive.all())


def export_semantic(settings: SettingBase, archive: Archive) -> str:
    """The setting base, and what the archive knows of each chunk but its text, which is in the book, as JSON."""
    return json.dumps(
        {
            "schema": SCHEMA,
            "settings": _SETTINGS.dump_python(settings.all(), mode="json"),
            "chapters": [{"chapter_id": number, "chapter_title": title} for number, title in archive.chapters()],
            "chunks": list(map(_metadata, archive.all())),
        },
        ensure_ascii=False,
        indent=1,
    )


def _metadata(chunk: Chunk) -> dict[str, object]:
    return {
        "chapter_id": chunk.chapter_id,
        "place": chunk.place,
        "start": chunk.start,
        "end": chunk.end,
        "entity_list": list(chunk.entity_list),
    }
