"""The bible on its page: an author without a model adds, changes, deletes and undoes, and drops a plan."""

from __future__ import annotations

from memorybank_studio.page.tab import PERSON
from memorybank_studio.settlement.edits import blank
from memorybank_studio.tests.page.conftest import Tab
from memorybank_studio.types import PlanStatus
from tests.app.driving import shown


def unfold(tab: Tab, key: str) -> None:
    tab.page.session_state[key] = True
    tab.run()


def test_a_character_a_setting_and_a_hook_from_an_empty_page(tabs: type[Tab]) -> None:
    tab = tabs("zh").begin("夜").show("bible", "people")
    unfold(tab, "studio-new-entity")
    tab.page.text_area(key="studio-form-entity-note").set_value("北境来的孤女。")
    tab.submit("保存")
    facts = tab.held.studio.stores.facts
    assert facts.count() == (0, 0), "without a name it is refused"
    tab.show("plan").show("bible", "people")
    unfold(tab, "studio-new-entity")
    assert tab.page.text_area(key="studio-form-entity-note").value == "北境来的孤女。", "and no word of it is lost"
    tab.page.text_input(key="studio-form-entity-name").set_value("林霜")
    tab.submit("保存")
    (lin,) = facts.named("林霜")
    assert (lin.note, tab.held.studio.gateway.typed.all()) == ("北境来的孤女。", {})
    tab.choose(PERSON.key, str(lin.key))
    unfold(tab, f"studio-entry-of-{lin.key}")
    tab.page.text_input(key=f"studio-form-of-{lin.key}-aliases").set_value("小霜")
    tab.press(f"FormSubmitter:studio-form-of-{lin.key}-保存")
    assert "小霜" in shown(tab.page, "studio-person-head")
    tab.page.text_input(key="studio-form-entity-name").set_value("霜刃")  # the form for new ones is still open
    tab.page.selectbox(key="studio-form-entity-kind").set_value("物品")
    tab.submit("保存")
    tab.held.studio.gateway.bible.add(
        ("fact", {**blank("fact"), "subject": "林霜", "predicate": "拥有", "object": "霜刃"})
    )
    assert "由你填写" in shown(tab.run().page, "studio-person-facts")
    tab.press("studio-bible-undo").choose(PERSON.key, None)
    assert all(name in shown(tab.page, "studio-person-hint") for name in ("林霜", "霜刃"))
    tab.show("bible", "settings")
    unfold(tab, "studio-new-setting")
    tab.page.text_input(key="studio-form-setting-key").set_value("寒毒")
    tab.page.text_area(key="studio-form-setting-text").set_value("见火则散。")
    tab.submit("保存")
    assert "见火则散" in shown(tab.page, "studio-settings")
    tab.show("bible", "hooks")
    unfold(tab, "studio-new-hook")
    tab.page.text_input(key="studio-form-hook-name").set_value("谁点的灯")
    tab.submit("保存")
    ((hook, _),) = facts.hooks()
    tab.press(f"studio-hook-pay-{hook.key}")
    assert not facts.hooks()
    tab.press("studio-bible-undo")
    assert facts.hooks()
    unfold(tab, f"studio-entry-of-{hook.key}")
    tab.press(f"studio-delete-of-{hook.key}")
    assert not facts.named("谁点的灯")
    art = {**blank("entity"), "name": "霜诀", "kind": "Ability", "ranks": "凝气\n结霜"}
    stands = {"subject": "林霜", "predicate": "会", "object": "霜诀", "properties": "境界：结霜"}
    tab.held.studio.gateway.bible.add(("entity", art), ("fact", {**blank("fact"), **stands}))
    tab.show("bible", "people").choose(PERSON.key, str(facts.named("霜诀")[0].key))
    told = shown(tab.page, "studio-person-facts")
    assert told.index("凝气") < told.index("结霜") < told.index("林霜"), "in their order, and who stands at which"


def test_a_plan_from_an_empty_page_level_by_level_and_what_was_begun_is_not_undone(tabs: type[Tab]) -> None:
    tab = tabs("zh").begin("夜").show("plan")
    unfold(tab, "studio-new-plan")
    for title in ("总", "卷", "章", "他来了", "他走了"):
        tab.page.text_input(key="studio-form-plan-title").set_value(title)
        tab.page.text_input(key="studio-form-plan-due").set_value("1" if title == "他来了" else "")
        tab.submit("保存")
    plans = tab.held.studio.stores.plans
    assert [plan.title for plan in plans.all()] == ["总", "卷", "章", "他来了", "他走了"]
    assert tab.held.studio.gateway.chapters.begin_with("他来了。", 1, "来").plans == (plans.all()[3].key,), "it is due"
    tab.card(plans.all()[-1].key)
    tab.press("studio-board-start")
    assert plans.all()[-1].status is PlanStatus.IN_PROGRESS
    tab.press("studio-bible-undo")
    assert {plan.status for plan in plans.all()} == {PlanStatus.PENDING}, "what contains it follows"
    step = plans.all()[-1].key
    unfold(tab, f"studio-entry-of-{step}")
    tab.page.text_input(key=f"studio-form-of-{step}-title").set_value("他回来了")
    tab.press(f"FormSubmitter:studio-form-of-{step}-保存").press("studio-board-drop")
    assert "他回来了" not in shown(tab.page, "studio-board")
    unfold(tab, "studio-dropped")
    tab.press(f"studio-bring-back-{step}")
    assert [(plan.title, plan.status) for plan in plans.all()][-1] == ("他回来了", PlanStatus.PENDING)
