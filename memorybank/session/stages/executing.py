"""execute -> intercept: the outside framework works, and its round's record comes in (design section 5).

The raw record is written at the end of `execute`, before anything is derived from it: the transcript whole, and each
outside source read for the first time as an entry of its own. `intercept` then hands the round on by the task's type.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote, urlsplit

from memorybank.contradiction.disputes import disputes_of
from memorybank.errors import InputError
from memorybank.language.text import fold_space, sentences, sha256
from memorybank.memory.bank import Draft, MemoryBank
from memorybank.memory.events import (
    AnswerGiven,
    AttachmentStored,
    ConflictAttempted,
    ConflictClosed,
    ContextIntercepted,
    EntryRecorded,
    Fact,
    FilingQueued,
    ImageAttempted,
    ImageRecognised,
    ImageStaged,
    TaskExecuted,
)
from memorybank.memory.types import (
    Attachment,
    AttachmentType,
    Conflict,
    ConflictId,
    ConflictStatus,
    Entry,
    EntryId,
    ImageId,
    NodeId,
    Span,
    StagedImage,
    Task,
    TaskType,
)
from memorybank.prompts import say
from memorybank.runs.files.formal import StoredFile
from memorybank.runs.files.names import base_name
from memorybank.session.executors.base import Assignment, Brief, Execution, PartySource
from memorybank.session.markup import answer_of, images_of, verdicts_of
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.recording import Source, queue, record
from memorybank.tools.base import Material


def execute(state: MemoryBank, fx: StageEffects) -> list[Fact]:
    """Run the executor, then record what it did and what it read."""
    task = state.doc.current_task
    assert task is not None, "execute runs only with a pending task (memory/layers/progress.py)"
    execution = fx.executor.run(assignment(state, fx, task), fx)
    draft = Draft.of(state, fx.now)
    materials = _record_materials(draft, [one for _, _, result in fx.used for one in result.materials], fx)
    transcript = _record_transcript(draft, execution, state.progress.round, fx)
    _stage_met(draft, task, [one for _, _, result in fx.used for one in result.met], fx)
    draft.emit(
        TaskExecuted(
            executor=fx.executor.name,
            answer=answer_of(execution.answer),
            transcript=transcript,
            materials=materials,
            failure=execution.failure,
            quotes_only=execution.quotes_only,
        )
    )
    return draft.facts


# -- the assignment ---------------------------------------------------------------------------------------------------


def assignment(state: MemoryBank, fx: StageEffects, task: Task) -> Assignment:
    prompt = state.progress.prompt
    hits = sorted(prompt.hits if prompt else (), key=lambda hit: (-hit.score, hit.rank))
    memories = [state.graph.nodes[hit.node_id] for hit in hits if hit.node_id in state.graph.nodes]
    return Assignment(
        task=task,
        prompt=prompt.prompt if prompt else task.description,
        goal=state.doc.task_goal,
        lang=fx.lang,
        memories=tuple(memories),
        origins=tuple(one for node in memories for one in _origins(state, node.id)),
        disputed=tuple((node_id, conflict.id) for node_id, conflict in state.disputed().items()),
        briefs=tuple(_brief(state, state.conflicts.all[conflict_id]) for conflict_id in task.conflict_ids),
        closed=tuple(one for one in state.conflicts.all.values() if one.status is not ConflictStatus.OPEN),
        disputes=disputes_of(state),
        images=tuple(state.tree.staged[image_id] for image_id in task.image_ids if image_id in state.tree.staged),
        shown_by=tuple(_shown_by(state)),
        max_tool_calls=fx.settings.max_tool_calls,
    )


def _shown_by(state: MemoryBank) -> Iterable[tuple[str, str]]:
    for entry in state.tree.entries.values():
        found = (
            state.tree.attachments.get(entry.attachments[0]) if entry.kind == "image" and entry.attachments else None
        )
        if found is not None and found.found_in:
            yield entry.source, found.found_in


def _origins(state: MemoryBank, node_id: NodeId) -> Iterable[PartySource]:
    """The raw text a node stands on, span by span; a validation's transcript is not a source."""
    for span in state.tree.spans.get(node_id, ()):
        entry = state.tree.entries[span.entry_id]
        if entry.kind != "transcript":
            yield PartySource(source=entry.source, text=state.tree.text(span), node_id=node_id)


def _brief(state: MemoryBank, conflict: Conflict) -> Brief:
    left, right = (_sources(state, state.graph.successor(node_id)) for node_id in conflict.node_ids)
    return Brief(conflict=conflict, left=left, right=right)


def _sources(state: MemoryBank, node_id: NodeId) -> tuple[PartySource, ...]:
    """The same, the spans of one source together."""
    texts: dict[str, list[str]] = {}
    for one in _origins(state, node_id):
        texts.setdefault(one.source, []).append(one.text)
    return tuple(PartySource(source=source, text="".join(parts), node_id=node_id) for source, parts in texts.items())


