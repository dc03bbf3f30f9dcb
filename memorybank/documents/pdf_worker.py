"""The process that reads one PDF: `pdf_worker.py LIMITS`, the file on standard input.

It is run as a script and imports pypdf alone (and Pillow for images), so that it starts fast. It answers one line of
JSON: `{"text": …}`, or with `images` among the limits `{"images": […]}`, or `{"refused": reason}`, the reasons being
those of `pdf._REFUSALS`. Whatever else a broken file makes pypdf raise ends this process, and the parent calls the
file damaged. Pages are read as a person reads them: columns one after the other, no running heads, no page numbers.
"""

from __future__ import annotations

import base64
import io
import json
import logging
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

_LINE_END_SPACE_RE = re.compile(r"[ \t\r]+\n")
_CONTROL_RE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_WORDLESS_RE = re.compile(r"\(cid:\d+\)|/[gG]\d+|[\ufffd\ue000-\uf8ff]")
_WORD_RE = re.compile(r"\w")
_HYPHENATED_RE = re.compile(r"\b([^\W\d_]+)-\n([^\W\d_]+)")

_GAP_RE = re.compile(r"(?<=\S) {3,}(?=\S)")
_NARROWEST = 20
"""Characters that the lines of a column of prose have on average, wide ones counted twice."""
_FAR = 100
"""Points between the beginnings of two columns, at least."""
_ENDS = ".!?。！？:："
_UNEVEN = 4
"""Points by which two texts of one row may stand higher and lower."""
_EDGE = 3
"""Lines at the top and the bottom of a page where a running head may stand."""
_LABEL_RE = re.compile(
    r"(?P<before>[^\d\n]{0,60}?)(?:第\s*)?(?P<number>\d{1,4})(?:\s*[页頁])?"
    r"(?P<of>\s*(?:of|/|von|de|sur|[，,]?\s*共)\s*\d{1,4}(?:\s*[页頁])?)?(?P<after>\D{0,60})"
)
"""A line with one number: a page's, when it counts with the pages."""
_YEARS = range(1500, 2100)

_SMALL = 48
_MOST_PIXELS = 50_000_000
_PAGES_WITH_IMAGES = 200
"""The first ones, that are looked through for images."""
Out = TypeVar("Out")


class RefusedError(Exception):
    """The file is not read; the message is the reason's name."""


def main(arguments: list[str]) -> None:
    limits: Mapping[str, float] = json.loads(arguments[0])
    bound(limits)
    answer: dict[str, Any]
    data = sys.stdin.buffer.read()
    try:
        answer = (
            {"images": _read(data, limits, _images)} if "images" in limits else {"text": _read(data, limits, _text)}
        )
    except RefusedError as refusal:
        answer = {"refused": str(refusal)}
    except (MemoryError, RecursionError, ImportError, SystemError):  # no room: the last two for loading the library
        answer = {"refused": "memory"}
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace"))


def bound(limits: Mapping[str, float]) -> None:
    """Take away this process's memory above `memory_bytes` and processor time above `seconds`.

    Windows has no such limits; there the others hold.
    """
    try:
        import resource
    except ImportError:
        return
    for which, most in ((resource.RLIMIT_AS, limits["memory_bytes"]), (resource.RLIMIT_CPU, limits["seconds"] + 1)):
        hard = resource.getrlimit(which)[1]
        bound = int(most) if hard == resource.RLIM_INFINITY else min(int(most), hard)
        try:
            resource.setrlimit(which, (bound, bound))
        except (ValueError, OSError):  # macOS refuses to bound the address space
            continue


def _read(data: bytes, limits: Mapping[str, float], read: Callable[[PdfReader, Mapping[str, float]], Out]) -> Out:
    import pypdf
    from pypdf.errors import FileNotDecryptedError, LimitReachedError, WrongPasswordError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)
    stream = int(limits["stream_bytes"])
    try:
        with pypdf.apply_configuration(
            zlib_maximum_output_length=stream,
            lzw_maximum_output_length=stream,
            run_length_maximum_output_length=stream,
            array_based_stream_maximum_output_length=stream,
        ):
            reader = pypdf.PdfReader(io.BytesIO(data))
            if reader.is_encrypted and not reader.decrypt(""):
                raise RefusedError("encrypted")
            return read(reader, limits)
    except LimitReachedError as error:
        raise RefusedError("unpacks") from error
    except (FileNotDecryptedError, WrongPasswordError, pypdf.errors.DependencyError) as error:
        raise RefusedError("encrypted") from error


