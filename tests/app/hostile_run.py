"""A finished run in which every text from outside is hostile: every payload in every field, each first in it.

The journal is written with the real events through the real writer; nothing here is what an engine would do.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from memorybank.embedding.hashed import DIM, NAME, embed
from memorybank.language.text import sha256
from memorybank.memory.events import (
    AgentCalled,
    AnswerGiven,
    AttachmentStored,
    CandidatesRetrieved,
    Cluster,
    ClustersFound,
    ClustersSummarised,
    ConflictAttempted,
    ConflictClosed,
    ConflictFound,
    ContextIntercepted,
    EntryRecorded,
    FilingQueued,
    ImageRecognised,
    ImageStaged,
    JudgedRelation,
    NodeCreated,
    NodeDescribed,
    NodesAnalysed,
    NodesLinked,
    NodesMerged,
    PlanUpdated,
    PromptEnhanced,
    PromptPart,
    RelationsJudged,
    SessionFinished,
    SessionStarted,
    StageFinished,
    StageName,
    StageStarted,
    TaskCompleted,
    TaskExecuted,
    TaskFailed,
    TaskReceived,
    ToolUsed,
    ValidationApplied,
)
from memorybank.memory.types import (
    Attachment,
    AttachmentId,
    AttachmentType,
    Claim,
    ClusterId,
    CompletedTask,
    ConflictId,
    ConflictStatus,
    Contradiction,
    Entry,
    EntryId,
    EntryKind,
    Evidence,
    Hit,
    ImageId,
    MergeEventId,
    NodeId,
    Relation,
    Span,
    StagedImage,
    Task,
    TaskStatus,
    TaskType,
)
from memorybank.runs.journal import Journal
from memorybank.runs.run_folder import SESSION, RunFolder
from tests.hostile import PAYLOADS, picture

CODE = b"print('owned')  # <script>window.__ran='code'</script>\n"
STATUSES = (
    ConflictStatus.RESOLVED,
    ConflictStatus.INCONCLUSIVE,
    ConflictStatus.FALSE_ALARM,
    ConflictStatus.BOTH_WRONG,
    ConflictStatus.OPEN,
)
SHORT = 4_000
"""Characters of a payload where a text of 100 kB would only make the test slow: it stands in full in twenty others."""
EVERYTHING = "\n".join(text for name, text in PAYLOADS.items() if name != "long word")


def write_hostile_run(folder: Path, run_id: str, *, engine: str = "llm") -> Path:
    """Write it into an empty folder."""
    with Journal.create(folder / "journal.jsonl", SESSION) as journal:
        _Run(journal, RunFolder(folder)).write(run_id, engine)
    return folder


class _Run:
    def __init__(self, journal: Journal[Any], folder: RunFolder) -> None:
        self._journal, self._folder = journal, folder
        self._entries = self._nodes = self._conflicts = self._attachments = self._merges = self._images = 0
        self._round = 0

    def write(self, run_id: str, engine: str) -> None:
        received = TaskReceived(doc_id="d1", goal=EVERYTHING)
        self._journal.append([self._begin(run_id, engine), received, StageFinished(stage="receive", round=0)])
        for name, text in [*PAYLOADS.items(), ("everything", EVERYTHING)]:
            self._one_round(text, list(PAYLOADS).index(name) if name in PAYLOADS else 0)
        last = self._entry("answer", EVERYTHING, "answer")
        answer = AnswerGiven(answer=f"{EVERYTHING} [n1: {EVERYTHING}]", engine=engine, entry_id=last.entry.id)
        self._stage("finish", [last, answer, SessionFinished(result="complete_with_failures")])

    def _begin(self, run_id: str, engine: str) -> SessionStarted:
        return SessionStarted(
            run_id=run_id,
            version=PAYLOADS["script"],
            engine=engine,
            model=PAYLOADS["event handler"] if engine == "llm" else "",
            embedding_model=NAME,
            embedding_dim=DIM,
            lang="en",
            relations=tuple(Relation),
            strategy="single",
            k=5,
            alpha=0.5,
            max_rounds=30,
            prompt_tokens=8000,
        )

    def _stage(self, stage: StageName, facts: list[Any], observations: list[Any] | None = None) -> None:
        self._journal.append([StageStarted(stage=stage, round=self._round), *(observations or [])])
        self._journal.append([*facts, StageFinished(stage=stage, round=self._round, ms=12.0)])

    # -- what a round brings ------------------------------------------------------------------------------------------

    def _one_round(self, text: str, number: int) -> None:
        """The payload from the document to the answer, in each field that holds text from outside."""
        short = text[:SHORT]
        status = STATUSES[number % len(STATUSES)]
        recorded = list(self._documents(text))
        entries = [one.entry for one in recorded if isinstance(one, EntryRecorded)]
        spans = tuple(Span(entry_id=entry.id, start=0, end=len(entry.text)) for entry in entries)
        self._stage("receive", [*recorded, FilingQueued(spans=spans)])
        left, right = self._file(text, spans)
        conflict_id = self._analyse(text, left, right)
        check = Task(type=TaskType.CROSS_VALIDATE, description=text, conflict_ids=(conflict_id,), query=short)
        self._stage("plan", [PlanUpdated(next_task=check, reasoning=short)], [self._call("planning", short)])
        self._stage("enhance", [self._prompt(text, left, right)])
        self._round += 1
        self._execute(text)
        self._resolve(text, conflict_id, left, right, status)
        failed = CompletedTask(type=TaskType.NORMAL, description=short, status=TaskStatus.FAILED, context=text)
        done = CompletedTask(type=check.type, description=text, status=TaskStatus.SUCCESS, context=short)
        self._stage(
            "plan", [TaskCompleted(task=done), TaskFailed(task=failed), PlanUpdated(next_task=None, reasoning=short)]
        )

    def _documents(self, text: str) -> Iterator[Any]:
        code = self._attachment(AttachmentType.CODE, text, CODE, ".py", "text/x-python")
        yield code
        yield self._entry("document", f"{text} The tower has 12 floors.", text, [code.attachment.id])
        yield self._entry("dialogue", f"{text}: It has 13 floors.", text)
        yield self._entry("tool", f"{text} A tool found 14 floors.", text)
        self._images += 1
        image_id, data = ImageId(f"i{self._images}"), picture()
        drawn = self._attachment(AttachmentType.IMAGE, text, data, ".png", "image/png")
        staged = StagedImage(
            id=image_id, name=text, sha256=drawn.attachment.sha256, media_type="image/png", width=64, height=48,
            size=len(data),
        )  # fmt: skip
        yield ImageStaged(image=staged)
        yield drawn
        yield self._entry("image", f"{text} The sign says 15 floors.", text, [drawn.attachment.id])
        yield ImageRecognised(image_id=image_id, attachment_id=drawn.attachment.id, readable=True)

    def _file(self, text: str, spans: tuple[Span, ...]) -> tuple[NodeId, NodeId]:
        self._nodes += 2
        ids = NodeId(f"n{self._nodes - 1}"), NodeId(f"n{self._nodes}")
        halves = spans[:2], spans[2:]
        clusters = [
            Cluster(id=ClusterId(f"k{node_id[1:]}"), context=text, keywords=(text[:SHORT],), spans=half)
            for node_id, half in zip(ids, halves, strict=True)
        ]
        found = ClustersFound(taken=spans, clusters=tuple(clusters))
        self._stage("classify", [found], [self._call("classification", text[:SHORT])])
        summaries = {cluster.id: text for cluster in clusters}
        self._stage("structure", [ClustersSummarised(summaries=summaries)], [self._call("structure", text[:SHORT])])
        self._stage("file", [
            NodeCreated(
                node_id=node_id, summary=f"{text} It has {12 + place} floors.", context=text,
                keywords=(text[:SHORT], f"{text[:SHORT]} tower"), vector=_vector(f"{node_id} {text[:300]}"),
                spans=cluster.spans, cluster_id=cluster.id,
            )
            for place, (node_id, cluster) in enumerate(zip(ids, clusters, strict=True))
        ])  # fmt: skip
        return ids

    def _analyse(self, text: str, left: NodeId, right: NodeId) -> ConflictId:
        self._conflicts += 1
        conflict_id = ConflictId(f"c{self._conflicts}")
        claims = [
            Claim(text=f"{text} It has {value} floors.", kind="number", subject=text[:SHORT], attribute=text[:SHORT],
                  value=value, unit=text[:SHORT], time=text[:SHORT])
            for value in ("12", "13")
        ]  # fmt: skip
        contradiction = Contradiction(left=claims[0], right=claims[1], reason=text, confidence=0.9)
        judged = JudgedRelation(node_id=left, relation=Relation.CONFLICT, confidence=0.9, reasoning=text)
        facts: list[Any] = [
            CandidatesRetrieved(node_id=right, hits=(_hit(left, 1),), below=()),
            RelationsJudged(node_id=right, relations=(judged,), ignored=(text,)),
            ConflictFound(conflict_id=conflict_id, node_ids=(left, right), description=text,
                          contradictions=(contradiction,)),
            NodesAnalysed(node_ids=(left, right)),
        ]  # fmt: skip
        if self._nodes > 3 and self._newest_live is not None:
            described = NodeDescribed(
                node_id=self._newest_live, context_before=text[:SHORT], context=text,
                keywords_before=(text[:SHORT],), keywords=(text[:SHORT],), vector=_vector(text[:300]), because=right,
            )  # fmt: skip
            facts += [NodesLinked(left=self._newest_live, right=right, reason=text), described]
        self._stage("analyse", facts, [self._call("analysis", text, conflict_description=text)])
        return conflict_id

    _newest_live: NodeId | None = None
    """A node of an earlier round that is still there."""

    def _prompt(self, text: str, left: NodeId, right: NodeId) -> PromptEnhanced:
        short = text[:SHORT]
        memory = f"<task>\n{text}\n</task>\n<memory>\n[{left}] {short}\n[{right}] {short}\n</memory>"
        parts = (
            PromptPart(name="goal", tokens=10),
            PromptPart(name="current", tokens=10),
            PromptPart(name="memory", tokens=10, node_id=left),
            PromptPart(name="memory", tokens=10, node_id=right),
        )
        hits = (_hit(left, 1), _hit(right, 2))
        return PromptEnhanced(
            prompt=memory, query=short, query_vector=_vector(text[:300]), hits=hits, below=(), parts=parts,
            left_out=(short,),
        )  # fmt: skip

    def _execute(self, text: str) -> None:
        result = self._folder.blobs.put(text.encode("utf-8", "replace"))
        used = [
            ToolUsed(
                tool="search", arguments={"query": text, text[:50]: text[:SHORT]}, key="k", outcome="ok",
                excerpt=text[:500], sources=(text[:SHORT],), blob=result, size=len(text),
            ),
            ToolUsed(tool=text[:60], arguments={"url": text[:SHORT]}, key="k", outcome="failed", excerpt=text[:500]),
            self._call("executor", text),
            AgentCalled(
                role="executor", engine="llm", key="k", outcome="failed", error=text, model=text[:SHORT],
                notes=(text[:SHORT],),
            ),
        ]  # fmt: skip
        line = (text[:SHORT],)
        transcript = self._entry("transcript", text, "round", calls=line)
        material = self._entry("tool", f"{text} Read in round {self._round}.", f"http://host/{text}", calls=line)
        executed = TaskExecuted(
            executor=text[:200], answer=text, transcript=transcript.entry.id, materials=(material.entry.id,),
            failure=text,
        )  # fmt: skip
        self._stage("execute", [transcript, material, executed], used)
        self._stage("intercept", [ContextIntercepted(route="cross_validate")])

    def _resolve(self, text: str, conflict_id: ConflictId, left: NodeId, right: NodeId, status: ConflictStatus) -> None:
        if status is ConflictStatus.OPEN:
            self._stage(
                "resolve", [ConflictAttempted(conflict_id=conflict_id), ValidationApplied(conflict_ids=(conflict_id,))]
            )
            return
        source = text[:SHORT]
        evidence = tuple(
            Evidence(source=source, quote=quote, supports=side, value=source, independent=side == "left")
            for side, quote in (("left", text), ("right", source), ("other", source))
        )
        facts: list[Any] = [
            ConflictClosed(
                conflict_id=conflict_id, status=status, reason=text, closed_by=text[:200],
                winner="left" if status is ConflictStatus.RESOLVED else "", value=text, evidence=evidence,
            )
        ]  # fmt: skip
        if status.merges:
            self._merges += 1
            self._nodes += 1
            merged = NodeId(f"n{self._nodes}")
            facts.append(
                NodesMerged(
                    event_id=MergeEventId(f"m{self._merges}"), merged_node_ids=(left, right), new_node_id=merged,
                    summary=f"{text} It has 12 floors.", context=text, keywords=(text,), vector=_vector(text[:300]),
                    trigger="conflict", description=text, dropped=(text[:SHORT],),
                )
            )  # fmt: skip
            facts.append(NodesAnalysed(node_ids=(merged,)))
            self._newest_live = merged
        else:
            self._newest_live = right
        facts.append(ValidationApplied(conflict_ids=(conflict_id,)))
        self._stage("resolve", facts, [self._call("integration", text)])

    # -- pieces -------------------------------------------------------------------------------------------------------

    def _call(self, role: str, text: str, **answer: str) -> AgentCalled:
        blob = self._folder.blobs.put(json.dumps({"text": text}).encode())
        return AgentCalled(
            role=role, engine="llm", key="k", outcome="ok", input_blob=blob, output_blob=blob, input_tokens=10,
            output_tokens=10, ms=5.0, model=text[:SHORT], notes=(text[:SHORT],),
            answer={"text": text, text[:50]: [text[:SHORT]], **answer},
        )  # fmt: skip

    def _attachment(self, kind: AttachmentType, name: str, data: bytes, suffix: str, media: str) -> AttachmentStored:
        self._attachments += 1
        stored = self._folder.files.put(data + (b"#" * self._attachments if suffix == ".py" else b""), suffix)
        attachment = Attachment(
            id=AttachmentId(f"a{self._attachments}"), type=kind, name=name, path=stored.path, sha256=stored.sha256,
            size=stored.size, media_type=media,
        )  # fmt: skip
        return AttachmentStored(attachment=attachment)

    def _entry(
        self,
        kind: EntryKind,
        text: str,
        source: str,
        attachments: list[AttachmentId] | None = None,
        calls: tuple[str, ...] = (),
    ) -> EntryRecorded:
        self._entries += 1
        entry = Entry(
            id=EntryId(f"e{self._entries}"), kind=kind, text=text, source=source,
            sha256=sha256(f"{self._entries}{text}"), tool_calls=calls, attachments=tuple(attachments or ()),
        )  # fmt: skip
        return EntryRecorded(entry=entry)


def _vector(text: str) -> bytes:
    return np.asarray(embed([text])[0], dtype="<f2").tobytes()


def _hit(node_id: NodeId, rank: int) -> Hit:
    return Hit(node_id=node_id, score=0.5, keyword=0.5, vector=0.5, keyword_raw=1.0, cosine=0.5, rank=rank)
