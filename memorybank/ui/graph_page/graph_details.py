"""What the Graph page knows beyond the moment: the stories of the nodes and why each pair is related."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memorybank.memory.types import NodeId
from memorybank.ui.shell.memo import kept, past, remembered
from memorybank.views.boxes.node_story import NodeNames
from memorybank.views.memory.edges import NodeLink, Reasons, edges_of, members_of, reasons_in
from memorybank.views.memory.node_history import NodeStory, node_stories
from memorybank.views.run.commits import Records, commits
from memorybank.views.run.playback import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class Details(NodeNames):
    """All of it at one moment. What only a card needs is worked out when one is drawn, once a moment."""

    edges: Mapping[str, NodeLink]
    run_id: str
    records: Records

    @property
    def stories(self) -> Mapping[NodeId, NodeStory]:
        return remembered(self.run_id, self.records, self.moment.at, node_stories)

    @property
    def reasons(self) -> Reasons:
        return remembered(self.run_id, self.records, self.moment.at, reasons_in)

    @property
    def members(self) -> Mapping[NodeId, Sequence[NodeId]]:
        """What each live node was made of, itself first."""
        return members_of(self.moment.bank)

    def born(self) -> dict[NodeId, int]:
        """The event that made each node."""
        return {node_id: story.born.seq for node_id, story in self.stories.items() if story.born}

    def round_at(self, seq: int) -> int:
        """The round that an event belongs to."""
        rounds = remembered(self.run_id, self.records, self.moment.at, _rounds)
        place = bisect_left(rounds, seq, key=lambda pair: pair[0])
        return rounds[min(place, len(rounds) - 1)][1] if rounds else 0


def details_of(run_id: str, records: Records, moment: Moment) -> Details:
    """Worked out once a moment."""
    name = ("graph-details", *past(run_id, records, moment.at))
    return kept(name, lambda: Details(moment=moment, edges=edges_of(moment.bank), run_id=run_id, records=records))


def _rounds(records: Records) -> list[tuple[int, int]]:
    """Last event and round of each commit."""
    return [(commit.records[-1].seq, commit.round) for commit in commits(records)]
