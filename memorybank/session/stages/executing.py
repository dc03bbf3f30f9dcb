"""execute: the outside framework works on the task, and the raw record of its round is written.

The record stands before anything is derived from it: the transcript whole, and each outside source read for the first
time, a waiting image too, as an entry of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from memorybank.contradiction.votes import SourcePassage
from memorybank.engines.offline.planning import MAX_ASPECTS, aspects
from memorybank.errors import ToolError
from memorybank.language.text import blocks, fold_space, sha256
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.events import EntryRecorded, Fact, ImageStaged, TaskExecuted
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import Conflict, ConflictStatus, Entry, EntryId, Lang, NodeId, StagedImage, Task
from memorybank.prompts import say
from memorybank.prompts.tags import neutralise, without_blocks
from memorybank.session.answer_points import Ground
from memorybank.session.executors.base import (
    OFFLINE_RESEARCHER,
    REACT_AGENT,
    RULE_LIMIT,
    Assignment,
    Brief,
    Execution,
    PartySource,
)
from memorybank.session.markup import answer_of, verdicts_of
from memorybank.session.matters import matters_of
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.image_filing import take_read_images
from memorybank.session.stages.recording import Names, Source, queue, record
from memorybank.session.waiting_images import images_read
from memorybank.tools.base import Material
from memorybank.tools.reading import SHORT_PAGE_TOKENS
from memorybank.tools.standing import whole_sources

BUILT_IN = {OFFLINE_RESEARCHER: "executor_offline", REACT_AGENT: "executor_react"}
"""The names that a round's record gives to the executors that come with the library."""
FIRST_SHARE = 2
"""The documents that the first look files take together at most this part of a prompt's budget."""


def execute(state: MemoryState, fx: StageEffects) -> list[Fact]:
    """Run the executor, then record what it did and what it read."""
    task = state.doc.current_task
    assert task is not None, "execute runs only with a pending task (memory/layers/progress.py)"
    given = assignment(state, fx, task)
    execution = fx.executor.run(given, fx)
    draft = Draft.of(state, fx.now)
    answer = answer_of(execution.answer)
    verdicts = verdicts_of(answer, given.matters)[0] if execution.verdicts is None else execution.verdicts
    answer = without_blocks(answer, "verdict")
    materials = _record_materials(draft, _materials(state, answer, verdicts, fx), fx)
    if answer and not execution.failure:  # of a round that failed nothing is filed, so its images wait on
        materials += tuple(take_read_images(draft, images_read(answer, fx.used, given.waiting), fx))
    transcript = _record_transcript(draft, execution, state.progress.round, fx)
    if not execution.quotes_only:  # quotes name the documents beside the memory that they come from
        answer = with_names(answer, draft.state, fx.lang)
        verdicts = tuple(_with_names(verdict, draft.state, fx.lang) for verdict in verdicts)
    if not (task.final and state.progress.answer):  # a second answer to the goal ends the matter, whatever it met
        _stage_met(draft, [image for _, _, result in fx.used for image in result.met], fx)
    draft.emit(
        TaskExecuted(
            executor=fx.executor.name,
            answer=answer,
            transcript=transcript,
            materials=materials,
            failure=execution.failure,
            quotes_only=execution.quotes_only,
            stated=execution.stated,
            verdicts=verdicts,
            points=execution.points,
        )
    )
    return draft.facts


def _with_names(verdict: StatedVerdict, state: MemoryState, lang: Lang) -> StatedVerdict:
    """Return the verdict with documents in place of the node ids that its words name."""
    claims = tuple(replace(claim, value=with_names(claim.value, state, lang)) for claim in verdict.claims)
    words = {name: with_names(getattr(verdict, name), state, lang) for name in ("value", "reasoning")}
    evidence = tuple(replace(piece, source=with_names(piece.source, state, lang)) for piece in verdict.evidence)
    return verdict.model_copy(update={**words, "claims": claims, "evidence": evidence})


def assignment(state: MemoryState, fx: StageEffects, task: Task) -> Assignment:
    prompt = state.progress.prompt
    hits = sorted(prompt.hits if prompt else (), key=lambda hit: (-hit.score, hit.rank))
    memories = [state.graph.nodes[hit.node_id] for hit in hits if hit.node_id in state.graph.nodes]
    return Assignment(
        task=task,
        prompt=prompt.prompt if prompt else task.description,
        goal=state.doc.task_goal,
        lang=fx.lang,
        memories=tuple(memories),
        origins=tuple(passage for node in memories for passage in _origins(state, node.id)),
        briefs=tuple(brief(state, state.conflicts.all[conflict_id]) for conflict_id in task.conflict_ids),
        matters=tuple(matters_of(state)),
        documents=documents(state) if task.conflict_ids else (),
        closed=tuple(
            conflict for conflict in state.conflicts.all.values() if conflict.status is not ConflictStatus.OPEN
        ),
        ground=Ground.of(state) if task.final else Ground(),
        images=tuple(state.tree.staged[image_id] for image_id in task.image_ids if image_id in state.tree.staged),
        waiting=tuple(image for image in state.tree.staged.values() if image.id not in task.image_ids),
        shown_by=tuple(_shown_by(state)),
        max_tool_calls=fx.settings.max_tool_calls,
    )


