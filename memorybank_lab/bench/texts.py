"""Long texts for benchmarks, made from word lists with a seed: many topics, every sentence its own.

A benchmark must not repeat sentences, or a memo of embeddings would make it look fast.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from memorybank.memory.types import Lang

_EN = {
    "thing": "reactor telescope battery bridge vaccine glacier satellite turbine archive harbour orchard compiler".split(),
    "part": "core mirror cathode deck dose surface antenna blade catalogue quay harvest parser".split(),
    "name": "Arden Boreal Caspian Delmar Everly Fenwick Garrison Holloway Ivory Juniper Kestrel Lowell".split(),
    "place": "Lisbon Osaka Nairobi Quito Tromso Perth Ankara Bergen Cusco Dakar Essen Fargo".split(),
    "verb": "measured replaced inspected extended recorded compared described rebuilt tested approved".split(),
    "reason": "to lower its cost|because the old one had failed|after a long review|before the winter began|"
    "so that visitors could see it|although the budget was small|with help from the local university".split("|"),
    "unit": "tonnes metres hours volts pages litres watts seconds".split(),
}
_ZH = {
    "thing": "反应堆 望远镜 电池 大桥 疫苗 冰川 卫星 涡轮机 档案馆 港口 果园 编译器".split(),
    "part": "核心 镜面 正极 桥面 剂量 表面 天线 叶片 目录 码头 收成 解析器".split(),
    "name": "晨星 北辰 沧海 云岭 青禾 长风 明川 远山 白鹭 松涛 紫金 昆仑".split(),
    "place": "杭州 成都 西安 青岛 昆明 厦门 长沙 大连 兰州 南宁 海口 拉萨".split(),
    "verb": "测量了 更换了 检查了 扩建了 记录了 比较了 描述了 重建了 测试了 批准了".split(),
    "reason": "以降低成本|因为旧的已经失效|经过长时间的评审|在冬天到来之前|以便游客参观|尽管预算不多|并得到当地大学的帮助".split(
        "|"
    ),
    "unit": "吨 米 小时 伏特 页 升 瓦 秒".split(),
}


def long_text(lang: Lang, size: int, seed: int = 0) -> str:
    """About `size` bytes of UTF-8 prose in paragraphs, each about one thing."""
    chance = random.Random(f"{lang} {seed}")
    paragraphs: list[str] = []
    used = 0
    for paragraph in _paragraphs(lang, chance):
        paragraphs.append(paragraph)
        used += len(paragraph.encode()) + 2
        if used >= size:
            return "\n\n".join(paragraphs)
    return ""


def _paragraphs(lang: Lang, chance: random.Random) -> Iterator[str]:
    words = _EN if lang == "en" else _ZH
    number = 0
    while True:
        name, thing = chance.choice(words["name"]), chance.choice(words["thing"])
        sentences = []
        for _ in range(chance.randint(3, 8)):
            number += 1
            sentences.append(
                _sentence(lang, words, chance, f"{name} {thing}" if lang == "en" else name + thing, number)
            )
        yield (" " if lang == "en" else "").join(sentences)


def _sentence(lang: Lang, words: dict[str, list[str]], chance: random.Random, subject: str, number: int) -> str:
    part, verb, place = (chance.choice(words[kind]) for kind in ("part", "verb", "place"))
    reason, unit, value = chance.choice(words["reason"]), chance.choice(words["unit"]), chance.randint(2, 9_999)
    year = chance.randint(1950, 2024)
    if lang == "en":
        return (
            f"In {year} the team from {place} {verb} the {part} of the {subject} {reason}, and report {number} gives "
            f"{value} {unit} for it."
        )
    return f"{year}年，来自{place}的团队{verb}{subject}的{part}，{reason}，第{number}号报告给出的数值是{value}{unit}。"