def _text(reader: PdfReader, limits: Mapping[str, float]) -> str:
    if len(reader.pages) > limits["pages"]:
        raise RefusedError("pages")
    text = _join_words(_join_pages(_without_heads(list(_pages(reader, limits)))))
    usable = _WORDLESS_RE.sub("", text)
    if not _WORD_RE.search(usable) or len(usable) * 2 < len(text):
        raise RefusedError("no_text")
    return text


def _images(reader: PdfReader, limits: Mapping[str, float]) -> list[dict[str, str]]:
    """Return the first images that are neither small nor huge, each once, as PNG; one that is broken is left out."""
    images: list[dict[str, str]] = []
    read_names: set[object] = set()
    for page in islice(reader.pages, _PAGES_WITH_IMAGES):
        for name, placed in _placed(page):
            entry = placed.get_object()
            at = getattr(placed, "idnum", id(entry))
            if len(images) >= limits["images"]:
                return images
            if at not in read_names and _is_worth_it(entry):
                read_names.add(at)
                data = _as_png(entry)
                if data:
                    images.append({"name": f"{name.strip('/')}.png", "data": base64.b64encode(data).decode("ascii")})
    return images


def _placed(page: PageObject) -> Iterator[tuple[str, Any]]:
    """Yield the objects that a page draws besides its text, with their names; none from inside of a drawing."""
    try:
        resources: Any = page["/Resources"]
        yield from resources.get_object()["/XObject"].get_object().items()
    except (KeyError, AttributeError, TypeError):
        return


def _is_worth_it(entry: Any) -> bool:
    try:
        width, height = int(entry["/Width"]), int(entry["/Height"])
        return entry["/Subtype"] == "/Image" and min(width, height) >= _SMALL and width * height <= _MOST_PIXELS
    except (KeyError, AttributeError, TypeError, ValueError):
        return False


def _as_png(entry: Any) -> bytes:
    """Convert an image to PNG; empty for one that cannot be decoded."""
    written = io.BytesIO()
    try:
        entry.decode_as_image().save(written, "PNG")
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - whatever a broken image makes pypdf or Pillow raise
        return b""
    return written.getvalue()


def _pages(reader: PdfReader, limits: Mapping[str, float]) -> Iterator[str]:
    total = 0
    for page in reader.pages:
        text = _CONTROL_RE.sub("", _page_text(page))
        total += len(text)
        if total > limits["characters"]:
            raise RefusedError("characters")
        yield _LINE_END_SPACE_RE.sub("\n", text + "\n").strip()


def _page_text(page: PageObject) -> str:
    """Return the text of a page of pypdf's, the left of two columns first, also if they were drawn row by row."""
    starts: list[tuple[float, float]] = []

    def visit(text: str, cm: Sequence[float], tm: Sequence[float], *_: object) -> None:
        if text.strip():
            starts.append((tm[5] * cm[3] + cm[5], tm[4] * cm[0] + cm[4]))

    plain = str(page.extract_text(visitor_text=visit))
    rows: list[list[float]] = []
    for (below, _), (y, x) in pairwise([(float("-inf"), 0.0), *sorted(starts)]):
        if y - below > _UNEVEN:
            rows.append([])
        rows[-1].append(x)
    far = [max(row) - min(row) > _FAR for row in rows]
    if not any(map(all, pairwise(far))):
        return plain
    layout = page.extract_text(extraction_mode="layout", layout_mode_strip_rotated=False)
    lines = _in_order(layout.split("\n"), "".join(plain.split()))
    return "\n".join(_as_drawn(line, plain) for line in lines) or plain


def _as_drawn(line: str, plain: str) -> str:
    """Return the line with the spaces of the plain text: laid out in columns of characters, narrow ones are lost."""
    letters = r"\s*".join(re.escape(letter) for letter in line if not letter.isspace())
    drawn = re.search(rf"(?<!\S){letters}(?!\S)", plain)
    return " ".join(drawn[0].split()) if drawn else line


def _in_order(lines: list[str], drawn: str) -> list[str]:
    """Return the lines of a page laid out in columns of characters; empty where no columns are drawn row by row."""
    ordered: list[str] = []
    split = False
    at = 0
    while at < len(lines):
        columns = next(
            filter(None, (_columns(lines, at, gap.span(), drawn) for gap in _GAP_RE.finditer(lines[at]))), None
        )
        if columns is None:
            ordered += [" ".join(lines[at].split())] if lines[at].strip() else []
            at += 1
            continue
        split = True
        for column in columns:
            ordered += _in_order(column, drawn) or [" ".join(line.split()) for line in column if line.strip()]
        at += len(columns[0])
    return ordered if split else []