# -- the record -------------------------------------------------------------------------------------------------------


def _record_materials(draft: Draft, materials: Iterable[Material], fx: StageEffects) -> tuple[EntryId, ...]:
    """Sources read, each once: whole documents first to win over excerpts, known ones as their first entry."""
    whole_texts = [fold_space(one.text) for one in materials if not one.excerpt]
    read: list[EntryId] = []
    for material in materials:
        folded = fold_space(material.text)
        if material.excerpt and (not folded or any(folded in text for text in whole_texts)):
            continue
        if material.excerpt and _is_known(draft.state, folded):
            continue
        call = "search" if material.excerpt else "visit"
        source = Source(
            name=material.source,
            text=material.text,
            kind="tool",
            original=material.original,
            tool_call=f"{call}({material.source})",
        )
        read.append(record(draft, source, fx.lang))
    return tuple(dict.fromkeys(read))


def _stage_met(draft: Draft, task: Task, met: Iterable[StagedImage], fx: StageEffects) -> None:
    """Images in what was read wait for recognition like a person's: each content once, and no more than the limit.

    A second answer to the goal ends the matter, whatever it met.
    """
    if task.final and draft.state.progress.answer:
        return
    known = {digest for digest, _ in draft.state.tree.images_known()}
    for image in met:
        if image.sha256 not in known and draft.state.progress.images_met < fx.settings.images.per_task:
            known.add(image.sha256)
            draft.emit(ImageStaged(image=replace(image, id=draft.new_image())))


def _is_known(state: MemoryBank, folded: str) -> bool:
    return any(folded in fold_space(entry.text) for entry in state.tree.entries.values() if entry.kind != "transcript")


def _record_transcript(draft: Draft, execution: Execution, round_: int, fx: StageEffects) -> EntryId:
    entry_id = draft.new_entry()
    calls = tuple(_call(name, arguments) for name, arguments, _ in fx.used)
    text = execution.transcript or execution.answer or execution.failure or "-"
    draft.emit(
        EntryRecorded(
            entry=Entry(
                id=entry_id,
                kind="transcript",
                text=text,
                source=say("transcript_source", fx.lang, executor=fx.executor.name, round=round_),
                sha256=sha256(text),
                tool_calls=calls,
            )
        )
    )
    return entry_id


def _call(name: str, arguments: Mapping[str, Any]) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in arguments.items())})"


# -- interception -----------------------------------------------------------------------------------------------------


def intercept(state: MemoryBank, fx: StageEffects) -> list[Fact]:
    """Hand the round on: to the answer, to filing, to the resolution of conflicts, or to the image store."""
    task, executed = state.doc.current_task, state.progress.executed
    assert task is not None, "intercept runs only after execute (memory/layers/progress.py)"
    assert executed is not None, "intercept runs only after execute (memory/layers/progress.py)"
    draft = Draft.of(state, fx.now)
    if executed.failure or not executed.answer:
        _give_up(draft, task, fx)
        draft.emit(ContextIntercepted(route="failed"))
    elif task.final:
        draft.emit(
            AnswerGiven(
                answer=executed.answer, engine=fx.engine.name, entry_id=executed.transcript, by=fx.executor.name
            )
        )
        draft.emit(ContextIntercepted(route="final"))
    elif task.image_ids:
        _take_images(draft, task, executed.answer, fx)
    elif task.type is TaskType.CROSS_VALIDATE:
        _take_verdicts(draft, task, executed.answer, fx)
    else:
        queue(draft, (*executed.materials, *_conclusions(draft, executed, fx)))
        draft.emit(ContextIntercepted(route="normal"))
    return draft.facts


def _give_up(draft: Draft, task: Task, fx: StageEffects) -> None:
    """A failed round counts as an attempt on each of its conflicts and images; the second attempt ends them."""
    for conflict_id in task.conflict_ids:
        _count_attempt(draft, conflict_id, fx)
    for image_id in task.image_ids:
        _count_image_attempt(draft, image_id, fx)


def _count_attempt(draft: Draft, conflict_id: ConflictId, fx: StageEffects) -> None:
    conflict = draft.state.conflicts.all[conflict_id]
    if conflict.status is not ConflictStatus.OPEN:
        return
    draft.emit(ConflictAttempted(conflict_id=conflict_id))
    if conflict.attempts >= 1:
        draft.emit(
            ConflictClosed(
                conflict_id=conflict_id,
                status=ConflictStatus.INCONCLUSIVE,
                reason=say("no_verdict_twice", fx.lang),
                closed_by=fx.executor.name,
            )
        )


