"""Sentences of an intention and near ones that did happen, from the tables in `intentions/`, each with what the rules
say of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from memorybank.memory.types import Lang
from memorybank.narrative.reading.modality import Modality
from memorybank.narrative.reading.narration import read
from memorybank.narrative.reading.statements import clause_at

TABLES = Path(__file__).parent / "intentions"


@dataclass(frozen=True, slots=True)
class Judged:
    sentence: str
    """With the deed that is asked for in brackets, where it is not the first."""
    label: Modality
    group: str
    found: Modality


def judged(lang: Lang) -> tuple[Judged, ...]:
    """A table as the rules read it now."""
    table: dict[str, dict[str, list[Any]]] = yaml.safe_load((TABLES / f"{lang}.yaml").read_text("utf-8"))
    return tuple(
        Judged(str(sentence), Modality(label), group, _found(str(sentence), lang))
        for label, groups in table.items()
        for group, sentences in groups.items()
        for sentence in sentences
    )


def taken_as_happened(table: Sequence[Judged]) -> Iterator[str]:
    """What is intended and would be written down as a fact."""
    return (one.sentence for one in table if one.label is Modality.INTENDED and one.found is Modality.HAPPENED)


def kept(table: Sequence[Judged]) -> float:
    """The share of what happened that is known to have."""
    found = [one.found is Modality.HAPPENED for one in table if one.label is Modality.HAPPENED]
    return sum(found) / len(found)


def _found(sentence: str, lang: Lang) -> Modality:
    text = sentence.replace("[", "").replace("]", "")
    story = read(text, lang)
    place = max(0, sentence.find("["))
    told = clause_at(story, place)
    assert told is not None
    return told.modality_at(place - told.clause.start)
