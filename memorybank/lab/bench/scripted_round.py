"""The parts of a session whose agent follows a script: the product's own, but for the model's words and the plan."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memorybank.embedding.base import Embedder
from memorybank.engines.offline import OfflineEngine
from memorybank.engines.offline.planning import OfflinePlanning
from memorybank.errors import EndpointError
from memorybank.lab.bench.survey import Survey, SurveyReport
from memorybank.lab.bench.survey_words import ANSWER, TASK
from memorybank.language.text import sentences
from memorybank.llm.base import ChatReply, ChatRequest, TokenUsage
from memorybank.llm.chats import Chats
from memorybank.memory.contracts import PlanningInput, PlanningOutput, TaskDraft
from memorybank.memory.types import TaskType
from memorybank.retrieval.recall import Recall
from memorybank.session.assembly import Parts
from memorybank.session.executors.react import ReActAgent
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings
from memorybank.tools.corpus import Corpus

UNBOUNDED = 100_000_000


@dataclass
class ScriptedModel:
    """A chat model that says its lines in order and keeps what it was sent."""

    lines: list[str]
    name: str = "scripted"
    context_window: int | None = None
    requests: list[ChatRequest] = field(default_factory=list)

    def complete(self, request: ChatRequest) -> ChatReply:
        if len(self.requests) >= len(self.lines):
            raise EndpointError("the script has no more lines")
        self.requests.append(request)
        return ChatReply(text=self.lines[len(self.requests) - 1], usage=TokenUsage(measured=False))

    def close(self) -> None: ...


def visit_line(report: SurveyReport) -> str:
    call = json.dumps({"name": "visit", "arguments": {"url": report.name}})
    return f"<think>\n{report.name}: {report.site}\n</think>\n<tool_call>\n{call}\n</tool_call>"


def answer_line(report: SurveyReport) -> str:
    """What a round says it found: the report's first two sentences, whatever they are."""
    spans = list(sentences(report.text))[:2]
    return f"<answer>\n{report.text[spans[0].start : spans[-1].end].strip()}\n</answer>"


class SurveyPlan:
    """One report a round, then the answer. What a finished task taught is written by the product's planner."""

    def __init__(self, survey: Survey, reports: Sequence[SurveyReport]) -> None:
        self._survey = survey
        self._reports = reports
        self._planner = OfflinePlanning()

    def run(self, given: PlanningInput) -> PlanningOutput:
        done = len(given.completed_tasks) + (given.finished is not None)
        context = self._planner.run(given).finished_context
        return PlanningOutput(reasoning="survey", finished_context=context, next_task=self._next(given, done))

    def _next(self, given: PlanningInput, done: int) -> TaskDraft | None:
        if given.finished is not None and given.finished.final:
            return None
        if given.task_goal == self._survey.goal and done < len(self._reports):
            report = self._reports[done]
            description = TASK[given.lang].format(name=report.name, site=report.site)
            return TaskDraft(type=TaskType.NORMAL, description=description, query=report.site)
        description = ANSWER[given.lang].format(goal=given.task_goal)
        return TaskDraft(type=TaskType.NORMAL, description=description, query=given.task_goal, final=True)


class SurveyEngine:
    """The offline engine with the survey's plan."""

    name = "offline"

    def __init__(self, embedder: Embedder, plan: SurveyPlan) -> None:
        offline = OfflineEngine(embedder)
        self.classification = offline.classification
        self.structure = offline.structure
        self.analysis = offline.analysis
        self.integration = offline.integration
        self.planning = plan


def survey_parts(
    survey: Survey, embedder: Embedder, lines: Iterable[str], *, rounds: int, prompt_tokens: int
) -> tuple[Parts, ScriptedModel]:
    """Parts for a session that reads one report in each of `rounds` rounds; with 0 rounds it goes to the answer."""
    model = ScriptedModel(list(lines))
    llm = LLMSettings() if rounds else LLMSettings(max_context_tokens=UNBOUNDED)
    calls = 60 if rounds else 1_000
    settings = Settings(max_rounds=1_000, max_tool_calls=calls, prompt_tokens=prompt_tokens, llm=llm)
    corpus = Corpus.from_bytes({report.name: report.text.encode() for report in survey.reports})
    parts = Parts(
        settings=settings,
        lang=survey.lang,
        engine=SurveyEngine(embedder, SurveyPlan(survey, survey.reports[:rounds])),
        executor=ReActAgent(seconds=UNBOUNDED),
        recall=Recall(embedder),
        corpus=corpus,
        chats=Chats(model),
    )
    return parts, model
