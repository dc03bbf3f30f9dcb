"""Each rule with a contradiction it finds and a near miss it lets pass, in both languages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memorybank.memory.types import Lang
from memorybank.narrative.continuity.check import check
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.types import HAS_STATUS, Entity, EntityKind
from tests.narrative.continuity.hubs import ORIGIN, facts_of
from tests.narrative.hub.in_memory import FactsInMemory

C, ITEM = EntityKind.CHARACTER, EntityKind.ITEM

CAST: dict[Lang, dict[str, EntityKind]] = {
    "zh": {"林霜": C, "顾青": C, "白芷": C, "照夜": ITEM, "青玉佩": ITEM},
    "en": {"Mara": C, "Tomas": C, "Ilse": C, "Garrick": C, "Needle": ITEM, "the glass crown": ITEM},
}
FACTS: dict[Lang, Sequence[tuple[str, str, str, int, dict[str, str]]]] = {
    "zh": [
        ("顾青", HAS_STATUS, "死", 5, {}), ("照夜", HAS_STATUS, "遗失", 6, {}), ("林霜", "OWNS", "青玉佩", 2, {}),
    ],
    "en": [
        ("Tomas", HAS_STATUS, "dead", 5, {}), ("Needle", HAS_STATUS, "lost", 6, {}),
        ("Mara", "OWNS", "the glass crown", 2, {}),
    ],
}  # fmt: skip


def facts(lang: Lang) -> FactsInMemory:
    return facts_of(
        {name: Entity(kind=kind, name=name, origin=ORIGIN) for name, kind in CAST[lang].items()}, FACTS[lang]
    )


RECORD: dict[Lang, FactsInMemory] = {"zh": facts("zh"), "en": facts("en")}


def found(text: str, lang: Lang, chapter: int = 9) -> tuple[Finding, ...]:
    return check(text, chapter, lang, RECORD[lang])


ZH = [
    ("顾青推门进来，把药放在桌上。", FindingKind.DEAD_RETURNS),
    ("林霜从袖中抽出照夜，一剑刺去。", FindingKind.LOST_RETURNS),
    ("白芷摘下斗笠，解下腰间的青玉佩。", FindingKind.WITHOUT_CAUSE),
    ("那块玉一直挂在墙上，青玉佩属于白芷。", FindingKind.CONTRADICTS),
]
ZH_NEAR = [
    "顾青走过的桥塌了。",
    "这条路顾青走过。",
    "林霜想起顾青推门进来的样子。",
    "“顾青昨夜来过。”白芷说。",
    "若顾青还在，他会推门进来。",
    "顾青的坟前，林霜放下一束花。",
    "林霜打算拔出照夜，却想起剑早已丢了。",
    "林霜解下青玉佩，递给白芷。",
    "白芷从林霜手中接过青玉佩，戴在腰间。",
    "林霜又买了一柄新的照夜。",
    "白芷借来青玉佩，使用青玉佩脱身。",
    "白芷从林霜手里夺过青玉佩。白芷使用青玉佩脱身。",
    "白芷想戴上青玉佩。",
    "白芷没有使用青玉佩。",
    "白芷当年使用过青玉佩。",
]
EN = [
    ("Tomas opened the door and came in.", FindingKind.DEAD_RETURNS),
    ("Mara drew Needle and stepped forward.", FindingKind.LOST_RETURNS),
    ("Garrick wore the glass crown at supper.", FindingKind.WITHOUT_CAUSE),
    ("The glass crown belonged to Garrick.", FindingKind.CONTRADICTS),
]
EN_NEAR = [
    "Mara remembered how Tomas opened the door.",
    "“Tomas came in,” said Ilse.",
    "If Tomas came in, she would weep.",
    "Mara laid flowers on the grave of Tomas.",
    "Mara drew a copy of Needle on the wall.",
    "Mara wore the glass crown at supper.",
    "Mara gave the glass crown to Garrick. Garrick wore the glass crown at supper.",
    "Mara bought a new Needle in Saltmere.",
    "Garrick took the glass crown from Mara. Garrick used the glass crown.",
    "Garrick wanted to use the glass crown.",
    "Garrick did not use the glass crown.",
    "Garrick once used the glass crown.",
]


@pytest.mark.parametrize(("text", "kind"), ZH + EN)
def test_a_contradiction_is_found(text: str, kind: FindingKind) -> None:
    findings = found(text, "zh" if text[0] > "\u2e80" else "en")
    assert kind in {one.kind for one in findings}
    for one in findings:
        assert text[one.start : one.end] == text[one.start : one.end].strip()
        assert text[one.start : one.end] in one.reason
        assert one.chapter == one.against.since


@pytest.mark.parametrize("text", ZH_NEAR + EN_NEAR)
def test_a_near_miss_passes(text: str) -> None:
    lang: Lang = "zh" if any("\u4e00" <= char <= "\u9fff" for char in text) else "en"
    assert [one.reason for one in found(text, lang)] == []


def test_the_reason_is_in_the_language_asked_and_names_the_chapter() -> None:
    (one,) = found("顾青推门进来。", "zh")
    assert "自第5章起" in one.reason
    (other,) = check("顾青推门进来。", 9, "en", RECORD["zh"])
    assert "since chapter 5" in other.reason


def test_facts_count_as_of_the_chapter() -> None:
    assert found("顾青推门进来，把药放在桌上。", "zh", chapter=4) == ()
    assert found("顾青推门进来，把药放在桌上。", "zh", chapter=5) == (), "he may die later in that chapter"
    assert len(found("顾青推门进来，把药放在桌上。", "zh", chapter=6)) == 1


@pytest.mark.parametrize(
    "text", ["", "\x00", "“" * 3_000, "顾青{quote}{0}%s推门进来。", "</script>'}) DETACH DELETE n //"]
)
def test_hostile_drafts_are_data(text: str) -> None:
    for one in found(text, "zh"):
        assert text[one.start : one.end] in one.reason
