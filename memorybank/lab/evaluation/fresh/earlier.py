"""Numbers of an earlier engine on fresh prose, measured before its rules were cut: they stand beside today's.

`earlier.yaml` holds them by evaluation, with the commit they were measured at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import yaml

from memorybank.lab.evaluation.report import Score


def with_earlier(evaluation: str, scores: Sequence[Score]) -> Iterator[Score]:
    """Each score, then the same measure of the earlier engine."""
    earlier = {(one["data"], one["measure"]): one for one in _read()[evaluation]["scores"]}
    for score in scores:
        yield score
        if known := earlier.get((score.data, score.measure)):
            yield Score(system=f"engine at {_read()['commit']}", **known)


def earlier_notes(evaluation: str) -> list[str]:
    """The counts that the earlier engine had."""
    return [f"at {_read()['commit']}: {note}" for note in _read()[evaluation]["notes"]]


@cache
def _read() -> Mapping[str, Any]:
    read: Mapping[str, Any] = yaml.safe_load((resources.files(__package__) / "earlier.yaml").read_text("utf-8"))
    return read
