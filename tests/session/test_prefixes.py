"""What servers can cache: each request of an agent begins with all the memory that the one before it held."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.llm.base import ChatRequest
from memorybank.memory.types import Lang
from memorybank.session.session import Session
from memorybank_lab.bench.scripted_round import AGENT, ScriptedModel, answer_line, survey_parts, visit_line
from memorybank_lab.bench.survey import survey

ROUNDS = 5
NEW = {"en": "\n\nNew memories:\n", "zh": "\n\n新记忆：\n"}
"""Where an analysis goes on from what is known to what is new."""


@pytest.fixture(params=["en", "zh"])
def model(request: pytest.FixtureRequest, run_dir: Path) -> ScriptedModel:
    """A model that has read a survey, one report a round."""
    embedder, lang = HashedNgrams(), request.param
    task = survey(lang, ROUNDS, 400, embedder.count_tokens)
    lines = [line for report in task.reports for line in (visit_line(report), answer_line(report))]
    parts, model = survey_parts(task, embedder, [*lines, "<answer>\n-\n</answer>"], rounds=ROUNDS)
    with Session.start(run_dir, parts, goal=task.goal) as session:
        session.run()
    return model


def held(request: ChatRequest, lang: Lang) -> str:
    """A request up to where its memory ends."""
    text = "\0".join(message.content for message in request.messages)
    if NEW[lang] in text:
        return text[: text.index(NEW[lang])]
    return text.partition("\n</memory>")[0]


@pytest.mark.parametrize("role", [AGENT, "planning", "analysis"])
def test_each_request_of_an_agent_begins_with_all_memory_that_the_one_before_it_held(
    model: ScriptedModel, role: str
) -> None:
    lang = model.survey.lang
    openings = [request for request in model.requests(role) if len(request.messages) == 2]  # not a round's later ones
    memories = [text for text in (held(request, lang) for request in openings) if "report-01.md" in text]
    assert len(memories) >= ROUNDS - 1
    assert [text for before, text in pairwise(memories) if not text.startswith(before)] == []
    assert "report-04.md" in memories[-1], "it grew"
