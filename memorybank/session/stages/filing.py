"""classify -> structure -> file: raw text becomes nodes (final specification, sections 4.1 and 4.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memorybank.engines.pieces import packed, pieces
from memorybank.language.text import form_and_places, one_form
from memorybank.llm.tokens import estimate
from memorybank.memory.contracts import (
    ClassificationInput,
    ClassificationOutput,
    ClusterDraft,
    StructureInput,
    StructureOutput,
    TextToFile,
)
from memorybank.memory.events import Cluster, ClustersFound, ClustersSummarised, Fact, NodeCreated
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import ClusterId, Span
from memorybank.retrieval.recall import embed_nodes
from memorybank.runs.files.kinds import kind_of
from memorybank.session.effects import Failed
from memorybank.session.stages.agent_failures import agent_failures
from memorybank.session.stages.base import StageEffects, asked_together
from memorybank.session.stages.executing import look_first

WHOLE_CODE_TOKENS = 1_500
"""The most tokens of a code file that is its own summary; a longer one is summarised as any text is."""


def classify(state: MemoryState, fx: StageEffects) -> list[Fact]:
    """Find the topics of all queued text, which agents read in one form; spans are of the raw text. Texts that fit a
    window are asked about together, after a failure one by one; what failed then stays unfiled, and the session goes
    on."""
    draft = Draft.of(state, fx.now)
    look_first(draft, fx)
    state = draft.state
    limit = int(fx.window("classification") * fx.settings.chunk_ratio)
    queued = state.progress.queue
    parts: list[Span] = []
    for span in queued:
        text = state.tree.text(span)
        parts.extend(
            Span(entry_id=span.entry_id, start=span.start + start, end=span.start + end)
            for start, end in pieces(text, limit, fx.embedder.count_tokens)
            if text[start:end].strip()
        )
    forms = [form_and_places(state.tree.text(part)) for part in parts]
    texts = [
        TextToFile(text=form, source=entry.source, dialogue=entry.kind == "dialogue")
        for entry, (form, _) in zip((state.tree.entries[part.entry_id] for part in parts), forms, strict=True)
    ]

    def given(group: Sequence[int]) -> ClassificationInput:
        first, *further = (texts[place] for place in group)
        goal = state.doc.task_goal
        return ClassificationInput(**first.model_dump(), further=tuple(further), task_goal=goal, lang=fx.lang)

    sizes = [fx.embedder.count_tokens(text.text) if fx.asks_together("classification") else limit for text in texts]
    groups = packed(range(len(texts)), limit, sizes.__getitem__)
    answered = asked_together(fx, "classification", groups, given, ClassificationOutput)
    drafts = [
        (parts[group[cluster.number]], forms[group[cluster.number]][1], cluster)
        for group, answer in answered
        if not isinstance(answer, Failed)
        for cluster in answer.clusters
    ]
    clusters = list(_united(state, [_cluster(*found) for found in drafts]))
    ids = draft.new_clusters(len(clusters))
    draft.emit(
        ClustersFound(
            taken=queued,
            clusters=tuple(replace(cluster, id=id_) for id_, cluster in zip(ids, clusters, strict=True)),
            failed=agent_failures(
                "classification",
                [answer for _, answer in answered],
                spans=[[parts[place] for place in group] for group, _ in answered],
            ),
        )
    )
    return draft.facts


def _united(state: MemoryState, clusters: Sequence[Cluster]) -> Iterator[Cluster]:
    """Yield the clusters; a code file is one, and its own summary: its lines mean what they do by where they stand."""
    files: dict[tuple[bool, str], list[Cluster]] = {}
    for number, cluster in enumerate(clusters):
        entry = state.tree.entries[cluster.spans[0].entry_id]
        names = (state.tree.attachments[attachment].name for attachment in entry.attachments)
        is_code = any((kind := kind_of(name)) is not None and kind.reading == "code" for name in names)
        files.setdefault((is_code, entry.id if is_code else f"{number}"), []).append(cluster)
    for (is_code, _), (first, *others) in files.items():
        spans = sorted((span for cluster in (first, *others) for span in cluster.spans), key=lambda span: span.start)
        whole = replace(spans[0], end=max(span.end for span in spans))
        lines = one_form(state.tree.text(whole)).strip("\r\n").rstrip()
        summary = lines if estimate(lines) <= WHOLE_CODE_TOKENS else "" if others else first.summary
        yield replace(first, spans=(whole,), summary=summary) if is_code else first


def _cluster(part: Span, places: Sequence[int], cluster: ClusterDraft) -> Cluster:
    spans = tuple(
        Span(entry_id=part.entry_id, start=part.start + (places[start] if start else 0), end=part.start + places[end])
        for start, end in cluster.spans
    )
    summary = cluster.summary.strip()
    return Cluster(id=ClusterId(""), context=cluster.context, keywords=cluster.keywords, spans=spans, summary=summary)


def structure(state: MemoryState, fx: StageEffects) -> list[Fact]:
    """Writes a summary of each cluster that has none yet. Content over the window is summarised in pieces, and given up
    as a whole."""
    limit = int(fx.window("structure") * fx.settings.chunk_ratio)
    inputs: list[StructureInput] = []
    owners: list[Cluster] = []
    for cluster in state.progress.clusters:
        if cluster.summary:
            continue
        content = one_form("".join(state.tree.text(span) for span in cluster.spans))
        for start, end in pieces(content, limit, fx.embedder.count_tokens) if content.strip() else ():
            topic, words = cluster.context, cluster.keywords
            inputs.append(StructureInput(content=content[start:end], context=topic, keywords=words, lang=fx.lang))
            owners.append(cluster)
    answers = [
        answer if isinstance(answer, Failed) or answer.summary.strip() else Failed("the summary is empty")
        for answer in fx.ask_all("structure", inputs, StructureOutput)
    ]
    parts: dict[ClusterId, list[str]] = {}
    for owner, answer in zip(owners, answers, strict=True):
        if not isinstance(answer, Failed):
            parts.setdefault(owner.id, []).append(answer.summary.strip())
    lost = {owner.id for owner, answer in zip(owners, answers, strict=True) if isinstance(answer, Failed)}
    return [
        ClustersSummarised(
            summaries={owner: "\n".join(texts) for owner, texts in parts.items() if owner not in lost},
            failed=agent_failures("structure", answers, spans=[owner.spans for owner in owners]),
        )
    ]


def file(state: MemoryState, fx: StageEffects) -> list[Fact]:
    """Makes a node of each cluster, with its id, embedding and spans."""
    draft = Draft.of(state, fx.now)
    clusters = state.progress.clusters
    described = [(cluster.summary, cluster.context, cluster.keywords) for cluster in clusters]
    vectors = embed_nodes(fx.embedder, described, fx.progress)
    for cluster, vector in zip(clusters, vectors, strict=True):
        draft.emit(
            NodeCreated(
                node_id=draft.new_node(),
                summary=cluster.summary,
                context=cluster.context,
                keywords=cluster.keywords,
                vector=vector,
                spans=cluster.spans,
                cluster_id=cluster.id,
            )
        )
    return draft.facts
