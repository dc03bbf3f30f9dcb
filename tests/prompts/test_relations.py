"""The prompts of analysis and integration as they are sent, whole."""

from __future__ import annotations

from typing import Any

import pytest

from memorybank.engines.llm import LLMEngine
from memorybank.memory.contracts import AnalysisInput, Comparison
from memorybank.memory.types import Lang
from tests.engines.llm.scripted import Bench
from tests.prompts.rendered import check
from tests.prompts.tidal import FEATURE, LOG, OPERATOR


def sent(answer: Any, ask: Any) -> str:
    """What one call sends: the system prompt, then the question."""
    bench = Bench([answer])
    ask(bench.engine)
    (request,) = bench.chat.requests
    return "\n\n----\n\n".join(message.content for message in request.messages)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_analysis(lang: Lang) -> None:
    further = Comparison(new=LOG[lang], candidates=(OPERATOR[lang], FEATURE[lang]))
    given = AnalysisInput(new=FEATURE[lang], candidates=(OPERATOR[lang],), further=(further,), lang=lang)

    def ask(engine: LLMEngine) -> None:
        engine.analysis.run(given)

    check(f"analysis.{lang}", sent({"relationships": []}, ask))