def _columns(lines: list[str], first: int, gap: tuple[int, int], drawn: str) -> tuple[list[str], list[str]] | None:
    """Return the two columns that begin with a line and are parted by a gap, as far down as the gap goes."""
    start, end = gap
    rows: list[tuple[str, str]] = []
    for line in lines[first:]:
        text = line.rstrip()
        inner = [match.span() for match in _GAP_RE.finditer(text)]
        free = [(len(text), end)] if len(text) <= end else [(0, len(text) - len(text.lstrip())), *inner]
        common = max(((max(start, a), min(end, b)) for a, b in free), key=lambda span: span[1] - span[0], default=gap)
        if common[1] - common[0] < 2:
            break
        start, end = common
        rows.append((text[:end].rstrip(), text[end:].rstrip()))
    last = max((at for at, row in enumerate(rows) if all(row)), default=-1)
    while last + 1 < len(rows) and any(rows[last + 1]):  # one column is longer
        last += 1
    rows = rows[: last + 1]
    both = [(left, right) for left, right in rows if left and right]
    fused = sum("".join(f"{left}{right}".split()) in drawn for left, right in both)
    if len(both) < 2 or 2 * fused < len(both):
        return None
    columns = [left for left, _ in rows], [right for _, right in rows]
    return columns if _is_prose(*columns, sure=len(both) > 2) else None


def _is_prose(*columns: list[str], sure: bool) -> bool:
    """Whether the lines of each column are long, and many go on in the next one: no table's are. Two rows alone are not
    `sure`: of a line that goes on and a sentence that ends behind the first row, in each column, three have to be seen.
    """
    signs = 0
    for column in columns:
        lines = [" ".join(line.split()) for line in column if line.strip()]
        width = sum(len(line) + sum(char > "\u2e80" for char in line) for line in lines)
        goes_on = sum(
            after[0].islower() or (before[-1] > "\u2e80" and before[-1].isalnum()) for before, after in pairwise(lines)
        )
        if width < _NARROWEST * len(lines) or (sure and 3 * goes_on < len(lines) - 1):
            return False
        signs += (goes_on > 0) + (lines[0][-1] not in _ENDS and lines[-1][-1] in _ENDS)
    return sure or signs >= 3


def _without_heads(pages: list[str]) -> list[str]:
    """Return the pages without what stands at the edge of many: the same line, or one that counts with the pages."""
    written = [[line for line in page.split("\n") if line.strip()] for page in pages]
    edges = [
        {mark for line in (*lines[:_EDGE], *lines[-_EDGE:]) for mark in _marks(line, at)}
        for at, lines in enumerate(written)
    ]
    counts = Counter(mark for marks in edges for mark in marks)
    running = {mark for mark, count in counts.items() if count >= 3 or (count == 2 and len(pages) <= 4)}
    cleaned: list[str] = []
    for at, (page, lines) in enumerate(zip(pages, written, strict=True)):
        is_running = [not running.isdisjoint(_marks(line, at)) for line in lines]
        top = min(_EDGE, next((place for place, head in enumerate(is_running) if not head), 0))
        bottom = min(_EDGE, next((place for place, foot in enumerate(reversed(is_running)) if not foot), 0))
        cleaned.append("\n".join(lines[top : len(lines) - bottom]) if top or bottom else page)
    return cleaned


def _marks(line: str, page: int) -> Iterator[tuple[str, int]]:
    """Yield the marks by which a line is known again as a running head: itself, and its text around a page number."""
    line = " ".join(line.split())
    goes_on = line[0].islower()  # with a sentence
    if not goes_on:
        yield line, 0
    label = _LABEL_RE.fullmatch(line if not goes_on or line[:4].count(".") else "")
    if label and int(label["number"]) not in _YEARS and not (_worded(label["before"]) and _worded(label["after"])):
        yield f"{label['before']}#{label['after']}", int(label["number"]) - page


def _worded(text: str) -> bool:
    return any(char.isalnum() for char in text)


def _join_pages(pages: Iterable[str]) -> str:
    """Join pages by a blank line, but only by a line break where a sentence runs on."""
    text = ""
    parts: list[str] = []
    for page in pages:
        if page:
            runs_on = bool(text) and text[-1] not in ".!?:;。！？：；…”\"')"
            parts.extend(("\n" if runs_on else "\n\n", page) if parts else (page,))
            text = page
    return "".join(parts)


def _join_words(text: str) -> str:
    """Undo hyphenation at line ends; the hyphen stays in a compound that the text also has within a line."""
    within = text.casefold()

    def joined(match: re.Match[str]) -> str:
        before, after = match.groups()
        compound = f"{before}-{after}"
        return compound if not after[0].islower() or compound.casefold() in within else before + after

    return _HYPHENATED_RE.sub(joined, text)


if __name__ == "__main__":
    main(sys.argv[1:])
