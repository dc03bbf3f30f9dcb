"""The stages by name. A stage is `(state, fx) -> facts`; which one runs is `layers.progress.next_stage`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memorybank.memory.events import Fact, StageName
from memorybank.memory.state import MemoryState
from memorybank.session.stages.analyse import analyse
from memorybank.session.stages.base import StageEffects
from memorybank.session.stages.executing import execute
from memorybank.session.stages.filing import classify, file, structure
from memorybank.session.stages.intercepting import intercept
from memorybank.session.stages.planning import enhance, finish, plan
from memorybank.session.stages.resolving import resolve

Stage = Callable[[MemoryState, StageEffects], list[Fact]]

STAGES: Mapping[StageName, Stage] = {
    "classify": classify,
    "structure": structure,
    "file": file,
    "analyse": analyse,
    "plan": plan,
    "enhance": enhance,
    "execute": execute,
    "intercept": intercept,
    "resolve": resolve,
    "finish": finish,
}
