"""Batches of the tests: invented documents in both languages, files of tasks on them, and plans."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memorybank.batch.plan import BatchPlan
from memorybank.runs.run_folder import load
from memorybank.runs.stages import ends_stage
from memorybank_lab.scripted import ScriptedServer

DOCUMENTS = {
    "ferry.md": "# Ferry\n\nThe ferry Aurelia carries 240 passengers. It was launched on 3 May 2019 in Torvik.",
    "harbour.md": "# Harbour\n\nThe ferry Aurelia carries 310 passengers. So says the harbour master of Torvik.",
    "水库.md": "# 水库\n\n青岚水库于2016年建成，库容为4200万立方米。水库由青岚水务公司管理。",
}
FERRY = "How many passengers does the ferry Aurelia carry?"
RESERVOIR = "青岚水库的库容是多少？"
HASHED = ("--embedding-model", "hashed-ngrams")
"""A model that takes no time to load."""
PLAN = BatchPlan(engine="offline", embedding_model="hashed-ngrams")


def documents(folder: Path) -> Path:
    corpus = folder / "corpus"
    corpus.mkdir()
    for name, text in DOCUMENTS.items():
        (corpus / name).write_text(text, "utf-8")
    return corpus


def line(id_: str, task: str = FERRY, **more: Any) -> dict[str, Any]:
    return {"id": id_, "task": task, "context": ["corpus/ferry.md"], **more}


def task_file(folder: Path, lines: Sequence[Mapping[str, Any]]) -> Path:
    path = folder / "tasks.jsonl"
    path.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in lines), "utf-8")
    return path


def on_endpoint(server: ScriptedServer, **more: str) -> BatchPlan:
    """Tasks that ask a language model, which is this server's."""
    settings = {"LLM_PROVIDER": "local", "LLM_BASE_URL": server.base_url, "LLM_MODEL": "scripted", "LLM_CACHE": "false"}
    return BatchPlan(engine="llm", embedding_model="hashed-ngrams", settings=tuple({**settings, **more}.items()))


def stages_of(folder: Path) -> list[tuple[str, int]]:
    return [(record.event.stage, record.event.round) for record in load(folder) if ends_stage(record)]
