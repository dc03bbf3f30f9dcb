"""Speed: filing a long text, beside embedding each of its sentences once with the same model.

The texts are those of the bench (`lab/bench/texts.py`): no sentence comes twice, so that no memo of embeddings makes
either look fast. The baseline is measured first, on a text of its own, once the model is loaded. Filing is all the
engine does with a document: topics, summaries, nodes, comparison, links; the journal is written and made durable as in
any run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from memorybank.embedding.base import Embedder
from memorybank.lab.bench.texts import long_text
from memorybank.lab.evaluation.data import embedder_for
from memorybank.lab.evaluation.report import Report, Score
from memorybank.language.text import sentences
from memorybank.memory.types import Lang
from memorybank.session.assembly import offline_parts
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings

MEGABYTE = 1_000_000
SAMPLES: dict[Lang, int] = {"en": 300_000, "zh": 50_000}
"""Bytes of a text unless everything is asked for: about as many seconds in either language, for e5 takes six times as
long as MiniLM, and enough of them that the start of a session is a small part."""
MOST = 1.5
"""Times the embedding alone that filing may take."""

Stages = dict[str, float]
"""Seconds by stage."""


def run(data: Path, embedder: Embedder, *, full: bool, progress: Callable[[str], None]) -> Report:
    """The texts are made here: the folder of sets is not read."""
    scores: list[Score] = []
    notes: list[str] = []
    languages: tuple[Lang, ...] = ("en", "zh")
    for lang in languages:
        size = MEGABYTE if full else SAMPLES[lang]
        chosen = embedder_for([long_text(lang, 2_000)], embedder)
        progress(f"speed: {lang}, {size:,} bytes, embedded")
        alone = embed_sentences(long_text(lang, size, seed=1), chosen)
        progress(f"speed: {lang}, {size:,} bytes, filed")
        stages = file_text(long_text(lang, size, seed=2), lang, chosen)
        scores += scored(lang, size, alone, stages)
        notes.append(
            f"{lang}, {chosen.name}: "
            + ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in stages.items())
            + f"; embedding alone {alone:.1f} s."
        )
    return Report(
        name="speed",
        scores=tuple(scores),
        notes=tuple(notes),
        settings={"bytes": ", ".join(f"{MEGABYTE if full else SAMPLES[lang]} {lang}" for lang in languages)},
    )


def embed_sentences(text: str, embedder: Embedder) -> float:
    """Seconds to embed each sentence once."""
    embedder.documents(["The model is loaded before the clock runs."])
    began = time.perf_counter()
    embedder.documents([text[start:end] for start, end in sentences(text)])
    return time.perf_counter() - began


def file_text(text: str, lang: Lang, embedder: Embedder) -> Stages:
    """Seconds of each stage of a session that files the text; `start and commits` is what is spent outside of them."""
    stages: Stages = {}
    began = time.perf_counter()
    with (
        TemporaryDirectory() as folder,
        Session.start(
            Path(folder) / "run",
            offline_parts(Settings(), lang, embedder),
            sources=[Source(name="long.txt", text=text, kind="document")],
        ) as session,
    ):
        for report in session.iterate():
            stages[report.stage] = stages.get(report.stage, 0.0) + report.seconds
    stages["start and commits"] = time.perf_counter() - began - sum(stages.values())
    return stages


def scored(lang: Lang, size: int, alone: float, stages: Stages) -> list[Score]:
    data, filing = f"{size / MEGABYTE:g} MB {lang}", sum(stages.values())
    return [
        _single_score(data, "times the embedding alone", "engine", filing / max(alone, 1e-9), goal=MOST),
        _single_score(data, "seconds a MB", "engine", filing * MEGABYTE / size),
        _single_score(data, "seconds a MB", "embed the sentences once", alone * MEGABYTE / size),
    ]


def _single_score(data: str, measure: str, system: str, value: float, goal: float | None = None) -> Score:
    """Measured once: there is nothing to resample."""
    return Score(
        data=data, measure=measure, system=system, value=value, low=value, high=value, n=1, goal=goal, at_most=True
    )
