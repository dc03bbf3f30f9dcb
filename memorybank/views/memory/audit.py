"""A compression audit: which numbers, dates and names of its raw text a node's summary does not say.

Both sides are read by the offline engine's own recognition (`salience`), whichever engine wrote the summary. It knows
mentions by their shape, so what it lists is where to look, not proof of a loss: a summary may say a thing otherwise.
Numbers and dates are compared as values (language/figures.py).
Nothing is computed but from a state of the bank, so that any moment of a run can be audited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from memorybank.engines.offline.salience import Mention, MentionKind, mentions
from memorybank.language.figures import figures, unstated
from memorybank.language.text import fold_space, form_and_places, one_form
from memorybank.memory.layers.interaction_tree import InteractionTree
from memorybank.memory.types import EntryId, Node, Span

KINDS: Final[tuple[MentionKind, ...]] = ("number", "date", "name")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """A fact of the raw text that is not in the summary, where it stands first."""

    kind: MentionKind
    text: str
    """As the source writes it."""
    entry_id: EntryId
    start: int
    """`entry.text[start:end]` is the mention; `passages.address` makes a link of it."""
    end: int
    times: int
    """How often the raw text says it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    kept: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    characters: int
    """Of the raw text."""
    summary_characters: int
    counts: Mapping[MentionKind, Count]
    """Distinct facts of the raw text, and those of them that the summary says."""
    lost: tuple[Lost, ...]
    """In the order of the raw text."""
    added: tuple[str, ...]
    """Numbers and dates of the summary that the raw text does not have, as the summary writes them: a model's own, or
    a value that a verdict put in place of a wrong one."""

    @property
    def share(self) -> float:
        """The summary's length over the raw text's; 0 without raw text."""
        return self.summary_characters / self.characters if self.characters else 0.0

    @property
    def kept(self) -> Count:
        """Over all kinds."""
        return Count(
            kept=sum(count.kept for count in self.counts.values()),
            total=sum(count.total for count in self.counts.values()),
        )


def audit(node: Node, tree: InteractionTree) -> Audit | None:
    """The audit of a live node; None when it stands on no raw text of its own (imported)."""
    spans = tree.spans.get(node.id, ())
    if not spans:
        return None
    span_mentions = [(span, mention) for span in spans for mention in _mentions(tree.text(span))]
    raw, summary = one_form("\n".join(tree.text(span) for span in spans)), one_form(node.summary)
    said = {mention.key for mention in mentions(summary)} | set(_by_value(raw, summary))
    facts = _facts(mention for _, mention in span_mentions)
    return Audit(
        characters=sum(len(tree.text(span).strip()) for span in spans),
        summary_characters=len(node.summary.strip()),
        counts={kind: _count(kind, facts, said) for kind in KINDS},
        lost=tuple(_lost(span_mentions, facts, said, tree)),
        added=tuple(dict.fromkeys(fold_space(figure.written) for figure in unstated(summary, raw))),
    )


def _mentions(text: str) -> Iterator[Mention]:
    """The mentions of a text in one form, each where it stands in the raw text."""
    form, places = form_and_places(text)
    for mention in mentions(form):
        yield replace(mention, start=places[mention.start], end=places[mention.end - 1] + 1)


def _by_value(raw: str, summary: str) -> Iterator[str]:
    """Keys of numbers and dates that the summary states, in whatever form."""
    marks = bytearray(len(raw))
    for sign, found in ((b"+", figures(raw)), (b"-", unstated(raw, summary))):
        for figure in found:
            marks[figure.start : figure.end] = sign * (figure.end - figure.start)
    for mention in mentions(raw):
        written = marks[mention.start : mention.end]
        if mention.kind != "name" and b"+" in written and b"-" not in written:
            yield mention.key


def _facts(raw_mentions: Iterable[Mention]) -> dict[str, MentionKind]:
    """Key to kind, the first one's. A capitalised word that only ever opens a sentence is no name."""
    facts: dict[str, MentionKind] = {}
    for mention in raw_mentions:
        if mention.certain:
            facts.setdefault(mention.key, mention.kind)
    return facts


def _count(kind: MentionKind, facts: Mapping[str, MentionKind], said: set[str]) -> Count:
    keys = [key for key, its_kind in facts.items() if its_kind == kind]
    return Count(kept=sum(key in said for key in keys), total=len(keys))


def _lost(
    span_mentions: list[tuple[Span, Mention]],
    facts: Mapping[str, MentionKind],
    said: set[str],
    tree: InteractionTree,
) -> Iterable[Lost]:
    times = Counter(mention.key for _, mention in span_mentions)
    reported: set[str] = set()
    for span, mention in span_mentions:
        if mention.key in facts and mention.key not in said and mention.key not in reported:
            reported.add(mention.key)
            start, end = span.start + mention.start, span.start + mention.end
            yield Lost(
                kind=facts[mention.key],
                text=fold_space(tree.entries[span.entry_id].text[start:end]),
                entry_id=span.entry_id,
                start=start,
                end=end,
                times=times[mention.key],
            )
