"""One research task as the planner and the executor are told of it, round by round, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memorybank.memory.types import Lang


@dataclass(frozen=True, kw_only=True)
class ToldMemory:
    """A memory with the document that it comes from; the document says the same."""

    source: str
    topic: str
    keywords: tuple[str, ...]
    summary: str


@dataclass(frozen=True, kw_only=True)
class ToldTask:
    goal: str
    first: tuple[ToldMemory, ...]
    search: Mapping[str, object]
    """What the planner plans first."""
    answer: str
    """What the round says."""
    later: ToldMemory
    """What the round brought."""
    dispute: str
    learnt: str
    final: str
    brief: str
    """The answer to the goal."""
    second_goal: str
    second: Mapping[str, object]


TASKS: Mapping[Lang, ToldTask] = {
    "en": ToldTask(
        goal="Write a short brief for the island council on the Skerra Sound tidal array: what is its installed "
        "capacity, when did it first export electricity to the grid, and has it harmed the seals?",
        first=(
            ToldMemory(
                source="overview.md",
                topic="The operator's account of the Skerra Sound tidal array",
                keywords=("Skerra Tidal Ltd", "18 megawatts", "14 March 2023"),
                summary="Skerra Tidal Ltd: twelve seabed turbines have an installed capacity of 18 megawatts. The "
                "array first exported electricity to the grid on 14 March 2023.",
            ),
            ToldMemory(
                source="newsletter.md",
                topic="Creel fishermen's compensation for ground lost to the array",
                keywords=("creel fishermen", "1.2 million pounds"),
                summary="The association of the creel fishermen says that 1.2 million pounds over ten years for two "
                "square kilometres were agreed before the size of the closed area was known. The array first exported "
                "in June 2023.",
            ),
        ),
        search={
            "description": "Find out whether the turbines of the Skerra Sound tidal array have harmed harbour seals.",
            "query": "Skerra Sound harbour seals turbines study",
            "final": False,
        },
        answer="No measurable harm was found: no collision in 11,400 hours of footage (kelda_study.md).\n\n"
        "The study ran from July 2022 to June 2024; its cameras saw little at night (kelda_study.md).",
        later=ToldMemory(
            source="kelda_study.md",
            topic="The Kelda Marine Institute's study of harbour seals at the turbines",
            keywords=("Kelda Marine Institute", "harbour seals", "11,400 hours"),
            summary="July 2022 to June 2024, 38 tagged seals: no collision in 11,400 hours of footage. The cameras saw "
            "little at night.",
        ),
        dispute="The operator says that the array first exported on 14 March 2023, the newsletter says June 2023.",
        learnt="The Kelda study found no collision of a seal in 11,400 hours of footage (kelda_study.md).",
        final="In half a page: capacity, first export and harm to the seals. Say that the date of the first export is "
        "disputed (overview.md, newsletter.md), and that the cameras saw little at night (kelda_study.md).",
        brief="The array has 18 megawatts (overview.md). The date of its first export is disputed. The study found no "
        "harm to seals (kelda_study.md).",
        second_goal="How much compensation do the creel fishermen get, and who grants the marine licence?",
        second={
            "description": "Find out who granted the marine licence of the Skerra Sound tidal array, and when.",
            "query": "Skerra Sound marine licence granted by",
            "final": False,
        },
    ),
    "zh": ToldTask(
        goal="为旅游手册核实鹿纹铜镜的三件事：直径是多少，哪一年在哪里出土，入藏以后是否离开过云溪市博物馆？",
        first=(
            ToldMemory(
                source="馆方介绍.md",
                topic="云溪市博物馆对馆藏鹿纹铜镜的介绍",
                keywords=("鹿纹铜镜", "21.3厘米", "1986年"),
                summary="铜镜直径21.3厘米，1986年4月出土于青岩村西汉墓群3号墓，同年入藏。",
            ),
            ToldMemory(
                source="晚报报道.md",
                topic="《云溪晚报》关于博物馆新馆和停车场的报道",
                keywords=("云溪晚报", "新馆", "停车场"),
                summary="新馆2019年10月12日开放，停车场有320个车位；报道称铜镜直径23.1厘米。",
            ),
        ),
        search={
            "description": "查明鹿纹铜镜1986年入藏以后是否曾离开云溪市博物馆（外借、外展）。",
            "query": "鹿纹铜镜 外展 借展 2015",
            "final": False,
        },
        answer="铜镜离开过本馆：2015年6月2日至8月30日在江北博物院展出（展览简报.md）。\n\n"
        "展览名为“汉风：西汉铜器特展”，共展出3件借展文物（展览简报.md）。",
        later=ToldMemory(
            source="展览简报.md",
            topic="江北博物院2015年的西汉铜器特展",
            keywords=("江北博物院", "2015年", "鹿纹铜镜"),
            summary="2015年6月2日至8月30日，“汉风：西汉铜器特展”展出云溪市博物馆的鹿纹铜镜等3件文物。",
        ),
        dispute="馆方介绍称直径21.3厘米，晚报称23.1厘米。",
        learnt="铜镜2015年6月2日至8月30日在江北博物院展出，离开过本馆（展览简报.md）。",
        final="逐条写明三件事的结论和出处；说明直径有争议（馆方介绍.md、晚报报道.md），可供手册使用。",
        brief="铜镜1986年4月出土于青岩村3号墓（馆方介绍.md），2015年曾外展（展览简报.md）；直径尚无定论。",
        second_goal="博物馆新馆的停车场有多少车位，铜镜外展由谁批准？",
        second={
            "description": "查明2015年鹿纹铜镜赴江北博物院外展由哪个部门批准、批准日期。",
            "query": "鹿纹铜镜 2015 外展 批复",
            "final": False,
        },
    ),
}
