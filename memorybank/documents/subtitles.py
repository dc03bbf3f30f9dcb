"""Subtitles (SubRip, WebVTT) as the sentences that they show: numbers, times and marks of the cues are set apart."""

from __future__ import annotations

import html
import re
from itertools import pairwise
from typing import Final, NamedTuple

from memorybank.language.text import is_han, one_line

_MOMENT: Final = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMES_RE: Final = re.compile(rf"\s*{_MOMENT}\s*-->\s*{_MOMENT}")
_ASIDE_RE: Final = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)\b")
"""Opens a block of WebVTT that is not shown."""
_VOICE_RE: Final = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_MARK_RE: Final = re.compile(r"</?[a-zA-Z0-9][^<>\n]*>|\{\\[^{}\n]*\}")
_END_RE: Final = re.compile(r"[.!?。！？…♪][\"'”’»」』)\]]*$")
_LONGEST: Final = 500
"""Characters after which a line is closed, between two cues, where no sentence ends."""


class _Line(NamedTuple):
    text: str
    opens: bool
    """Whether somebody else begins to speak."""


def subtitle_text(text: str) -> str:
    """The words of the subtitles, each sentence whole, a line for each cue that ends one; empty for another text."""
    cues = _cues(text)
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
            joined = not before or (marked and is_han(before[-1]) and is_han(line.text[0]))
            lines[-1] += line.text if joined else f" {line.text}"
    return "".join(f"{line}\n" for line in lines if line)


def _cues(text: str) -> list[list[_Line]]:
    """The lines that each cue shows; none where the text does not begin as such a file does."""
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
    if head and not web:
        return []
    voice, shown = "", list[list[_Line]]()
    for cue in cues:
        shown.append([])
        aside = False
        for before, line in pairwise(["", *cue]):
            aside = bool(line) and (aside or (web and not before and bool(_ASIDE_RE.match(line))))
            speaker = _VOICE_RE.search(line)
            words = one_line(html.unescape(_MARK_RE.sub("", line)))
            if words and not aside:
                changed = speaker is not None and speaker[1].strip() != voice
                voice = speaker[1].strip() if speaker else voice
                shown[-1].append(_Line(f"{voice}: {words}" if changed else words, changed or words[0] in "-–"))
    return shown
