"""What the examples share: a question, two notes that contradict each other, a corpus that decides, and a model.

The model is yours when `OPENAI_BASE_URL` and `OPENAI_API_KEY` are set. Otherwise a script stands in for it, behind a
real endpoint on this machine: it searches, reads what it found, and answers by rule.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from memorybank import Settings, text_source
from memorybank.settings.env import load
from memorybank_lab.scripted import Answer, ScriptedServer, SeenRequest, tool_reply

QUESTION = "How many qubits does the Willow processor have?"
SOURCES = (
    text_source("Willow is a quantum processor by Google. The Willow processor has 105 qubits.", "notebook.md"),
    text_source("The Willow processor has 98 qubits. It was shown in December 2024.", "newsletter.md"),
)
REPORT = "A report from the laboratory.\n\nIt counts again: the Willow processor has 105 qubits."
VERDICT = (
    '<verdict>{"matter": "%s", "evidence": [{"source": "report.md", '
    '"quote": "the Willow processor has 105 qubits", "supports": ["%s"]}], "reasoning": "report.md counts 105", '
    '"holds": ["%s"], "value": "105"}</verdict>'
)


@dataclass(frozen=True)
class Endpoint:
    base_url: str
    api_key: str
    model: str


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    """The model that the examples ask."""
    url, key = os.environ.get("OPENAI_BASE_URL", ""), os.environ.get("OPENAI_API_KEY", "")
    if url and key:
        yield Endpoint(url, key, os.environ.get("LLM_MODEL", "gpt-4o-mini"))
        return
    with ScriptedServer(researcher) as server:
        yield Endpoint(server.base_url, "none", "scripted")


def run_folder(name: str) -> Path:
    """A fresh folder for an example's run, with the corpus beside it."""
    folder = Path(os.environ.get("STORAGE_DIR", "runs")) / "examples" / name
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "corpus").mkdir(parents=True)
    (folder / "corpus" / "report.md").write_text(REPORT, "utf-8")
    return folder / "run"


def settings(folder: Path) -> Settings:
    """This machine's settings, with the example's corpus to search."""
    return replace(load().settings, corpus=folder.parent / "corpus")


# -- the script that stands in for a model ----------------------------------------------------------------------------


def researcher(request: SeenRequest) -> Answer:
    seen = request.text
    if "search" in request.tools and "report.md" not in seen:
        return tool_reply(("search", {"query": "Willow processor report qubits"}))
    if "visit" in request.tools and "It counts again" not in seen:
        return tool_reply(("visit", {"url": "report.md"}))
    answer = f"<answer>{_words(seen)}</answer>"
    return tool_reply(("final_answer", {"answer": answer})) if "final_answer" in request.tools else answer


def _words(seen: str) -> str:
    """A verdict on each disputed matter where one is asked for, else the answer."""
    if "<verdict>" not in seen:
        return "The Willow processor has 105 qubits; the newsletter's 98 was corrected by a report."
    found = dict(re.findall(r"^- (m\d+): (?:.*\n)+?\s+\[([A-Z])\] “105”", seen, re.MULTILINE))
    return "\n".join(VERDICT % (matter, letter, letter) for matter, letter in found.items())
