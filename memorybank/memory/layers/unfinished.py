"""What an agent's failure left undone: text that is in no node, nodes that were not compared. It can be done again.

Text is kept by the piece, for of one entry some topics may be filed and others not. What is unfiled for another reason
(a final answer, quoted memory, a source read in a round that failed) is not here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from memorybank.memory.events import ClustersFound, ClustersSummarised, Fact, NodesAnalysed
from memorybank.memory.types import AgentFailure, NodeId, Span


@dataclass(slots=True)
class Unfinished:
    text: dict[Span, AgentFailure] = field(default_factory=dict)
    nodes: dict[NodeId, AgentFailure] = field(default_factory=dict)
    """Some may have been merged away since; see `MemoryBank.uncompared`."""

    def copy(self) -> Unfinished:
        return Unfinished(dict(self.text), dict(self.nodes))

    def apply(self, event: Fact) -> None:
        match event:
            case ClustersFound():
                self._done(event.taken)
                self._failed(event.failed)
            case ClustersSummarised():
                self._failed(event.failed)
            case NodesAnalysed():
                for node_id in event.node_ids:
                    self.nodes.pop(node_id, None)
                for failure in event.failed:
                    self.nodes.update((node_id, failure) for node_id in failure.node_ids if node_id in event.node_ids)
            case _:
                pass

    def _done(self, taken: Iterable[Span]) -> None:
        """A source that is given again is taken whole, with the pieces that failed."""
        if self.text:
            done = tuple(taken)
            self.text = {
                span: failure for span, failure in self.text.items() if not any(whole.holds(span) for whole in done)
            }

    def _failed(self, failures: Iterable[AgentFailure]) -> None:
        for failure in failures:
            self.text.update(dict.fromkeys(failure.spans, failure))
