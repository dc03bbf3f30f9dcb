"""A node's story: what it was made from, and each rewriting of it, before and after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from memorybank.memory.state import MemoryState
from memorybank.memory.types import EntryId, Lang, NodeId
from memorybank.views.box import Box, Piece, box, chip, label, labelled, marked, muted, row_of
from memorybank.views.graph.model import node_label
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.node_history import HistoryStep, NodeStory, node_stories
from memorybank.views.run.commits import Records
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip, mark_difference

LINE = 90
"""The most columns of a topic in a line of its own."""
MOST_STEPS = 20
MOST_SOURCES = 12
_STEP_LOOKS = {"merged": "merge", "gone": "merge", "created": "new", "imported": "new", "restored": "new"}


class NodeNames:
    """The nodes of a moment by name, with what has happened to each: that is read once somebody asks for it."""

    def __init__(self, moment: Moment, records: Records) -> None:
        self.moment, self.records = moment, records

    @cached_property
    def stories(self) -> Mapping[NodeId, NodeStory]:
        """The stories of the nodes up to the moment."""
        return node_stories(self.records[: self.moment.at])

    def topic(self, node_id: NodeId, lang: Lang) -> str:
        """Return a node's topic in a line; of one that was merged away, the last it had."""
        node = self.moment.bank.graph.nodes.get(node_id)
        if node is None and (story := self.stories.get(node_id)) and story.steps:
            node = story.steps[-1].after
        return clip(node.context if node else "", LINE) or t("graph.untitled", lang)

    def name(self, node_id: NodeId, lang: Lang, look: str = "text gr-name") -> Box:
        """Return a node's topic, leading to it."""
        return box("span", look, self.topic(node_id, lang), choose=link("node", node_id), title=node_id)


def event_link(seq: int, round_: int, lang: Lang) -> Box:
    """Return when something happened, leading to that moment."""
    words = t("graph.card.event_round", lang, seq=seq, round=round_) if round_ else t("graph.card.event", lang, seq=seq)
    return box(
        "span", "gr-moment small gr-link", words, choose=link("moment", seq), title=t("graph.card.event_help", lang)
    )


def more(hidden: int, lang: Lang) -> Box | None:
    return box("p", "muted small gap", t("graph.card.more", lang, count=hidden)) if hidden > 0 else None


def origin_of(story: NodeStory, names: NodeNames, lang: Lang) -> Box | None:
    """Say in a sentence why the node exists, with what it was made from."""
    born = story.born
    if born is None:
        return None
    if born.kind == "merged":
        sources = [names.name(source.id, lang) for source in born.before]
        words = t("graph.origin.merged", lang, count=len(sources))
        merge = names.moment.bank.tree.merge_events.get(born.merge) if born.merge else None
        inside: list[Piece | None] = [
            box("ul", "gr-plain", *(box("li", "", source) for source in sources)),
            box("p", "text small muted", merge.description) if merge else None,
            box("span", "small gr-link", t("graph.origin.open_merge", lang), choose=link("merge", born.merge or "")),
        ]
    else:
        entries = dict.fromkeys(span.entry_id for span in born.spans)
        kind = "imported" if born.kind == "imported" else "cluster" if born.is_of_cluster else "filed"
        words = t(f"graph.origin.{kind}", lang, count=len(entries))
        sources = [_entry(entry_id, names) for entry_id in list(entries)[:MOST_SOURCES]]
        inside = [box("ul", "gr-plain", *(box("li", "", source) for source in sources))]
    head = box("p", "text", words, " ", event_link(born.seq, born.round, lang))
    return labelled(t("graph.origin.title", lang), head, *inside)


def _entry(entry_id: EntryId, names: NodeNames) -> Box:
    entry = names.moment.bank.tree.entries.get(entry_id)
    return box(
        "span", "text gr-name", entry.source if entry else entry_id, choose=link("entry", entry_id), title=entry_id
    )


def history_of(story: NodeStory, names: NodeNames, lang: Lang) -> Box | None:
    """Return each rewrite, the last one first: before and after, on whose account, when."""
    steps = [step for step in reversed(story.steps) if step.kind not in ("created", "imported")]
    if not steps:
        return labelled(t("graph.history.title", lang), muted(t("graph.history.none", lang)))
    rows = [_step(step, names, lang) for step in steps[:MOST_STEPS]]
    return labelled(t("graph.history.title", lang), box("ul", "gr-plain", *rows), more(len(steps) - MOST_STEPS, lang))


def _step(step: HistoryStep, names: NodeNames, lang: Lang) -> Box:
    head = row_of(
        chip(t(f"graph.history.{step.kind}", lang), _STEP_LOOKS.get(step.kind, "node")),
        event_link(step.seq, step.round, lang),
    )
    cause = None
    if step.because:
        cause = box("p", "small", t("graph.history.because", lang), " ", names.name(step.because, lang))
    elif step.merge:
        cause = box("p", "small gr-link", t("graph.origin.open_merge", lang), choose=link("merge", step.merge))
    checks = [box("span", "gr-link", each, choose=link("conflict", each)) for each in step.conflicts]
    return box("li", "gr-step", head, cause, row_of(*checks) if checks else None, *_changes(step, lang))


def _changes(step: HistoryStep, lang: Lang) -> Iterable[Box]:
    """Return before and after of what changed, differing words marked."""
    if not step.before:
        return
    for part in ("context", "summary"):
        before = [getattr(node, part) for node in step.before]
        after = getattr(step.after, part)
        if before != [after]:
            yield _texts(t(f"node.{part}", lang), before, after, lang)


def _texts(name: str, before: Sequence[str], after: str, lang: Lang) -> Box:
    """Compare one text with the other word by word; several that became one stand as they are."""
    old: list[Sequence[Piece]] = [(text,) for text in before]
    new: Sequence[Piece] = (after,)
    if len(before) == 1:
        left, right = mark_difference(before[0], after)
        old, new = [marked(left)], marked(right)
    return box(
        "div",
        "gr-rewrite",
        label(name),
        *(box("p", "text small gr-was clamp", *pieces) for pieces in old),
        box("p", "arrow", t("graph.history.after", lang)),
        box("p", "text small clamp", *new),
    )


def neighbour_lines(node_id: NodeId, bank: MemoryState, lang: Lang) -> list[Box]:
    """Return the topics of the nodes it is linked with, or say that there are none."""
    near = [
        box("p", "text", node_label(neighbour, lang), choose=link("node", neighbour.id), title=neighbour.context)
        for neighbour in bank.graph.neighbours(node_id)
    ]
    return near or [muted(t("node.links_none", lang))]
