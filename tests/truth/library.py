"""What the documents of a session say, by the name under which each is shown, and who a conflict's parties were.

Nothing of the product decides it but how values and quotations are compared: origins are followed here, from the
events, so that what the memory says of its sources can be held against them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from memorybank.contradiction.same_value import same_value
from memorybank.contradiction.votes import near_identical
from memorybank.language import quotation
from memorybank.language.figures import figures, unstated
from memorybank.language.names import is_named_in, names_in
from memorybank.language.text import fold_space, sentences
from memorybank.language.tokens import query_tokens
from memorybank.memory.events import ConflictFound, MemoryImported, NodeCreated, NodesMerged
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Claim, ConflictId, EntryId, NodeId
from memorybank.prompts.tags import neutralise

_ITEM_RE = re.compile(r"^[ \t]*(?:[-*•]|\d{1,2}[.)、])[ \t]*(?=\S)", re.MULTILINE)


@dataclass
class Origins:
    """Where memories come from: the entries that they were made of, never what a check read later."""

    of: dict[NodeId, frozenset[EntryId]] = field(default_factory=dict)
    parties: dict[ConflictId, frozenset[EntryId]] = field(default_factory=dict)
    """Entries of both nodes when the conflict was found."""

    def take(self, event: Any) -> None:
        match event:
            case NodeCreated():
                self.of[event.node_id] = frozenset(span.entry_id for span in event.spans)
            case MemoryImported():
                self.of |= {node.node_id: frozenset(span.entry_id for span in node.spans) for node in event.nodes}
                for conflict in event.conflicts:
                    self._found(conflict.id, conflict.node_ids)
            case NodesMerged():
                self.of[event.new_node_id] = self._of(event.merged_node_ids)
            case ConflictFound():
                self._found(event.conflict_id, event.node_ids)

    def _found(self, conflict_id: ConflictId, node_ids: Iterable[NodeId]) -> None:
        self.parties[conflict_id] = self._of(node_ids)

    def _of(self, node_ids: Iterable[NodeId]) -> frozenset[EntryId]:
        return frozenset[EntryId]().union(*(self.of.get(node_id, frozenset()) for node_id in node_ids))


@dataclass
class Library:
    """The texts of a session's sources by the names that are shown."""

    texts: Mapping[str, Sequence[str]]
    """Several of one name: the name does not say which."""
    claims: Sequence[Claim] = ()
    """All that are disputed: a value is written in as many ways as the product takes for one."""
    stated: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Of a made corpus: each value that is disputed or asked for, and the texts that state it as their own."""

    @classmethod
    def of(
        cls,
        bank: MemoryState,
        documents: Mapping[str, str] | None = None,
        stated: Mapping[str, frozenset[str]] | None = None,
    ) -> Library:
        texts: dict[str, dict[str, None]] = {}
        for entry in bank.tree.entries.values():
            if entry.is_source:
                texts.setdefault(entry.source, {})[entry.text if entry.kind == "image" else entry.body] = None
        for name, text in (documents or {}).items():
            texts.setdefault(name, {text: None})
        known = {name: _documents(name, tuple(each)) for name, each in texts.items()}
        pairs = (pair for conflict in bank.conflicts.all.values() for pair in conflict.contradictions)
        claims = dict.fromkeys(claim for pair in pairs for claim in (pair.left, pair.right) if claim.value)
        return cls(known, tuple(claims), stated or {})

    def lacks(self, text: str, source: str, *, is_value: bool, quotes: Sequence[str] = ()) -> str:
        """Why a source does not say a text; empty: it does."""
        texts = self.texts.get(source, ())
        if not texts:
            return "no such source"
        if len(texts) > 1:
            return "one name for several sources"
        is_said = said_in(texts[0], text, is_value=is_value) or is_backed(quotes, text, texts[0], is_value=is_value)
        if not is_said and not (is_value and any(said_in(texts[0], each, is_value=True) for each in self._spelt(text))):
            return "not said there"
        if is_value and self._owner(text, texts[0]) is False:
            return "said there as another's word"
        return ""

    def _spelt(self, value: str) -> Iterator[str]:
        """The other ways in which a disputed value is written."""
        for claim in self.claims:
            if claim.value != value and same_value(claim, replace(claim, value=value)):
                yield claim.value

    def _owner(self, value: str, text: str) -> bool | None:
        """Whether a text of a made corpus states a value as its own; None: the value is none of the corpus'."""
        for known, owners in self.stated.items():
            if fold_space(known) == fold_space(value) or (figures(value) and states(value, known)):
                return any(_is_text(owner, text) for owner in owners)
        return None

    def independent(self, sources: Iterable[str], parties: Iterable[str]) -> int:
        """How many of the sources are neither a party's document nor near copies of one, or of each other."""
        heard = list(parties)
        before = len(heard)
        for source in dict.fromkeys(sources):
            for text in self.texts.get(source, ())[:1]:
                if not any(_is_text(text, other) or near_identical(text, other) for other in heard):
                    heard.append(text)
        return len(heard) - before


def _documents(name: str, texts: Sequence[str]) -> Sequence[str]:
    """The documents that have a name. The parts of a conversation, of a page and of what has no file are one."""
    if "://" in name or "." not in name:
        return ("\n".join(texts),)
    folded = [fold_space(text) for text in texts]
    return tuple(
        text
        for at, text in enumerate(texts)
        if not any(folded[at] in other for place, other in enumerate(folded) if place != at and texts[place] != text)
    )


def _is_text(left: str, right: str) -> bool:
    return fold_space(left) == fold_space(right)


def said_in(text: str, wanted: str, *, is_value: bool) -> bool:
    """Whether a text says a sentence word for word, or a value however it is written.

    A tool's result has the tags of prompts disarmed; a quotation of a list may leave out the marks of its items.
    """
    written = (text, neutralise(text), _ITEM_RE.sub("", text))
    return any(quotation.place(each, wanted) for each in written) or (is_value and states(text, wanted))


def words_stand(text: str, wanted: str) -> bool:
    return fold_space(wanted).casefold() in fold_space(text).casefold()


def states(text: str, value: str) -> bool:
    """Whether a text has a value: its figures as figures; without any its names, or its words in one sentence."""
    if unstated(value, ""):
        return not unstated(value, text)
    if words_stand(text, value):
        return True
    if names := names_in(value):
        return all(_names(text, name) for name in names)
    words = set(query_tokens(value))
    pieces = (text[start:end] for start, end in sentences(text))
    return bool(words) and any(words <= set(query_tokens(piece, limit=len(piece) + 1)) for piece in pieces)


def is_backed(quotes: Sequence[str], text: str, source: str, *, is_value: bool) -> bool:
    """Whether what a check quoted of a source says a text: its words, or its figures there and its names in the source.

    A value that has neither is what the check took the quote for.
    """
    quoted = " … ".join(quotes)
    if not quoted:
        return False
    if fold_space(text).casefold() in fold_space(quoted).casefold():
        return True
    measured, names = bool(unstated(text, "")), names_in(text)
    if measured and unstated(text, quoted):
        return False
    if is_value:
        untitled = any(name.endswith(f" {part}") for name in names for part in names_in(quoted) if " " in part)
        return measured or not names or untitled or any(_names(source, name) for name in names)
    return (measured or bool(names)) and all(_names(source, name) for name in names)


def _names(text: str, name: str) -> bool:
    return quotation.names(fold_space(text), fold_space(name)) or is_named_in(text, [name])
