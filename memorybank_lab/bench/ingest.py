"""How long does filing a long text take, beside embedding each of its sentences once with the same model?

Both are measured in one run, with texts of their own, so that neither profits from what the other embedded.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memorybank.language.text import sentences
from memorybank.session.assembly import assemble
from memorybank.session.session import Session
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank_lab.bench.survey import survey
from memorybank_lab.bench.table import Progress, Row, seconds

REPORT = 4_000
"""Bytes of a report; a long text is many of them, each on a site of its own."""
QUICK: dict[str, Any] = {"size": 5_000, "embedding_model": "hashed-ngrams"}


def run(progress: Progress, settings: Settings, *, size: int = 1_000_000, embedding_model: str = "") -> list[Row]:
    """Return one row: English text of `size` bytes."""
    settings = Settings(embedding_model=embedding_model or settings.embedding_model)
    numbers = range(-(-size // REPORT))
    once, filed = (
        "\n\n".join(
            survey("en", 1, REPORT, lambda text: len(text.encode()), f"{each} {number}").reports[0].text
            for number in numbers
        )
        for each in ("embedded", "filed")
    )
    parts = assemble(settings, [once[:2_000]])
    parts.embedder.documents(["warm up"])
    embedding = seconds(lambda: parts.embedder.documents([once[start:end] for start, end in sentences(once)]))
    progress(f"embedding the sentences of {size:,} bytes once took {embedding:.1f} s")
    with TemporaryDirectory() as folder:
        sources = [Source(name="long.txt", text=filed, kind="document")]
        with Session.start(Path(folder) / "run", assemble(settings, [filed[:2_000]]), sources=sources) as session:
            filing = seconds(session.run)
    row = {
        "bytes": f"{size:,}",
        "embed s": f"{embedding:.1f}",
        "file s": f"{filing:.1f}",
        "file / embed": f"{filing / embedding:.2f}",
    }
    return [row]
