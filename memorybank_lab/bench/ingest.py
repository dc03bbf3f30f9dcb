"""How long does filing a long text take, beside embedding each of its sentences once with the same model?

Both are measured in one run, the baseline first and with texts of its own, so that neither profits from the other's
memo. Peak memory is the resident set of this process and of the embedding process together.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from memorybank.language.text import sentences
from memorybank.memory.types import Lang
from memorybank.session.assembly import assemble
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank_lab.bench.table import MemoryRow, Progress, TimingRow, timed_row
from memorybank_lab.bench.texts import long_text

MEGABYTE = 1_000_000
QUICK: dict[str, Any] = {"size": 5_000, "embedding_model": "hashed-ngrams"}


def run(
    progress: Progress,
    *,
    size: int = MEGABYTE,
    languages: tuple[Lang, ...] = ("en", "zh"),
    embedding_model: str = Settings().embedding_model,
) -> list[TimingRow | MemoryRow]:
    """Rows `ingest LANG` (baseline: its sentences embedded once) and `ingest LANG, twice the text` (baseline: once)."""
    rows: list[TimingRow | MemoryRow] = []
    settings = Settings(embedding_model=embedding_model)
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


def _embed_sentences(settings: Settings, lang: Lang, size: int, progress: Progress) -> float:
    text = long_text(lang, size, seed=1)
    embedder = assemble(settings, [text[:2_000]]).embedder
    embedder.documents([f"warm up {lang}"])
    began = time.perf_counter()
    embedder.documents([text[start:end] for start, end in sentences(text)])
    seconds = time.perf_counter() - began
    progress(f"{lang}: embedding the sentences of {size:,} bytes once took {seconds:.1f} s")
    return seconds


def _ingest(settings: Settings, lang: Lang, size: int, seed: int, progress: Progress) -> float:
    text = long_text(lang, size, seed)
    parts = assemble(settings, [text[:2_000]])
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        source = Source(name="long.txt", text=text, kind="document")
        with Session.start(Path(folder) / "run", parts, sources=[source]) as session:
            for report in session.iterate():
                progress(f"{lang}: {report.stage} {report.seconds:.1f} s, {len(session.bank.graph.nodes)} nodes")
        return time.perf_counter() - began


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
