"""The studio's numbers from the environment, on the page: what they change is seen, a bad one is told with its name."""

from __future__ import annotations

import pytest

from memorybank.views.i18n import t
from memorybank_studio.tests.page.conftest import Tab
from tests.app.driving import says


def test_how_long_a_settled_task_is_kept_is_what_was_set(tabs: type[Tab], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUDIO_KEPT_HOURS", "2")
    tab = tabs().begin()
    tab.say("/new Swords\nCharacter: Lin").press("studio-settle-t1").press("studio-confirm")
    assert says(tab.page, t("studio.hours_left", "en", hours="2"))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_number_that_cannot_be_used_is_told_on_the_page(
    tabs: type[Tab], monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    monkeypatch.setenv("STUDIO_WINDOW", "many")
    tab = tabs(lang)
    assert says(tab.page, "STUDIO_WINDOW")
    assert says(tab.page, "give a whole number" if lang == "en" else "无法使用")
