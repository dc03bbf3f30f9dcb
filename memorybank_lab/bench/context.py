"""How much is sent in a task of many rounds, and what can still be answered from it at the end?

One agent, one script of tool calls, one set of reports, three ways to keep the past:

- with the bank: a session of the product on the llm engine; a round is one request of the agent, with the enhanced
  prompt and the report that its plan names, and those of the memory's own agents;
- plain ReAct: the same agent makes all calls in one conversation, which holds every result;
- summarised at the limit (as ReSum, Wu et al. 2025): that conversation, but when a request would pass 0.9 of the
  context, all behind the question becomes one summary. It is extractive (engines/offline/structure.py), taken again
  until it fits what a model may write in one reply.

The model follows a script (scripted_round.py), so no model's skill is measured, only what it would be sent. Tokens are
those of the session's embedding model; the schema of an answer counts, for most servers read it.
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from memorybank.embedding.base import Embedder
from memorybank.embedding.models import resolve
from memorybank.embedding.process import shared
from memorybank.memory.events import PromptEnhanced
from memorybank.memory.types import Lang
from memorybank.session.session import Session
from memorybank.settings.config import Settings
from memorybank_lab.bench.histories import (
    CACHED_PRICE,
    History,
    PrefixCache,
    TokenCounter,
    plain_history,
    summarised_history,
)
from memorybank_lab.bench.scripted_round import AGENT, ScriptedModel, answer_line, survey_parts, visit_line
from memorybank_lab.bench.survey import PlantedFact, Survey, survey
from memorybank_lab.bench.table import Progress, Row

ROUNDS = 60
TOOL_TOKENS = 2_000
CONTEXTS = (32_000, 128_000)
"""The tokens of the summarised conversations: the narrative specification's window of an agent and of a ReAct round."""
QUICK: dict[str, Any] = {"rounds": 4, "tool_tokens": 400, "embedding_model": "hashed-ngrams"}
EVERY = 10
"""Rounds between those that are shown."""
FINAL = "<answer>\nThe survey is done.\n</answer>"


def run(
    progress: Progress,
    settings: Settings,
    *,
    languages: Sequence[Lang] = ("en", "zh"),
    rounds: int = ROUNDS,
    tool_tokens: int = TOOL_TOKENS,
    every: int = EVERY,
    embedding_model: str = "",
) -> list[Row]:
    """Return all rows of a language together, of which `every` so many rounds are shown. With the packaged embedding
    models a language takes minutes."""
    rows: list[Row] = []
    for lang in languages:
        embedder = shared(resolve(embedding_model or settings.embedding_model, ["中文" if lang == "zh" else "English"]))
        rows += _measured(survey(lang, rounds, tool_tokens, embedder.count_tokens), embedder, every, progress)
    return rows


def _measured(task: Survey, embedder: Embedder, every: int, progress: Progress) -> list[Row]:
    count = TokenCounter(embedder.count_tokens)
    with tempfile.TemporaryDirectory() as folder:
        requests = _plain(task, embedder, Path(folder) / "plain").requests()
        progress(f"{task.lang}: plain ReAct done, {len(requests)} requests")
        bank = _Bank(task, embedder, Path(folder) / "bank", count, progress)
        histories = {size: summarised_history(requests[-1], size, count) for size in CONTEXTS}
        whole = plain_history(requests, count)
        return [
            *_token_rows(bank, whole, histories, every),
            *_cost_rows(bank, whole, histories),
            bank.prompt_row(),
            *_fact_rows(bank, whole, histories, count),
        ]


def bank_lines(task: Survey) -> list[str]:
    """Return what the agent says in a session: the first report it asks for, those behind it are read by plan."""
    return [visit_line(task.reports[0]), *map(answer_line, task.reports), FINAL]


def _plain(task: Survey, embedder: Embedder, folder: Path) -> ScriptedModel:
    """The agent makes all calls in one round of a session whose memory is empty."""
    lines = [*map(visit_line, task.reports), FINAL]
    parts, model = survey_parts(task, embedder, lines, rounds=0)
    with Session.start(folder, parts, goal=task.goal) as session:
        next(report for report in session.iterate() if report.stage == "execute")
    return model


