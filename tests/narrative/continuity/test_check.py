"""Each rule with a contradiction it finds and a near miss it lets pass, in both languages."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memorybank.narrative.continuity.check import check
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank.narrative.types import (
    HAS_STATUS,
    HAS_TRAIT,
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

C, L, ITEM, F, A = (EntityKind.CHARACTER, EntityKind.LOCATION, EntityKind.ITEM, EntityKind.FACTION, EntityKind.ABILITY)
S, T = EntityKind.STATUS, EntityKind.TRAIT

CAST: dict[Lang, dict[str, tuple[EntityKind, tuple[str, ...]]]] = {
    "zh": {
        "林霜": (C, ("霜儿",)), "顾青": (C, ()), "白芷": (C, ()), "赵无极": (C, ("铁面",)), "林远": (C, ()),
        "断雁谷": (L, ()), "玉门城": (L, ()), "赵家渡": (L, ()),
        "照夜": (ITEM, ()), "青玉佩": (ITEM, ()), "青云门": (F, ()),
        "赤焰帮": (F, ()),
        "燃灯术": (A, ()),
    },
    "en": {
        "Mara": (C, ("Finch",)), "Tomas": (C, ()), "Ilse": (C, ()), "Garrick": (C, ()), "Oswin": (C, ()),
        "Harrow": (L, ()), "Saltmere": (L, ()), "Coldwater": (L, ()),
        "Needle": (ITEM, ()), "the glass crown": (ITEM, ()),
        "the Grey Guild": (F, ()), "the Red Hand": (F, ()), "stone-singing": (A, ()),
    },
}  # fmt: skip
FACTS: dict[Lang, Sequence[tuple[str, str, str, int, dict[str, str]]]] = {
    "zh": [
        ("顾青", HAS_STATUS, "死", 5, {}), ("照夜", HAS_STATUS, "遗失", 6, {}), ("林霜", "OWNS", "青玉佩", 2, {}),
        ("林远", "PARENT_OF", "林霜", 1, {"role": "父亲"}), ("白芷", "SIBLING_OF", "林霜", 1, {"role": "姐姐"}),
        ("林霜", "LOCATED_IN", "断雁谷", 7, {}), ("林霜", "AGE", "17", 1, {"value": "17"}),
        ("林霜", "MEMBER_OF", "青云门", 1, {}), ("赵无极", "LEADS", "赤焰帮", 1, {}),
        ("白芷", "HAS_ABILITY", "燃灯术", 3, {}), ("林霜", HAS_TRAIT, "寡言", 1, {}),
        ("白芷", HAS_STATUS, "断了左腿", 4, {}),
        ("玉门城", "LOCATED_IN", "断雁谷", 1, {"side": "北岸"}),
    ],
    "en": [
        ("Tomas", HAS_STATUS, "dead", 5, {}), ("Needle", HAS_STATUS, "lost", 6, {}),
        ("Mara", "OWNS", "the glass crown", 2, {}),
        ("Oswin", "PARENT_OF", "Mara", 1, {"role": "father"}),
        ("Ilse", "SIBLING_OF", "Mara", 1, {"role": "elder sister"}),
        ("Mara", "LOCATED_IN", "Harrow", 7, {}), ("Mara", "AGE", "17", 1, {"value": "17"}),
        ("Mara", "MEMBER_OF", "the Grey Guild", 1, {}), ("Garrick", "LEADS", "the Red Hand", 1, {}),
        ("Ilse", "HAS_ABILITY", "stone-singing", 3, {}), ("Mara", HAS_TRAIT, "taciturn", 1, {}),
        ("Ilse", HAS_STATUS, "left leg broken", 4, {}),
        ("Saltmere", "LOCATED_IN", "Harrow", 1, {"side": "eastern shore"}),
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
    ("顾青走过城门，停在井边。", FindingKind.DEAD_RETURNS),
    ("顾青飞快地穿过人群。", FindingKind.DEAD_RETURNS),
    ("林霜从袖中抽出照夜，一剑刺去。", FindingKind.LOST_RETURNS),
    ("白芷摘下斗笠，解下腰间的青玉佩。", FindingKind.WITHOUT_CAUSE),
    ("那块玉一直挂在墙上，青玉佩属于白芷。", FindingKind.CONTRADICTS),
    ("林远是林霜的叔父，从小待她严厉。", FindingKind.CONTRADICTS),
    ("林霜的妹妹白芷在灯下缝衣。", FindingKind.CONTRADICTS),
    ("江湖人称铁面的顾青早年走过这条路。", FindingKind.CONTRADICTS),
    ("林霜是赤焰帮的弟子，人人都认得她。", FindingKind.CONTRADICTS),
    ("赤焰帮帮主白芷一言不发。", FindingKind.CONTRADICTS),
    ("林霜运起燃灯术，满屋的灯都亮了。", FindingKind.WITHOUT_CAUSE),
    ("林霜今年二十三岁，看上去还像个孩子。", FindingKind.CONTRADICTS),
    ("林霜仍在赵家渡，一步也没有离开。", FindingKind.CONTRADICTS),
    ("玉门城这座南岸小城，一早便开了门。", FindingKind.CONTRADICTS),
    ("林霜一坐下就滔滔不绝，讲了整整一夜。", FindingKind.OUT_OF_CHARACTER),
    ("白芷一听，跳下床来，一路跑到门口。", FindingKind.CONTRADICTS),
    ("林霜昨夜已经夺回了赤焰帮的令旗。", FindingKind.PLAN_AS_DONE),
]
ZH_NEAR = [
    "顾青走过的桥塌了。",
    "顾青骑过马，也走过许多桥。",
    "这条路顾青走过。",
    "林霜想起顾青推门进来的样子。",
    "“顾青昨夜来过。”白芷说。",
    "若顾青还在，他会推门进来。",
    "顾青的坟前，林霜放下一束花。",
    "林霜打算拔出照夜，却想起剑早已丢了。",
    "林霜解下青玉佩，递给白芷。",
    "白芷从林霜手中接过青玉佩，戴在腰间。",
    "林远是林霜的父亲。",
    "白芷待林霜像亲生母亲一样。",
    "林霜的姐姐白芷在灯下缝衣。",
    "林霜是青云门的弟子。",
    "白芷运起燃灯术，满屋的灯都亮了。",
    "林霜试着施展燃灯术，灯却没有亮。",
    "林霜今年十七岁。",
    "那年林霜才十二岁。",
    "林霜来到赵家渡，林霜在赵家渡住下。",
    "林霜站在玉门城头，望着对面的南岸。",
    "林霜仍在玉门城，一步也没有离开。",
    "林霜坐了一夜，没有滔滔不绝地诉苦。",
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
    ("Mara was a member of the Red Hand.", FindingKind.CONTRADICTS),
    ("Ilse was now the leader of the Red Hand.", FindingKind.CONTRADICTS),
    ("Mara used stone-singing on the wall.", FindingKind.WITHOUT_CAUSE),
    ("Mara was only twelve, and small for her age.", FindingKind.CONTRADICTS),
    ("Mara was still in Coldwater.", FindingKind.CONTRADICTS),
    ("Saltmere lies on the western shore.", FindingKind.CONTRADICTS),
    ("Mara chattered all through supper.", FindingKind.OUT_OF_CHARACTER),
    ("Ilse ran down the stairs.", FindingKind.CONTRADICTS),
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
    "Oswin was Mara's father.",
    "Oswin was like an uncle to everyone, and Mara's friends loved him.",
    "Mara's elder sister Ilse sat by the fire.",
    "Mara was a member of the Grey Guild.",
    "Ilse used stone-singing on the wall.",
    "Mara tried stone-singing on the wall and failed.",
    "Mara was seventeen, and small for her age.",
    "When she was twelve, Mara lived in Saltmere.",
    "Mara returned to Coldwater. Mara was in Coldwater by noon.",
    "From Saltmere one could see the western shore.",
    "Mara did not chatter at supper.",
    "Mara planned to burn the harbour tower.",
    "Would Mara burn the harbour tower?",
    "Garrick led the Red Hand into the valley.",
]


USED = [
    "1. Garrick relies on the glass crown once too often.",
    "Garrick used the glass crown at supper.",
    "Garrick uses the glass crown.",
    "Garrick depended on the glass crown.",
    "Garrick made use of the glass crown.",
    "Garrick wielded the glass crown once more.",
    "一、白芷又一次倚仗青玉佩。",
    "白芷倚仗青玉佩脱身。",
    "白芷使用青玉佩。",
    "白芷动用了青玉佩。",
    "白芷拿着青玉佩。",
    "白芷凭借青玉佩脱身。",
    "白芷仗着青玉佩闯了进去。",
    "白芷不得不倚仗青玉佩。",
]
NOT_USED = [
    "Garrick did not rely on the glass crown.",
    "Garrick didn't make use of the glass crown.",
    "Garrick borrowed the glass crown. Garrick relied on the glass crown.",
    "Mara lent Garrick the glass crown, and Garrick used the glass crown.",
    "Garrick took the glass crown from Mara. Garrick relied on the glass crown.",
    "Mara gave Garrick the glass crown. Garrick used the glass crown.",
    "Garrick wanted to use the glass crown.",
    "Garrick once used the glass crown.",
    "Mara relies on the glass crown.",
    "白芷借来青玉佩，倚仗青玉佩脱身。",
    "白芷从林霜手里夺过青玉佩。白芷倚仗青玉佩脱身。",
    "林霜把青玉佩交给白芷。白芷使用青玉佩。",
    "白芷没有使用青玉佩。",
    "白芷想使用青玉佩。",
    "白芷从不倚仗青玉佩。",
    "白芷当年使用过青玉佩。",
    "白芷不靠青玉佩也能脱身。",
    "林霜倚仗青玉佩脱身。",
]


@pytest.mark.parametrize("text", USED)
def test_relying_on_what_another_owns_is_a_use_of_it(text: str) -> None:
    (one,) = found(text, "zh" if any(char > "\u2e80" for char in text) else "en")
    assert one.kind is FindingKind.WITHOUT_CAUSE
    assert isinstance(one.against, Fact)
    assert one.against.predicate == "OWNS"


@pytest.mark.parametrize("text", NOT_USED)
def test_a_thing_that_was_given_borrowed_or_not_used_is_none(text: str) -> None:
    assert [one.reason for one in found(text, "zh" if any(char > "\u2e80" for char in text) else "en")] == []


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
