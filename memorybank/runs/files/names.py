"""Names that come from outside: shown to people, never used as a path."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count

_DIGEST_RE = re.compile(r"[0-9a-f]{64}")
_ROOT_RE = re.compile(r"[/~]|\w+:")
"""Matches the beginning of a path that says where on a machine a file lies: `/home`, `~/x`, `C:/x`, `file:///x`."""
_UNPRINTABLE_RE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def base_name(name: str, *, default: str = "file") -> str:
    """Return the last part of a path of either kind (`/` or `\`), one printable line of at most 120 characters."""
    last = _with_slashes(name).rpartition("/")[2].strip()
    if last in ("", ".", ".."):
        return default
    if len(last) <= 120:
        return last
    stem, dot, suffix = last.rpartition(".")
    return f"{stem[: 119 - len(suffix)]}{dot}{suffix}" if dot and len(suffix) <= 10 else last[:120]


def shortest_names(places: Sequence[str]) -> list[str]:
    """Name files by as much of the end of their paths as tells each from the others: `1/README.md`, `2/README.md`.

    The whole of an absolute path is no name: two that nothing less tells apart have one name (see `numbered`).
    """
    ends = {place: _path_ends(place) for place in places}
    owners = Counter(end for place_ends in ends.values() for end in place_ends)
    names = {
        place: next((end for end in own if owners[end] == 1), own[0] if is_absolute(place) else own[-1])
        for place, own in ends.items()
    }
    return [names[place] for place in places]


def name_of_address(place: str, *, default: str = "file") -> str:
    """Return a file's path as others call it, for one name to stay one file; of an absolute one the last folder and
    name."""
    ends = _path_ends(place) if place.strip() else [default]
    return ends[min(1, len(ends) - 1)] if is_absolute(place) else ends[-1]


def _path_ends(place: str) -> list[str]:
    """Return the base name, then more and more of the folders it lies in; of an absolute path never the whole."""
    folders = [part.strip() for part in posixpath.normpath(_with_slashes(place)).split("/")[:-1]]
    folders = [part for part in folders if part not in ("", ".", "..", "~") and not part.endswith(":")]
    name = base_name(place)
    starts = range(len(folders), 0 if is_absolute(place) and folders else -1, -1)
    return ["/".join([*folders[start:], name]) for start in starts]


def is_absolute(place: str) -> bool:
    """Whether a path says where on a machine it begins; no journal holds one."""
    return _ROOT_RE.match(_with_slashes(place)) is not None


def _with_slashes(place: str) -> str:
    return shown(place).replace("\\", "/").rstrip("/")


def numbered(name: str) -> Iterator[str]:
    """Yield the name, then `name (2)`, `name (3)` and so on: for documents that only their texts tell apart."""
    yield name
    for number in count(2):
        yield f"{name} ({number})"


def shown(name: str) -> str:
    """Return the name with control and direction characters replaced, so that a message stays one honest line."""
    return _UNPRINTABLE_RE.sub("\ufffd", name)


def is_digest(name: str) -> bool:
    """Whether this is a SHA-256 as we write it: 64 lower-case hexadecimal digits, nothing else."""
    return _DIGEST_RE.fullmatch(name) is not None
