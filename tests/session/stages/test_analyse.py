"""The stage `analyse`: what becomes of the agent's judgements."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from memorybank.memory.contracts import AnalysisInput, AnalysisOutput
from memorybank.runs.export import to_json
from memorybank.session.session import Session
from tests.scripted import Analysis, numbered, parts


@dataclass
class Told:
    """The rules of the scripted engine, with each answer changed."""

    change: Callable[[AnalysisOutput], AnalysisOutput]
    asked: list[AnalysisInput] = field(default_factory=list)

    def run(self, given: AnalysisInput) -> AnalysisOutput:
        self.asked.append(given)
        return self.change(Analysis().run(given))


def test_a_conflict_keeps_whether_its_memories_are_about_one_subject(tmp_path: Path) -> None:
    def apart(output: AnalysisOutput) -> AnalysisOutput:
        changed = (one.model_copy(update={"same_subject": False}) for one in output.relationships)
        return AnalysisOutput(relationships=tuple(changed))

    made = parts()
    made.engine.analysis = Told(apart)  # type: ignore[misc]
    texts = numbered("willow qubits: 105\n", "willow qubits: 98\n")
    with Session.start(tmp_path / "run", made, goal="", sources=texts) as session:
        session.run_until(lambda report: report.stage == "analyse")
        (conflict,) = session.bank.conflicts.open()
        assert not conflict.same_subject
        exported = json.dumps(to_json(session.bank))
    with Session.start(tmp_path / "copy", parts(), memory=exported) as copy:
        (conflict,) = copy.bank.conflicts.open()
        assert not conflict.same_subject
