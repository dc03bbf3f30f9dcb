"""A finished run for the tests of what only reads: a demo task, recorded once a process by the product's own path.

A picture, a PDF and code come with it; conflicts are found and settled, and some are not.
"""

from __future__ import annotations

import functools
import tempfile
from dataclasses import replace
from pathlib import Path

from memorybank.hosting.orders import Upload
from memorybank.hosting.ready_tasks import demo_corpus, demo_image, ready_tasks
from memorybank.hosting.registry import read_uploads
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder
from memorybank.session.assembly import assemble
from memorybank.session.session import Session
from memorybank.settings.config import Settings

CODE = Upload(
    name="retry.py", data=b"def retry(times: int) -> None:\n    for _ in range(times):\n        print('again')\n"
)


@functools.cache
def recorded_run(lang: Lang = "en") -> RunFolder:
    """The demo task of a language with the embedding that needs no model. Do not write into it: copy it first."""
    folder = RunFolder(Path(tempfile.mkdtemp(prefix="recorded-")) / "run")
    task = next(one for one in ready_tasks(lang) if one.images)
    settings = replace(Settings(), embedding_model="hashed-ngrams", lang=lang, corpus=demo_corpus(task.corpus))
    pdf = next(demo_corpus("en").glob("*.pdf"))
    sources = read_uploads([CODE, Upload(name=pdf.name, data=pdf.read_bytes())], folder)
    images = [(name, demo_image(name)) for name in task.images]
    with Session.start(
        folder.path, assemble(settings, [task.task]), goal=task.task, sources=sources, images=images
    ) as session:
        session.run()
    return folder
