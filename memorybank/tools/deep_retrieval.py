"""`deep_retrieval`: from a memory back to its raw text and attachments (narrative specification, Deep Retrieval).

Read-only and bounded: it says how much is left. An id that was merged away answers with its successor and says so.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass

from memorybank.errors import InputError, Notice, ToolError
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import Attachment, AttachmentId, AttachmentType, Entry, Lang, NodeId, Span
from memorybank.prompts import say
from memorybank.tools.base import Tool, ToolImage, ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepEntry:
    """A source on which a node stands: the pieces the node stands on, or the whole entry."""

    entry: Entry
    spans: tuple[Span, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepView:
    asked: NodeId
    node_id: NodeId
    """Where `asked` is now; differs when it was merged away."""
    entries: tuple[DeepEntry, ...]
    """In the order they were recorded."""
    attachments: tuple[Attachment, ...]


def view(state: MemoryBank, node_id: str, *, full: bool = False) -> DeepView:
    """All that a node stands on. `full`: whole entries instead of the node's pieces. Raises InputError if unknown."""
    asked_id = NodeId(node_id)
    live_id = state.graph.successor(asked_id)
    if live_id not in state.graph.nodes:
        known = ", ".join(list(state.graph.nodes)[:5]) or Notice("text.none")
        raise InputError("node.unknown", node=node_id, known=known)
    by_entry: dict[str, list[Span]] = {}
    for span in state.tree.spans.get(live_id, ()):
        by_entry.setdefault(span.entry_id, []).append(span)
    order = {entry_id: place for place, entry_id in enumerate(state.tree.entries)}
    entries = []
    for entry_id in sorted(by_entry, key=lambda entry_id: order[entry_id]):  # type: ignore[index]
        entry = state.tree.entries[entry_id]  # type: ignore[index]
        spans = tuple(sorted(by_entry[entry_id], key=lambda span: (span.start, span.end)))
        text = entry.text if full else "\n…\n".join(state.tree.text(span) for span in _joined(spans))
        entries.append(DeepEntry(entry=entry, spans=spans, text=text))
    attachments = dict.fromkeys(attachment for source in entries for attachment in source.entry.attachments)
    return DeepView(
        asked=asked_id,
        node_id=live_id,
        entries=tuple(entries),
        attachments=tuple(state.tree.attachments[id_] for id_ in attachments if id_ in state.tree.attachments),
    )


def _joined(spans: tuple[Span, ...]) -> list[Span]:
    """Overlapping and adjacent pieces as one, so that no text is given twice."""
    joined: list[Span] = []
    for span in spans:
        if joined and span.start <= joined[-1].end:
            end = max(joined[-1].end, span.end)
            joined[-1] = Span(entry_id=span.entry_id, start=joined[-1].start, end=end)
        else:
            joined.append(span)
    return joined


def attachment_content(attachment: Attachment, read: Callable[[str], bytes]) -> str:
    """Code as text, anything else as base64 (a document's text is already in its entry)."""
    data = read(attachment.path)
    if attachment.type is AttachmentType.CODE:
        return data.decode("utf-8", "replace")
    return base64.b64encode(data).decode("ascii")


def as_json(
    node_view: DeepView, *, read: Callable[[str], bytes] | None = None, timed: bool = True
) -> dict[str, object]:
    """Return the form of the specification: entries with their attachments; with `read`, file contents too.

    Untimed for an executor: what it is shown, and so what it is asked again after a fork, is the same at any hour.
    """
    return {
        "asked": node_view.asked,
        "node_id": node_view.node_id,
        "entries": [
            {
                "entry_id": source.entry.id,
                "source": source.entry.source,
                **({"timestamp": source.entry.timestamp} if timed else {}),
                "text": source.text,
                "metadata": {"source": source.entry.source, "tool_calls": list(source.entry.tool_calls)},
                "spans": [[span.start, span.end] for span in source.spans],
                "attachments": [
                    _attachment_json(attachment, read)
                    for attachment in node_view.attachments
                    if attachment.id in source.entry.attachments
                ],
            }
            for source in node_view.entries
        ],
    }


def _attachment_json(attachment: Attachment, read: Callable[[str], bytes] | None) -> dict[str, object]:
    described: dict[str, object] = {
        "id": attachment.id,
        "type": attachment.type.value,
        "content": f"files/{attachment.path}",
        "name": attachment.name,
        "sha256": attachment.sha256,
        "size": attachment.size,
        **({"found_in": attachment.found_in} if attachment.found_in else {}),
    }
    if read is not None:
        described["file_content"] = attachment_content(attachment, read)
    return described


def deep_retrieval_tool(
    state: Callable[[], MemoryBank],
    read: Callable[[str], bytes],
    *,
    token_budget: int,
    count_tokens: Callable[[str], int],
    lang: Lang,
) -> Tool:
    def deep_retrieval(node_id: str, attachment_id: str | None = None, offset: int = 0, limit: int = 0) -> ToolResult:
        """Show the raw text behind a memory, by its node id as given in the prompt (for example n3).

        With attachment_id: that attachment's content (code as text, else base64). The answer is cut to a budget and
        says what is left; go on with offset. limit lowers the budget, in tokens.
        """
        try:
            node_view = view(state(), node_id)
        except InputError as error:
            raise ToolError("text.reason", reason=error) from None
        head = ""
        if node_view.asked != node_view.node_id:
            head = say("deep_successor", lang, asked=node_view.asked, node=node_view.node_id) + "\n"
        if attachment_id is None:
            text = json.dumps(as_json(node_view, timed=False), ensure_ascii=False, indent=1)
            attachments = node_view.attachments
        else:
            attachment = _attachment(node_view, attachment_id)
            text, attachments = attachment_content(attachment, read), (attachment,)
        budget = min(token_budget, limit) if limit > 0 else token_budget
        cut = _cut(text, max(0, offset), budget, count_tokens, lang)
        return ToolResult(text=head + cut, images=_images(attachments))

    return Tool(deep_retrieval, "deep_retrieval")


def _images(attachments: tuple[Attachment, ...]) -> tuple[ToolImage, ...]:
    return tuple(
        ToolImage(sha256=attachment.sha256, media_type=attachment.media_type, name=attachment.name)
        for attachment in attachments
        if attachment.type is AttachmentType.IMAGE
    )


def _attachment(node_view: DeepView, attachment_id: str) -> Attachment:
    for attachment in node_view.attachments:
        if attachment.id == AttachmentId(attachment_id):
            return attachment
    known = ", ".join(attachment.id for attachment in node_view.attachments) or Notice("text.none")
    raise ToolError("node.no_attachment", node=node_view.node_id, attachment=attachment_id, known=known)


def _cut(text: str, offset: int, budget: int, count_tokens: Callable[[str], int], lang: Lang) -> str:
    rest = text[offset:]
    tokens = count_tokens(rest)
    if tokens <= budget:
        return rest
    end = max(1, int(len(rest) * budget / tokens))
    return rest[:end] + "\n" + say("deep_more", lang, left=len(rest) - end, offset=offset + end)
