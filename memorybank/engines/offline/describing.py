"""How a memory is described once another one stands beside it: what its own text has in common with that one.

Nothing is said of a memory that does not stand in its own text. Its topic line keeps its words; a name may come behind
them, which the line left out although the text has it and the other memory is about it: "A parking place behind the
earth: Seen from the sun, … · James Webb Space Telescope".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from memorybank.engines.offline.salience import mentions
from memorybank.engines.offline.units import width
from memorybank.language.node_names import name_of

MOST_LEARNT = 2
"""Keywords that a memory may learn from one other."""
TELLING = 3
"""So many of its first keywords may be the name that its topic line left out."""
_NAMED = " · "
"""Stands before such a name; Chinese names have the dot without spaces."""
_WIDEST = 160
"""Of a line with its name; a wider one stays without."""
_MARKS_RE = re.compile(r"[“”‘’\"'《》「」\s]")
_OPENS = r"(?:the |an? )?"


class Described(Protocol):
    @property
    def context(self) -> str: ...
    @property
    def keywords(self) -> tuple[str, ...]: ...
    @property
    def summary(self) -> str: ...


def learnt_keywords(memory: Described, words: Sequence[str]) -> tuple[str, ...]:
    """Its keywords, and behind them those of `words` that its text holds, too."""
    mine, text = {word.casefold() for word in memory.keywords}, memory.summary.casefold()
    new = [word for word in words if word.casefold() not in mine and word.casefold() in text]
    return (*memory.keywords, *new[:MOST_LEARNT])


def named_topic(memory: Described, other: Described) -> str:
    """Its topic line, with a name behind it where it needs one and has none; once, so that rewriting settles."""
    line = memory.context
    if not line or _NAMED in line:
        return line
    named = _names_in(line)
    for place, word in enumerate(memory.keywords[:TELLING]):
        if place and named:
            break  # it names somebody or something; only what is most telling is still worth saying
        if _left_out(word, line) and word in _names_in(memory.summary) and _is_about(other, word):
            longer = f"{line}{_NAMED}{word}"
            return longer if width(longer) <= _WIDEST else line
    return line


def topic_without_name(line: str) -> str:
    """The topic line as it was first: what a name behind it says is of the other memory, and no subject of this one."""
    return line.partition(_NAMED)[0]


def names_in_heading(memory: Described) -> frozenset[str]:
    """Names in its heading that are names for certain."""
    return _names_in(name_of(topic_without_name(memory.context), memory.summary))


def _names_in(text: str) -> frozenset[str]:
    names = (
        text[mention.start : mention.end] for mention in mentions(text) if mention.kind == "name" and mention.certain
    )
    return frozenset(_MARKS_RE.sub("", name) if not name.isascii() else name for name in names)


def _left_out(word: str, line: str) -> bool:
    return word.casefold() not in line.casefold()


def _is_about(other: Described, name: str) -> bool:
    """Its heading has the name, or what is said behind the heading begins with it."""
    line = topic_without_name(other.context)
    heading = name_of(line, other.summary)
    remainder = line[len(heading) :].lstrip(" :：")
    begins = re.compile(rf"{_OPENS}[“‘]?{re.escape(name)}(?![A-Za-z0-9'’-])", re.IGNORECASE)
    return name in _names_in(heading) or bool(begins.match(remainder))
