"""A finished run for the tests of what only reads: a demo task, recorded once by the product's own path.

A picture, a PDF and code come with it, and papers that contradict each other on what is asked: what they dispute is
settled, what the demo corpus disputes is not.
"""

from __future__ import annotations

import functools
import os
import shutil
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from secrets import token_hex

from memorybank.hosting.ready_tasks import demo_corpus, demo_image, ready_tasks
from memorybank.hosting.registry import read_uploads
from memorybank.hosting.run import Upload
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import assemble
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from tests.tables import tables

TABLES = tables(__file__)

CODE = Upload(
    name="retry.py", data=b"def retry(times: int) -> None:\n    for _ in range(times):\n        print('again')\n"
)

GIVEN: dict[Lang, dict[str, str]] = TABLES["given"]
"""Handed over with the task: the last stands against the first two."""
FOUND: dict[Lang, dict[str, str]] = TABLES["found"]
"""What a check finds beside the demo corpus: both speak for the first two."""


@functools.cache
def recorded_run(lang: Lang = "en") -> RunFolder:
    """The demo task of a language with the embedding that needs no model. Do not write into it: copy it first."""
    ours = Path(os.environ.get("LENT_MODELS", token_hex())).parent.name
    shared = Path(tempfile.gettempdir(), f"recorded-{ours}-{lang}")
    if shared.exists():  # by another process of the same tests
        return RunFolder(shared)
    home = Path(tempfile.mkdtemp(prefix="recorded-"))
    folder = RunFolder(home / "run")
    task = next(one for one in ready_tasks(lang) if one.images)
    corpus = shutil.copytree(demo_corpus(task.corpus), home / "corpus")
    for name, text in FOUND[lang].items():
        (corpus / name).write_text(text, "utf-8")
    settings = replace(Settings(), embedding_model="hashed-ngrams", lang=lang, corpus=corpus)
    pdf = next(demo_corpus("en").glob("*.pdf"))
    given = [Upload(name=name, data=text.encode()) for name, text in GIVEN[lang].items()]
    sources = read_uploads([CODE, Upload(name=pdf.name, data=pdf.read_bytes()), *given], folder)
    images = [(name, demo_image(name)) for name in task.images]
    with Session.start(
        folder.path, assemble(settings, [task.task]), goal=task.task, sources=sources, images=images
    ) as session:
        session.run()
    with suppress(OSError):  # another was faster
        folder.path.rename(shared)
    return RunFolder(shared)
