"""The prompts of analysis and integration as they are sent, whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memorybank.engines.llm import LLMEngine
from memorybank.memory.contracts import (
    AnalysisInput,
    Comparison,
    IntegrationInput,
    NeighborInfo,
    NodeWithNeighbors,
    PairVerdict,
)
from memorybank.memory.types import Claim, ConflictStatus, Contradiction, Lang, Side
from memorybank.prompts.templates import render_parts
from tests.engines.llm.scripted import Bench
from tests.prompts.rendered import check
from tests.prompts.tidal import FEATURE, LOG, OPERATOR


def sent(answer: Any, ask: Callable[[LLMEngine], Any]) -> str:
    """What one call sends: the system prompt, then the question."""
    bench = Bench([answer])
    ask(bench.engine)
    (request,) = bench.chat.requests
    return "\n\n----\n\n".join(message.content for message in request.messages)


PAIRS = ("A-0", "B-0", "B-A")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_analysis(lang: Lang) -> None:
    further = Comparison(new=LOG[lang], candidates=(OPERATOR[lang], FEATURE[lang]))
    given = AnalysisInput(new=FEATURE[lang], candidates=(OPERATOR[lang],), further=(further,), lang=lang)

    answer = {"relationships": [{"pair": pair, "reasoning": "r", "relationship": "related"} for pair in PAIRS]}
    check(f"analysis.{lang}", sent(answer, lambda engine: engine.analysis.run(given)))


FISHERMEN: dict[Lang, NeighborInfo] = {
    "en": NeighborInfo(
        ref=0,
        context="The creel fishermen's complaint about ground lost to the 24-megawatt tidal array",
        keywords=("creel fishermen", "compensation", "24 megawatts"),
    ),
    "zh": NeighborInfo(
        ref=0, context="鹿纹铜镜的复制品，直径23.1厘米，2019年发售", keywords=("复制品", "23.1厘米", "480元")
    ),
}


def ruling(lang: Lang, winner: Side, value: str, left: str, right: str) -> PairVerdict:
    sides = (Claim(text=text, kind="number", subject="", attribute="", value="") for text in (left, right))
    point = Contradiction(left=next(sides), right=next(sides), reason="", confidence=1.0)
    return PairVerdict(
        left=0,
        right=1,
        status=ConflictStatus.RESOLVED,
        winner=winner,
        value=value,
        reasoning=REASONING[lang],
        contradictions=(point,),
        conflict="c1",
        sources={"en": ("connection_register.md", "licence_notice.md"), "zh": ("发掘简报.md", "批复.md")}[lang],
    )


REASONING: dict[Lang, str] = {
    "en": "The register and the notice give 18 MW as built and no export before 2 June 2023.",
    "zh": "发掘简报与省文物局的批复都写作21.3厘米；23.1厘米是同墓另一面铜镜的直径。",
}
RULINGS: dict[Lang, tuple[PairVerdict, ...]] = {
    "en": (
        ruling(
            "en",
            "left",
            "The array has an installed capacity of 18 megawatts",
            "Twelve seabed turbines of 1.5 megawatts give the Skerra Sound tidal array 18 megawatts.",
            "The array's 24 megawatts make it the most powerful tidal farm in the north.",
        ),
        ruling(
            "en",
            "right",
            "It first exported electricity on 2 June 2023",
            "It first exported electricity to the grid on 14 March 2023.",
            "Its first power reached the grid on 2 June 2023, a Friday.",
        ),
    ),
    "zh": (
        ruling(
            "zh", "left", "鹿纹铜镜直径21.3厘米", "铜镜直径21.3厘米，重735克。", "云溪市博物馆的鹿纹铜镜直径23.1厘米。"
        ),
    ),
}
REPORT: dict[Lang, str] = {
    "en": "Capacity: 18 MW as built (connection_register.md, licence_notice.md); the 24 MW of memory 1 are the maximum "
    "of licence ML-0419 for up to 16 turbines.\nFirst export: 2 June 2023; on 14 March 2023 the connection was "
    "energised (connection_register.md).",
    "zh": "直径：21.3厘米（发掘简报.md、批复.md）；记忆 1 的23.1厘米是同墓出土的素面镜的直径（发掘简报.md）。",
}


UNITED = {"summary": "One memory of both.", "context": "both", "keywords": ["both"], "description": "They were united."}


def nodes(lang: Lang) -> tuple[NodeWithNeighbors, ...]:
    near = ((FISHERMEN[lang],), ())
    shown = (OPERATOR[lang], FEATURE[lang])
    return tuple(NodeWithNeighbors(**node.model_dump(), neighbors=of) for node, of in zip(shown, near, strict=True))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_integration_after_a_conflict(lang: Lang) -> None:
    given = IntegrationInput(
        nodes=nodes(lang), trigger="conflict", verdicts=RULINGS[lang], validation_result=REPORT[lang], lang=lang
    )
    check(f"integration_conflict.{lang}", sent(UNITED, lambda engine: engine.integration.run(given)))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_integration_of_what_says_the_same(lang: Lang) -> None:
    bare = tuple(node.model_copy(update={"neighbors": ()}) for node in nodes(lang))
    advice = {"en": "The operator's account is fuller.", "zh": "馆方的介绍更完整。"}[lang]
    given = IntegrationInput(nodes=bare, trigger="merge", merge_strategies=(advice,), lang=lang)
    check(f"integration_merge.{lang}", sent(UNITED, lambda engine: engine.integration.run(given)))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_neighbours_that_had_no_room(lang: Lang) -> None:
    values = {"new": OPERATOR[lang], "nodes": nodes(lang), "neighbors": [{**FISHERMEN[lang].model_dump(), "of": (0,)}]}
    system, user = render_parts("neighbors", lang, **values)
    check(f"neighbors.{lang}", f"{system}\n\n----\n\n{user}")
