"""The whole prompts of the classification agent, as they are sent: with and without summaries."""

from __future__ import annotations

import pytest

from memorybank.memory.contracts import ClassificationInput
from memorybank.memory.types import Lang
from tests.engines.llm.scripted import Bench
from tests.prompts.rendered import check

GOALS: dict[Lang, str] = {
    "en": "Write a brief for the island council: capacity, first export and effects of the Skerra Sound array.",
    "zh": "核对鹿纹铜镜的尺寸、出土时间与外展记录，为图录撰写一段说明。",
}
LOG = """\
# Skerra Sound in 2024

## The array

Twelve turbines give an installed capacity of 18 megawatts. The array first exported electricity on 14 March 2023. In \
the year to 30 September 2024 it produced 51 gigawatt-hours, about as much as 13,000 households use. In February all \
nacelles were brought ashore, and the blade root seals of all machines were replaced.

## The seals

The colony at Skerra haul-out numbered 412 animals in August 2022 and 405 in August 2023, within the error of the \
count; both times they were counted from the cliff and from the air on the same day. No collision was recorded in \
11,400 hours of camera footage."""
NOTES = """\
# 鹿纹铜镜资料

## 发掘

铜镜1986年4月17日出土于青岩村三号墓，直径21.3厘米，边厚0.6厘米，重735克。半球形钮外八鹿环列，间以云气纹。另有双凤纹铜镜一面，直径23.1厘米，\
残为四块，已修复。两镜均于1986年11月移交云溪县文化馆，即今云溪市博物馆。

## 外展

2015年6月2日至8月30日，铜镜在江北博物院参加“汉风：西汉铜器特展”，接待观众21.4万人次。特展期间停电一次，持续11分钟，展品未受影响。往返均走公路，铜镜装在恒温箱中，由两名馆员随行。展柜与灯光由两馆共同验收，撤展时逐件核对。"""
TEXTS: dict[Lang, str] = {"en": LOG, "zh": NOTES}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_prompts_are_kept(lang: Lang) -> None:
    answer = {"topics": [{"topic": "x", "keywords": ["x"], "ranges": [{"first": 0, "last": 99}]}]}
    for name, text in (("classification", TEXTS[lang]), ("classification-long", TEXTS[lang] * 40)):
        bench = Bench([answer])
        bench.engine.classification.run(ClassificationInput(text=text, task_goal=GOALS[lang], lang=lang))
        whole = "\n\n".join(message.content for message in bench.chat.requests[0].messages)
        check(f"{name}.{lang}", whole if name == "classification" else whole[: whole.index("<memory>\n[")])
