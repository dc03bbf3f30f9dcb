"""The process that reads one PDF: `pdf_worker.py LIMITS`, the file on standard input.

It is run as a script and imports pypdf alone (and Pillow for images), so that it starts fast. It answers one line of
JSON: `{"text": …}`, or with `images` among the limits `{"images": […]}`, or `{"refused": reason}`, the reasons being
those of `pdf._REFUSALS`. Whatever else a broken file makes pypdf raise ends this process, and the parent calls the
file damaged.
"""

from __future__ import annotations

import base64
import io
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pypdf import PageObject, PdfReader

_LINE_END_SPACE_RE = re.compile(r"[ \t\r]+\n")
_CONTROL_RE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_WORDLESS_RE = re.compile(r"\(cid:\d+\)|/[gG]\d+|[\ufffd\ue000-\uf8ff]")
_WORD_RE = re.compile(r"\w")
_HYPHENATED_RE = re.compile(r"\b([^\W\d_]+)-\n([^\W\d_]+)")


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
    text = _join_words(_join_pages(_pages(reader, limits)))
    usable = _WORDLESS_RE.sub("", text)
    if not _WORD_RE.search(usable) or len(usable) * 2 < len(text):
        raise RefusedError("no_text")
    return text


def _images(reader: PdfReader, limits: Mapping[str, float]) -> list[dict[str, str]]:
    """The first images that are neither small nor huge, each once, as PNG; one that is broken is left out."""
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
    """What a page draws besides its text, by name; not what is inside of drawings."""
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
        text = _CONTROL_RE.sub("", page.extract_text())
        total += len(text)
        if total > limits["characters"]:
            raise RefusedError("characters")
        yield _LINE_END_SPACE_RE.sub("\n", text + "\n").strip()


def _join_pages(pages: Iterator[str]) -> str:
    """A blank line between pages, but only a line break where a sentence runs on."""
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
