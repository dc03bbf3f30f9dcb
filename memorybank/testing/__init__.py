"""Tests made from recorded runs: run an agent, a tool or a stage again, with what was recorded in place of a model.

The app writes such tests ("Make this a test"); their files hold all they need and reach no network.

    engine = ReplayedEngine(REPLIES)                   an LLM engine whose model says what it said then
    engine.analysis.run(GIVEN)
    RecordedTool(RECORD).run("deep_retrieval", {...})  a tool on the memory of that moment
    RecordedStage("analyse", RECORD).run()             a stage on the memory before it, every call answered

A record is a `Recorded` packed into text (`pack`, `unpack`): facts up to a border, the calls made after it, and the
files they need. `RecordedStage(...).bank` and `.calls` show what is inside.
"""

from memorybank.testing.model import RecordedChat, ReplayedEngine
from memorybank.testing.record import Recorded, RecordedDocument, comparable, pack, unpack
from memorybank.testing.runs import RecordedStage, RecordedTool

__all__ = [
    "Recorded",
    "RecordedChat",
    "RecordedDocument",
    "RecordedStage",
    "RecordedTool",
    "ReplayedEngine",
    "comparable",
    "pack",
    "unpack",
]
