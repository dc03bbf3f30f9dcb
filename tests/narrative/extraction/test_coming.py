"""What an author tells of chapters to come is a plan, unless it is told as past."""

from __future__ import annotations

import pytest

from memorybank.narrative.extraction.coming import Past, past_of_clause
from memorybank.narrative.hub.in_memory import FactsInMemory
from memorybank.types import Lang
from tests.narrative.extraction.told import EN, ZH, hub, table


def standing_at(chapter: int, lang: Lang) -> FactsInMemory:
    if lang == "zh":
        return hub(ZH, f"定下来：第{chapter}章韩柏来到落霞镇。", lang="zh")
    return hub(EN, f"Settled: In chapter {chapter} Odo moved to Ashford.")


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "Fenn dies in chapter 12."),
        ("en", "In chapter 12 Fenn kills Odo."),
        ("en", "In chapter 12 Fenn is dead."),
        ("en", "In chapter 9 Lady Brisa is in Millbrook."),
        ("en", "In chapter 10 Fenn steals the Copper Horn. Fenn gives the Copper Horn to Odo."),
        ("en", "Settled: Fenn kills Odo in chapter 12."),
        ("en", "In chapter 12 Odo is Fenn's brother."),
        ("zh", "第十二章冯远死了。"),
        ("zh", "第十二章冯远杀死韩柏。"),
        ("zh", "第十二章，冯远得到赤铜铃。"),
        ("zh", "定下来：第十二章冯远杀死韩柏。"),
        ("zh", "第九章苏芷恨冯远。"),
        ("zh", "第十二章冯远死在枫林渡。"),
    ],
)
def test_a_chapter_to_come_is_a_plan_unless_it_is_told_as_past(lang: Lang, text: str) -> None:
    story = standing_at(7, lang)
    found = table(text, lang=lang, hub=story)
    assert found.unticked
    assert not found.ticked
    assert all("7" in one.reason for one in found.drafts), "the reason names the chapter where the story stands"


@pytest.mark.parametrize(
    ("lang", "text", "rows"),
    [
        ("en", "In chapter 4 Fenn dies.", {("Fenn", "HAS_STATUS", "dead", 4)}),
        ("en", "In chapter 2 Fenn dies.", {("Fenn", "HAS_STATUS", "dead", 2)}),
        ("en", "Fenn dies.", {("Fenn", "HAS_STATUS", "dead", 0)}),
        (
            "en",
            "In chapter 4 Fenn died. In chapter 5 Odo lost the Copper Horn. In chapter 6 Odo moved to Millbrook.",
            {
                ("Fenn", "HAS_STATUS", "dead", 4),
                ("Copper Horn", "HAS_STATUS", "lost", 5),
                ("Odo", "LOCATED_IN", "Millbrook", 6),
            },
        ),
        ("en", "In chapter 5 Odo lost the Copper Horn.", {("Copper Horn", "HAS_STATUS", "lost", 5)}),
        ("en", "In chapter 9 Fenn has died.", {("Fenn", "HAS_STATUS", "dead", 9)}),
        ("en", "Settled: In chapter 9 Odo hates Fenn.", {("Odo", "HATES", "Fenn", 9)}),
        ("zh", "第四章冯远死了。", {("冯远", "HAS_STATUS", "死", 4)}),
        ("zh", "第五章冯远丢了赤铜铃。", {("赤铜铃", "HAS_STATUS", "遗失", 5)}),
        ("zh", "第五章冯远已经死了。", {("冯远", "HAS_STATUS", "死", 5)}),
        (
            "zh",
            "第四章冯远得到赤铜铃。第五章苏芷来到枫林渡。第六章韩柏死了。",
            {("冯远", "OWNS", "赤铜铃", 4), ("苏芷", "LOCATED_IN", "枫林渡", 5), ("韩柏", "HAS_STATUS", "死", 6)},
        ),
        ("zh", "定下来：第九章苏芷恨冯远。", {("苏芷", "HATES", "冯远", 9)}),
    ],
)
def test_what_is_written_already_stays_ticked(lang: Lang, text: str, rows: set[tuple[str, str, str, int]]) -> None:
    assert table(text, lang=lang, hub=standing_at(3, lang)).ticked >= rows


@pytest.mark.parametrize(
    ("lang", "text", "count"),
    [
        (
            "en",
            "In chapter 1 Odo dies. In chapter 5 Fenn steals the Copper Horn. In chapter 9 Fenn moves to Ashford.",
            3,
        ),
        ("zh", "第一章韩柏死了。第五章冯远得到赤铜铃。第九章冯远来到枫林渡。", 3),
    ],
)
def test_a_studio_without_chapters_has_no_clock(lang: Lang, text: str, count: int) -> None:
    found = table(ZH if lang == "zh" else EN, text, lang=lang)
    assert len(found.ticked) == count


@pytest.mark.parametrize(
    ("lang", "clause", "verb", "past"),
    [
        ("en", "□ has just died", "died", Past.YES),
        ("en", "□ is killed at □", "killed", Past.NO),
        ("en", "□ dies", "dies", Past.NO),
        ("en", "□ was killed", "was", Past.YES),
        ("en", "□’s brother □ came home", "", Past.YES),
        ("en", "□ is dead", "is dead", Past.NO),
        ("zh", "□杀了□", "杀", Past.YES),
        ("zh", "□死了", "死", Past.CHANGED),
        ("zh", "□去过□", "去", Past.YES),
        ("zh", "□恨□", "恨", Past.NO),
        ("zh", "为了□留在□", "留", Past.CHANGED),
    ],
)
def test_how_a_clause_is_told(lang: Lang, clause: str, verb: str, past: Past) -> None:
    assert past_of_clause(clause, clause.index(verb) if verb else -1, lang) is past


# -- hooks ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "text"), [("en", "Hook: who burned the mill?"), ("zh", "伏笔：谁烧了磨坊？")])
def test_a_new_hook_begins_where_the_story_stands(lang: Lang, text: str) -> None:
    assert table(text, lang=lang, hub=standing_at(7, lang)).fact("HAS_STATUS").since == 7
    assert table(text, lang=lang).fact("HAS_STATUS").since == 0, "without chapters there is no clock"


@pytest.mark.parametrize("told", ["Hook (chapter 1): who burned the mill?", "Chapter 1 hook: who burned the mill?"])
def test_a_hook_named_again_is_as_old_as_before(told: str) -> None:
    story = hub(EN, "Settled: In chapter 2 Odo moved to Ashford.", told)
    assert table("Hook: who burned the mill?", hub=story).fact("HAS_STATUS").since == 1


@pytest.mark.parametrize(
    "told", ["Chapter 12 hook resolved: who burned the mill?", "Hook resolved (chapter 12): who burned the mill?"]
)
def test_a_hook_of_a_chapter_to_come_is_not_ticked(told: str) -> None:
    found = table(told, hub=standing_at(7, "en"))
    assert found.unticked
    assert not found.ticked
