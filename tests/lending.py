"""The embedding models of a run of the tests: loaded once, for its workers and for the programs that they start.

The service is the product's own, as a batch has one for its sessions. What tests how a process of models starts, dies
or is missing begins its own (`EmbeddingProcess`), or starts a program without `lent`.
"""

from __future__ import annotations

import os
from pathlib import Path

from memorybank.embedding.service import EmbeddingService, is_served_here, serve_by

ROOT = Path(__file__).parents[1]
_NAME = "LENT_MODELS"


def lend() -> EmbeddingService | None:
    """Begin the service, in the process that begins the workers; a model is loaded when it is first asked for."""
    if not is_served_here() or _NAME in os.environ:
        return None
    service = EmbeddingService()
    os.environ[_NAME] = service.address
    return service


def lent() -> dict[str, str]:
    """The environment of a program that has its models from here, and the project's code from this checkout."""
    path = os.pathsep.join([str(ROOT / "tests" / "lent"), str(ROOT)])
    return {"PYTHONPATH": path, **({_NAME: os.environ[_NAME]} if _NAME in os.environ else {})}


def borrow() -> None:
    """Have this process' models from the service."""
    if address := os.environ.get(_NAME):
        serve_by(address)
