"""The whole prompts of classification and structure, as they are sent: with and without summaries, and with what the
audit found."""

from __future__ import annotations

import pytest

from memorybank.memory.contracts import ClassificationInput, StructureInput
from memorybank.memory.types import Lang
from tests.engines.llm.scripted import Bench
from tests.prompts.rendered import check

ARRAY = """\
# The Skerra Sound array

Skerra Tidal Ltd owns and runs the tidal array in Skerra Sound. Twelve seabed turbines of 1.5 megawatts each \
stand in two rows at a depth of 34 metres, which gives the array an installed capacity of 18 megawatts.

The array first exported electricity to the grid on 14 March 2023, an occasion marked with the islanders at Norwick \
quay. The Herald reports that creel fishermen lost two square kilometres of ground; their association says that the \
compensation, 1.2 million pounds over ten years, was agreed before the true size of the closed area was known.

| year | export |
|---|---|
| 2024 | 51 GWh |

The Norwick office employs 23 people, among them nine technicians."""
MIRROR = """\
# 鹿纹铜镜

鹿纹铜镜是云溪市博物馆的镇馆之宝，1986年4月出土于青岩村西汉墓群三号墓，同年入藏本馆。铜镜直径21.3厘米，\
边厚0.6厘米，重735克，镜背中央为半球形钮，钮外环列八只奔鹿。\
经北京科技大学检测，镜体含铜71%、锡23%、铅5%。镜面至今仍能照人，馆方每年只在秋季公开展出六周，\
其余时间存放于恒温恒湿库房，温度控制在20摄氏度上下。副馆长罗怀远说，铜镜自入藏以来从未离开过本馆，观众只有来到云溪才能一睹真容。"""
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
