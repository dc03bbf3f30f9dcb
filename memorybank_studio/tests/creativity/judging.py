"""A scripted judge: it gives every judgement that it is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from memorybank_lab.scripted import SeenRequest
from memorybank_studio.creativity.options import Criterion

Says = Callable[[int, Criterion], dict[str, Any]]


def wanted(request: SeenRequest) -> Iterator[tuple[int, Criterion]]:
    """What the last lines of the request ask for: "2: consistency, style"."""
    for line in re.findall(r"^(\d+): ((?:\w+, )*\w+)$", request.text, re.MULTILINE):
        yield from ((int(line[0]), Criterion(name)) for name in line[1].split(", "))


def judgements(request: SeenRequest, says: Says = lambda option, criterion: {}) -> dict[str, Any]:
    """With what is said beyond the usual of each."""
    usual = {"findings": [], "reason": "as it is", "value": 0.6}
    return {
        "judgements": [
            {"option": option, "criterion": criterion.value, **usual, **says(option, criterion)}
            for option, criterion in wanted(request)
        ]
    }


def judged(request: SeenRequest) -> dict[str, Any]:
    return judgements(request)