class _Bank:
    """A session with the bank, run through all rounds and then asked for each fact."""

    def __init__(self, task: Survey, embedder: Embedder, folder: Path, count: TokenCounter, progress: Progress) -> None:
        self.task, self.count = task, count
        lines = [*bank_lines(task), *(FINAL for _ in task.facts)]
        parts, model = survey_parts(task, embedder, lines, rounds=len(task.reports))
        with Session.start(folder, parts, goal=task.goal) as session:
            self._session = session
            for report in session.iterate():
                if report.stage == "enhance" and report.round % EVERY == 0:
                    progress(f"{task.lang}: round {report.round}, {len(session.bank.graph.nodes)} nodes")
            self.prompts = self._prompts()
            self.exchanges = list(model.exchanges)
            self.nodes, self.conflicts = len(session.bank.graph.nodes), len(session.bank.conflicts.all)
            self.end = self._shown_texts(self.prompts[-1])
            self.asked = [self._ask(fact) for fact in task.facts]

    def _prompts(self) -> list[PromptEnhanced]:
        return [record.event for record in self._session.records if isinstance(record.event, PromptEnhanced)]

    def _ask(self, fact: PlantedFact) -> tuple[str, str]:
        self._session.ask(fact.question)
        self._session.run()
        return self._shown_texts(self._prompts()[-1])

    def _shown_texts(self, prompt: PromptEnhanced) -> tuple[str, str]:
        """Return the prompt, and what deep_retrieval gives for each memory shown in it."""
        tools = self._session.parts.tools(lambda: self._session.bank, self._session.folder)
        deep = next(tool for tool in tools if tool.name == "deep_retrieval")
        shown = dict.fromkeys(part.node_id for part in prompt.parts if part.node_id is not None)
        return prompt.prompt, "\n".join(deep.run({"node_id": node_id}).text for node_id in shown)

    # -- rows ---------------------------------------------------------------------------------------------------------

    def first_requests(self) -> list[int]:
        """Return tokens of the request that each round begins with."""
        requests = [exchange.request for exchange in self.exchanges if exchange.role == AGENT]
        rounds = {request.messages[1].content: request for request in reversed(requests)}
        return [self.count.request(request) for request in reversed(rounds.values())]

    def costs(self) -> dict[str, Counter[str]]:
        """Return for each role, as they came, its requests, their tokens, and what a prefix cache serves of these
        (histories.py)."""
        cache = PrefixCache(self.count.text)
        costs: dict[str, Counter[str]] = defaultdict(Counter)
        for exchange in self.exchanges:
            tokens, cached = self.count.texts(exchange.texts), cache.take(exchange.texts)
            costs[exchange.role] += Counter(calls=1, tokens=tokens, cached=cached)
        return costs

    def prompt_row(self) -> Row:
        """Return the enhanced prompt alone, over all rounds, and what the memory held at the end."""
        sizes = [self.count.text(prompt.prompt) for prompt in self.prompts]
        return {
            "prompt": f"{self.task.lang}, enhanced",
            "largest": f"{max(sizes):,}",
            "largest / round 10": f"{max(sizes) / sizes[min(EVERY, len(sizes)) - 1]:.2f}",
            "budget": f"{self._session.parts.settings.prompt_tokens:,}",
            "nodes": str(self.nodes),
            "conflicts": str(self.conflicts),
        }


def _token_rows(bank: _Bank, whole: History, histories: Mapping[int, History], every: int) -> list[Row]:
    """Return tokens of the request that a round of the agent begins with, instructions included."""
    first = bank.first_requests()
    return [
        {
            "tokens sent": f"{bank.task.lang}, round {number}",
            "with the bank": f"{first[number - 1]:,}",
            "plain ReAct": f"{whole.by_round[number - 1]:,}",
            **{f"summarised at {size:,}": f"{one.by_round[number - 1]:,}" for size, one in histories.items()},
            "plain / bank": f"{whole.by_round[number - 1] / first[number - 1]:.1f}",
        }
        for number in range(every, len(bank.task.reports) + 1, every)
    ]


def _cost_rows(bank: _Bank, whole: History, histories: Mapping[int, History]) -> list[Row]:
    """Return what was sent over all rounds: by one role of the bank, by the bank, or by a conversation without it."""
    roles = bank.costs()
    agents = sum((cost for role, cost in roles.items() if role != AGENT), Counter[str]())
    totals = {"the memory's agents": agents, "the bank in all": sum(roles.values(), Counter[str]())}
    conversations = {"plain ReAct": whole}
    conversations |= {f"summarised at {size:,}": history for size, history in histories.items()}
    costs = roles | totals
    for name, one in conversations.items():
        costs[name] = Counter(calls=len(one.by_round) + one.summaries, tokens=one.total, cached=one.cached)
    return [
        {
            "sent by": f"{bank.task.lang}, {name}",
            "calls": str(cost["calls"]),
            "tokens": f"{cost['tokens']:,}",
            "of plain ReAct": f"{cost['tokens'] / whole.total:.2f}",
            "cached": f"{cost['cached']:,}",
            "cached at a tenth": f"{round(cost['tokens'] - (1 - CACHED_PRICE) * cost['cached']):,}",
        }
        for name, cost in costs.items()
    ]


def _fact_rows(bank: _Bank, whole: History, histories: Mapping[int, History], count: TokenCounter) -> list[Row]:
    """Count the planted facts whose value stands letter by letter in what the agent was given, and the tokens of that
    without the instructions, in the mean where each fact is asked for by itself."""
    facts = bank.task.facts
    prompt, behind = bank.end
    given: list[tuple[str, Sequence[str]]] = [
        ("the bank's last prompt", [prompt]),
        ("that and deep_retrieval of its memories", [f"{prompt}\n{behind}"]),
        ("the bank's prompt for the fact's question", [one for one, _ in bank.asked]),
        ("that and deep_retrieval of its memories, asked", [f"{one}\n{deep}" for one, deep in bank.asked]),
        ("plain ReAct's last history", [whole.end]),
        *(
            (f"the last history summarised at {size:,} ({one.summaries} times)", [one.end])
            for size, one in histories.items()
        ),
    ]
    return [
        {
            "planted facts in": f"{bank.task.lang}, {name}",
            "found": str(sum(fact.value in texts[place % len(texts)] for place, fact in enumerate(facts))),
            "of": str(len(facts)),
            "tokens": f"{round(sum(map(count.text, texts)) / len(texts)):,}",
        }
        for name, texts in given
    ]
