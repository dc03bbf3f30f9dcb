"""Every view of a conflict or a relation shares these boxes: its look, who decided, what differs between claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memorybank.contradiction.disputes.dispute import Dispute, Said, StatedValue, title
from memorybank.language.text import fold_space
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Conflict, ConflictId, ConflictStatus, Lang, MergeEvent, Node, NodeId, Relation
from memorybank.session.executors.base import OFFLINE_RESEARCHER, REACT_AGENT
from memorybank.views.box import Box, Piece, aside, box, chip, div, marked, muted
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.conflict_life import number
from memorybank.views.memory.lineage import MergeStory
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip, mark_difference

MOST_MARKED = 0.4
"""The largest share of a statement that may be marked; where more differs, nothing is marked."""
LOOKS = {
    ConflictStatus.OPEN: "conflict",
    ConflictStatus.RESOLVED: "done",
    ConflictStatus.BOTH_WRONG: "done",
    ConflictStatus.FALSE_ALARM: "node",
    ConflictStatus.INCONCLUSIVE: "disputed",
    ConflictStatus.CHECKED: "done",
}
RELATION_LOOKS = {
    Relation.CONFLICT: "conflict",
    Relation.MERGE: "merge",
    Relation.RELATED: "node",
    Relation.UNRELATED: "",
}
USER = "user"
"""The `closed_by` of a verdict that a person stated, or brought about by undoing a merge."""
_EXECUTORS = {OFFLINE_RESEARCHER: "executor.offline", REACT_AGENT: "executor.react", USER: "conflicts.by_user"}


def status_chip(status: ConflictStatus, lang: Lang) -> Box:
    live = " live" if status is ConflictStatus.OPEN else ""
    return chip(t(f"conflict.status.{status}", lang), LOOKS[status] + live)


def status_help(dispute: Dispute, conflict: Conflict, lang: Lang) -> str:
    """Say in a sentence what a status means; a pair that a person left open is not put down to the evidence."""
    if conflict.status is ConflictStatus.INCONCLUSIVE and conflict.closed_by == USER:
        return t("conflicts.left_open", lang)
    return t(f"conflict.status_help.{dispute.status}", lang)


@dataclass(frozen=True, slots=True)
class ClaimSide:
    """One statement of a contradiction, as it is shown."""

    text: str
    pieces: tuple[Piece, ...]
    """The text, what differs marked."""


def sides_of(conflict: Conflict, bank: MemoryState) -> list[tuple[ClaimSide, ClaimSide]]:
    """Return the pairs of statements that contradict each other; without any, the two summaries."""
    pairs = dict.fromkeys(
        ((contradiction.left.text, contradiction.left.value), (contradiction.right.text, contradiction.right.value))
        for contradiction in conflict.contradictions
    )
    if not pairs:
        left, right = (_summary(node_id, bank) for node_id in conflict.node_ids)
        pairs = {((left, ""), (right, "")): None}
    return [mark_claims(left, right) for left, right in pairs]


def mark_claims(left: tuple[str, str], right: tuple[str, str]) -> tuple[ClaimSide, ClaimSide]:
    """Return two statements, each with its contested value marked.

    Where the sentences are built alike, the words that differ are marked; where they share little, the values alone.
    """
    marks = mark_difference(left[0], right[0])
    shares = (
        sum(len(mark.text) for mark in pieces if mark.differs) / max(1, len(text))
        for pieces, (text, _) in zip(marks, (left, right), strict=True)
    )
    by_value = all(value and value in text for text, value in (left, right)) and left[1] != right[1]
    if max(shares) > MOST_MARKED and by_value:
        return _mark_value(*left), _mark_value(*right)
    return ClaimSide(left[0], marked(marks[0])), ClaimSide(right[0], marked(marks[1]))


def _mark_value(text: str, value: str) -> ClaimSide:
    before, _, after = text.partition(value)
    return ClaimSide(text, (before, box("mark", "", value), after))


def _summary(node_id: NodeId, bank: MemoryState) -> str:
    node = node_or_source(node_id, bank)
    return node.summary if node else node_id


def node_or_source(node_id: NodeId, bank: MemoryState) -> Node | None:
    """Return a node, or what it was when it became one with others."""
    sources = (source for merge in bank.graph.merges.values() for source in merge.sources)
    return bank.graph.nodes.get(node_id) or next((source for source in sources if source.id == node_id), None)


def decided_by(conflict: Conflict, lang: Lang) -> str:
    if conflict.closed_by == USER:
        return t("conflict.decided_by_user", lang)
    return t("conflict.decided_by", lang, name=executor_name(conflict.closed_by, lang))


def executor_name(name: str, lang: Lang) -> str:
    """Return the name of who worked on a task, or gave a verdict; an executor of one's own goes by its name."""
    return t(_EXECUTORS[name], lang) if name in _EXECUTORS else name