def look_first(draft: Draft, fx: StageEffects) -> None:
    """Look for each part of the goal before what came with it is filed, and queue what is found with that: one call
    files all of it, and what contradicts shows in the first comparison. An executor from outside, or one that searches
    the web, does so in its rounds."""
    state, goal = draft.state, draft.state.doc.task_goal
    searches = fx.executor.name == REACT_AGENT and fx.asks_together("classification") and not fx.settings.web.serper_key
    searched = any(entry.kind == "transcript" for entry in state.tree.entries.values())
    if not searches or searched or not goal or fx.settings.corpus is None:
        return
    try:
        found = fx.use("search", query=aspects(goal, fx.lang, fx.parse)[:MAX_ASPECTS], limit=RULE_LIMIT)
    except ToolError:
        return
    left, read = fx.settings.prompt_tokens // FIRST_SHARE, list[Material]()
    for material in _materials(state, found.text, (), fx):
        left -= fx.embedder.count_tokens(material.text)
        if left >= 0:
            read.append(material)
    queue(draft, _record_materials(draft, read, fx))
    _stage_met(draft, [image for _, _, result in fx.used for image in result.met], fx)
    _record_transcript(draft, Execution(answer="", transcript=found.text), 0, fx)


def _shown_by(state: MemoryState) -> Iterable[tuple[str, str]]:
    for entry in state.tree.entries.values():
        image = (
            state.tree.attachments.get(entry.attachments[0]) if entry.kind == "image" and entry.attachments else None
        )
        if image is not None and image.found_in:
            yield entry.source, image.found_in


def _origins(state: MemoryState, node_id: NodeId) -> Iterable[PartySource]:
    """Return the raw text a node stands on, span by span."""
    for span in state.tree.spans.get(node_id, ()):
        source = state.tree.entries[span.entry_id].source
        yield PartySource(source=source, text=state.tree.text(span), node_id=node_id, span=span)


def brief(state: MemoryState, conflict: Conflict) -> Brief:
    """Return a conflict with its parties: the documents of its nodes when it was found, not what they have become."""
    live = [state.graph.successor(node_id) for node_id in conflict.node_ids]
    left, right = (_sources(state, node_id) for node_id in live)
    if (known := conflict.parties) is not None:
        whole = {source.source: source.text for source in documents(state)}
        left, right = (
            tuple(
                next((party for party in side if party.source == name), None)
                or PartySource(source=name, text=whole.get(name, ""), node_id=node_id)
                for name in names
            )
            for side, names, node_id in zip((left, right), (known.left, known.right), live, strict=True)
        )
    return Brief(conflict=conflict, left=left, right=right)


def documents(state: MemoryState) -> tuple[SourcePassage, ...]:
    """Return all that was read, source by source; what an agent said itself is none."""
    shown_by = dict(_shown_by(state))
    return tuple(
        SourcePassage(source=entry.source, text=entry.text, shown_by=shown_by.get(entry.source, ""))
        for entry in state.tree.entries.values()
        if entry.is_source
    )


def _sources(state: MemoryState, node_id: NodeId) -> tuple[PartySource, ...]:
    """Return the raw text that a node stands on, the spans of one source together."""
    texts: dict[str, list[str]] = {}
    for passage in _origins(state, node_id):
        texts.setdefault(passage.source, []).append(passage.text)
    return tuple(PartySource(source=source, text="".join(parts), node_id=node_id) for source, parts in texts.items())


def _materials(state: MemoryState, answer: str, verdicts: Sequence[StatedVerdict], fx: StageEffects) -> list[Material]:
    """Return what the round read, and, of a search's excerpts, the documents that its answer names or a verdict quotes.

    A check's stand in the order in which it names them. They are read whole now, for an excerpt is not what a document
    says; of a long one the sections count that have it.
    """
    words = "\n".join([answer, *(piece.source for verdict in verdicts for piece in verdict.evidence)])
    read = [material for _, _, result in fx.used for material in result.materials]
    shown = [material for material in read if material.excerpt and material.source in words]
    read = [material for material in read if not material.excerpt]
    known = {material.source for material in read} | whole_sources(state)
    found = dict.fromkeys(material.source for material in shown)
    for source in sorted(found, key=words.find) if verdicts else found:
        excerpts = [material for material in shown if material.source == source]
        if source in known:
            continue
        try:
            (whole,) = fx.use("visit", url=source).materials if "visit" in fx.tools else ()
        except (ToolError, ValueError):  # it cannot be read, or is an image
            read += excerpts
        else:
            long = fx.embedder.count_tokens(whole.text) > SHORT_PAGE_TOKENS
            texts = [sections_with(whole.text, [material.text for material in excerpts])] if long else []
            read += [replace(whole, text=text, excerpt=True) for text in texts] or [whole]
    return read


