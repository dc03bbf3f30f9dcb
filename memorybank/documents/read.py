"""A file, or bytes with a name, as a Document."""

from __future__ import annotations

import csv
import hashlib
import html
import io
import os
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal, NamedTuple, cast

from memorybank.documents.dialogue import read_chat_lines, render_turns, turns_of
from memorybank.documents.document import Document, DocumentKind, DocumentLimits
from memorybank.documents.encoding import decode, decode_page
from memorybank.documents.json_text import outline, read_json, unfolded
from memorybank.documents.lines import table_row
from memorybank.documents.pdf import pdf_text
from memorybank.documents.shown_images import shown_in_markdown
from memorybank.documents.webpage import read_webpage
from memorybank.errors import InputError, UnsafeInputError
from memorybank.language.text import FUNCTION_WORDS, encodable, is_han, is_known_language, one_line
from memorybank.runs.files.images import ImageLimits
from memorybank.runs.files.kinds import FILE_KINDS, FileKind, kind_of
from memorybank.runs.files.names import base_name, shown
from memorybank.runs.files.plain import reading

Format = Literal["auto", "dialogue"]

ACCEPTED: Final = tuple(suffix for suffix, kind in FILE_KINDS.items() if kind.reading != "image")
"""The suffixes of files that can be read."""


def read_file(
    path: Path, *, name: str | None = None, format: Format = "auto", limits: DocumentLimits | None = None
) -> Document:
    """Read a file into a document, named by its base name unless another is given.

    Raises InputError when it is missing, no file, of an unknown kind, empty, binary or of an unclear encoding;
    UnsafeInputError when it is larger than the limits (told by its size, before it is read).
    """
    limits = limits or DocumentLimits()
    shown_name = shown(str(path)) if name is None else shown(name)
    name = base_name(str(path)) if name is None else name
    data = _content(path, shown_name, _size_limit(_kind(name, format), limits))
    return read_bytes(name, data, format=format, limits=limits)


def read_bytes(name: str, data: bytes, *, format: Format = "auto", limits: DocumentLimits | None = None) -> Document:
    """Read what came under a name (an upload, a file of a corpus); the name stays as it is. Raises as `read_file`."""
    limits = limits or DocumentLimits()
    kind = _kind(name, format)
    _check_size(shown(name), len(data), _size_limit(kind, limits))
    text, images, is_dialogue = _text(shown(name), data, kind, limits, format)
    if not text.strip():
        raise InputError("document.empty", name=shown(name))
    return Document(
        name=name,
        text=text,
        kind="dialogue" if is_dialogue else "text" if kind.reading == "json" else cast(DocumentKind, kind.reading),
        media_type=kind.media_type,
        sha256=hashlib.sha256(data).hexdigest(),
        original=data if kind.attachment is not None else None,
        attachment=kind.attachment,
        images=images,
    )


def read_image(path: Path, name: str) -> bytes:
    """Return an image file's bytes, unverified. Raises InputError as `read_file` does, also when it is a link."""
    shown_name = shown(name)
    if path.is_symlink():
        raise InputError("document.not_file", name=shown_name)
    return _content(path, shown_name, ImageLimits().bytes)


def _kind(name: str, format: Format) -> FileKind:
    if format == "dialogue":
        return FILE_KINDS[".jsonl"]
    kind = kind_of(name)
    if kind is None:
        raise InputError("document.kind_unknown", name=shown(name), kinds=" ".join(ACCEPTED))
    if kind.reading == "image":
        raise InputError("document.image", name=shown(name))
    return kind


def _size_limit(kind: FileKind, limits: DocumentLimits) -> int:
    return {"pdf": limits.pdf_bytes, "page": limits.page_bytes}.get(kind.reading, limits.text_bytes)


def _check_size(name: str, size: int, most: int) -> None:
    if size > most:
        raise UnsafeInputError("document.too_large", name=name, size=size / 1e6, limit=most / 1e6)


