"""How long does filing a long text take, beside embedding each of its sentences once with the same model?

Both are measured in one run, the baseline first and with texts of its own, so that neither profits from the other's
memo; no sentence comes twice. Peak memory is the resident set of this process and of the embedding process together.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

from memorybank.language.text import sentences
from memorybank.memory.types import Lang
from memorybank.session.assembly import assemble
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank_lab.bench.survey import survey
from memorybank_lab.bench.table import MemoryRow, Progress, Row, seconds, timed_row

MEGABYTE = 1_000_000
REPORT = 4_000
"""Bytes of a report; a long text is many of them."""
QUICK: dict[str, Any] = {"size": 5_000, "embedding_model": "hashed-ngrams"}


def run(
    progress: Progress,
    settings: Settings,
    *,
    size: int = MEGABYTE,
    languages: tuple[Lang, ...] = ("en", "zh"),
    embedding_model: str = "",
) -> list[Row]:
    """Rows `ingest LANG` (baseline: its sentences embedded once) and `ingest LANG, twice the text` (baseline: once)."""
    rows: list[Row] = []
    settings = Settings(embedding_model=embedding_model or settings.embedding_model)
    for lang in languages:
        baseline = _embed_sentences(settings, lang, size, progress)
        once = _ingest(settings, lang, size, 2, progress)
        rows.append(timed_row(f"ingest {lang}", size, [once], "embed its sentences once", [baseline]))
        twice = _ingest(settings, lang, 2 * size, 3, progress)
        rows.append(timed_row(f"ingest {lang}, twice the text", 2 * size, [twice], f"ingest {lang}", [once]))
    for lang in languages:
        _end_process(settings, lang)
    rows.append(MemoryRow(op="peak memory", size=2 * size, bytes=_peak_bytes(), measured="resident, with the model"))
    return rows


def long_text(lang: Lang, size: int, seed: int = 0) -> str:
    """About `size` bytes of UTF-8 prose, each report on a site of its own."""
    reports: list[str] = []
    used = 0
    for number in count():
        (report,) = survey(lang, 1, REPORT, lambda text: len(text.encode()), seed * 1_000_000 + number).reports
        reports.append(report.text)
        used += len(report.text.encode()) + 2
        if used >= size:
            break
    return "\n\n".join(reports)


def _embed_sentences(settings: Settings, lang: Lang, size: int, progress: Progress) -> float:
    text = long_text(lang, size, seed=1)
    embedder = assemble(settings, [text[:2_000]]).embedder
    embedder.documents([f"warm up {lang}"])
    took = seconds(lambda: embedder.documents([text[start:end] for start, end in sentences(text)]))
    progress(f"{lang}: embedding the sentences of {size:,} bytes once took {took:.1f} s")
    return took


def _ingest(settings: Settings, lang: Lang, size: int, seed: int, progress: Progress) -> float:
    text = long_text(lang, size, seed)
    parts = assemble(settings, [text[:2_000]])
    source = Source(name="long.txt", text=text, kind="document")

    def file() -> None:
        with Session.start(Path(folder) / "run", parts, sources=[source]) as session:
            for report in session.iterate():
                progress(f"{lang}: {report.stage} {report.seconds:.1f} s, {len(session.bank.graph.nodes)} nodes")

    with tempfile.TemporaryDirectory() as folder:
        return seconds(file)


def _end_process(settings: Settings, lang: Lang) -> None:
    """A child's peak is known to the system once it has ended."""
    close = getattr(assemble(settings, [long_text(lang, 2_000)]).embedder, "close", None)
    if close is not None:
        close()


def _peak_bytes() -> int:
    """ru_maxrss is in kilobytes on Linux and in bytes on macOS."""
    unit = 1 if sys.platform == "darwin" else 1024
    own, children = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return unit * (own + children)
