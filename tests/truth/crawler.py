"""Everything in a session that names a source, with what it says that the source says.

    for surface in SURFACES:
        for each in surface(session):
            session.library.lacks(each.text, each.source, is_value=each.is_value, quotes=each.quotes)

One small function a surface. The values behind what is shown are read where there are any, else what is drawn. Slides,
the row of a batch and `memory.json` say again what the story, the answer and the memory say.

A prompt of a journal of before schema 4 is a record of what was sent to a model: it cannot be made anew, so it is not
held to anything. All that is made anew from the values of such a journal is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from memorybank.contradiction.disputes.dispute import Dispute, describe
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.integrations.answers import ConflictView, MemoryView
from memorybank.memory.events import OBSERVATIONS, AnswerGiven, PromptEnhanced, ToolUsed
from memorybank.memory.state import MemoryState
from memorybank.memory.types import SIDES, AnswerPoint, ConflictId, Lang, Node, NodeId
from memorybank.prompts import say
from memorybank.prompts.tags import neutralise
from memorybank.runs.journal import Record
from memorybank.tools.deep_retrieval import view
from memorybank.views.box import Box
from memorybank.views.boxes.conflict_evidence import claims_of, stated_by_all, stated_otherwise
from memorybank.views.story import Scene, build_scenes
from tests.boxes_read import boxes_of
from tests.truth.library import Library, Origins

Records = Sequence[Record[Any]]


class Attributed(NamedTuple):
    """A text, and a source that is named for it."""

    surface: str
    where: str
    text: str
    source: str
    is_value: bool = False
    """It may be written otherwise there."""
    quotes: tuple[str, ...] = ()
    """What the check that it belongs to quotes of the source."""


@dataclass
class Session:
    """A session as it is crawled."""

    records: Records
    bank: MemoryState
    lang: Lang
    library: Library
    origins: Origins
    at_prompts: list[tuple[Record[Any], tuple[Dispute, ...], Mapping[NodeId, tuple[str, ...]]]] = field(
        default_factory=list
    )
    """Each prompt that is held to them, with the disputes and the documents of each memory as they stood then."""
    scenes: Sequence[Scene] = ()

    @cached_property
    def disputes(self) -> tuple[Dispute, ...]:
        return disputes_of(self.bank)

    @cached_property
    def points(self) -> tuple[AnswerPoint, ...]:
        return self.bank.progress.points

    @classmethod
    def of(
        cls,
        records: Records,
        documents: Mapping[str, str] | None = None,
        stated: Mapping[str, frozenset[str]] | None = None,
        *,
        with_prompts: bool = True,
    ) -> Session:
        bank, origins, prompts = MemoryState(), Origins(), list[Any]()
        for record in records:
            if isinstance(record.event, OBSERVATIONS):
                continue
            if with_prompts and isinstance(record.event, PromptEnhanced):
                made_of = {node_id: _names(bank, origins, node_id) for node_id in bank.graph.nodes}
                prompts.append((record, disputes_of(bank), made_of))
            bank.apply(record.event, record.at)
            origins.take(record.event)
        lang = bank.settings.lang if bank.settings else "en"
        library = Library.of(bank, documents, stated)
        return cls(records, bank, lang, library, origins, prompts, build_scenes(records))

    def quotes(self, conflict_ids: Iterable[str], source: str) -> tuple[str, ...]:
        """What checks quote of a source, where it stands there."""
        conflicts = (self.bank.conflicts.all.get(ConflictId(conflict_id)) for conflict_id in conflict_ids)
        return tuple(
            piece.quote
            for conflict in conflicts
            if conflict is not None
            for piece in conflict.evidence
            if piece.source == source and piece.is_said and piece.quote
        )

    def made_of(self, node_id: NodeId) -> tuple[str, ...]:
        return _names(self.bank, self.origins, node_id)


def _names(bank: MemoryState, origins: Origins, node_id: NodeId) -> tuple[str, ...]:
    return tuple(sorted({bank.tree.entries[entry_id].source for entry_id in origins.of.get(node_id, ())}))


_LINE_RE = re.compile(
    r"^\s*(?:Checked \((?P<en>[^)]*)\): |已核实（(?P<zh>[^）]*)）：)(?P<holds>.*) \[(?P<sources>[^\]]*)\]", re.MULTILINE
)


def _checked_lines(session: Session, surface: str, where: str, text: str) -> Iterator[Attributed]:
    """What a check is said to have found: what holds, as older runs have it in a summary, and passages of sources."""
    for line in _LINE_RE.finditer(text):
        ids = re.findall(r"c\d+", line["en"] or line["zh"])
        for source in _split(line["sources"], session.library.texts):
            quotes = session.quotes(ids, source)
            yield Attributed(surface, where, line["holds"], source, quotes=quotes)
    quoted = re.escape(say("check_quote", session.lang, quote="\0", source="\1"))
    pattern = quoted.replace("\0", "(?P<quote>.+)").replace("\1", "(?P<source>.+)")
    for line in re.finditer(rf"^{pattern}$", text, re.MULTILINE):
        yield Attributed(surface, where, line["quote"], line["source"])


def _checks(surface: str, node: Node) -> Iterator[Attributed]:
    """The checks on a node: the passages that they quote, and what holds, which these passages say."""
    for check in node.checks:
        where = f"{node.id}, {check.conflict_id}"
        for piece in check.evidence:
            if piece.is_said and piece.quote:
                yield Attributed(surface, where, piece.quote, piece.source)
        supporting = [
            piece for piece in check.evidence if piece.is_said and piece.supports == (check.winner or "other")
        ]
        if check.holds and supporting:
            quotes = tuple(piece.quote for piece in supporting)
            source = supporting[0].source
            yield Attributed("check holds", where, check.holds, source, quotes=quotes)


def _split(names: str, known: Iterable[str]) -> list[str]:
    """The names of a list; the longest known ones first, for a name may hold a comma."""
    found: list[str] = []
    for name in sorted((name for name in known if name in names), key=len, reverse=True):
        if name in names:
            found.append(name)
            names = names.replace(name, "\0")
    return [*found, *(rest for piece in re.split(r"[,，、;；\0]", names) if (rest := piece.strip(" …")))]


def nodes(session: Session) -> Iterator[Attributed]:
    gone = [source for merge in session.bank.graph.merges.values() for source in merge.sources]
    for node in [*session.bank.graph.nodes.values(), *gone]:
        yield from _checked_lines(session, "node", node.id, node.summary)
        yield from _checks("node", node)


def disputes(session: Session) -> Iterator[Attributed]:
    """The list of disputes: each value with who states it, and in which words."""
    for dispute in session.disputes:
        yield from _named(dispute, "dispute")
        for value in dispute.values:
            for said in value.said:
                yield Attributed("dispute", dispute.id, said.quote, said.source)
                yield Attributed("dispute", dispute.id, value.text, said.source, is_value=True, quotes=(said.quote,))


def _named(dispute: Dispute, surface: str) -> Iterator[Attributed]:
    """Each value of a dispute with the sources that a line names behind it, without their words."""
    for value in dispute.values:
        for source in value.sources:
            yield Attributed(surface, dispute.id, value.text.rstrip("…"), source, is_value=True)


def evidence(session: Session) -> Iterator[Attributed]:
    """The pages of a conflict: what each source is quoted with, and the value that stands above or beside the quote."""
    for conflict in session.bank.conflicts.all.values():
        claims = claims_of(conflict)
        for side in (*SIDES, "other", "neither"):
            pieces = [piece for piece in conflict.evidence if piece.supports == side]
            above = "" if side == "neither" else stated_by_all(pieces, claims.get(side, ()))
            for piece in (piece for piece in pieces if piece.is_said):
                if piece.quote:
                    yield Attributed("evidence", conflict.id, piece.quote, piece.source)
                for value in filter(None, (above, stated_otherwise(piece))):
                    yield Attributed(
                        "evidence side", conflict.id, value, piece.source, is_value=True, quotes=(piece.quote,)
                    )


def prompts(session: Session) -> Iterator[Attributed]:
    """What is said of sources to the agent that works on the task."""
    for record, known, _ in session.at_prompts:
        where = f"prompt at {record.seq}"
        for dispute in known:
            if neutralise(describe(dispute, session.lang)) in record.event.prompt:
                yield from _named(dispute, "prompt")
        yield from _checked_lines(session, "prompt", where, record.event.prompt)


_CITED_RE = re.compile(
    r"(?P<text>[^\[\]\n]+?)\s*\[(?:(?P<node>n\d+)(?:[:：]\s*(?P<sources>[^\]]*))?|(?P<bare>[^\]\n]*))\]"
)
_POINT_RE = re.compile(r"^\s*[-*•]\s+")
_LABEL_RE = re.compile(r"^(?:“[^“”]*”|[^:：“])*(?:[:：]\s+|：)")
_JOIN_RE = re.compile(r"^[\s;；,，.。]*(?:(?:or|或(?:者|是)?)(?=\s|[^a-z]))?\s*")


def answers(session: Session) -> Iterator[Attributed]:
    for record in session.records:
        if isinstance(record.event, AnswerGiven):
            yield from answer_citations(session.library, record.event.answer, "answer", f"answer at {record.seq}")


def answer_citations(library: Library, answer: str, surface: str, where: str) -> Iterator[Attributed]:
    """`- quote [n1: a.md]`, and `What: value [n1: a.md]; value [n2: b.md]`, as the offline engine writes them."""
    for line in answer.splitlines():
        is_quote, at, first = bool(_POINT_RE.match(line)), 0, True
        for match in _CITED_RE.finditer(line):
            names = match["sources"] or (match["bare"] if match["bare"] in library.texts else "") or ""
            text = line[at : match.end("text")]
            at = match.end()
            if is_quote:
                text = _POINT_RE.sub("", text)
            else:
                text = _JOIN_RE.sub("", _LABEL_RE.sub("", text, count=1) if first else text)
            first = False
            if not names or not text.strip() or (not is_quote and len(text) > 160):
                continue
            for source in _split(names, library.texts):
                yield Attributed(surface, where, text.strip(), source, is_value=not is_quote)


def points(session: Session) -> Iterator[Attributed]:
    """The card of the answer: its values and their rivals, and its quotations."""
    for point in session.points:
        for value in point.values:
            for place in value.sources:
                name = session.bank.tree.entries[place.entry_id].source
                yield Attributed("card", point.about or point.part, value.text, name, is_value=not point.is_sentence)


def story(session: Session) -> Iterator[Attributed]:
    for scene in session.scenes:
        if scene.dispute is None or not scene.dispute.values:
            continue  # without values a side is a memory, by its topic
        for side in scene.sides:
            for source in side.sources:
                yield Attributed(
                    "story",
                    f"{scene.kind} at {scene.seq}",
                    side.value.rstrip("…") if source.is_exact else source.quote,
                    source.name,
                    is_value=source.is_exact,
                    quotes=(source.quote,),
                )


def drawn(piece: Any, look: str) -> Iterator[Box]:
    """The boxes of a look, wherever they stand in another."""
    return (box for box in boxes_of(piece) if look in box.look.split())


_FOUND_RE = re.compile(r"^\d+\. (?P<head>.*)\n(?P<passages>(?:   .*\n?)*)", re.MULTILINE)


def tools(session: Session) -> Iterator[Attributed]:
    """What search and visit gave, with the document that it is given as; not what a model made of a page."""
    quoted, loose = (say(words, session.lang) for words in ("visit_evidence", "visit_loose"))
    summary = say("visit_summary", session.lang, summary="\0").partition("\0")[0]
    origin = say("visit_origin", session.lang, origin="\0").partition("\0")[0]
    for record in session.records:
        event = record.event
        if not isinstance(event, ToolUsed) or event.outcome != "ok":
            continue
        cut = len(event.excerpt) < event.size
        where, given = f"{event.tool} at {record.seq}", event.excerpt.rpartition("\n")[0] if cut else event.excerpt
        if event.tool == "visit" and len(event.sources) == 1:
            for line in filter(str.strip, given.splitlines()[:3]):
                if line == loose or line.startswith(summary):
                    break
                if line == quoted or line.startswith(("(", origin)) or event.sources[0] in line:
                    continue  # a word of the tool's own
                yield Attributed("tool", where, line.removeprefix("- "), event.sources[0])
        elif event.tool == "search":
            for match in _FOUND_RE.finditer(given):
                name = next((name for name in _split(match["head"], event.sources) if name in event.sources), "")
                for line in filter(str.strip, match["passages"].splitlines()):
                    yield Attributed("tool", where, line.strip(), name)


def mcp(session: Session) -> Iterator[Attributed]:
    """What the bank's tools answer: memories, both sides of a conflict, and the raw text behind a memory."""
    bank = session.bank
    for node in bank.graph.nodes.values():
        answer = MemoryView.of(node, score=1.0, via=None, disputed=None, lang=session.lang)
        yield from _checked_lines(session, "mcp", node.id, answer.summary)
        for piece in view(bank, node.id).entries:
            for text in piece.text.split("\n…\n"):
                if piece.entry.is_source and text.strip():
                    yield Attributed("mcp", node.id, text, piece.entry.source)
    for conflict in bank.conflicts.all.values():
        seen = ConflictView.of(bank, conflict)
        for side in (seen.left, seen.right):
            yield from _checked_lines(session, "mcp", conflict.id, side.summary)


Surface = Callable[[Session], Iterator[Attributed]]
SURFACES: tuple[Surface, ...] = (
    nodes, disputes, evidence, prompts, answers, points, story, tools, mcp,
)  # fmt: skip
