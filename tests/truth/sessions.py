"""Sessions for the crawler, on the offline engine with the embedding that needs no model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from memorybank.embedding.hashed import HashedNgrams
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import offline_parts
from memorybank.session.intake import file_source
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank.tools.corpus import Corpus
from tests.truth.corpora import MadeCorpus

FED_WITH_FALSE: Final = (
    "tests/session/stages/test_document_names.py::test_images_of_one_name",  # one picture is read as two texts
)
"""Tests, or files of them, whose sessions are given what is false on purpose, and why."""


def worked_on(corpus: MadeCorpus, folder: Path, embedder: HashedNgrams) -> Path:
    """The run's folder of a session that was given some of the documents, and has all of them to search."""
    for path, text in corpus.documents:
        (folder / "documents" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "documents" / path).write_text(text, "utf-8")
    settings = replace(
        Settings(), engine="offline", embedding_model="hashed-ngrams", corpus=folder / "documents", max_rounds=12
    )
    parts = offline_parts(settings, corpus.lang, embedder, Corpus.open(folder / "documents"))
    run = RunFolder(folder / "run")
    given = [file_source(folder / "documents" / path, run) for path, _ in corpus.documents[: corpus.given]]
    with Session.start(run.path, parts, goal=corpus.goal, sources=given) as session:
        session.run()
    return run.path
