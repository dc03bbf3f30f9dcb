"""Reading the public sets from a folder (`--data`). Nothing of them is part of the project."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from memorybank.embedding.base import Embedder
from memorybank.embedding.models import MINILM, resolve
from memorybank.errors import InputError

T = TypeVar("T")

SAMPLE = 500
"""Items of a set that are taken unless everything is asked for; with a fixed seed, so that it is the same ones."""


def only(folder: Path, pattern: str) -> Path:
    """The first file below `folder` that matches, by name. Raises InputError, naming what is missing, for none."""
    found = sorted(folder.glob(pattern))
    if not found:
        raise InputError(f"{folder} holds no {pattern}: give --data the folder with the evaluation sets")
    return found[0]


def beside(corpus: Path) -> Path:
    """The questions that go with a corpus of passages: `x.json` beside `x_corpus.json`."""
    return corpus.with_name(corpus.name.replace("_corpus", ""))


def load_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise InputError(f"{path.name} is not JSON ({error}): restore it from its source") from None


def sampled(items: Sequence[T], full: bool, count: int = SAMPLE) -> list[T]:
    """All of them, or `count` at random with a fixed seed, in their own order."""
    if full or len(items) <= count:
        return list(items)
    chosen = sorted(random.Random(0).sample(range(len(items)), count))  # noqa: S311 - a sample, not a secret
    return [items[place] for place in chosen]


def embedder_for(texts: Sequence[str], given: Embedder) -> Embedder:
    """The model a session on these texts gets by default; a model that was asked for by name stays."""
    choice = resolve("auto", texts)
    if given.name != MINILM.name or choice.spec.name == given.name:
        return given
    from memorybank.embedding.process import shared

    return shared(choice)
