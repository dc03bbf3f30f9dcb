"""Robustness: metamorphic relations on whole sessions (Chen, Cheung, Yiu 1998).

Corpora of invented things with planted contradictions (`planted/`) go through a session as they are, and again after a
change that says nothing new: other order, another document, one told twice, other line breaks, other forms of the same
characters. What was raised, and how it ended, must stay.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import yaml

from memorybank.embedding.base import Embedder
from memorybank.language.text import detect_lang
from memorybank.memory.types import Lang
from memorybank.session.assembly import offline_parts
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank_lab.evaluation.data import embedder_for
from memorybank_lab.evaluation.planted import variants
from memorybank_lab.evaluation.report import Report, Score, mean_score
from memorybank_lab.evaluation.verbatim import held_session

LANGS: Final[tuple[Lang, ...]] = ("en", "zh")
ROUNDS: Final = 20
CORPORA: Final = {False: 3, True: 4}
"""The number of a language's corpora: sampled, and full."""

GOALS: Final[Mapping[Lang, str]] = {
    "en": "What do the documents say, and what holds?",
    "zh": "这些文档说了什么，哪些成立？",
}

Verdicts = frozenset[tuple[frozenset[str], str]]
"""The conflicts that a session raised: the two values, and the one that holds; where nothing was decided, how it ended.
Whether the two memories became one is no part of it."""

UNRELATED: Final[Mapping[Lang, Mapping[str, Any]]] = yaml.safe_load(
    Path(__file__).with_suffix(".yaml").read_text("utf-8")
)

CHANGES: Final[Mapping[str, Callable[[Sequence[Source]], Sequence[Source]]]] = {
    "documents reordered": lambda sources: sources[::-1],
    "unrelated document added": lambda sources: [*sources, Source(**UNRELATED[detect_lang(sources[0].text)])],
    "a document twice": lambda sources: [*sources, replace(sources[0], name=f"again {sources[0].name}")],
    "line breaks of Windows": lambda sources: [replace(one, text=one.text.replace("\n", "\r\n")) for one in sources],
    "characters decomposed": lambda sources: [
        replace(one, text=unicodedata.normalize("NFD", one.text)) for one in sources
    ],
}
"""The changes that are made to a session's documents, of which none changes what they say."""


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    """Run the evaluation, which needs no data."""
    del data
    examples: list[Mapping[str, str]] = []
    scores = tuple(_sessions(embedder, full, progress, examples))
    return Report(name="robustness", scores=scores, examples=tuple(examples))


def _sessions(
    embedder: Embedder, full: bool, progress: Callable[[str], None], examples: list[Mapping[str, str]]
) -> Iterator[Score]:
    for lang in LANGS:
        progress(f"robustness: {lang}, {CORPORA[full]} corpora, {len(CHANGES) + 1} sessions each")
        outcomes: dict[str, list[bool]] = {change: [] for change in CHANGES}
        for corpus in variants(lang, CORPORA[full]):
            sources = [Source(name=name, text=text, kind="document") for name, text in corpus.documents.items()]
            before = verdicts(sources, lang, embedder)
            for change, changed in CHANGES.items():
                after = verdicts(changed(sources), lang, embedder)
                outcomes[change] += stayed(before, after)
                if before != after:
                    examples.append(
                        {"data": f"sessions, {lang}", "asked": f"corpus {corpus.seed}: {change}",
                         "expected": _listed(before - after), "found": _listed(after - before)}
                    )  # fmt: skip
        for change, stays in outcomes.items():
            yield mean_score(f"sessions, {lang}", f"verdicts stay, {change}", "engine", stays, goal=0.95)


def verdicts(sources: Sequence[Source], lang: Lang, embedder: Embedder) -> Verdicts:
    """Return what a session on these sources raised, without the order of its sides."""
    parts = offline_parts(Settings(max_rounds=ROUNDS), lang, embedder_for([one.text for one in sources], embedder))
    with held_session(parts, goal=GOALS[lang], sources=sources) as session:
        session.run()
        return frozenset(
            (
                frozenset(_composed(side.value) for side in (one.contradictions[0].left, one.contradictions[0].right)),
                _composed(one.value) if one.status.decides else one.status.value,
            )
            for one in session.bank.conflicts.all.values()
            if one.contradictions
        )


def _composed(value: str) -> str:
    return unicodedata.normalize("NFC", value)


def stayed(before: Verdicts, after: Verdicts) -> list[bool]:
    """Return for each verdict of either session whether the other has it. Where neither raised anything, that is one
    that stayed."""
    return [one in before and one in after for one in sorted(before | after, key=_key)] or [True]


def _key(verdict: tuple[frozenset[str], str]) -> tuple[list[str], str]:
    return sorted(verdict[0]), verdict[1]


def _listed(found: Verdicts) -> str:
    return "; ".join(f"{' / '.join(values)}: {end}" for values, end in map(_key, found)) or "none"
