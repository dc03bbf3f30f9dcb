"""The kinds of file we read or keep: suffix, media type, how it is read, what its original becomes.

The one table of it. A suffix that is not here is neither read from a corpus nor written to a store.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, Literal

from memorybank.memory.types import AttachmentType

TextMethod = Literal["text", "page", "pdf", "code", "table", "json", "image"]
"""The way in which a file becomes text: as it is, main text of an HTML page, PDF, code, table, JSON, OCR."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    suffix: str
    media_type: str
    reading: TextMethod
    attachment: AttachmentType | None = None
    """The kind of attachment that its original is kept as; None when the text is all there is to keep."""


def _kinds(reading: TextMethod, attachment: AttachmentType | None, **media_types: str) -> dict[str, FileKind]:
    return {
        f".{suffix}": FileKind(suffix=f".{suffix}", media_type=media, reading=reading, attachment=attachment)
        for suffix, media in media_types.items()
    }


_LANGUAGES: Final = (
    "py:python ts:typescript java:java c:c cpp:c++ h:c go:go rs:rust sh:shellscript "
    "rb:ruby php:php cs:csharp kt:kotlin swift:swift"
)
FILE_KINDS: Final[dict[str, FileKind]] = {
    **_kinds("text", None, md="text/markdown", markdown="text/markdown", txt="text/plain", rst="text/x-rst"),
    **_kinds("page", None, html="text/html", htm="text/html"),
    **_kinds("pdf", AttachmentType.DOCUMENT, pdf="application/pdf"),
    **_kinds(
        "code",
        AttachmentType.CODE,
        **{each.partition(":")[0]: f"text/x-{each.partition(':')[2]}" for each in _LANGUAGES.split()},
    ),
    **_kinds("code", AttachmentType.CODE, js="text/javascript"),
    **_kinds("code", AttachmentType.CODE, **dict.fromkeys(("yaml", "yml"), "application/yaml")),
    **_kinds("code", AttachmentType.CODE, sql="application/sql", toml="application/toml"),
    **_kinds("table", AttachmentType.CODE, csv="text/csv", tsv="text/tab-separated-values"),
    **_kinds("text", AttachmentType.DOCUMENT, srt="application/x-subrip", vtt="text/vtt"),
    **_kinds("json", AttachmentType.CODE, json="application/json"),
    **_kinds("json", None, jsonl="application/jsonl", ndjson="application/jsonl"),
    **_kinds("image", AttachmentType.IMAGE, png="image/png", jpg="image/jpeg"),
}
"""Maps a suffix (lower case, with its dot) to the kind of file."""


def kind_of(name: str) -> FileKind | None:
    """Return the kind of a file by its suffix, in any case; None: not one of ours."""
    return FILE_KINDS.get(PurePosixPath(name.replace("\\", "/")).suffix.lower())
