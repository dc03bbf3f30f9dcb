"""A tab that is loaded anew: its address says which studio and which task, and the draft lies where it lay."""

from __future__ import annotations

from memorybank.views.i18n import t
from memorybank_studio.page.tab import DRAFT_TEXT, STUDIO
from memorybank_studio.tests.page.conftest import Tab
from tests.app.driving import says, tab_of


def begun(tabs: type[Tab]) -> Tab:
    tab = tabs().begin("The dam")
    for title in ("Mira", "The sluice"):
        tab.page.text_input(key="studio-task-title").set_value(title)
        tab.submit(t("studio.task_new", "en"))
    return tab


def loaded_anew(tabs: type[Tab], tab: Tab, **changed: str) -> Tab:
    """Another session with the address of this one, which is all that a browser keeps."""
    anew = tabs.__new__(tabs)
    anew.page = tab.page.__class__.from_file(tab.page._script_path, default_timeout=60)
    for name, value in tab.page.query_params.items():
        anew.page.query_params[name] = value
    anew.page.query_params.update(changed)
    tab_of(anew.page).page_wanted = "studio"
    return anew.rest()


def test_the_studio_and_the_task_are_those_of_the_address(tabs: type[Tab]) -> None:
    tab = begun(tabs)
    tab.press("studio-switch-t1")
    anew = loaded_anew(tabs, tab)
    assert anew.held is tab.held
    assert says(anew.page, "The dam")
    assert anew.desk.task == "t1"
    assert anew.say("Mira opens the sluice.").held.studio.gateway.history("t1")[-2].text == "Mira opens the sluice."


def test_who_leaves_for_the_others_does_not_come_back_by_the_address(tabs: type[Tab]) -> None:
    tab = loaded_anew(tabs, begun(tabs)).press("studio-leave")
    assert not tab.desk.id
    assert tab.run().page.button(key="studio-demo")
    assert STUDIO not in tab.page.query_params


def test_a_studio_that_is_not_here_is_said_and_the_choice_stands(tabs: type[Tab]) -> None:
    for named in ("0" * 32, "../../etc", "<b>x</b>"):
        tab = loaded_anew(tabs, tabs(), studio=named)
        assert tab.page.button(key="studio-demo")
        assert says(tab.page, "There is no such studio on this machine")


def test_a_task_that_is_not_there_is_none(tabs: type[Tab]) -> None:
    anew = loaded_anew(tabs, begun(tabs), task="t99")
    assert says(anew.page, t("studio.no_task", "en"))


def test_the_draft_lies_where_it_lay(tabs: type[Tab]) -> None:
    tab = begun(tabs)
    tab.page.session_state["studio-view"] = "draft"
    tab.run().page.text_area(key=DRAFT_TEXT.key).set_value("The water rose.")
    tab.run()
    anew = loaded_anew(tabs, tab)
    anew.page.session_state["studio-view"] = "draft"
    assert anew.run().page.text_area(key=DRAFT_TEXT.key).value == "The water rose."
    other = tabs()
    other.press(f"studio-open-{tab.desk.id}")
    other.page.session_state["studio-view"] = "draft"
    assert other.run().page.text_area(key=DRAFT_TEXT.key).value == "The water rose."


def test_a_table_lies_as_it_was_left_until_the_task_goes_on(tabs: type[Tab]) -> None:
    tab = begun(tabs)
    tab.say("Hook: who broke the seal\nHook: who lit the lamp").press("studio-settle-t2")
    rows = tab.rows
    assert len(rows) > 2
    first, second = f"studio-tick-t2-{tab.table.turns}-{rows[0].number}", rows[1].number
    tab.page.checkbox(key=first).uncheck()
    tab.run()
    anew = loaded_anew(tabs, tab)
    assert anew.page.checkbox(key=first).value is False
    assert [row.ticked for row in anew.rows] == [False, *(row.ticked for row in rows[1:])]
    anew.page.checkbox(key=first.replace(f"-{rows[0].number}", f"-{second}")).uncheck()
    anew.run()
    assert tab.run().rows[1].ticked == rows[1].ticked, "a tab that is there has its own"
    anew.say("Hook: who wrote the letter").press("studio-settle-t2")
    assert loaded_anew(tabs, anew).rows[0].ticked == rows[0].ticked, "another table is not that one"
