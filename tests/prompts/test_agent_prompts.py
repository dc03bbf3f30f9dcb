"""The prompts of the agents as they are sent, whole; and what is put around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memorybank.engines.llm import LLMEngine
from memorybank.engines.llm.wire import StructureAnswer
from memorybank.llm.answers import ask_typed
from memorybank.llm.base import ChatMessage, ChatRequest, ToolSpec
from memorybank.llm.schemas import strict_schema
from memorybank.llm.words import add_schema, add_tools
from memorybank.memory.contracts import (
    AnalysisInput,
    ClassificationInput,
    Comparison,
    IntegrationInput,
    NeighborInfo,
    NodeWithNeighbors,
    PairVerdict,
    StructureInput,
)
from memorybank.memory.types import Claim, ConflictStatus, Contradiction, ImageId, Lang, Side, StagedImage
from memorybank.prompts.templates import render_parts
from memorybank.session.executors.react.protocol import system_prompt
from tests.engines.llm.scripted import Bench, ScriptedChat
from tests.prompts.rendered import check
from tests.prompts.tidal import FEATURE, LOG, OPERATOR

ARRAY = """\
# The Skerra Sound array

Skerra Tidal Ltd owns and runs the tidal array in Skerra Sound. Twelve seabed turbines of 1.5 megawatts each \
stand in two rows at a depth of 34 metres, which gives the array an installed capacity of 18 megawatts.

The array first exported electricity to the grid on 14 March 2023, an occasion marked with the islanders at Norwick \
quay. The Herald reports that creel fishermen lost two square kilometres of ground; their association says that the \
compensation, 1.2 million pounds over ten years, was agreed before the true size of the closed area was known. \
No collision was recorded in 11,400 hours of camera footage.

| year | export |
|---|---|
| 2024 | 51 GWh |

The Norwick office employs 23 people, among them nine technicians."""
MIRROR = """\
# 鹿纹铜镜

鹿纹铜镜是云溪市博物馆的镇馆之宝，1986年4月出土于青岩村西汉墓群三号墓，同年入藏本馆。铜镜直径21.3厘米，\
边厚0.6厘米，重735克，镜背中央为半球形钮，钮外环列八只奔鹿。\
经北京科技大学检测，镜体含铜71%、锡23%、铅5%。镜面至今仍能照人，馆方每年只在秋季公开展出六周，\
其余时间存放于恒温恒湿库房，温度控制在20摄氏度上下。副馆长罗怀远说，铜镜自入藏以来从未离开过本馆，观众只有来到云溪才能一睹真容；\
展厅里另有一面复制品可供触摸，由本馆的修复师按原件翻制。"""
SOURCES: dict[Lang, StructureInput] = {
    "en": StructureInput(
        content=ARRAY,
        context="The tidal array in Skerra Sound: capacity, first export, quarrel about compensation",
        keywords=("Skerra Tidal Ltd", "18 megawatts", "14 March 2023"),
        lang="en",
    ),
    "zh": StructureInput(
        content=MIRROR,
        context="云溪市博物馆馆藏鹿纹铜镜的尺寸、成分与展出情况",
        keywords=("鹿纹铜镜", "云溪市博物馆", "罗怀远"),
        lang="zh",
    ),
}
DRAFTS: dict[Lang, str] = {
    "en": "Skerra Tidal Ltd runs 16 turbines in Skerra Sound. The array first exported electricity in spring.",
    "zh": "鹿纹铜镜出土于青岩村西汉墓群6号墓，藏于云溪市博物馆。馆方每年秋季展出数周。",
}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_structure(lang: Lang) -> None:
    bench = Bench([{"summary": DRAFTS[lang]}])
    bench.engine.structure.run(SOURCES[lang])
    first, again = ("\n\n".join(message.content for message in request.messages) for request in bench.chat.requests)
    check(f"structure.{lang}", first)
    check(f"structure-again.{lang}", again)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_classification(lang: Lang) -> None:
    goal = {"en": "Write a brief for the island council on the array.", "zh": "核对鹿纹铜镜的尺寸与展出记录。"}[lang]
    text = SOURCES[lang].content.partition("\n\n|")[0]
    for name, times in (("classification", 1), ("classification-long", 40)):
        bench = Bench([{"topics": [{"topic": "x", "keywords": ["x"], "ranges": [{"first": 0, "last": 99}]}]}])
        bench.engine.classification.run(ClassificationInput(text=text * times, task_goal=goal, lang=lang))
        whole = "\n\n".join(message.content for message in bench.chat.requests[0].messages)
        check(f"{name}.{lang}", whole if times == 1 else whole[: whole.index("<memory>\n[")])


# -- The prompts of analysis and integration as they are sent, whole ---------------------------------------------------


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


# -- What is put around an agent's prompt: the repair of an answer, and what a server takes only in words --------------

QUESTION = {"en": "Condense the text of the harbour master.", "zh": "请概括港务长的这段文字。"}
SEARCH = ToolSpec(name="search", description="Searches documents.", parameters={"type": "object", "properties": {}})


def shown(messages: tuple[ChatMessage, ...]) -> str:
    return "\n\n".join(f"[{message.role}]\n{message.content}" for message in messages)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_answer_is_sent_back_with_what_is_wrong(lang: Lang) -> None:
    model = ScriptedChat(["The quay is 40 m long.", {"summary": "The quay is 40 m long."}])
    request = ChatRequest(
        messages=(ChatMessage(role="user", content=QUESTION[lang]),), schema=strict_schema(StructureAnswer)
    )
    assert ask_typed(model, request, StructureAnswer).summary == "The quay is 40 m long."
    check(f"repair.{lang}", shown(model.requests[1].messages))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_a_server_does_not_take_is_said_in_words(lang: Lang) -> None:
    question = (ChatMessage(role="user", content=QUESTION[lang]),)
    check(f"schema-in-words.{lang}", shown(add_schema(question, strict_schema(StructureAnswer))))
    check(f"tools-in-words.{lang}", shown(add_tools(question, (SEARCH,))))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_images_are_read_by_instructions_of_their_own(lang: Lang) -> None:
    image = StagedImage(
        id=ImageId("i1"), name="poster.png", sha256="0" * 64, media_type="image/png", width=640, height=480, size=1_000
    )
    check(f"executor-system-images.{lang}", system_prompt((), lang, native=False, images=(image,)))
