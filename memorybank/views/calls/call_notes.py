"""What was noted on the way to an answer: what was repaired, what was checked, what was lost.

The journal keeps a note as a line of English, written where the thing was done. Here it is read again, so that a page
can say it in its own language and count it; a note of another version stays as it is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

NoteKind = Literal["repair", "check", "lost", "plain"]


@dataclass(frozen=True, slots=True)
class CallNote:
    kind: NoteKind
    text: str
    """As the journal has it."""
    key: str = ""
    """Of its words: `call_note.<key>`; empty: there are none."""
    values: dict[str, str] = field(default_factory=dict)


_NOTES: tuple[tuple[NoteKind, str, str], ...] = (
    ("repair", "sent_back", r"the answer was sent back once and corrected"),
    ("repair", "longer", r"cut off at (?P<before>\d+) tokens: asked again with (?P<after>\d+)"),
    ("repair", "again_figures", r"structure: asked again for (?P<count>\d+) figures that were unknown or lost"),
    ("repair", "waited", r"(?P<why>.+): waited (?P<seconds>[\d.]+) s.*"),
    ("repair", "repaired", r"repaired: (?P<what>.+)"),
    ("repair", "unusable", r"unusable: (?P<what>.+)"),
    ("check", "put_back", r"structure: (?P<count>\d+) sentences of the text were put back for what the summary lacked"),
    ("check", "doubt", r"structure: (?P<figures>.+?) is not in the text: (?P<sentence>.+)"),
    ("check", "not_again", r"structure: the summary was not given again: (?P<why>.+)"),
    ("check", "point", r"analysis: a contradiction on (?P<point>.+?) was dropped: (?P<why>.+)"),
    ("check", "pair", r"analysis: unknown or repeated pair (?P<pair>.+)"),
    ("check", "neighbour", r"integration: unknown or repeated neighbour (?P<number>.+)"),
    ("check", "verdict", r"integration: the summary left out what the verdict says: (?P<value>.+)"),
    ("check", "outside", r"classification: (?P<count>\d+) ranges named units that are not there"),
    ("check", "doubles", r"classification: (?P<count>\d+) units were in two topics: the first has them"),
    ("check", "missing", r"classification: (?P<count>\d+) units were in no topic: they go with the ones before them"),
    ("check", "plan", r"planning: (?P<what>.+)"),
    ("lost", "dropped", r"structure: the summary was longer than the text, which stays whole"),
    ("lost", "left_out", r"structure: the summary leaves out: (?P<figures>.+)"),
    ("lost", "silent", r"analysis: nothing was said of (?P<pairs>.+)"),
    ("lost", "report", r"integration: (?P<count>\d+) sentences at the end of the validation's report did not fit"),
    ("lost", "advice", r"integration: (?P<count>\d+) .+ were not shown for lack of room"),
    ("lost", "neighbours", r"integration: (?P<count>\d+) neighbours were left as they are: (?P<why>.+)"),
    ("lost", "cut_off", r"cut off at the answer's limit"),
    ("lost", "refused", r"refused"),
    ("lost", "failed", r"failed: (?P<why>.+)"),
    ("plain", "parts", r"integration: the nodes are long and were united in (?P<count>\d+) parts"),
    ("plain", "by_hand", r"answered by hand: (?P<request>.+)"),
    ("plain", "estimated", r"tokens estimated"),
)
_READ = tuple((kind, key, re.compile(pattern, re.DOTALL)) for kind, key, pattern in _NOTES)
KEYS = frozenset(key for _, key, _ in _NOTES)


def call_note(text: str) -> CallNote:
    for kind, key, pattern in _READ:
        match = pattern.fullmatch(text)
        if match is not None:
            return CallNote(kind, text, key, match.groupdict())
    return CallNote("plain", text)
