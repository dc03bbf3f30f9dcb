"""Names that come from outside: shown to people, never used as a path."""

from __future__ import annotations

import re

_DIGEST_RE = re.compile(r"[0-9a-f]{64}")
_UNPRINTABLE_RE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def base_name(name: str, *, default: str = "file") -> str:
    """The last part of a path of either kind (`/` or `\\`), one printable line of at most 120 characters."""
    last = shown(name).replace("\\", "/").rstrip("/").rpartition("/")[2].strip()
    if last in ("", ".", ".."):
        return default
    if len(last) <= 120:
        return last
    stem, dot, suffix = last.rpartition(".")
    return f"{stem[: 119 - len(suffix)]}{dot}{suffix}" if dot and len(suffix) <= 10 else last[:120]


def shown(name: str) -> str:
    """The name with line breaks, control and direction characters replaced, so that a message stays one honest line."""
    return _UNPRINTABLE_RE.sub("\ufffd", name)


def is_digest(name: str) -> bool:
    """Whether this is a SHA-256 as we write it: 64 lower-case hexadecimal digits, nothing else."""
    return _DIGEST_RE.fullmatch(name) is not None
