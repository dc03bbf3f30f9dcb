"""What the Graph page knows beyond the moment: the stories of the nodes and why each pair is related."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memorybank.memory.types import NodeId
from memorybank.ui.shell.memo import kept, past, remembered
from memorybank.views.boxes.node_story import NodeNames
from memorybank.views.memory.edges import NodeLink, Reasons, edges_of, members_of, reasons_in
from memorybank.views.memory.node_history import node_stories
from memorybank.views.run.commits import Records
from memorybank.views.run.playback import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Details(NodeNames):
    """All of it at one moment. What only a card needs is worked out when one is drawn, once a moment."""

    edges: Mapping[str, NodeLink]
    run_id: str
    records: Records

    @property
    def reasons(self) -> Reasons:
        return remembered(self.run_id, self.records, self.moment.at, reasons_in)

    @property
    def members(self) -> Mapping[NodeId, Sequence[NodeId]]:
        """What each live node was made of, itself first."""
        return members_of(self.moment.bank)


def details_of(run_id: str, records: Records, moment: Moment) -> Details:
    """Worked out once a moment."""
    name = ("graph-details", *past(run_id, records, moment.at))
    stories = remembered(run_id, records, moment.at, node_stories)
    edges = edges_of(moment.bank)
    return kept(name, lambda: Details(moment=moment, stories=stories, edges=edges, run_id=run_id, records=records))