def _content(path: Path, shown_name: str, most: int) -> bytes:
    try:
        file = reading(path, follow=True)
    except (IsADirectoryError, UnsafeInputError) as error:
        raise InputError("document.not_file", name=shown_name) from error
    except (FileNotFoundError, NotADirectoryError, ValueError) as error:
        raise InputError("document.missing", name=shown_name) from error
    except OSError as error:
        raise InputError("document.unreadable", name=shown_name, why=error.strerror) from error
    with file:
        _check_size(shown_name, os.fstat(file.fileno()).st_size, most)
        return file.read(most + 1)


def _text(
    name: str, data: bytes, kind: FileKind, limits: DocumentLimits, format: Format
) -> tuple[str, tuple[str, ...], bool]:
    """Return the text to file, the images it shows, and whether it is a dialogue."""
    if not data.strip():
        return "", (), False
    if kind.reading == "pdf":
        return pdf_text(name, data, limits.pdf), (), False
    if kind.reading == "page":
        return *read_webpage(decode_page(name, data)), False
    text = decode(name, data)
    value = read_json(text) if kind.reading == "json" or kind.suffix == ".txt" else None
    try:
        inner = unfolded(value)
        turns = next(filter(None, (turns_of(one if kind.suffix == ".json" else [one]) for one in (value, inner))), ())
        outlined = "" if turns or value is None else outline(inner)
    except RecursionError:  # nested deeper than Python calls: it is filed as it is written
        turns, outlined = (), ""
    if not turns and (format == "dialogue" or kind.suffix == ".txt"):
        turns = read_chat_lines(text)
    if turns:
        return encodable(render_turns(turns)), (), True
    if format == "dialogue":
        raise InputError("dialogue.empty", name=name)
    if outlined:
        return encodable(outlined), (), False
    if kind.reading == "table":
        return _table(text, "\t" if kind.suffix == ".tsv" else ",;\t"), (), False
    named = kind.suffix in (".srt", ".vtt")
    subtitles = subtitle_text(text, named=named) if named or kind.suffix == ".txt" else ""
    return subtitles or text, shown_in_markdown(text) if kind.reading == "text" else (), False


def _table(text: str, delimiters: str) -> str:
    """Render comma-, semicolon- or tab-separated rows as `| cell | cell |`; unchanged when it is no table after all."""
    first = text.lstrip().partition("\n")[0]
    delimiter = max(delimiters, key=first.count)
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if any(row)]
    except csv.Error:
        return text
    if not any(len(row) > 1 for row in rows):
        return text
    return "".join(f"{table_row(row)}\n" for row in rows)


# -- subtitles (SubRip, WebVTT) as the sentences that they show -------------------------------------------------------

_MOMENT: Final = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMES_RE: Final = re.compile(rf"\s*{_MOMENT}\s*-->\s*{_MOMENT}")
_ASIDE_RE: Final = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)\b")
"""Opens a block of WebVTT that is not shown."""
_VOICE_RE: Final = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_NAME_RE: Final = re.compile(r"([^\W\d_][^:：.!?。！？]{0,40})(?::\s+|：\s*)(?=\S)")
_MARK_RE: Final = re.compile(r"</?[a-zA-Z0-9][^<>\n]*>|\{\\[^{}\n]*\}")
_END_RE: Final = re.compile(r"[.!?。！？…♪][\"'”’»」』)\]]*$|^[\[(（【][^\])）】]*[\])）】]$")
"""Matches the end of a sentence, or a line that says what is heard: [WATER ROARS]."""
_LONGEST: Final = 500
"""Characters after which a line is closed, between two cues, where no sentence ends."""


class _Line(NamedTuple):
    text: str
    opens: bool
    """Whether somebody else begins to speak."""


