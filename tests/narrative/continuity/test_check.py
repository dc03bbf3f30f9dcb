"""Each rule with a contradiction it finds and a near miss it lets pass, in both languages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memorybank.narrative.continuity.check import check
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank.narrative.types import (
    HAS_STATUS,
    Entity,
    EntityKind,
    Fact,
    Plan,
    PlanKind,
    PlanStatus,
)
from memorybank.narrative.writes import StatusChange
from memorybank.types import Lang
from tests.narrative.continuity.hubs import ORIGIN, Hub, facts_of

C, ITEM, F = EntityKind.CHARACTER, EntityKind.ITEM, EntityKind.FACTION

CAST: dict[Lang, dict[str, tuple[EntityKind, tuple[str, ...]]]] = {
    "zh": {
        "林霜": (C, ("霜儿",)), "顾青": (C, ()), "白芷": (C, ()), "赵无极": (C, ("铁面",)), "林远": (C, ()),
        "照夜": (ITEM, ()), "青玉佩": (ITEM, ()),         "赤焰帮": (F, ()),
    },
    "en": {
        "Mara": (C, ("Finch",)), "Tomas": (C, ()), "Ilse": (C, ()), "Garrick": (C, ()), "Oswin": (C, ()),
        "Needle": (ITEM, ()), "the glass crown": (ITEM, ()),
        "the Red Hand": (F, ()),
    },
}  # fmt: skip
FACTS: dict[Lang, Sequence[tuple[str, str, str, int, dict[str, str]]]] = {
    "zh": [
        ("顾青", HAS_STATUS, "死", 5, {}), ("照夜", HAS_STATUS, "遗失", 6, {}), ("林霜", "OWNS", "青玉佩", 2, {}),
        ("赵无极", "LEADS", "赤焰帮", 1, {}),
        ("林远", "PARENT_OF", "林霜", 1, {"role": "父亲"}), ("白芷", "SIBLING_OF", "林霜", 1, {"role": "姐姐"}),
    ],
    "en": [
        ("Tomas", HAS_STATUS, "dead", 5, {}), ("Needle", HAS_STATUS, "lost", 6, {}),
        ("Mara", "OWNS", "the glass crown", 2, {}),
        ("Oswin", "PARENT_OF", "Mara", 1, {"role": "father"}),
        ("Ilse", "SIBLING_OF", "Mara", 1, {"role": "elder sister"}),
    ],
}  # fmt: skip
STEP: dict[Lang, str] = {"zh": "林霜夺回赤焰帮的令旗", "en": "Mara burns the harbour tower"}


def hub(lang: Lang) -> Hub:
    known = {
        name: Entity(kind=kind, name=name, aliases=aliases, origin=ORIGIN)
        for name, (kind, aliases) in CAST[lang].items()
    }
    facts = facts_of(known, FACTS[lang])
    plans = PlansInMemory()
    outlines = [Plan(kind=PlanKind.GENERAL, title="all", origin=ORIGIN)]
    for kind in (PlanKind.LONG, PlanKind.SHORT, PlanKind.STEP):
        title = STEP[lang] if kind is PlanKind.STEP else f"{kind}"
        outlines.append(Plan(kind=kind, title=title, parent=outlines[-1].key, due=12, origin=ORIGIN))
    plans.apply(outlines, (), "board")
    return Hub(facts, plans)


HUBS: dict[Lang, Hub] = {"zh": hub("zh"), "en": hub("en")}


def found(text: str, lang: Lang, chapter: int = 9) -> tuple[Finding, ...]:
    return check(text, chapter, lang, HUBS[lang])


ZH = [
    ("顾青推门进来，把药放在桌上。", FindingKind.DEAD_RETURNS),
    ("林霜从袖中抽出照夜，一剑刺去。", FindingKind.LOST_RETURNS),
    ("白芷摘下斗笠，解下腰间的青玉佩。", FindingKind.WITHOUT_CAUSE),
    ("那块玉一直挂在墙上，青玉佩属于白芷。", FindingKind.CONTRADICTS),
    ("林远是林霜的叔父，从小待她严厉。", FindingKind.CONTRADICTS),
    ("林霜的妹妹白芷在灯下缝衣。", FindingKind.CONTRADICTS),
    ("江湖人称铁面的顾青早年走过这条路。", FindingKind.CONTRADICTS),
    ("林霜昨夜已经夺回了赤焰帮的令旗。", FindingKind.PLAN_AS_DONE),
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
    "白芷想使用青玉佩。",
    "白芷没有使用青玉佩。",
    "白芷当年使用过青玉佩。",
    "林远是林霜的父亲。",
    "白芷待林霜像亲生母亲一样。",
    "林霜的姐姐白芷在灯下缝衣。",
    "林霜要夺回赤焰帮的令旗。",
    "林霜盘算着如何夺回赤焰帮的令旗。",
    "赵无极大步走了进来，赤焰帮帮主赵无极一言不发。",
]
EN = [
    ("Tomas opened the door and came in.", FindingKind.DEAD_RETURNS),
    ("Mara drew Needle and stepped forward.", FindingKind.LOST_RETURNS),
    ("Garrick wore the glass crown at supper.", FindingKind.WITHOUT_CAUSE),
    ("The glass crown belonged to Garrick.", FindingKind.CONTRADICTS),
    ("Oswin was Mara's uncle.", FindingKind.CONTRADICTS),
    ("Mara's younger sister Ilse sat by the fire.", FindingKind.CONTRADICTS),
    ("Garrick, known as Finch, waited by the gate.", FindingKind.CONTRADICTS),
    ("At last Mara had burned the harbour tower.", FindingKind.PLAN_AS_DONE),
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
    "Garrick borrowed the glass crown. Garrick used the glass crown.",
    "Garrick took the glass crown from Mara. Garrick used the glass crown.",
    "Garrick wanted to use the glass crown.",
    "Garrick did not use the glass crown.",
    "Garrick once used the glass crown.",
    "Oswin was Mara's father.",
    "Oswin was like an uncle to everyone, and Mara's friends loved him.",
    "Mara's elder sister Ilse sat by the fire.",
    "Mara planned to burn the harbour tower.",
    "Would Mara burn the harbour tower?",
]


@pytest.mark.parametrize(("text", "kind"), ZH + EN)
def test_a_contradiction_is_found(text: str, kind: FindingKind) -> None:
    findings = found(text, "zh" if text[0] > "\u2e80" else "en")
    assert kind in {one.kind for one in findings}
    for one in findings:
        assert text[one.start : one.end] == text[one.start : one.end].strip()
        assert text[one.start : one.end] in one.reason
        assert one.chapter == (one.against.since if isinstance(one.against, Fact) else one.against.due)


@pytest.mark.parametrize("text", ZH_NEAR + EN_NEAR)
def test_a_near_miss_passes(text: str) -> None:
    lang: Lang = "zh" if any("\u4e00" <= char <= "\u9fff" for char in text) else "en"
    assert [one.reason for one in found(text, lang)] == []


def test_the_reason_is_in_the_language_asked_and_names_the_chapter() -> None:
    (one,) = found("顾青推门进来。", "zh")
    assert "自第5章起" in one.reason
    (other,) = check("顾青推门进来。", 9, "en", HUBS["zh"])
    assert "since chapter 5" in other.reason


def test_facts_count_as_of_the_chapter() -> None:
    assert found("顾青推门进来，把药放在桌上。", "zh", chapter=4) == ()
    assert found("顾青推门进来，把药放在桌上。", "zh", chapter=5) == (), "he may die later in that chapter"
    assert len(found("顾青推门进来，把药放在桌上。", "zh", chapter=6)) == 1


def test_a_plan_that_is_completed_may_be_told_as_done() -> None:
    stores = hub("zh")
    (step,) = stores.plans.all(kind=PlanKind.STEP)
    told = "林霜昨夜已经夺回了赤焰帮的令旗。"
    assert [one.against for one in check(told, 9, "zh", stores)] == [step]
    stores.plans.apply((), [StatusChange(plan=step.key, status=PlanStatus.COMPLETED)], "board")
    assert check(told, 9, "zh", stores) == ()


OUTLINE = {"zh": "林霜夺回赤焰帮的令旗", "en": "Lin Shuang recovers the storm banner"}


@pytest.mark.parametrize("kind", [PlanKind.LONG, PlanKind.SHORT])
@pytest.mark.parametrize(
    ("lang", "done", "planned"),
    [
        ("zh", "林霜昨夜已经夺回了赤焰帮的令旗。", "林霜打算夺回赤焰帮的令旗。"),
        ("en", "Last night Lin Shuang recovered the storm banner.", "Lin Shuang meant to recover the storm banner."),
    ],
)
def test_an_outline_told_as_done_is_found_and_one_spoken_of_is_not(
    lang: Lang, kind: PlanKind, done: str, planned: str
) -> None:
    facts, plans = FactsInMemory(), PlansInMemory()
    name = "林霜" if lang == "zh" else "Lin Shuang"
    facts.apply([Entity(kind=EntityKind.CHARACTER, name=name, origin=ORIGIN)], [])
    above: Plan | None = None
    for level in (PlanKind.GENERAL, PlanKind.LONG, PlanKind.SHORT):
        title = OUTLINE[lang] if level is kind else f"{level}"
        above = Plan(kind=level, title=title, parent=above.key if above else None, origin=ORIGIN)
        plans.apply([above], [], "settlement")
    (outline,) = plans.all(kind=kind)
    stores = Hub(facts, plans)
    assert [one.against for one in check(done, 9, lang, stores)] == [outline]
    assert check(planned, 9, lang, stores) == ()
    plans.apply((), [StatusChange(plan=outline.key, status=PlanStatus.COMPLETED)], "board")
    assert check(done, 9, lang, stores) == ()


@pytest.mark.parametrize(
    "text", ["", "\x00", "“" * 3_000, "顾青{quote}{0}%s推门进来。", "</script>'}) DETACH DELETE n //"]
)
def test_hostile_drafts_are_data(text: str) -> None:
    for one in found(text, "zh"):
        assert text[one.start : one.end] in one.reason
