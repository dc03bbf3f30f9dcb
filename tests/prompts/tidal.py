"""Memories of two small worlds, a tidal power station and a bronze mirror, that prompts are rendered with."""

from __future__ import annotations

from typing import Final

from memorybank.memory.contracts import NodeInfo
from memorybank.memory.types import Lang

OPERATOR: Final[dict[Lang, NodeInfo]] = {
    "en": NodeInfo(
        context="Skerra Tidal Ltd's account of the Skerra Sound tidal array, October 2024",
        keywords=("Skerra Sound tidal array", "Skerra Tidal Ltd", "18 megawatts", "14 March 2023"),
        summary="Twelve seabed turbines of 1.5 megawatts give the Skerra Sound tidal array an installed capacity of "
        "18 megawatts. It first exported electricity to the grid on 14 March 2023; since that day it has generated on "
        "every tide without interruption.",
    ),
    "zh": NodeInfo(
        context="云溪市博物馆对馆藏鹿纹铜镜的介绍，2023年9月",
        keywords=("鹿纹铜镜", "云溪市博物馆", "21.3厘米", "青岩村"),
        summary="鹿纹铜镜1986年4月出土于青岩村西汉墓群3号墓，同年入藏云溪市博物馆，入藏以来从未离开过本馆。铜镜直径21.3厘米，重735克。",
    ),
}
FEATURE: Final[dict[Lang, NodeInfo]] = {
    "en": NodeInfo(
        context="The Norwick Herald's feature on the Skerra Sound tidal array, 20 July 2024",
        keywords=("Skerra Sound tidal array", "The Norwick Herald", "24 megawatts", "2 June 2023"),
        summary="The array's 24 megawatts make it the most powerful tidal farm in the north. Its first power reached "
        "the grid on 2 June 2023, a Friday, as site manager Eilidh Moar remembers.",
    ),
    "zh": NodeInfo(
        context="《云溪晚报》关于鹿纹铜镜秋季展出的报道，2019年10月12日",
        keywords=("鹿纹铜镜", "《云溪晚报》", "23.1厘米", "秦牧之"),
        summary="云溪市博物馆的鹿纹铜镜直径23.1厘米，今年展期六周。馆长秦牧之说，铜镜1986年春天出土于青岩村的一座西汉墓。",
    ),
}
LOG: Final[dict[Lang, NodeInfo]] = {
    "en": NodeInfo(
        context="Log of the workboat MV Brisling, 19 February to 22 March 2024",
        keywords=("MV Brisling", "nacelles", "blade root seals", "Norwick"),
        summary="On 19 February 2024 the export breaker at Norwick was open. By 28 February all twelve nacelles were "
        "ashore, only the foundations on the seabed. The breaker was closed on 22 March 2024 at 14:50.",
    ),
    "zh": NodeInfo(
        context="江北博物院2015年“汉风”特展的简报",
        keywords=("汉风", "江北博物院", "2015年", "罗怀远"),
        summary="“汉风：西汉铜器特展”2015年6月2日开幕、8月30日闭幕。居中独立展柜内为云溪市博物馆的鹿纹铜镜。",
    ),
}
NAMES: Final[dict[Lang, tuple[str, str, str]]] = {
    "en": ("overview.md", "herald_feature.md", "brisling_log.txt"),
    "zh": ("馆方介绍.md", "晚报报道.md", "江北简报.md"),
}
"""The documents that the three come from, in this order."""