def subtitle_text(text: str, *, named: bool = False) -> str:
    """Return the words of subtitles, each sentence whole, a line a cue that ends one; empty for another text.

    Two languages in most cues, by their scripts or with English on one side of each cue, stand one after the other.
    `named`: the file's name says what it is.
    """
    cues = _cues(text, named=named)
    apart = [[[line for line in cue if _is_latin(line.text) == latin] for cue in cues] for latin in (False, True)]
    halves = [[cue[: len(cue) // 2] for cue in cues], [cue[len(cue) // 2 :] for cue in cues]]
    upper, lower = (" ".join(line.text for cue in half for line in cue) for half in halves)
    pairs = ((one, other) for one, other in ((upper, lower), (lower, upper)) if _is_latin(other))
    if any(_is_english(one) and not is_known_language(other) for one, other in pairs):
        apart = halves
    both = sum(bool(one and other) for one, other in zip(*apart, strict=True))
    return "".join(map(_sentences, apart if 2 * both > len(cues) else [cues]))


def _is_english(text: str) -> bool:
    words = text.lower().split()
    return 4 * sum(map(FUNCTION_WORDS.__contains__, words)) >= len(words) > 0


def _is_latin(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    return 2 * sum(char < "\u0250" for char in letters) > len(letters)


def _sentences(cues: list[list[_Line]]) -> str:
    repeated = sum(bool(cue) and before[-1:] == cue[:1] for before, cue in pairwise(cues))
    rolling = 3 * repeated > len(cues)  # made by a machine: each cue shows the last line again
    marked = 4 * sum(bool(cue) and bool(_END_RE.search(cue[-1].text)) for cue in cues) >= len(cues)
    lines, last = [""], None
    for line in (line for cue in cues for line in cue):
        if rolling and line == last:
            continue
        before, last = lines[-1], line
        if line.opens or _END_RE.search(before) or len(before) + len(line.text) > _LONGEST:
            lines.append(line.text)
        else:
            joined = not before or before[-1] in "，、；：" or (marked and is_han(before[-1]) and is_han(line.text[0]))
            lines[-1] += line.text if joined else f" {line.text}"
    return "".join(f"{line}\n" for line in lines if line)


def _cues(text: str, *, named: bool) -> list[list[_Line]]:
    """Return the lines that each cue shows; none where the text does not begin as such a file does.

    Who speaks is named once, where another begins, also if each cue begins with the name (a meeting's transcript).
    """
    cues: list[list[str]] = [[]]
    for line in text.splitlines():
        above = cues[-1]
        if not _TIMES_RE.match(line):
            above.append(line.strip())
            continue
        if above and above[-1] and (above[-1].isdecimal() or (above[1:] and not above[-2])):
            above.pop()  # the number or the name of this cue
        cues.append([])
    head = [line for line in cues.pop(0) if line]
    web = bool(head) and head[0].startswith("WEBVTT")
    if head and not (web or (named and cues)):
        return []
    voice, shown = "", [[_Line(one_line(line), True) for line in head if not web]]
    after_head = bool(shown[0])
    names = Counter(match[1] for cue in cues if (match := _NAME_RE.match(next(filter(None, cue), ""))))
    speak = {name for name, count in names.items() if count > 1 or 2 * names.total() >= len(cues)}
    for cue in cues:
        shown.append([])
        aside = False
        for before, line in pairwise(["", *cue]):
            aside = bool(line) and (aside or (web and not before and bool(_ASIDE_RE.match(line))))
            speaker = _VOICE_RE.search(line)
            if speaker is None and (start := _NAME_RE.match(line)) and start[1] in speak:
                speaker, line = start, line[start.end() :]
            words = one_line(html.unescape(_MARK_RE.sub("", line)))
            if words and not aside:
                changed = speaker is not None and speaker[1].strip() != voice
                voice = speaker[1].strip() if speaker else voice
                opens, after_head = changed or after_head or words[0] in "-–", False
                shown[-1].append(_Line(f"{voice}: {words}" if changed else words, opens))
    return shown
