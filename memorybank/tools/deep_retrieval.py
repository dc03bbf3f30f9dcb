"""`deep_retrieval`: from a memory back to its raw text and attachments (narrative specification, Deep Retrieval).

Read-only and bounded: it says how much is left. An id that was merged away answers with its successor and says so. The
documents come first, then the passages that a check read for it, then what the rounds that checked it answered, then
what their tools gave; the prompts of those rounds only where the whole is asked for.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from memorybank.errors import InputError, Notice, ToolError
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Attachment, AttachmentId, AttachmentType, Entry, EntryId, Lang, NodeId, Span
from memorybank.prompts import say
from memorybank.prompts.tags import answer_of, blocks_of
from memorybank.tools.base import Tool, ToolImage, ToolResult


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepEntry:
    """A source on which a node stands: the pieces the node stands on, or the whole entry."""

    entry: Entry
    spans: tuple[Span, ...]
    text: str
    """The text that is shown: of a round's transcript its answer, unless the whole was asked for."""
    results: tuple[str, ...] = ()
    """The results of the round's tools."""
    is_evidence: bool = False
    """A check of the node read it; the node does not stand on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepView:
    asked: NodeId
    node_id: NodeId
    """The node that holds `asked` now: another one when it was merged away."""
    entries: tuple[DeepEntry, ...]
    """Documents, then evidence, then transcripts; each in the order they were recorded."""
    attachments: tuple[Attachment, ...]


def view(state: MemoryState, node_id: str, *, full: bool = False) -> DeepView:
    """Return all that a node stands on. `full`: whole entries, not the node's pieces. Raises InputError if unknown."""
    asked_id = NodeId(node_id)
    live_id = state.graph.successor(asked_id)
    if live_id not in state.graph.nodes:
        known = ", ".join(list(state.graph.nodes)[:5]) or Notice("text.none")
        raise InputError("node.unknown", node=node_id, known=known)
    spans = state.tree.spans.get(live_id, ())
    beyond = [span for span in state.tree.validations.get(live_id, ()) if not any(owned.holds(span) for owned in spans)]
    own = _behind(state, spans, full=full, is_evidence=False)
    read = _behind(state, beyond, full=full, is_evidence=True)
    entries = sorted([*own, *read], key=lambda source: (source.is_evidence, source.entry.kind == "transcript"))
    attachments = dict.fromkeys(attachment for source in entries for attachment in source.entry.attachments)
    return DeepView(
        asked=asked_id,
        node_id=live_id,
        entries=tuple(entries),
        attachments=tuple(state.tree.attachments[id_] for id_ in attachments if id_ in state.tree.attachments),
    )


def _behind(state: MemoryState, owned: Iterable[Span], *, full: bool, is_evidence: bool) -> list[DeepEntry]:
    """Return the entries of these spans, in the order in which they were recorded."""
    by_entry: dict[EntryId, list[Span]] = {}
    for span in owned:
        by_entry.setdefault(span.entry_id, []).append(span)
    behind = []
    for entry_id in sorted(by_entry, key=lambda entry_id: int(entry_id[1:])):
        entry, spans = state.tree.entries[entry_id], tuple(sorted(by_entry[entry_id], key=lambda span: span.start))
        results: tuple[str, ...] = ()
        if full:
            text = entry.text
        elif entry.kind == "transcript":
            record = read_transcript(entry.text)
            text, results = record.answer, record.results
        else:
            text = "\n…\n".join(state.tree.text(span).strip("\n") for span in _joined(spans))
        behind.append(DeepEntry(entry=entry, spans=spans, text=text, results=results, is_evidence=is_evidence))
    return behind


def _joined(spans: tuple[Span, ...]) -> list[Span]:
    """Join overlapping and adjacent pieces as one, so that no text is given twice."""
    joined: list[Span] = []
    for span in spans:
        if joined and span.start <= joined[-1].end:
            end = max(joined[-1].end, span.end)
            joined[-1] = Span(entry_id=span.entry_id, start=joined[-1].start, end=end)
        else:
            joined.append(span)
    return joined


def attachment_content(attachment: Attachment, read: Callable[[str], bytes]) -> str:
    """Return code as text, anything else as base64 (a document's text is already in its entry)."""
    data = read(attachment.path)
    if attachment.type is AttachmentType.CODE:
        return data.decode("utf-8", "replace")
    return base64.b64encode(data).decode("ascii")


def as_text(node_view: DeepView, lang: Lang) -> str:
    """Write documents, each under its name and with its attachments; then answers; then what the tools gave."""
    documents, answers, results = list[str](), list[str](), list[str]()
    for source in node_view.entries:
        name = {"source": source.entry.source, "entry": source.entry.id}
        is_round = source.entry.kind == "transcript"
        key = "deep_answer" if is_round else "deep_evidence" if source.is_evidence else "deep_document"
        head = [say(key, lang, **name)]
        head += [
            say("attachment_line", lang, id=attachment.id, name=attachment.name)
            for attachment in node_view.attachments
            if attachment.id in source.entry.attachments
        ]
        (answers if is_round else documents).append("\n".join([*head, source.text.strip("\n")]))
        if source.results:
            results.append("\n".join([say("deep_results", lang, **name), "\n\n".join(source.results)]))
    return "\n\n".join([*documents, *answers, *results])


