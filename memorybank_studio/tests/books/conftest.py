from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from memorybank_studio.books import files
from memorybank_studio.books.packed.worker import answer


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read DOCX and EPUB in this process: what is read out of them is tested by the dozen, and a process takes time."""

    def ask(arguments: Sequence[str], data: bytes, seconds: float) -> tuple[dict[str, Any], int]:
        *_, kind, limits = arguments
        answered: dict[str, Any] = json.loads(json.dumps(answer(kind, data, json.loads(limits))))
        return answered, 0

    monkeypatch.setattr(files, "ask_reader", ask)
