"""intercept: what a round brought back is handed on by the type of its task."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain, pairwise
from typing import Literal

from memorybank.engines.offline.phrases import names_in
from memorybank.engines.offline.planning import aspects
from memorybank.engines.offline.salience import mentions
from memorybank.language.figures import states, unstated
from memorybank.language.parse import Parse
from memorybank.language.quotation import names
from memorybank.language.text import covered, fold_space, is_han, one_form, sentences
from memorybank.memory import events
from memorybank.memory.state import Draft, MemoryState
from memorybank.memory.types import ConflictId, ConflictStatus, EntryId, Task
from memorybank.prompts import say
from memorybank.prompts.tags import without_blocks
from memorybank.session.answer_points import Ground, completed
from memorybank.session.answer_reading import read_points
from memorybank.session.markup import without_images
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.image_filing import count_image_attempt, take_images
from memorybank.session.stages.recording import Source, queue, record
from memorybank.session.stages.resolving import unite_waiting


def intercept(state: MemoryState, fx: StageEffects) -> list[events.Fact]:
    """Hand the round on: to the answer, to filing, to the resolution of conflicts, or to the image store."""
    task, executed = state.doc.current_task, state.progress.executed
    assert task is not None, "intercept runs only after execute (memory/layers/progress.py)"
    assert executed is not None, "intercept runs only after execute (memory/layers/progress.py)"
    draft = Draft.of(state, fx.now)
    if executed.failure or not (executed.answer or executed.verdicts):
        # A failed round counts as an attempt on each of its conflicts and images; the second attempt ends them.
        for conflict_id in task.conflict_ids:
            _count_attempt(draft, conflict_id, fx)
        for image_id in task.image_ids:
            count_image_attempt(draft, image_id, fx)
        draft.emit(events.ContextIntercepted(route="failed"))
    elif task.final:
        draft.emit(_answer(state, executed, fx))
        entries = state.tree.entries  # images that waited and were read for the answer itself have no other round
        queue(draft, [entry_id for entry_id in executed.materials if entries[entry_id].kind == "image"])
        draft.emit(events.ContextIntercepted(route="cross_validate" if _stated_on_open(state, executed) else "final"))
    elif task.image_ids:
        take_images(draft, task, executed.answer, fx)
    else:
        brings_new = _take_in(draft, executed, fx)
        draft.emit(events.ContextIntercepted(route=_route(draft, task, executed, fx), brings_new=brings_new))
    return draft.facts


def _answer(state: MemoryState, executed: events.TaskExecuted, fx: StageEffects) -> events.AnswerGiven:
    """Return the session's answer with its points; one that is only text is read, and what it leaves out added."""
    answer, points = without_images(executed.answer) or executed.answer, executed.points
    if not points:
        ground, parts = Ground.of(state), aspects(state.doc.task_goal, fx.lang, fx.parse)
        calls = " ".join(call for entry in state.tree.entries.values() for call in entry.tool_calls)
        ground = replace(ground, tasks=(*ground.tasks, *(part for part in parts if part in calls)))  # searched by rule
        points = read_points(answer, parts, ground)
        answer = completed(answer, points, ground, fx.lang)
    return events.AnswerGiven(
        answer=answer, engine=fx.engine.name, entry_id=executed.transcript, by=fx.executor.name, points=points
    )


def _count_attempt(draft: Draft, conflict_id: ConflictId, fx: StageEffects) -> None:
    conflict = draft.state.conflicts.all[conflict_id]
    if conflict.status is not ConflictStatus.OPEN:
        return
    draft.emit(events.ConflictAttempted(conflict_id=conflict_id))
    if conflict.attempts >= 1:
        draft.emit(
            events.ConflictClosed(
                conflict_id=conflict_id,
                status=ConflictStatus.INCONCLUSIVE,
                reason=say("no_verdict_twice", fx.lang),
                closed_by=fx.executor.name,
            )
        )
        unite_waiting(draft, fx)


def _route(
    draft: Draft, task: Task, executed: events.TaskExecuted, fx: StageEffects
) -> Literal["cross_validate", "failed", "normal"]:
    """Route a round with a verdict, whatever its task, to `resolve`; pairs of the task without one are tried once
    more."""
    stated = _stated_on_open(draft.state, executed)
    for conflict_id in task.conflict_ids:
        if conflict_id not in stated:
            _count_attempt(draft, conflict_id, fx)
    if stated:
        return "cross_validate"
    return "failed" if task.conflict_ids else "normal"


def _stated_on_open(state: MemoryState, executed: events.TaskExecuted) -> set[ConflictId]:
    return {conflict.id for conflict in state.conflicts.open()} & {verdict.conflict for verdict in executed.verdicts}


