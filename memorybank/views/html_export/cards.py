"""A node's card at a moment: what the app tells of it, and the raw text behind it with the node's parts marked.

Cards are built anew only when something that they say has changed; of a thousand nodes, a stage touches a few.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from memorybank.errors import MemoryBankError
from memorybank.memory.events import SessionStarted
from memorybank.memory.types import Attachment, AttachmentId, AttachmentType, Entry, Lang, NodeId
from memorybank.tools.deep_retrieval import view
from memorybank.views.box import Box, aside, box, labelled, row_of, stack_of
from memorybank.views.boxes.answer_card import answer_card
from memorybank.views.boxes.conflict_evidence import checks_box, summary_box
from memorybank.views.boxes.entries import attachment_head, entry_head, entry_part
from memorybank.views.boxes.insight import insight_box
from memorybank.views.boxes.node_story import NodeNames, history_of, neighbour_lines, origin_of
from memorybank.views.boxes.state import node_chips
from memorybank.views.graph.model import node_label
from memorybank.views.html_export.pool import Pool
from memorybank.views.i18n import t
from memorybank.views.memory.node_history import HistoryStep, StoryReader
from memorybank.views.run.commits import Records, commits
from memorybank.views.run.origin import origin_chip
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip

Json = Any


class Cards:
    """The cards of a run, moment by moment, in order."""

    def __init__(self, records: Records, pool: Pool, lang: Lang) -> None:
        self._pool, self._lang = pool, lang
        self._commits = commits(records)
        self._told = StoryReader()
        self._known: dict[NodeId, tuple[Any, Json]] = {}

    def at(self, moment: Moment) -> dict[str, Json]:
        """Of each live node: number of its head, its entries (number, files kept beside the text), of its label."""
        while self._told.seq < moment.at and (commit := next(self._commits, None)) is not None:
            self._told.take(commit)
        names = NodeNames(moment=moment, stories=self._told.stories)
        disputed, checked = moment.bank.disputed(), moment.bank.under_validation()
        cards: dict[str, Json] = {}
        for node_id, node in moment.bank.graph.nodes.items():
            state = (node_id in disputed, node_id in checked, node_id in moment.merged, node_id in moment.new)
            says = (
                node,
                state,
                moment.bank.tree.spans.get(node_id),
                moment.bank.graph.neighbours(node_id),
                len(steps := names.stories[node_id].steps),
                [moment.bank.graph.nodes.get(other) for other in _named(steps)],
            )
            known = self._known.get(node_id)
            if known is None or known[0] != says:
                known = self._known[node_id] = (says, self._build(node_id, names))
            cards[node_id] = known[1]
        return cards

    def _build(self, node_id: NodeId, names: NodeNames) -> Json:
        moment, head = names.moment, node_head(node_id, names, self._lang)
        label = node_label(moment.bank.graph.nodes[node_id], self._lang)
        entries = [self._entry(source.entry.id, moment, source.spans) for source in view(moment.bank, node_id).entries]
        return [self._pool.put(head), entries, self._pool.put(label)]

    def _entry(self, entry_id: Any, moment: Moment, spans: Any) -> Json:
        tree = moment.bank.tree
        entry = tree.entries[entry_id]
        files = [tree.attachments[name] for name in entry.attachments if name in tree.attachments]
        inside = box(
            "div",
            "gap",
            *entry_part(entry, spans, self._lang, whole=True),
            *(attachment_box(attachment, self._lang) for attachment in files),
        )
        return [self._pool.put(inside), [attachment.id for attachment in files]]


def _named(steps: Sequence[HistoryStep]) -> list[NodeId]:
    """Other nodes that a node's story names."""
    named = [step.because for step in steps if step.because]
    return list(dict.fromkeys([*named, *(source for step in steps for source, _ in step.before)]))


def node_head(node_id: NodeId, names: NodeNames, lang: Lang) -> Box:
    """The card without its raw text."""
    moment, story = names.moment, names.stories[node_id]
    node = moment.bank.graph.nodes[node_id]
    chips = node_chips(node_id, moment, lang)
    keywords = [box("span", "chip", clip(word, 40)) for word in node.keywords]
    return stack_of(
        box("p", "text strong", node.context or node_label(node, lang)),
        row_of(*chips, box("span", "muted small mono", node_id)),
        labelled(t("node.summary", lang), summary_box(node, lang)),
        checks_box(node, moment.bank, lang),
        labelled(t("node.keywords", lang), row_of(*keywords)) if keywords else None,
        labelled(t("node.links", lang), *neighbour_lines(node_id, moment.bank, lang)),
        origin_of(story, names, lang),
        history_of(story, names, lang),
    )


def attachment_box(attachment: Attachment, lang: Lang) -> Box:
    """Its name, size and hash; a picture follows it where there is room for one (pictures.py)."""
    return box("div", "gap", *attachment_head(attachment, lang))


# -- parts that no page of the app shows in just this way --------------------------------------------------------------


def doc_box(moment: Moment, lang: Lang) -> Box:
    """The answer, and below it the Insight Doc."""
    return stack_of(answer_card(moment, lang), insight_box(moment, lang))


def made_by(records: Records, lang: Lang) -> Box:
    """What made the run, and when."""
    begun = records[0].event if records else None
    day = datetime.fromtimestamp(records[0].at, UTC).strftime("%Y-%m-%d %H:%M") if records else ""
    model = begun.embedding_model if isinstance(begun, SessionStarted) else ""
    return row_of(
        origin_chip(records, lang, replay=True),
        aside(t("export.when", lang, when=day)) if day else None,
        aside(t("export.embeddings", lang, model=model)) if model else None,
        aside(t("export.events", lang, count=len(records))),
    )


def source_head(entry: Entry, attachments: Sequence[Attachment], note: Box | None, lang: Lang) -> Box:
    """What an entry is and where it came from, with the files kept beside its text."""
    return box(
        "div", "", entry_head(entry, lang), *(attachment_box(attachment, lang) for attachment in attachments), note
    )


def source_label(entry: Entry, lang: Lang) -> str:
    """One line, to choose it by."""
    return f"{clip(entry.source, 60)} · {t(f'entry.kind.{entry.kind}', lang)} · {entry.id}"


# -- the run's images --------------------------------------------------------------------------------------------------


LARGEST = 1_500_000
"""Bytes of one picture."""
MOST = 8_000_000
"""Bytes of all."""
SHOWN = ("image/png", "image/jpeg")
"""What the formal store writes for images; nothing else is ever handed to the browser as one."""

Read = Callable[[str], bytes]
"""An attachment's bytes by its path in the formal store."""


def pictures(attachments: Iterable[Attachment], read: Read | None) -> dict[AttachmentId, str]:
    """Data URIs of the images that fit, in their order. One that is gone or changed is left out like one too large."""
    urls: dict[AttachmentId, str] = {}
    room = MOST
    for attachment in attachments:
        if attachment.type is not AttachmentType.IMAGE or attachment.media_type not in SHOWN or read is None:
            continue
        if attachment.size > min(LARGEST, room):
            continue
        try:
            data = read(attachment.path)
        except (MemoryBankError, OSError):
            continue
        room -= len(data)
        urls[attachment.id] = f"data:{attachment.media_type};base64,{base64.b64encode(data).decode('ascii')}"
    return urls
