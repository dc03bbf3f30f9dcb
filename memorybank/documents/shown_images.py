"""The images that a document shows, as it names them: in Markdown, reStructuredText and HTML.

Of an HTML page only what stands in its main text counts (webpage.py): no icons, no logos, no pixels that count readers.
Nothing is fetched or opened here, and a name is whatever the document says: whoever looks for the image checks it.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final
from urllib.parse import unquote_to_bytes

from memorybank.documents.html_tree import Element

MOST: Final = 50
"""The most images of one document."""
_LONGEST: Final = 4_096
"""The most characters of a name."""
_LONGEST_DATA: Final = 4_000_000
"""The most characters of an image that is written out in the document (a `data:` URL)."""
_SMALL: Final = 64
"""Pixels: what a page itself draws no larger is an icon."""

_LABEL: Final = r"!\[[^\[\]\n]{0,500}\]"
_TITLE: Final = r"[ \t]*+(?:[\"'][^\n]{0,500}?[\"'][ \t]*+)?\)"
_NAME: Final = r"(?:<([^<>\n]++)>|((?:[^()\n\"'<>]++|\([^()\n]*+\))++))"
_NOTE: Final = r"!\[\[([^\[\]|\n]{1,500})(?:\|[^\[\]\n]{0,200})?\]\]"
_MARKDOWN_RE: Final = re.compile(rf"{_LABEL}\([ \t]*+{_NAME}{_TITLE}|{_NOTE}")
"""An image whose name is bare (many write spaces in it) or in angle brackets, or the `![[name]]` of note-takers."""
_EMPTY_LINK_RE: Final = re.compile(r"(?<!!)\[[ \t]{0,20}\]\([^()\s]{0,4096}" + _TITLE)
_REFERENCE_RE: Final = re.compile(r"!\[([^\[\]\n]{0,500})\](?:\[([^\[\]\n]{0,500})\])?(?!\()")
_DEFINITION_RE: Final = re.compile(r"^ {0,3}\[([^\]\n]{1,500})\]:[ \t]*<?([^\s<>]+)", re.MULTILINE)
_RST_RE: Final = re.compile(r"^[ \t]*\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?(?:image|figure)::[ \t]*(\S+)", re.MULTILINE)
_TAG_RE: Final = re.compile(r"<img\b[^<>]{0,2000}?\bsrc\s*=\s*(?:\"([^\"]+)\"|'([^']+)'|([^\s\"'>]+))", re.IGNORECASE)
_CODE_RE: Final = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.MULTILINE | re.DOTALL)

_LAZY: Final = ("data-src", "data-original", "data-lazy-src", "data-actualsrc")
"""Attributes in which a page names the image that its script would put in the place of a blank one."""
_DECORATION_RE: Final = re.compile(
    r"(?:^|[\s_./-])(?:logo|icon|favicon|avatar|emoji|sprite|badge|pixel|tracker|tracking|spacer|placeholder|captcha|"
    r"gravatar|beacon|1x1)s?(?:$|[\s_./?-])",
    re.IGNORECASE,
)
_LENGTH_RE: Final = re.compile(r"\s*(\d{1,6})(?:\.\d+)?\s*(?:px)?\s*")
_DATA_RE: Final = re.compile(r"data:image/[\w.+-]{1,40}((?:;[\w.=+-]{1,80}){0,4}),", re.IGNORECASE)
_CANDIDATE_RE: Final = re.compile(r"\s*(\S+?)(?:,?\s+(\d+)(?:\.\d+)?w)?\s*(?:,\s|,?$)")
_WIDEST: Final = 2_048
"""Pixels of the copies that a page offers for screens of different widths."""


def shown_in_markdown(text: str) -> tuple[str, ...]:
    """List `![…](name)`, `![…][name]`, `![[name]]`, `<img>` and `.. image:: name` in their order; none of code."""
    text = _CODE_RE.sub(lambda match: " " * len(match[0]), text)
    defined = {match[1].strip().casefold(): match[2] for match in _DEFINITION_RE.finditer(text)}
    references = [(match.start(), (match[1] or match[2] or match[3]).strip()) for match in _MARKDOWN_RE.finditer(text)]
    references += [(match.start(), match[1] or match[2] or match[3]) for match in _TAG_RE.finditer(text)]
    references += [(match.start(), match[1]) for match in _RST_RE.finditer(text)]
    for match in _REFERENCE_RE.finditer(text) if defined else ():
        name = defined.get((match[2] or match[1]).strip().casefold())
        if name:
            references.append((match.start(), name))
    return _listed([name for _, name in sorted(references, key=lambda reference: reference[0])])


def without_images(text: str) -> str:
    """Remove the images of Markdown, and the links that held nothing else."""
    return _EMPTY_LINK_RE.sub("", _MARKDOWN_RE.sub("", text))


def decorative(name: str) -> bool:
    """Whether an image's own name says that it is a logo, an icon, or there to count readers."""
    return _DECORATION_RE.search(name[:_LONGEST].partition("?")[0].rpartition("/")[2]) is not None


def shown_in_page(main: Element) -> tuple[str, ...]:
    """List the `img` elements in a page's main text, or in the article around it, in their order."""
    around = main
    while around.parent is not None and around.name not in ("article", "main"):
        around = around.parent
    whole = around if around.name in ("article", "main") else main
    return _listed([name for image in _images(whole) if (name := _source(image))])


def data_image(name: str) -> bytes | None:
    """Return the bytes of an image that is written out in a `data:` URL; None: it is none, or damaged."""
    match = _DATA_RE.match(name)
    if match is None or "svg" in match[0].lower():
        return None
    try:
        written = unquote_to_bytes(name[match.end() :])
        return base64.b64decode(written, validate=False) if ";base64" in match[1].lower() else written
    except (binascii.Error, ValueError):
        return None


def _images(root: Element) -> list[Element]:
    """Return the images in document order: `elements` goes level by level."""
    images, stack = list[Element](), [root]
    while stack:
        element = stack.pop()
        if element.name == "img":
            images.append(element)
        stack.extend(child for child in reversed(element.children) if isinstance(child, Element))
    return images


def _source(image: Element) -> str:
    """Return where the image is; empty for decoration."""
    attributes = image.attributes
    about = " ".join(attributes.get(name, "") for name in ("class", "id", "alt", "role"))
    if any(_is_small(attributes.get(side, "")) for side in ("width", "height")) or _DECORATION_RE.search(about):
        return ""
    named = [attributes.get(name, "").strip() for name in ("src", *_LAZY)]
    lazy = next((name for name in named[1:] if name), "")
    plain = named[0] if not (named[0].startswith("data:") and (lazy or attributes.get("srcset"))) else ""
    source = lazy or _widest(attributes.get("srcset", "") or attributes.get("data-srcset", "")) or plain
    return "" if decorative(source) else source


def _is_small(length: str) -> bool:
    match = _LENGTH_RE.fullmatch(length)
    return match is not None and int(match[1]) < _SMALL


def _widest(srcset: str) -> str:
    """Choose, of the copies that a page offers by width, the widest that is not needlessly so; empty: none."""
    candidates = [(int(match[2]), match[1]) for match in _CANDIDATE_RE.finditer(srcset[: 10 * _LONGEST]) if match[2]]
    bounded = [candidate for candidate in candidates if candidate[0] <= _WIDEST]
    return max(bounded, default=min(candidates, default=(0, "")))[1]


def _listed(names: list[str]) -> tuple[str, ...]:
    kept = (name for name in names if len(name) <= (_LONGEST_DATA if name.startswith("data:") else _LONGEST))
    return tuple(dict.fromkeys(kept))[:MOST]