def _record_materials(draft: Draft, materials: Iterable[Material], fx: StageEffects) -> tuple[EntryId, ...]:
    """Record sources read, each once: whole documents first, to win over excerpts; known ones as their first entry."""
    whole_texts = [fold_space(material.text) for material in materials if not material.excerpt]
    read: list[EntryId] = []
    names = Names(draft.state.tree, fx.lang)
    for material in materials:
        folded = fold_space(material.text)
        if material.excerpt and (not folded or any(folded in text for text in whole_texts)):
            continue
        known = (entry for entry in draft.state.tree.entries.values() if entry.kind != "transcript")
        if material.excerpt and any(folded in fold_space(entry.text) for entry in known):
            continue
        call = "search" if material.excerpt else "visit"
        name = names.of_page(material.source)
        source = Source(
            name=name, text=material.text, kind="tool", original=material.original, tool_call=f"{call}({name})"
        )
        read.append(record(draft, source, fx.lang))
    return tuple(dict.fromkeys(read))


def _stage_met(draft: Draft, met: Iterable[StagedImage], fx: StageEffects) -> None:
    """Stage images in what was read, for recognition like a person's: each content once, and no more than the limit."""
    known = {digest for digest, _ in draft.state.tree.images_known()}
    for image in met:
        if image.sha256 not in known and draft.state.progress.images_met < fx.settings.images.per_task:
            known.add(image.sha256)
            own = Names(draft.state.tree, fx.lang).of_image(image)
            draft.emit(ImageStaged(image=replace(own, id=draft.new_image())))


def sections_with(text: str, excerpts: Sequence[str]) -> str:
    """Return the sections, with their headings, in which excerpts of a text stand; all of it where none is found."""
    starts = [0]
    after_heading = False
    for start, _, kind in blocks(text):
        if kind == "heading" and not after_heading:
            starts.append(start)
        after_heading = kind == "heading"
    ranges = zip(starts, [*starts[1:], len(text)], strict=True)
    places = [(at, at + len(excerpt)) for excerpt in excerpts if (at := text.find(excerpt)) >= 0]
    return (
        "".join(text[start:end] for start, end in ranges if any(start < last and first < end for first, last in places))
        or text
    )


def _record_transcript(draft: Draft, execution: Execution, round_: int, fx: StageEffects) -> EntryId:
    entry_id = draft.new_entry()
    calls = tuple(
        f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})" for name, arguments, _ in fx.used
    )
    text = execution.transcript or execution.answer or execution.failure or "-"
    name = fx.executor.name
    executor = say(BUILT_IN[name], fx.lang) if name in BUILT_IN else name
    draft.emit(
        EntryRecorded(
            entry=Entry(
                id=entry_id,
                kind="transcript",
                text=text,
                source=say("transcript_source", fx.lang, executor=executor, round=round_),
                sha256=sha256(text),
                tool_calls=calls,
            )
        )
    )
    return entry_id


MOST_DOCUMENTS = 3
"""A memory with more documents goes by its topic."""

_ID_RE = re.compile(
    r"(?:\b(?i:memory|memories|nodes?) +|(?:记忆|节点) *)?(?<![\w-])(?P<id>n[1-9]\d{0,8})(?![\w-])", re.ASCII
)
_CITED_RE = re.compile(r"(?<=\[)(?P<id>n[1-9]\d{0,8}) *[:：] *(?=[^\]\n]+\])")
"""The id before the documents that are named already: [n4: a.md]."""


def with_names(text: str, state: MemoryState, lang: Lang) -> str:
    """Return the text with documents, or a topic, for each node id; a word that a source writes itself is none."""
    ids = {match["id"] for match in _ID_RE.finditer(text)}
    known = {id_ for id_ in ids if id_ in state.graph.nodes or id_ in state.graph.gone}
    ids = {node_id for node_id in known if not _is_written(node_id, state)}
    if not ids:
        return text
    names = {node_id: _name(NodeId(node_id), state, lang) for node_id in ids}
    text = _CITED_RE.sub(lambda match: "" if match["id"] in ids else match[0], text)
    return _ID_RE.sub(lambda match: names.get(match["id"], match[0]), text)


def _is_written(word: str, state: MemoryState) -> bool:
    written = re.compile(rf"\b{word}\b", re.ASCII)
    entries = (entry for entry in state.tree.entries.values() if entry.is_source)
    return any(written.search(entry.text) for entry in entries)


def _name(node_id: NodeId, state: MemoryState, lang: Lang) -> str:
    live_id = state.graph.successor(node_id)
    documents = state.tree.sources_of(node_id) or state.tree.sources_of(live_id)
    if 0 < len(documents) <= MOST_DOCUMENTS:
        name = say("sources_between", lang).join(documents)
    else:
        name = say("memory_by_topic", lang, topic=state.graph.nodes[live_id].context)
    return neutralise(fold_space(name)).replace("\\", "/").replace('"', "'")  # it may stand in JSON: a verdict
