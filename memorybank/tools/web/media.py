"""What kind of thing an answer is: by its Content-Type, and by its first bytes where that says nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from memorybank.errors import Notice, ToolError
from memorybank.memory.types import Value

MediaKind = Literal["page", "text", "pdf", "image"]

ACCEPT: Final = (
    "text/html, application/xhtml+xml, text/markdown, text/plain, application/pdf;q=0.9, application/json;q=0.8, "
    "application/xml;q=0.8, image/png;q=0.7, image/jpeg;q=0.7, image/webp;q=0.7, image/gif;q=0.7"
)
ACCEPT_IMAGE: Final = "image/png, image/jpeg, image/webp, image/gif"
_IMAGES: Final = frozenset(("image/png", "image/jpeg", "image/jpg", "image/pjpeg", "image/webp", "image/gif"))
_IMAGE_RE: Final = re.compile(rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP", re.DOTALL)
_PAGES: Final = frozenset(("text/html", "application/xhtml+xml"))
_TEXTS: Final = frozenset(
    "text/plain text/markdown text/x-markdown text/csv text/tab-separated-values text/x-rst text/xml application/xml "
    "application/json application/x-ndjson application/jsonl application/yaml text/yaml".split()
)
_UNTOLD: Final = frozenset(("", "application/octet-stream", "binary/octet-stream", "application/force-download"))
"""The server does not know either: the first bytes tell."""
_CHARSET_RE: Final = re.compile(r"""charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_HTML_RE: Final = re.compile(
    rb"\s*(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body|title|meta)\b", re.I | re.S
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Media(Value):
    type: str
    """Lower case, without parameters; empty when none was given."""
    charset: str = ""
    """As the server names it, unchecked."""

    @classmethod
    def of(cls, content_type: str) -> Media:
        media_type = content_type.partition(";")[0].strip().lower()[:80]
        charset = _CHARSET_RE.search(content_type[:500])
        return cls(type=media_type, charset=charset[1] if charset else "")

    @property
    def readable(self) -> bool:
        """Whether it is worth while to read the body; before that, an untold type is."""
        return self.type in _UNTOLD or self._named is not None

    @property
    def _named(self) -> MediaKind | None:
        if self.type in _PAGES:
            return "page"
        if (
            self.type in _TEXTS
            or self.type.endswith("+json")
            or (self.type.endswith("+xml") and "svg" not in self.type)
        ):
            return "text"
        if self.type in _IMAGES:
            return "image"
        return "pdf" if self.type in ("application/pdf", "application/x-pdf") else None

    def kind(self, data: bytes) -> MediaKind:
        """What to read the body as. Raises ToolError for a type that is not read."""
        if data[:1024].lstrip().startswith(b"%PDF-"):
            return "pdf"  # whatever it is called: as HTML it would be noise
        if _IMAGE_RE.match(data):
            return "image"  # the same
        if self.type in _UNTOLD:
            if b"\x00" in data[:1024]:
                raise self.refusal()
            return "page" if _HTML_RE.match(data[:2048]) else "text"
        if self._named is None or self._named == "image":
            raise self.refusal()
        return self._named

    def refusal(self) -> ToolError:
        return ToolError("web.unread_type", type=self.type or Notice("web.unknown_type"))
