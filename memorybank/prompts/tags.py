"""The tags that mean something in a prompt or an answer (narrative specification, "标记格式规范").

    <task> <memory> <tool_call> <tool_response> <think> <answer> <verdict> <image id="i1">

Text from outside (memory, tools, files, models) is data: `neutralise` makes sure that nothing in it can open or close
one of these blocks. `block` is the only way to write one, and it neutralises its body.

A tag may come in disguise, so that a reader, human or model, takes it for `<name` though no parser would. A bracket may
look like another (`＜`, `﹤`, `⟨`) or stand as an entity, with or without its semicolon; its name may be in letters of
another style, in capitals, or torn apart by what is not seen (soft hyphens, joiners, marks, controls). So characters
are judged by their Unicode category and compatibility form, not by a list of those met so far.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html.entities import html5

BRACKETS = "<＜﹤≮〈\u2329︿⟨❬❮⧼˂ᐸᚲ𝈶"
"""Less-than signs and all that is drawn like one; a test holds it against Unicode's compatibility forms."""
BRACKET_RE = re.compile(f"[{BRACKETS}&]")
"""Characters at which a bracket may begin: itself, or an entity."""
_SLASHES = "/\\∕⁄⧸╱⟋"
_UNSEEN = "CM"
"""Categories of what is not drawn, or only on another character: controls, formats, unassigned ones, marks."""
_FILLERS = "\u115f\u1160"
"""Letters by category, drawn as nothing; others fold to these."""
_BLANK = "\u2800"
"""A Braille sign without a dot: a symbol by category."""
_ENTITY_RE = re.compile(
    r"&(?:amp;?|#0*38;?|#x0*26;?)*(?:#x(?P<hex>[0-9a-f]+)|#(?P<digits>[0-9]+)|(?P<name>[a-z][a-z0-9]*))(?P<end>;?)",
    re.IGNORECASE,
)
"""Escaped once, or again and again."""
_LONGEST = 32
"""The most characters of an entity's name or number."""


def bracket_end(text: str, at: int) -> int:
    """Return where the bracket that begins there ends; 0 when none does."""
    if text[at] != "&":
        return at + 1
    return next((end for char, end in _entity(text, at) if char in BRACKETS), 0)


def first_word(text: str, at: int, longest: int) -> str:
    """Return the word that seems to stand there, blanks and slashes before it left out, as far as `longest` letters
    go."""
    word = ""
    while at < len(text) and len(word) <= longest:
        char, at = _char(text, at)
        seen = _seen(char)
        if not word and (seen == " " or char in _SLASHES or seen in _SLASHES):
            continue
        for part in seen:
            if not (part.isalnum() or part == "_"):
                return word
            word += part
    return word


def _char(text: str, at: int) -> tuple[str, int]:
    """Return the character that stands there, an entity read, and where the next one begins."""
    if text[at] != "&":
        return text[at], at + 1
    *_, reading = [("&", at + 1), *_entity(text, at)]
    return reading


def _entity(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield the characters that an entity there may stand for, and where it ends: without its semicolon it may end
    early."""
    match = _ENTITY_RE.match(text, at, at + 4 * _LONGEST)
    if match is None:
        return
    part = next(name for name in ("hex", "digits", "name") if match[name])
    start, letters = match.start(part), match[part][:_LONGEST]
    for length in range(1, len(letters) + 1):
        whole = length == len(match[part])
        char = _named(letters[:length], part, closed=whole and bool(match["end"]))
        if char:
            yield char, match.end() if whole else start + length


def _named(letters: str, part: str, *, closed: bool) -> str:
    if part == "name":
        char = html5.get(f"{letters};" if closed else letters) or html5.get(letters.lower(), "")
        return char[:1]
    number = int(letters, 16 if part == "hex" else 10)
    return chr(number) if number < 0x110000 else ""


@lru_cache(maxsize=4_096)
def _seen(char: str) -> str:
    """Return what is seen of a character, in plain small letters; nothing of one that is not drawn, a space of any
    blank."""
    if char.isspace() or char == _BLANK:
        return " "
    if unicodedata.category(char)[0] in _UNSEEN:
        return ""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", char).casefold())
    return "".join(part for part in plain if unicodedata.category(part)[0] not in _UNSEEN and part not in _FILLERS)


TAGS = ("task", "memory", "tool_call", "tool_response", "think", "answer", "verdict", "image")
LONGEST = max(map(len, TAGS))

_BLOCK_RE = {tag: re.compile(rf"<{tag}(?:\s[^>]*)?>(.*?)</{tag}\s*>", re.DOTALL | re.IGNORECASE) for tag in TAGS}

_ANY_BLOCK_RE = re.compile(rf"<({'|'.join(TAGS)})\b[^>]*>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)


def neutralise(text: str) -> str:
    """Return the same text with every bracket that could start one of our tags turned into `‹`. The words stay
    readable."""
    kept: list[str] = []
    done = 0
    for match in BRACKET_RE.finditer(text):
        end = bracket_end(text, match.start()) if match.start() >= done else 0
        if end and first_word(text, end, LONGEST) in TAGS:
            kept += [text[done : match.start()], "‹"]
            done = end
    return "".join([*kept, text[done:]]) if kept else text


def block(tag: str, body: str, attributes: Mapping[str, str] | None = None, *, trusted: bool = False) -> str:
    """Return `<tag>body</tag>`. `trusted` is for a body that was put together from neutralised parts and holds own
    blocks."""
    if tag not in TAGS:
        raise ValueError(f"unknown tag {tag!r}")
    marks = "".join(f' {name}="{value}"' for name, value in (attributes or {}).items())
    return f"<{tag}{marks}>\n{body if trusted else neutralise(body)}\n</{tag}>"


def blocks_of(tag: str, text: str) -> list[str]:
    """Return the bodies of all blocks of a kind, stripped."""
    return [match[1].strip() for match in _BLOCK_RE[tag].finditer(text)]


def without_blocks(text: str, tag: str = "") -> str:
    """Return the words around the blocks, without the lines they leave empty: around all, or those of one kind."""
    rest = (_BLOCK_RE[tag] if tag else _ANY_BLOCK_RE).sub("", text)
    return re.sub(r"\n(?:[^\S\n]*\n){2,}", "\n\n", rest).strip()


def answer_of(text: str) -> str:
    """Return the last `<answer>`, else the text without its `<think>` blocks: not every framework marks its answer."""
    answers = blocks_of("answer", text)
    return answers[-1] if answers else _BLOCK_RE["think"].sub("", text).strip()
