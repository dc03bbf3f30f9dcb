"""The chapters of the archive, as proposals for the hub."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.views.box import box, chip, muted
from memorybank.views.i18n import t
from memorybank_studio.books.chapter_drafts import chapter_drafts, chapters_of
from memorybank_studio.drafts import DraftItem
from memorybank_studio.hub.stores import Stores
from memorybank_studio.page import desk
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.widgets import STUDIO_VIEW
from memorybank_studio.tasks.replies import Reply


def draw_search(held: OpenStudio, lang: Lang) -> None:
    """Proposals from the chapters: each search opens a task, whose table the author reviews and confirms."""
    st.subheader(t("studio.found", lang), anchor=False)
    draw(box("p", "muted text", t("studio.found_lead", lang)), key="studio-found-lead")
    chapters = [number for number, _ in held.studio.stores.archive.chapters()]
    if not chapters:
        draw(muted(t("studio.archive_none", lang)), key="studio-found-none")
        return
    busy = desk.working() is not None
    if busy:
        draw(box("p", "", chip(t("studio.searching", lang), "task live")), key="studio-searching")
    button(
        t("studio.find_people", lang),
        "studio-find-people",
        partial(_propose_chapters, held),
        icon="group",
        disabled=busy,
    )


Find = Callable[[Stores], Sequence[DraftItem]]


def _propose_chapters(held: OpenStudio) -> None:
    _propose(held, t("studio.task_people", held.card.lang), lambda stores: chapter_drafts(chapters_of(_all(stores))))


def _propose(held: OpenStudio, title: str, find: Find) -> None:
    """Open a task for what is found, with its table. Nothing is written before the author confirms it."""

    def then(reply: Reply) -> None:
        desk.take(held, reply)
        STUDIO_VIEW.set("discuss")

    task = desk.named()
    work = lambda: held.studio.gateway.propose(title, find(held.studio.stores), current=task)  # noqa: E731
    desk.begin("search", work, then)


def _all(stores: Stores) -> Any:
    return stores.archive.all()  # type: ignore[attr-defined]