def merge_chip(merge: MergeEvent | MergeStory, lang: Lang) -> Box:
    words = t("merge.undone", lang) if merge.undone else t(f"merge.trigger.{merge.trigger}", lang)
    return chip(words, "" if merge.undone else "merge")


MOST_VALUES, MOST_SOURCES = 4, 3
"""The most values of a dispute, and the most sources of a value; the others are counted."""
TITLE, VALUE, SOURCE = 130, 100, 40
"""The most columns of a title, a value and a source."""


def dispute_line(dispute: Dispute, lang: Lang) -> Box:
    """Return a list item that holds a button, and below it the single conflicts where there are several."""
    line = div(
        "dispute-line",
        status_chip(dispute.status, lang),
        div("", box("p", "strong text", clip(title(dispute, lang), TITLE)), *value_lines(dispute, lang)),
        choose=link("conflict", dispute.conflict_ids[0]),
    )
    return box("li", "", line, members_row(dispute, lang))


def value_lines(dispute: Dispute, lang: Lang) -> list[Box]:
    """Return a line for each value with who states it; what holds comes first."""
    lines = [_value(value, lang, holds=value is dispute.holds) for value in dispute.values[:MOST_VALUES]]
    rest = len(dispute.values) - MOST_VALUES
    return [*lines, box("p", "muted small", t("conflicts.more_values", lang, count=rest))] if rest > 0 else lines


def _value(value: StatedValue, lang: Lang, *, holds: bool) -> Box:
    return box(
        "p",
        "dispute-value text",
        box("span", "strong" if holds else "", clip(value.text, VALUE)),
        chip(t("conflicts.holds_chip", lang), "done small") if holds else None,
        aside(*_sources(value.said, lang)) if value.said else aside(t("conflicts.no_source", lang)),
    )


def _sources(said: tuple[Said, ...], lang: Lang) -> Iterator[Box | str]:
    """Yield the first by name, each with its words in the title, and the others as a number."""
    for place, voice in enumerate(said[:MOST_SOURCES]):
        yield t("punctuation.list", lang) if place else ""
        yield box("span", "", clip(voice.source, SOURCE), title=in_words(voice.source, voice.quote, lang))
    if len(said) > MOST_SOURCES:
        yield f"{t('punctuation.list', lang)}+{len(said) - MOST_SOURCES}"


def in_words(source: str, quote: str, lang: Lang) -> str:
    """Return a source with what it says: `guide.md: “Built in 1912.”`."""
    return t("conflicts.in_words", lang, source=source, quote=fold_space(quote)) if quote else source


def members_row(dispute: Dispute, lang: Lang, current: ConflictId | None = None) -> Box | None:
    """Return the conflicts of a dispute, numbered, each a link; None where it is the only one."""
    if len(dispute.conflict_ids) < 2:
        return None
    links = [_member(place, id_, id_ == current) for place, id_ in enumerate(dispute.conflict_ids, start=1)]
    pairs = t("conflicts.in_pairs", lang, count=len(links))
    return div("leads-row small", box("span", "muted", pairs), *links)


def _member(place: int, conflict_id: ConflictId, current: bool) -> Box:
    if current:
        return box("span", "strong", str(place))
    return box("span", "leads", str(place), choose=link("conflict", conflict_id))


def disputes_with(conflict_id: ConflictId, disputes: Iterable[Dispute]) -> list[Dispute]:
    """Return the disputes that a conflict is part of: one for each matter that it is on."""
    return [dispute for dispute in disputes if conflict_id in dispute.conflict_ids]


def in_order(disputes: Iterable[Dispute]) -> list[Dispute]:
    """Open ones first, the newest of each on top."""
    newest = sorted(disputes, key=lambda dispute: number(dispute.conflict_ids[-1]), reverse=True)
    return sorted(newest, key=lambda dispute: dispute.status is not ConflictStatus.OPEN)


MOST = 12
"""The most lines of each kind; the oldest are counted."""


def disputes_box(moment: Moment, lang: Lang) -> Box:
    disputes = in_order(moment.disputes)
    merges = sorted(moment.bank.tree.merge_events.values(), key=lambda merge: number(merge.id), reverse=True)
    if not disputes and not merges:
        return muted(t("events.none", lang))
    return div(
        "stack disputes",
        _lines([dispute_line(dispute, lang) for dispute in disputes[:MOST]], len(disputes), lang),
        _lines([_merge(merge, lang) for merge in merges[:MOST]], len(merges), lang),
    )


def _lines(lines: list[Box], total: int, lang: Lang) -> Box | None:
    if not lines:
        return None
    rest = total - len(lines)
    more = box("li", "muted small", t("session.disputes.more", lang, count=rest)) if rest > 0 else None
    return box("ul", "dispute-lines", *lines, more)


def _merge(merge: MergeEvent, lang: Lang) -> Box:
    """Return a list item that holds a button: an item that is one would be no item for a screen reader."""
    words = box("span", "text", merge.description)
    line = div("dispute-line", merge_chip(merge, lang), words, choose=link("merge", merge.id))
    return box("li", "", line)
