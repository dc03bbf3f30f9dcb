"""Documents that name each other: a title that stands in another document's text leads from that one to its own.

What a question needs second is often what the first document found mentions by name (a person's birthplace has a page
of its own); a reader follows such a name, and so does retrieval (links between pages by title: Asai et al. 2020,
"Learning to Retrieve Reasoning Paths over Wikipedia Graph for Question Answering"; here without training).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from memorybank.language.text import UNSPACED, one_form
from memorybank.memory.types import Entry, EntryId

LEAST: Final = 4
"""Characters of a title that is looked for; half as many in Chinese, Japanese and Korean."""
LONGEST: Final = 80
_HEADING = re.compile(r"\A\s*#{1,3}[ \t]+(?P<words>[^\n]+)")
_QUALIFIER = re.compile(r"\s*[(（][^()（）]*[)）]\s*\Z")
_UNSPACED_RE = re.compile(f"[{UNSPACED}]")


def title_of(entry: Entry) -> str:
    """The heading that a document begins with, without what tells it from its namesakes; empty when it has none.

    A common word is no name: a title in one small word leads nowhere.
    """
    heading = _HEADING.match(entry.text) if entry.kind in ("document", "tool") else None
    if heading is None:
        return ""
    title = _QUALIFIER.sub("", one_form(heading["words"]).strip().strip("#").strip())
    least = LEAST // 2 if _UNSPACED_RE.search(title) else LEAST
    is_word = title.islower() and " " not in title
    return "" if is_word or not least <= len(title) <= LONGEST else title


class References:
    """Which entries an entry names. Entries never change, so each title is read once."""

    def __init__(self) -> None:
        self._read: set[EntryId] = set()
        self._titled: dict[str, list[EntryId]] = {}

    def named_by(self, entry_id: EntryId, entries: Mapping[EntryId, Entry]) -> tuple[EntryId, ...]:
        """Entries whose title stands in this entry's text, in the order of their first mention."""
        self._learn(entries.values())
        entry = entries[entry_id]
        own, text = title_of(entry), one_form(entry.text)
        places = [
            (place, title) for title in self._titled if title != own and (place := next(_places(title, text), -1)) >= 0
        ]
        titled = dict.fromkeys(other for _, title in sorted(places) for other in self._titled[title])
        return tuple(other for other in titled if other in entries and other != entry_id)

    def _learn(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            if entry.id in self._read:
                continue
            self._read.add(entry.id)
            if title := title_of(entry):
                self._titled.setdefault(title, []).append(entry.id)


def _places(title: str, text: str) -> Iterator[int]:
    """Yield the places at which a title stands in a text as words of their own."""
    start = text.find(title)
    while start >= 0:
        end = start + len(title)
        if not (_goes_on(text[max(0, start - 1) : start + 1]) or _goes_on(text[end - 1 : end + 1])):
            yield start
        start = text.find(title, start + 1)


def _goes_on(pair: str) -> bool:
    """Whether two neighbouring characters belong to one word. Chinese writes its words without a space between them."""
    return len(pair) == 2 and pair.isalnum() and not _UNSPACED_RE.search(pair)