def as_json(node_view: DeepView, *, read: Callable[[str], bytes] | None = None) -> dict[str, object]:
    """Return the form of the specification: entries with their attachments; with `read`, file contents too."""
    return {
        "asked": node_view.asked,
        "node_id": node_view.node_id,
        "entries": [
            {
                "entry_id": source.entry.id,
                "source": source.entry.source,
                "timestamp": source.entry.timestamp,
                "text": "\n\n".join((source.text, *source.results)),
                "metadata": {
                    "source": source.entry.source,
                    "tool_calls": list(source.entry.tool_calls),
                    **({"evidence": True} if source.is_evidence else {}),
                },
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


@dataclass(frozen=True, slots=True, kw_only=True)
class DeepRetrieval:
    """Deep retrieval in one session: for its executor's tool, and for whoever asks the bank from outside."""

    state: Callable[[], MemoryState]
    read: Callable[[str], bytes]
    """Gives a stored file by its path."""
    token_budget: int
    count_tokens: Callable[[str], int]
    lang: Lang

    def answer(
        self, node_id: str, attachment_id: str | None = None, offset: int = 0, limit: int = 0, *, full: bool = False
    ) -> ToolResult:
        """Return the text behind a node from an offset on, cut to the budget. `full`: entries and transcripts whole.

        Raises ToolError for a node or an attachment that there is not.
        """
        try:
            node_view = view(self.state(), node_id, full=full)
            chosen = attachment_of(node_view, attachment_id) if attachment_id is not None else None
        except InputError as error:
            raise ToolError("text.reason", reason=error) from None
        text = attachment_content(chosen, self.read) if chosen else as_text(node_view, self.lang)
        attachments = (chosen,) if chosen else node_view.attachments
        if node_view.asked != node_view.node_id:
            text = say("deep_successor", self.lang, asked=node_view.asked, node=node_view.node_id) + "\n\n" + text
        budget = min(self.token_budget, limit) if limit > 0 else self.token_budget
        cut = _cut(text, max(0, offset), budget, self.count_tokens, self.lang)
        return ToolResult(text=cut, images=_images(attachments), takes_offset=True)


def deep_retrieval_tool(deep: DeepRetrieval) -> Tool:
    def deep_retrieval(node_id: str, attachment_id: str | None = None, offset: int = 0, limit: int = 0) -> ToolResult:
        return deep.answer(node_id, attachment_id, offset, limit)

    return Tool(deep_retrieval, "deep_retrieval", say("deep_tool", deep.lang))


def _images(attachments: tuple[Attachment, ...]) -> tuple[ToolImage, ...]:
    return tuple(
        ToolImage(sha256=attachment.sha256, media_type=attachment.media_type, name=attachment.name)
        for attachment in attachments
        if attachment.type is AttachmentType.IMAGE
    )


def attachment_of(node_view: DeepView, attachment_id: str) -> Attachment:
    """Return an attachment of the node. Raises InputError that names those that there are."""
    for attachment in node_view.attachments:
        if attachment.id == AttachmentId(attachment_id):
            return attachment
    known = ", ".join(attachment.id for attachment in node_view.attachments) or Notice("text.none")
    raise InputError("node.no_attachment", node=node_view.node_id, attachment=attachment_id, known=known)


def _cut(text: str, offset: int, budget: int, count_tokens: Callable[[str], int], lang: Lang) -> str:
    """At most about a budget's text, up to a line's end where one is near; offsets count in the whole text."""
    rest = text[offset:]
    tokens = count_tokens(rest)
    if tokens <= budget:
        return rest
    end = max(1, int(len(rest) * budget / tokens))
    end = rest.rfind("\n", end // 2, end) + 1 or end
    return rest[:end] + "\n" + say("deep_more", lang, left=len(rest) - end, offset=offset + end)


# -- what happened in a round, taken out of its transcript ------------------------------------------------------------
#
# A transcript begins with the prompt the agent was given: its instructions, the tools, and memory as it stood then. Who
# looks behind a memory wants none of that. What comes after it is written by the executors: messages under
# `[assistant]` and `[tool]` (session/executors/react/conversation.py), or blocks alone (researcher.py, foreign.py).

_PROMPT_END: Final = "</memory>"
"""The first one: text of memory and of tools is neutralised and cannot write it."""
_WORK_RE: Final = re.compile(r"^(?:\[assistant\]$|<(?:think|tool_call|tool_response|answer)\b)", re.MULTILINE)
_MESSAGE_END: Final = r"(?=\n\n\[(?:assistant|user|tool|end: \w+)\]$|\Z)"
_RESULT_RE: Final = re.compile(
    r"^<tool_response\b[^>\n]*>\n(?P<block>.*?)\n</tool_response>$"
    rf"|^\[tool\]\n(?P<message>.*?){_MESSAGE_END}",
    re.MULTILINE | re.DOTALL,
)
_TURN_RE: Final = re.compile(rf"^\[assistant\]\n(.*?){_MESSAGE_END}", re.MULTILINE | re.DOTALL)


class RoundRecord(NamedTuple):
    answer: str
    results: tuple[str, ...]
    """The results of the tools, in the order of the calls."""


def read_transcript(text: str) -> RoundRecord:
    """Leave out the prompt, the thoughts and the calls; a record of another form is an answer as it is."""
    _, memory_end, behind = text.partition(_PROMPT_END)
    rest = behind if memory_end else text
    work = _WORK_RE.search(rest)
    if work is None:
        return RoundRecord(rest.strip(), ())
    done = rest[work.start() :]
    results = [(match["block"] or match["message"] or "").strip() for match in _RESULT_RE.finditer(done)]
    return RoundRecord(_answer(done), tuple(filter(None, results)))


def _answer(done: str) -> str:
    """Return the last answer block, else the model's last words: with native calls it may answer without a block."""
    if answers := blocks_of("answer", done):
        return answers[-1]
    turns = _TURN_RE.findall(done)
    return answer_of(turns[-1]) if turns else ""
