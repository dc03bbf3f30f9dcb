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
from memorybank.memory.types import Claim, ConflictStatus, Contradiction, Lang, Relation, Side
from memorybank.prompts.templates import render_parts
from tests.engines.llm.scripted import Bench
from tests.prompts.rendered import check
from tests.prompts.tidal import FEATURE, LOG, OPERATOR


def sent(answer: Any, ask: Callable[[LLMEngine], Any]) -> str:
    """What one call sends: the system prompt, then the question. The answer, a careful one, is taken whole."""
    bench = Bench([answer])
    ask(bench.engine)
    assert bench.notes == []
    (request,) = bench.chat.requests
    return "\n\n----\n\n".join(message.content for message in request.messages)


def judged(pair: str, relationship: str, reasoning: str, details: Any = None) -> dict[str, Any]:
    return {"pair": pair, "reasoning": reasoning, "relationship": relationship, "confidence": 0.9, "details": details}


def disputed(same: bool, description: str, *points: tuple[str, str, str, str, str, str]) -> dict[str, Any]:
    names = ("attribute", "existing_quote", "existing_value", "new_quote", "new_value", "why")
    return {
        "contradictions": [dict(zip(names, point, strict=True)) for point in points],
        "conflict_description": description,
        "same_subject": same,
    }


JUDGED: dict[Lang, list[dict[str, Any]]] = {
    "en": [
        judged(
            "A-0",
            "conflict",
            "18 megawatts and 14 March 2023 against 24 megawatts and 2 June 2023, for one array and one event.",
            disputed(
                True,
                "The Skerra Sound tidal array: 18 or 24 megawatts; first power to the grid on 14 March or 2 June 2023.",
                (
                    "capacity",
                    "Twelve seabed turbines of 1.5 megawatts give the Skerra Sound tidal array an installed "
                    "capacity of 18 megawatts.",
                    "18 megawatts",
                    "The array's 24 megawatts make it the most powerful tidal farm in the north.",
                    "24 megawatts",
                    "One array has one capacity.",
                ),
                (
                    "first export",
                    "It first exported electricity to the grid on 14 March 2023; since that day it has generated on "
                    "every tide without interruption.",
                    "14 March 2023",
                    "Its first power reached the grid on 2 June 2023, a Friday, as site manager Eilidh Moar remembers.",
                    "2 June 2023",
                    "There is one first day.",
                ),
            ),
        ),
        judged(
            "B-0",
            "conflict",
            "By the account the array has run on every tide since March 2023; in the log all nacelles are ashore.",
            disputed(
                False,
                "Whether the Skerra Sound array ran without interruption, or stood still in February and March 2024.",
                (
                    "interruption",
                    "since that day it has generated on every tide without interruption",
                    "without interruption",
                    "By 28 February all twelve nacelles were ashore, only the foundations on the seabed.",
                    "all twelve nacelles were ashore",
                    "With all nacelles ashore nothing can generate.",
                ),
            ),
        ),
        judged("B-A", "related", "The feature is on the array, the log on its repair; no point clashes."),
    ],
    "zh": [
        judged(
            "A-0",
            "conflict",
            "一说直径23.1厘米，一说21.3厘米，对象是同一面铜镜。",
            disputed(
                True,
                "鹿纹铜镜的直径：《云溪晚报》说23.1厘米，馆方介绍说21.3厘米。",
                (
                    "直径",
                    "铜镜直径21.3厘米，重735克。",
                    "21.3厘米",
                    "云溪市博物馆的鹿纹铜镜直径23.1厘米，今年展期六周。",
                    "23.1厘米",
                    "一面铜镜只有一个直径。",
                ),
            ),
        ),
        judged(
            "B-0",
            "conflict",
            "馆方说铜镜从未离开过本馆，简报说2015年特展上展出了它。",
            disputed(
                False,
                "鹿纹铜镜是否离开过云溪市博物馆：馆方说从未离开，江北博物院说2015年在该院展出。",
                (
                    "是否离开过本馆",
                    "鹿纹铜镜1986年4月出土于青岩村西汉墓群3号墓，同年入藏云溪市博物馆，入藏以来从未离开过本馆。",
                    "从未离开过本馆",
                    "居中独立展柜内为云溪市博物馆的鹿纹铜镜。",
                    "居中独立展柜内为云溪市博物馆的鹿纹铜镜",
                    "在江北博物院展出，就离开过云溪市博物馆。",
                ),
            ),
        ),
        judged("B-A", "related", "两次展出的是同一面铜镜，没有互相抵触之处。"),
    ],
}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_analysis(lang: Lang) -> None:
    further = Comparison(new=LOG[lang], candidates=(OPERATOR[lang], FEATURE[lang]))
    given = AnalysisInput(new=FEATURE[lang], candidates=(OPERATOR[lang],), further=(further,), lang=lang)

    def ask(engine: LLMEngine) -> None:
        found = engine.analysis.run(given).relationships
        assert [(one.relationship, one.same_subject, bool(one.contradictions)) for one in found] == [
            (Relation.CONFLICT, True, True),
            (Relation.CONFLICT, False, True),
            (Relation.RELATED, None, False),
        ]

    check(f"analysis.{lang}", sent({"relationships": JUDGED[lang]}, ask))


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


