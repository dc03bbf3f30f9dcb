"""The run that the tests of tracing look at: two sources contradict each other, a third is searched, two are merged."""

from __future__ import annotations

from pathlib import Path

from memorybank.integrations.tracing.spans import Span
from memorybank.session.assembly import Parts
from memorybank.session.effects import Effects
from memorybank.session.executors.base import Assignment, Execution
from memorybank.session.session import Session
from memorybank.tools.corpus import Corpus
from tests.scripted import WorldExecutor, numbered, parts

GOAL = "How many qubits has the willow chip?"
TEXTS = ("willow qubits: 105\n\nsycamore qubits: 53\n", "willow qubits: 98\n", "willow maker: Google\n")
ANSWER = "Done: answer"


class Researcher(WorldExecutor):
    """Searches before it rules."""

    def run(self, given: Assignment, fx: Effects) -> Execution:
        fx.use("search", query="willow qubits")
        return super().run(given, fx)


def parts_at(folder: Path) -> Parts:
    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
    (corpus / "third.md").write_text("A third report.\n\nwillow qubits: 105\n", "utf-8")
    return parts(executor=Researcher({"willow qubits": "105"}), corpus=Corpus.open(corpus))


def started(run: Path) -> Session:
    return Session.start(run, parts_at(run.parent), goal=GOAL, sources=numbered(*TEXTS), run_id="a" * 22)


def opened(run: Path) -> Session:
    return Session.open(run, lambda _: parts_at(run.parent))


def tree(spans: list[Span]) -> dict[str, list[str]]:
    """The names below each name, in order of time."""
    names = {span.ref: span.name for span in spans}
    below: dict[str, list[str]] = {}
    for span in sorted(spans, key=lambda span: span.begin):
        below.setdefault(names[span.parent] if span.parent else "", []).append(span.name)
    return below