def _take_verdicts(draft: Draft, task: Task, answer: str, fx: StageEffects) -> None:
    """With at least one usable verdict the round goes to `resolve`; pairs without one are tried once more."""
    stated = {verdict.conflict for verdict in verdicts_of(answer)[0]}
    for conflict_id in task.conflict_ids:
        if conflict_id not in stated:
            _count_attempt(draft, conflict_id, fx)
    usable = stated & set(task.conflict_ids)
    draft.emit(ContextIntercepted(route="cross_validate" if usable else "failed"))


def _conclusions(draft: Draft, executed: TaskExecuted, fx: StageEffects) -> tuple[EntryId, ...]:
    """What the answer says beyond its sources: only new sentences are memory, quotes of memory never are."""
    if executed.quotes_only:
        return ()
    answer = executed.answer
    known = [fold_space(entry.text) for entry in draft.state.tree.entries.values() if entry.kind != "transcript"]
    known += [fold_space(node.summary) for node in draft.state.graph.nodes.values()]
    novel = []
    for start, end in sentences(answer):
        sentence = fold_space(answer[start:end]).strip("-•* ")
        if len(sentence) >= 20 and not _stands_in(sentence, known) and not sentence.endswith(("：", ":")):
            novel.append(sentence)
    if not novel:
        return ()
    name = say("conclusion_source", fx.lang, round=draft.state.progress.round)
    return (record(draft, Source(name=name, text="\n".join(novel), kind="answer"), fx.lang),)


def _stands_in(sentence: str, known: list[str]) -> bool:
    return any(sentence in text for text in known)


# -- images -----------------------------------------------------------------------------------------------------------


def _take_images(draft: Draft, task: Task, answer: str, fx: StageEffects) -> None:
    """Recognised images leave the temp store: original to the formal store, text to an entry, entry to filing."""
    read = images_of(answer)
    spans: list[Span] = []
    stored = 0
    for image_id in task.image_ids:
        image = draft.state.tree.staged.get(image_id)
        if image is None:
            continue
        text, readable = read.get(image_id, ("", False))
        if image_id in read:
            span = _store_image(draft, image, text, readable, fx)
        elif (unread := _count_image_attempt(draft, image_id, fx)) is not None:
            span = unread
        else:
            continue
        stored += 1
        if readable or not image.found_in:  # a page's picture that says nothing is kept, and is no memory
            spans.append(span)
    if spans:
        draft.emit(FilingQueued(spans=tuple(spans)))
    draft.emit(ContextIntercepted(route="images" if stored else "failed"))


def _count_image_attempt(draft: Draft, image_id: ImageId, fx: StageEffects) -> Span | None:
    """Count a round without a text; the second files the image as not recognised, so that it is not lost."""
    image = draft.state.tree.staged.get(image_id)
    if image is None:
        return None
    draft.emit(ImageAttempted(image_id=image.id))
    if draft.state.conflicts.image_attempts[image.id] < 2:
        return None
    return _store_image(draft, image, f"{say('not_recognised', fx.lang)}: {image.name}", False, fx)


def _store_image(draft: Draft, image: StagedImage, text: str, readable: bool, fx: StageEffects) -> Span:
    """The image's entry, with its original; one whose file is gone (swept, or left behind by a copy) has its text."""
    attachment: Attachment | None = None
    name = _display_name(image, fx)
    try:
        attachment = _keep_original(draft, image, fx.store_image(image))
        cited = say("image_entry", fx.lang, id=attachment.id, name=name, text=text)
    except InputError:
        cited = say("image_entry_gone", fx.lang, name=name, text=text)
    entry_id = draft.new_entry()
    draft.emit(
        EntryRecorded(
            entry=Entry(
                id=entry_id,
                kind="image",
                text=cited,
                source=name,
                sha256=sha256(text),
                attachments=(attachment.id,) if attachment else (),
                body_start=len(cited) - len(text),
            )
        ),
        ImageRecognised(image_id=image.id, attachment_id=attachment.id if attachment else None, readable=readable),
    )
    return Span(entry_id=entry_id, start=len(cited) - len(text), end=len(cited))


def _display_name(image: StagedImage, fx: StageEffects) -> str:
    """Its name, and the page or document it is from; one that stood alone has its address for a name."""
    if not image.found_in:
        return image.name
    try:
        alone = base_name(unquote(urlsplit(image.found_in).path)) == image.name
    except ValueError:  # a journal may say anything
        alone = False
    return image.found_in if alone else say("image_of_page", fx.lang, name=image.name, page=image.found_in)


def _keep_original(draft: Draft, image: StagedImage, stored: StoredFile) -> Attachment:
    attachment = Attachment(
        id=draft.new_attachment(),
        type=AttachmentType.IMAGE,
        name=image.name,
        path=stored.path,
        sha256=stored.sha256,
        size=stored.size,
        media_type=image.media_type,
        found_in=image.found_in,
    )
    draft.emit(AttachmentStored(attachment=attachment))
    return attachment
