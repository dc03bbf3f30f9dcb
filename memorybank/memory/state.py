"""MemoryState: the state of a session, and the one place where it changes.

    state = fold(facts)

`apply` hands a fact to every layer; each layer takes what concerns it. The bank never embeds, tokenises or scores, and
it is never written to in any other way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from memorybank.errors import JournalError, MemoryBankError, Notice
from memorybank.memory import events
from memorybank.memory.layers import Copyable
from memorybank.memory.layers.conflicts import Conflicts
from memorybank.memory.layers.interaction_tree import InteractionTree
from memorybank.memory.layers.progress import Progress, Unfinished, advance
from memorybank.memory.layers.query_graph import QueryGraph
from memorybank.memory.layers.references import referenced_ids, vectors_of
from memorybank.memory.types import (
    AgentFailure,
    AttachmentId,
    ClusterId,
    Conflict,
    ConflictId,
    ConflictStatus,
    EntryId,
    ImageId,
    InsightDoc,
    MergeEventId,
    Node,
    NodeId,
    Span,
)


@dataclass(slots=True)
class InsightDocs(Copyable):
    """The state of the task. Completed tasks only grow; of pending tasks there are none or one.

    A second question on the same memory opens a new document; the earlier one is kept in `earlier`.
    """

    doc: InsightDoc = field(default_factory=InsightDoc)
    earlier: tuple[InsightDoc, ...] = ()

    def apply(self, event: events.Fact) -> None:
        match event:
            case events.TaskReceived():
                if self.doc.task_goal:
                    self.earlier = (*self.earlier, self.doc)
                self.doc = InsightDoc(doc_id=event.doc_id, task_goal=event.goal)
            case events.PlanUpdated():
                pending = (event.next_task,) if event.next_task else ()
                self.doc = replace(self.doc, pending_tasks=pending, planned_ahead=event.then)
            case events.TaskCompleted() | events.TaskFailed():
                completed = (*self.doc.completed_tasks, event.task)
                self.doc = replace(self.doc, completed_tasks=completed, pending_tasks=())
            case events.MemoryImported():
                self.doc = InsightDoc(
                    doc_id=event.doc_id,
                    task_goal=event.task_goal,
                    completed_tasks=event.completed_tasks,
                    pending_tasks=event.pending_tasks,
                )


@dataclass(slots=True)
class MemoryState(Copyable):
    """Three layers, the conflicts between them, and where the session stands."""

    graph: QueryGraph = field(default_factory=QueryGraph)
    tree: InteractionTree = field(default_factory=InteractionTree)
    conflicts: Conflicts = field(default_factory=Conflicts)
    docs: InsightDocs = field(default_factory=InsightDocs)
    unfinished: Unfinished = field(default_factory=Unfinished)
    progress: Progress = field(default_factory=Progress)
    settings: events.SessionStarted | None = None
    """The settings with which the session began; `changed` holds what a person changed since."""
    changed: events.SettingsChanged | None = None
    forked_from: events.SessionForked | None = None

    def apply(self, event: events.Fact, at: float) -> None:
        """Take one fact in. `at` is the journal's stamp, in seconds since the epoch."""
        match event:
            case events.SessionStarted():
                if self.settings is not None:
                    raise JournalError("fold.second_beginning")
                self.settings = event
            case events.SettingsChanged():
                self.changed = event
            case events.SessionForked():
                self.forked_from = event
            case _:
                self._check(event)
                self.conflicts.apply(event)
                self.graph.apply(event, at)
                self.tree.apply(event, at)
                self.docs.apply(event)
                self.unfinished.apply(event)
                if isinstance(event, events.ConflictClosed):
                    for node_id in set(map(self.graph.successor, self.conflicts.all[event.conflict_id].node_ids)):
                        self.tree.add_validation(node_id, event.spans)  # both lead to what the validation read
                elif isinstance(event, events.ConflictToldApart):
                    live = dict.fromkeys(map(self.graph.successor, self.conflicts.all[event.conflict_ids[0]].node_ids))
                    self.conflicts.tell_apart(event, tuple(self.graph.nodes[node_id] for node_id in live))
                elif isinstance(event, events.MergeUndone):
                    self._carry_conflicts(event.new_node_id, map(self.graph.nodes.__getitem__, event.restored))
                elif (
                    isinstance(event, events.MergeRestored)
                    and event.rest is not None
                    and event.rest_node_id is not None
                ):
                    united = self.tree.merge_events[event.rest].merged_node_ids
                    sources = self.graph.merges[event.event_id].sources
                    self._carry_conflicts(event.rest_node_id, (node for node in sources if node.id in united))
        self.progress = advance(self.progress, event)

    def _check(self, event: events.Fact) -> None:
        """Refuses an event that names what is not there: a journal may come from anywhere, and is checked only here."""
        dim = self.settings.embedding_dim if self.settings is not None else 0
        for vector in vectors_of(event) if dim else ():
            if len(vector) != 2 * dim:
                raise JournalError("fold.vector_size", count=len(vector), expected=2 * dim)
        referenced = referenced_ids(event)
        for kind, ids, known in (
            ("kind.node", referenced.nodes, (self.graph.nodes, self.graph.gone)),
            ("kind.entry", referenced.entries, (self.tree.entries,)),
            ("kind.attachment", referenced.attachments, (self.tree.attachments,)),
            ("kind.conflict", referenced.conflicts, (self.conflicts.all,)),
            ("kind.image", referenced.images, (self.tree.staged,)),
        ):
            for id_ in ids:
                if not any(id_ in held for held in known):
                    raise JournalError("fold.not_there", what=Notice(kind), id=id_)
        for span in referenced.spans:
            self.tree.check(span)

    def _carry_conflicts(self, gone: NodeId, sources: Iterable[Node]) -> None:
        """Moves a conflict with a merged node to the source that states its side, or to the first source."""
        texts = {node.id: " ".join(node.summary.split()) for node in sources}
        for conflict in list(self.conflicts.all.values()):
            if gone not in conflict.node_ids:
                continue
            side = conflict.node_ids.index(gone)
            claims = [" ".join((pair.left, pair.right)[side].text.split()) for pair in conflict.contradictions]
            stating = (one for one, text in texts.items() if any(claim and claim in text for claim in claims))
            self.conflicts.carry(conflict.id, gone, next(stating, next(iter(texts))))

    # -- reading ------------------------------------------------------------------------------------------------------

    @property
    def doc(self) -> InsightDoc:
        return self.docs.doc

    def disputed(self) -> dict[NodeId, Conflict]:
        """Return the live nodes whose content is in doubt: an open conflict, else an inconclusive one."""
        disputed: dict[NodeId, Conflict] = {}
        for status in (ConflictStatus.INCONCLUSIVE, ConflictStatus.OPEN):
            for conflict in self.conflicts.all.values():
                if conflict.status is status:
                    disputed.update(dict.fromkeys(map(self.graph.successor, conflict.node_ids), conflict))
        return {node_id: conflict for node_id, conflict in disputed.items() if node_id in self.graph.nodes}

    def under_validation(self) -> set[NodeId]:
        """Return the nodes in an open conflict: they may be linked, but neither merged nor rewritten."""
        return {self.graph.successor(node_id) for conflict in self.conflicts.open() for node_id in conflict.node_ids}

    def known_to(self, node_id: NodeId) -> tuple[NodeId, ...]:
        """Return neighbours that a node is not compared with: a merged node's inherited ones, or those of a node to be
        compared once more. Not those that it could not be united with: an agent failed, or one of them was in an open
        conflict and may say something else since."""
        failure = self.unfinished.nodes.get(node_id)
        apart = {*(failure.node_ids if failure else ()), *self.graph.same_as(node_id)}
        return tuple(link for link in self.graph.nodes[node_id].links if link not in apart)

    def told_apart(self) -> set[frozenset[NodeId]]:
        """Return live pairs that a person told apart: they never become one node, nor does a third one unite them."""
        live = self.graph.successor
        pairs = (frozenset(map(live, pair)) for pairs in self.conflicts.apart.values() for pair in pairs)
        return {pair for pair in pairs if len(pair) == 2}

    def unfiled_text(self) -> dict[Span, AgentFailure]:
        """Return text that an agent's failure left out of every node, and that does not wait to be filed again."""
        waiting = self.progress.queue
        known = self.unfinished.text.items()
        return {span: failure for span, failure in known if not any(whole.holds(span) for whole in waiting)}

    def uncompared(self) -> dict[NodeId, AgentFailure]:
        """Return the live nodes that an agent's failure left uncompared, and that do not wait to be compared again."""
        waiting = set(self.progress.fresh)
        known = self.unfinished.nodes.items()
        return {
            node_id: failure for node_id, failure in known if node_id in self.graph.nodes and node_id not in waiting
        }


