"""The parts of a session that reads a survey: the product's own llm engine and agent, on a model that follows a script.

Every prompt is the product's, so what the memory's agents read and what the ReAct agent reads can be counted. The
answers are rules': topics and judgements those of `lab.scripted`, summaries in the text's own sentences, one report a
round from the planner, which names the next ones ahead.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from memorybank.embedding.base import Embedder
from memorybank.engines.llm import LLMEngine
from memorybank.engines.offline.structure import summarise
from memorybank.errors import EndpointError
from memorybank.language.text import sentences
from memorybank.llm.base import ChatReply, ChatRequest, Chats, TokenUsage
from memorybank.retrieval.recall import Recall
from memorybank.session.assembly import Parts
from memorybank.session.executors.react import ReActAgent
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings
from memorybank.tools.corpus import Corpus
from memorybank_lab.bench.survey import WORDS, Survey, SurveyReport
from memorybank_lab.scripted.agents import agent_answer
from memorybank_lab.scripted.reading import memory_blocks, numbered
from memorybank_lab.scripted.script import SeenRequest

UNBOUNDED = 100_000_000
AGENT = "react"
AHEAD = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request, and which agent sent it."""

    role: str
    request: ChatRequest

    @property
    def texts(self) -> tuple[str, ...]:
        """Return all that is sent, in the order in which a server reads it: a schema "serves as a prefix to the system
        message and can be cached" (OpenAI's guide to prompt caching); others keep it out of the prompt."""
        schema = (json.dumps(self.request.schema, ensure_ascii=False),) if self.request.schema else ()
        return (*schema, *(message.content for message in self.request.messages))


@dataclass
class ScriptedModel:
    """A chat model that says its lines in order to the ReAct agent, answers the others by rule, and keeps it all."""

    survey: Survey
    lines: list[str]
    name: str = "scripted"
    context_window: int | None = None
    exchanges: list[Exchange] = field(default_factory=list)
    _planned: int = 0
    _answered: set[str] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, request: ChatRequest) -> ChatReply:
        with self._lock:
            text = self._line() if request.schema is None else json.dumps(self._fields(request), ensure_ascii=False)
            role = AGENT if request.schema is None else request.schema_name
            self.exchanges.append(Exchange(role=role, request=request))
        return ChatReply(text=text, usage=TokenUsage(measured=False), mode="schema" if request.schema else "text")

    def close(self) -> None: ...

    def requests(self, role: str = AGENT) -> list[ChatRequest]:
        return [exchange.request for exchange in self.exchanges if exchange.role == role]

    def _line(self) -> str:
        count = len(self.requests())
        if count >= len(self.lines):
            raise EndpointError("the script has no more lines")
        return self.lines[count]

    def _fields(self, request: ChatRequest) -> Mapping[str, Any]:
        seen = _seen(request)
        fields: dict[str, Any] = json.loads(agent_answer(seen).text)
        if "next_task" in fields:
            fields["next_task"] = self._next_task(seen)
            fields["then"] = [report for _ in range(AHEAD) if (report := self._next_report())]
        for judgement in fields.get("relationships", ()):
            if judgement["relationship"] in ("conflict", "merge"):  # two sites, to the rule that has no eye for names
                judgement.update(relationship="related", details=None)
        if "topics" in fields:
            _summarise_topics(seen, fields["topics"])
        elif set(fields) == {"summary"}:
            fields["summary"] = summarise(memory_blocks(seen.prompt)[0][1])
        return fields

    def _next_task(self, seen: SeenRequest) -> dict[str, Any] | None:
        """Ask for one report a round, then the answer, once for each goal; the first task is the session's own."""
        if report := self._next_report():
            return report | {"final": False}
        goals = [self.survey.goal, *(fact.question for fact in self.survey.facts)]
        goal = next((goal for goal in goals if goal in seen.prompt and goal not in self._answered), None)
        if goal is None:
            return None
        self._answered.add(goal)
        return {"description": WORDS[self.survey.lang]["answer"], "query": goal, "final": True}

    def _next_report(self) -> dict[str, Any]:
        """Return the task of reading the next report; empty when all are planned."""
        if self._planned == len(self.survey.reports):
            return {}
        report = self.survey.reports[self._planned]
        self._planned += 1
        description = WORDS[self.survey.lang]["task"].format(name=report.name, site=report.site)
        return {"description": description, "query": report.name}


def _seen(request: ChatRequest) -> SeenRequest:
    messages = [{"role": message.role, "content": message.content} for message in request.messages]
    form = {"type": "json_schema", "json_schema": {"name": request.schema_name, "schema": request.schema}}
    body = {"messages": messages, "response_format": form}
    return SeenRequest(number=1, method="POST", path="/v1/chat/completions", body=body)


def _summarise_topics(seen: SeenRequest, topics: list[dict[str, Any]]) -> None:
    """Summarise each topic that is asked for its summary as well, in the text's own sentences."""
    units = next((found for _, body in memory_blocks(seen.prompt) if (found := numbered(body))), [])
    for topic in topics:
        if "summary" in topic:
            text = "".join("".join(units[part["first"] : part["last"] + 1]) for part in topic["ranges"])
            topic["summary"] = summarise(text)


def visit_line(report: SurveyReport) -> str:
    call = json.dumps({"name": "visit", "arguments": {"url": report.name}})
    return f"<think>\n{report.name}: {report.site}\n</think>\n<tool_call>\n{call}\n</tool_call>"


def answer_line(report: SurveyReport) -> str:
    """Return what a round says it found: the report's first two sentences, whatever they are."""
    spans = list(sentences(report.text))[:2]
    return f"<answer>\n{report.text[spans[0].start : spans[-1].end].strip()}\n</answer>"


def survey_parts(
    survey: Survey, embedder: Embedder, lines: Iterable[str], *, rounds: int
) -> tuple[Parts, ScriptedModel]:
    """Return parts for a session that reads one report in each of `rounds` rounds; with 0 rounds all in the first."""
    model = ScriptedModel(survey, list(lines), _planned=len(survey.reports) - rounds + 1)
    llm = LLMSettings() if rounds else LLMSettings(max_context_tokens=UNBOUNDED)
    calls = 60 if rounds else 1_000
    settings = Settings(engine="llm", max_rounds=1_000, max_tool_calls=calls, llm=llm)
    corpus = Corpus.from_bytes({report.name: report.text.encode() for report in survey.reports})
    parts = Parts(
        settings=settings,
        lang=survey.lang,
        engine=LLMEngine(Chats(model), llm, embedder.count_tokens),
        executor=ReActAgent(seconds=UNBOUNDED),
        recall=Recall(embedder),
        corpus=corpus,
        chats=Chats(model),
    )
    return parts, model
