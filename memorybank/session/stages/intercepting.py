"""intercept: what a round brought back is handed on by the type of its task (design section 5)."""

from __future__ import annotations

from memorybank.language.text import fold_space, sentences
from memorybank.memory.bank import Draft, MemoryBank
from memorybank.memory.events import (
    AnswerGiven,
    ConflictAttempted,
    ConflictClosed,
    ContextIntercepted,
    Fact,
    TaskExecuted,
)
from memorybank.memory.types import ConflictId, ConflictStatus, EntryId, Task, TaskType
from memorybank.prompts import say
from memorybank.session.markup import verdicts_of
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.image_filing import count_image_attempt, take_images
from memorybank.session.stages.recording import Source, queue, record


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
        take_images(draft, task, executed.answer, fx)
    else:
        queue(draft, (*executed.materials, *_conclusions(draft, executed, fx)))
        if task.type is TaskType.CROSS_VALIDATE:
            _take_verdicts(draft, task, executed.answer, fx)
        else:
            draft.emit(ContextIntercepted(route="normal"))
    return draft.facts


def _give_up(draft: Draft, task: Task, fx: StageEffects) -> None:
    """A failed round counts as an attempt on each of its conflicts and images; the second attempt ends them."""
    for conflict_id in task.conflict_ids:
        _count_attempt(draft, conflict_id, fx)
    for image_id in task.image_ids:
        count_image_attempt(draft, image_id, fx)


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
        if len(sentence) >= 20 and not any(sentence in text for text in known) and not sentence.endswith(("：", ":")):
            novel.append(sentence)
    if not novel:
        return ()
    name = say("conclusion_source", fx.lang, round=draft.state.progress.round)
    return (record(draft, Source(name=name, text="\n".join(novel), kind="answer"), fx.lang),)