@dataclass(slots=True)
class Draft:
    """Facts of a stage so far, and the state they will lead to, so that a later decision sees an earlier one."""

    state: MemoryState
    """A copy; the bank itself changes only when the stage is committed."""
    at: float
    facts: list[events.Fact] = field(default_factory=list)

    @classmethod
    def of(cls, bank: MemoryState, at: float) -> Draft:
        return cls(bank.copy(), at)

    def emit(self, *facts: events.Fact) -> None:
        for fact in facts:
            self.state.apply(fact, self.at)
            self.facts.append(fact)

    # -- ids: counters of the state, so that a repeated stage gives the same ones --------------------------------------

    def new_node(self) -> NodeId:
        return NodeId(f"n{self.state.graph.created + 1}")

    def new_entry(self) -> EntryId:
        return EntryId(_next("e", self.state.tree.entries))

    def new_conflict(self) -> ConflictId:
        return ConflictId(_next("c", self.state.conflicts.all))

    def new_merge(self) -> MergeEventId:
        return MergeEventId(_next("m", self.state.tree.merge_events))

    def new_attachment(self) -> AttachmentId:
        return AttachmentId(_next("a", self.state.tree.attachments))

    def new_image(self) -> ImageId:
        return ImageId(f"i{self.state.tree.images + 1}")

    def new_doc(self) -> str:
        return f"d{len(self.state.docs.earlier) + (1 if not self.state.doc.task_goal else 2)}"

    def new_clusters(self, count: int) -> list[ClusterId]:
        first = self.state.progress.clusters_found + 1
        return [ClusterId(f"k{number}") for number in range(first, first + count)]


def _next(letter: str, known: Mapping[Any, Any]) -> str:
    """Return the next id: one more than there are, or, after an import that counts otherwise, the first above that
    is free."""
    number = len(known) + 1
    while (id_ := f"{letter}{number}") in known:
        number += 1
    return id_


def fold(facts: Iterable[tuple[events.Fact, float]]) -> MemoryState:
    """Return the state after these (fact, stamp) pairs."""
    bank = MemoryState()
    apply_all(bank, facts)
    return bank


def apply_all(bank: MemoryState, facts: Iterable[tuple[events.Fact, float]]) -> None:
    """Apply facts that were read. Raises JournalError, and nothing else, for those that cannot all be true."""
    try:
        for fact, at in facts:
            bank.apply(fact, at)
    except (KeyError, IndexError, ValueError) as error:
        raise JournalError("fold.broken", reason=error) from None
    except JournalError:
        raise
    except MemoryBankError as error:
        raise JournalError("fold.contradicts", reason=error) from None
