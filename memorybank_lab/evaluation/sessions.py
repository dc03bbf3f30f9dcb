"""Sessions that an evaluation runs, each in a folder that is gone afterwards.

All of them are held to the rule that an offline memory says only what its sources say (`verbatim`): the registry adds
the share of nodes that do to each report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from memorybank.session.assembly import Parts
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank_lab.evaluation.report import Score, mean_score
from memorybank_lab.evaluation.verbatim import verbatim_nodes

_said: list[float] = []


@contextmanager
def held_session(parts: Parts, *, goal: str = "", sources: Sequence[Source] = ()) -> Iterator[Session]:
    """A session that has begun; what it remembers is looked at when it ends."""
    with (
        TemporaryDirectory() as folder,
        Session.start(Path(folder) / "run", parts, goal=goal, sources=sources) as session,
    ):
        yield session
        _said.extend(verbatim_nodes(session.bank))


def verbatim_scores(data: str) -> list[Score]:
    """The share of nodes that say only what their sources say, of the sessions since the last call; none for none."""
    said = list(_said)
    _said.clear()
    return [mean_score(data, "nodes word for word", "engine", said, goal=1.0)] if said else []