def _take_in(draft: Draft, executed: events.TaskExecuted, fx: StageEffects) -> bool:
    """Queues for filing what the round read, and what its answer says beyond that and beyond memory.

    Answers whether anything of it is a value or a name that memory does not have.
    """
    waiting = len(draft.state.progress.queue)
    queue(draft, executed.materials)
    read = [span.entry_id for span in draft.state.progress.queue[waiting:]]
    text = "\n".join(draft.state.tree.entries[entry_id].text for entry_id in read)
    brings_new = is_new(text, _known(draft.state, besides=read), fx.parse)
    if executed.quotes_only:
        return brings_new
    answer = executed.answer
    said = ["\n".join((verdict.reasoning, verdict.value)) for verdict in executed.verdicts]
    asked = draft.state.tree.entries[executed.transcript].tool_calls  # that it was looked for is no news
    known = chain(said, asked, [text], _known(draft.state))
    cited = {entry.source for entry in draft.state.tree.entries.values() if entry.source in answer}
    parse = None if executed.verdicts else fx.parse  # what a check names beside its verdicts are its searches
    conclusions = new_sentences(without_blocks(answer), known, parse, cited)
    if executed.verdicts:  # what they hold is filed as checks, and what a document says with that document
        values = {verdict.value for verdict in executed.verdicts}
        values |= {claim.value for verdict in executed.verdicts for claim in verdict.claims}
        conclusions = [each for each in conclusions if not any(value and states(each, value) for value in values)]
        conclusions = [each for each in conclusions if not any(name in each for name in cited)]
    if conclusions:
        name = say("conclusion_source", fx.lang, round=draft.state.progress.round)
        queue(draft, [record(draft, Source(name=name, text="\n".join(conclusions), kind="answer"), fx.lang)])
    return brings_new or bool(conclusions)


def _known(state: MemoryState, besides: Collection[EntryId] = ()) -> Iterator[str]:
    """Yield memory's texts: first its summaries, then its raw text, which is read only as far as it is needed."""
    nodes = state.graph.nodes.values()
    yield "\n".join((state.doc.task_goal, *(part for node in nodes for part in (node.summary, node.context))))
    raw = [entry for entry in state.tree.entries.values() if entry.kind != "transcript" and entry.id not in besides]
    yield "\n".join(part for entry in raw for part in (entry.source, entry.text))


_LIST_MARK_RE = re.compile(r"^(?:[•* ]|-(?![\d.$€£¥]))+")
"""The mark before the point of a list; the minus of a number is no mark."""
_ID_RE = re.compile(r"(?<![A-Za-z0-9])[aceimn]\d{1,6}(?![A-Za-z0-9])")
"""The ids of nodes, conflicts and entries: they say where something stands."""
_UNKNOWN_AT_MOST = 1 / 3
"""Share of a Chinese name's pairs of characters that may be new in a known one: 云溪博物馆 beside 云溪市博物馆."""


def is_new(text: str, known: Iterable[str], parse: Parse) -> bool:
    """Whether a text states a value or a name that none of the known texts has."""
    return bool(_news(one_form(text), known, parse))


def new_sentences(text: str, known: Iterable[str], parse: Parse | None, documents: Iterable[str] = ()) -> list[str]:
    """Return sentences that state a new value or, with a parser, a new name, without their list marks. `documents`:
    names of those that are known; that one is cited is no news."""
    text = cited = one_form(text)
    for name in sorted(map(one_form, documents), key=len, reverse=True):
        cited = cited.replace(name, " " * len(name))
    news = _news(cited, known, parse)
    parts = [piece for piece in sentences(text) if any(piece.start <= start < piece.end for start in news)]
    return list(
        dict.fromkeys(_LIST_MARK_RE.sub("", fold_space(text[start:end])).rstrip("-•* ") for start, end in parts)
    )


def _news(text: str, known: Iterable[str], parse: Parse | None) -> list[int]:
    """Return where new values and names begin. Known texts are read one after another, as far as it is needed."""
    text = _ID_RE.sub(lambda match: " " * len(match[0]), text)
    values = unstated(text, "")
    figured = covered(len(text), ((figure.start, figure.end) for figure in values))
    written = [(name.start, name.end) for name in mentions(text) if name.kind == "name" and name.certain]
    parsed = names_in(text, parse) if parse is not None and is_han(text) else ()
    found = sorted({*written, *parsed}) if parse is not None else ()
    named = [name for name in found if not any(figured[slice(*name)])]
    for source in map(one_form, known):
        if not values and not named:
            break
        values = tuple(value for value in unstated(text, source) if value in values) if values else ()
        named = [name for name in named if not _is_known(text[slice(*name)], source)]
    return [*(value.start for value in values), *(start for start, _ in named)]


def _is_known(name: str, source: str) -> bool:
    """Whether a text has a name, or all words of it: who puts known words together gives no new name."""
    if not is_han(name):
        return all(names(source, word) for word in name.split())
    pairs = ["".join(pair) for pair in pairwise(name.strip("《》“”「」"))]
    return sum(pair not in source for pair in pairs) <= _UNKNOWN_AT_MOST * len(pairs)