UNITED: dict[Lang, dict[str, Any]] = {
    "en": {
        "reasoning": "Both are on the array. By the verdicts 18 megawatts and 2 June 2023 hold.",
        "summary": "The Skerra Sound tidal array has an installed capacity of 18 MW, twelve seabed turbines of "
        "1.5 megawatts (connection_register.md, licence_notice.md); the 24 megawatts of The Norwick Herald, 20 July "
        "2024, are the maximum of licence ML-0419 for up to 16 turbines. It first exported electricity to the grid on "
        "2 June 2023, a Friday, as site manager Eilidh Moar remembers; on 14 March 2023 the connection was energised "
        "(connection_register.md). Skerra Tidal Ltd says in October 2024 that it has generated on every tide without "
        "interruption. The Norwick Herald calls it the most powerful tidal farm in the north.",
        "context": "The Skerra Sound tidal array: capacity and first export",
        "keywords": ["Skerra Sound tidal array", "18 MW", "2 June 2023"],
        "neighbor_updates": [
            {"neighbor": 0, "context": "", "keywords": ["creel fishermen", "compensation", "tidal array"]}
        ],
        "description": "The account and the feature were united; 24 MW and 14 March were corrected.",
    },
    "zh": {
        "reasoning": "两条都讲鹿纹铜镜；直径以21.3厘米为准。",
        "summary": "鹿纹铜镜1986年4月出土于青岩村西汉墓群3号墓，同年入藏云溪市博物馆，馆方称入藏以来从未离开过本馆。"
        "铜镜直径21.3厘米（发掘简报.md、批复.md），重735克；《云溪晚报》2019年10月12日所说的23.1厘米是同墓出土的素面镜的直径（发掘简报.md）。"
        "2019年展期六周。馆长秦牧之说，铜镜1986年春天出土于青岩村的一座西汉墓。",
        "context": "云溪市博物馆的鹿纹铜镜：出土、尺寸与展出",
        "keywords": ["鹿纹铜镜", "21.3厘米", "青岩村"],
        "neighbor_updates": [],
        "description": "馆方介绍与《云溪晚报》的报道合为一条；23.1厘米已更正。",
    },
}


def nodes(lang: Lang) -> tuple[NodeWithNeighbors, ...]:
    near = ((FISHERMEN[lang],), ())
    shown = (OPERATOR[lang], FEATURE[lang])
    return tuple(NodeWithNeighbors(**node.model_dump(), neighbors=of) for node, of in zip(shown, near, strict=True))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_integration_after_a_conflict(lang: Lang) -> None:
    given = IntegrationInput(
        nodes=nodes(lang), trigger="conflict", verdicts=RULINGS[lang], validation_result=REPORT[lang], lang=lang
    )
    check(f"integration_conflict.{lang}", sent(UNITED[lang], lambda engine: engine.integration.run(given)))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_integration_of_what_says_the_same(lang: Lang) -> None:
    bare = tuple(node.model_copy(update={"neighbors": ()}) for node in nodes(lang))
    advice = {"en": "The operator's account is fuller.", "zh": "馆方的介绍更完整。"}[lang]
    given = IntegrationInput(nodes=bare, trigger="merge", merge_strategies=(advice,), lang=lang)
    answer = {**UNITED[lang], "neighbor_updates": []}
    check(f"integration_merge.{lang}", sent(answer, lambda engine: engine.integration.run(given)))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_neighbours_that_had_no_room(lang: Lang) -> None:
    values = {"new": OPERATOR[lang], "nodes": nodes(lang), "neighbors": [{**FISHERMEN[lang].model_dump(), "of": (0,)}]}
    system, user = render_parts("neighbors", lang, **values)
    check(f"neighbors.{lang}", f"{system}\n\n----\n\n{user}")
