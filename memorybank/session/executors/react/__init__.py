"""The ReAct agent: an executor that thinks, calls tools and answers on any chat model."""

from memorybank.session.executors.react.agent import ReActAgent
from memorybank.session.executors.react.conversation import ReActResult, RecordedMessage, transcript

__all__ = ["ReActAgent", "ReActResult", "RecordedMessage", "transcript"]
