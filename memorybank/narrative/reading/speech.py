"""Direct speech in a text: what stands between quotation marks and is said by someone.

Novels close what they never opened and open what they never close; old editions mix “ and ". The rules here keep such
a slip from turning the rest of a chapter into speech: speech ends at the latest where the next one begins, or at the
end of its paragraph when nothing closes it. A word between marks (a title, a term) is no speech.
"""

from __future__ import annotations

import re
from typing import Final

from memorybank.language.text import Piece, detect_lang

_MARK_RE: Final = re.compile(r"[“”\"「」『』＂]|\n[ \t\u3000]*\n|(?<![^\s(—-])[‘']|[‘’'](?=[\s,.;:!?)—-]|$)")
_OPENERS: Final = {"“": "”", "「": "」", "『": "』"}
_CLOSERS: Final = frozenset(_OPENERS.values())
_STRAIGHT: Final = frozenset('"＂')
_END_MARKS: Final = "。．！？…!?.~，,—-；;"
_SINGLE_OPENER_RE: Final = re.compile(r"(?:[\s(—-]|\A)[‘'](?=[\w“])|\A[‘'](?=\w)")
_BEFORE_SPEECH_RE: Final = re.compile(
    r"(?:[：:，,]|[道说曰云问答叫喊喝骂称命]|[说道]是|写着)\s*\Z|\n[ \t\u3000]*\Z|\A\s*\Z"
)
_TERM: Final = 8
"""Characters between marks from which on it is speech even without an end mark, when nothing announces it."""
_LOOK_BACK: Final = 40


def speech(text: str) -> tuple[Piece, ...]:
    """The stretches of direct speech with their marks, in order. Takes time linear in the text."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Piece] = []
        self.opened: int | None = None
        self.by = ""
        """The mark that opened it."""
        self.single = not re.search(r"[“”\"「」『』＂]", text)
        """Single marks count only in a text without others: elsewhere they are apostrophes and quotes within."""
        self.chinese = detect_lang(text) == "zh"
        """There a straight mark opens speech only where something announces it: elsewhere it stands around a name."""
        self.marks = [match for match in _MARK_RE.finditer(text) if self.single or match[0] not in "‘’'"]

    def read(self) -> tuple[Piece, ...]:
        for place, match in enumerate(self.marks):
            mark = match[0]
            if mark.startswith("\n"):
                self._paragraph(match.start(), place)
            elif self.opened is None:
                self._open(match, place)
            elif mark == self.by and mark in _OPENERS:  # the one before was never closed
                self._close(self._last_end(match.start()))
                self._open(match, place)
            elif self._closes(match):
                self._close(match.end())
        if self.opened is not None:
            self._close(len(self.text))
        return tuple(self.found)

    def _open(self, match: re.Match[str], place: int) -> None:
        mark, start = match[0], match.start()
        if mark in _CLOSERS or (self.single and not _SINGLE_OPENER_RE.match(self.text, max(0, start - 1))):
            return
        if mark in _STRAIGHT and self.chinese and not self._announced(start) and not self._ends_curved(place):
            return
        self.opened, self.by = start, mark

    def _ends_curved(self, place: int) -> bool:
        """Whether the mark after this one can only close what it opens: old editions write "走罢。”."""
        following = self.marks[place + 1 : place + 2]
        return bool(following) and following[0][0] in _CLOSERS

    def _announced(self, start: int) -> bool:
        return _BEFORE_SPEECH_RE.search(self.text, max(0, start - 12), start) is not None

    def _closes(self, match: re.Match[str]) -> bool:
        mark, before = match[0], self.text[match.start() - 1 : match.start()]
        if mark in _STRAIGHT or self.by in _STRAIGHT:
            paired = mark == self.by or before in _END_MARKS
            return paired and mark not in _OPENERS
        if self.single:  # an apostrophe at a word's end closes nothing: "the carters' yard"
            return mark in "’'" and before in _END_MARKS
        return _OPENERS.get(self.by) == mark

    def _close(self, end: int) -> None:
        assert self.opened is not None
        inner = self.text[self.opened + 1 : end - 1]
        ends = inner.rstrip()[-1:] in _END_MARKS if inner.strip() else False
        if ends or len(inner) > _TERM or self._announced(self.opened):
            self.found.append(Piece(self.opened, end))
        self.opened = None

    def _paragraph(self, at: int, place: int) -> None:
        """At a blank line speech goes on only when it is closed before the next one opens."""
        if self.opened is None:
            return
        later = (self.marks[at] for at in range(place + 1, len(self.marks)))
        following = next((match for match in later if not match[0].startswith("\n")), None)
        if following is None or not self._closes(following):
            self._close(at)

    def _last_end(self, before: int) -> int:
        """Where speech that nothing closed ends: at the last sentence end before what announces the next speech."""
        assert self.opened is not None
        ends = [match.end() for match in re.finditer(r"[。．！？!?.]", self.text[self.opened : before])]
        return self.opened + ends[-1] if ends else before
