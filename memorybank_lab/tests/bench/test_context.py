"""The benchmark of contexts, small: what is compared, what is counted, and that the histories are held as they say."""

from __future__ import annotations

from memorybank.embedding.hashed import HashedNgrams
from memorybank.llm.base import ChatMessage, ChatRequest
from memorybank.settings.config import Settings
from memorybank_lab.bench.context import run
from memorybank_lab.bench.histories import (
    BLOCK,
    SUMMARY_TOKENS,
    PrefixCache,
    TokenCounter,
    plain_history,
    shortened,
    summarised_history,
)
from memorybank_lab.bench.scripted_round import AGENT
from memorybank_lab.bench.survey import survey
from memorybank_lab.bench.table import as_table

COUNT = HashedNgrams().count_tokens
AGENTS = ("classification", "structure", "analysis", "integration", "planning")


def test_the_survey_is_one_task_with_facts_that_stand_once() -> None:
    for lang in ("en", "zh"):
        task = survey(lang, 8, 400, COUNT)
        assert task == survey(lang, 8, 400, COUNT)
        for report in task.reports:
            assert 300 < COUNT(report.text) < 480
        for place, fact in enumerate(task.facts, start=1):
            assert [report.name for report in task.reports if fact.value in report.text] == [
                f"report-{2 * place:02}.md"
            ]
            assert fact.value not in fact.question
        assert place == 4


def test_the_bank_is_measured_beside_the_histories() -> None:
    small = {"rounds": 6, "tool_tokens": 400, "every": 2, "embedding_model": "hashed-ngrams"}
    rows = run(lambda line: None, Settings(), languages=("en",), **small)
    by_heading: dict[str, dict[str, dict[str, float]]] = {}
    for row in rows:
        (heading, name), *cells = row.items()
        numbers = {column: float(cell.replace(",", "")) for column, cell in cells}
        by_heading.setdefault(heading, {})[name.removeprefix("en, ")] = numbers
    tokens = by_heading["tokens sent"]
    assert list(tokens) == ["round 2", "round 4", "round 6"]
    plain = [row["plain ReAct"] for row in tokens.values()]
    assert plain[1] - plain[0] > 800, "two results more"
    assert plain[2] - plain[1] > 800
    assert tokens["round 6"]["summarised at 128,000"] == plain[2], "nothing to sum up yet"
    costs = by_heading["sent by"]
    roles = [costs[role] for role in costs if role in AGENTS]
    assert len(roles) >= 3, "each kind of agent that was asked has a row of its own"
    for column in ("calls", "tokens", "cached"):
        agents = costs["the memory's agents"][column]
        assert sum(role[column] for role in roles) == agents
        assert agents + costs[AGENT][column] == costs["the bank in all"][column]
    assert costs[AGENT]["calls"] == 1 + 6 + 1, "the first visit, an answer a round, and the answer to the goal"
    assert costs["planning"]["calls"] == 2, "all six reports in one plan, and the answer"
    assert costs["plain ReAct"]["cached"] > 0.5 * costs["plain ReAct"]["tokens"], "a conversation only grows"
    prompt = by_heading["prompt"]["enhanced"]
    assert 0 < prompt["largest"] <= prompt["budget"]
    assert prompt["nodes"] > 6
    facts = by_heading["planted facts in"]
    assert {row["of"] for row in facts.values()} == {3}
    assert facts["plain ReAct's last history"]["found"] == 3
    asked = facts["the bank's prompt for the fact's question"]
    assert asked["found"] == 3
    assert asked["tokens"] < facts["plain ReAct's last history"]["tokens"]
    assert as_table(rows).count("\n\n") == 3


def test_a_history_is_summed_up_at_its_limit() -> None:
    task = survey("en", 20, 500, COUNT)
    question = [ChatMessage(role="system", content="instructions"), ChatMessage(role="user", content="the question")]
    turns = [
        message
        for report in task.reports
        for message in (
            ChatMessage(role="assistant", content=f"visit {report.name}"),
            ChatMessage(role="user", content=report.text),
        )
    ]
    requests = [ChatRequest(messages=(*question, *turns[: 2 * place])) for place in range(21)]
    count = TokenCounter(COUNT)
    plain = plain_history(requests, count)
    assert list(plain.by_round) == sorted(plain.by_round)
    assert all(fact.value in plain.end for fact in task.facts)
    held = summarised_history(requests[-1], 6_000, count)
    assert held.summaries >= 1
    assert max(held.by_round) <= 0.9 * 6_000
    assert held.by_round[:5] == plain.by_round[:5]
    assert len(held.by_round) == 21
    assert sum(held.by_round) < held.total < plain.total
    assert "the question" in held.end
    assert task.reports[-1].text in held.end, "what came last is there as it was"
    assert COUNT(shortened("\n\n".join(report.text for report in task.reports), count)) <= SUMMARY_TOKENS


def test_a_prefix_cache_serves_the_longest_beginning_in_whole_blocks() -> None:
    cache = PrefixCache(len)
    system = "s" * 3 * BLOCK
    assert cache.take([system, "first"]) == 0
    assert cache.take(["another", system]) == 0, "what stands elsewhere is no beginning"
    assert cache.take([system, "second"]) == 3 * BLOCK
    assert cache.take([system, "first", "x" * BLOCK]) == 3 * BLOCK, "a block that is not full is not cached"
    assert cache.take([system, "first", "x" * BLOCK, "y"]) == 4 * BLOCK
