"""The shelf: every proposal that was ever offered in the studio, by task and chapter, searched by words and meaning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.views.box import aside, box, chip, muted, row_of
from memorybank.views.i18n import t
from memorybank_studio.creativity.options import Offer
from memorybank_studio.page import desk
from memorybank_studio.page.options import option_box, scores_box
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.widgets import STUDIO_VIEW
from memorybank_studio.types import TaskId

PAGE: Final = 10
MOST: Final = 50
"""Options that a search finds."""


def draw_offers(held: OpenStudio, lang: Lang) -> None:
    places = held.studio.gateway.offers.places()
    if not places:
        draw(muted(t("studio.shelf_none", lang)), key="studio-shelf-none")
        return
    titles = {task.id: task.title for task in held.studio.gateway.tasks()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input(t("studio.shelf_search", lang), key="studio-shelf-search", persist_state="session")
        task: TaskId | None = st.selectbox(
            t("studio.shelf_task", lang),
            list(dict.fromkeys(place.task for place in reversed(places))),
            index=None,
            format_func=lambda task: titles.get(task, task),
            key="studio-shelf-task",
        )
        chapters = sorted({place.chapter for place in places if place.chapter is not None})
        chapter = st.selectbox(t("studio.shelf_chapter", lang), chapters, index=None, key="studio-shelf-chapter")
    if words and words.strip():
        found = held.studio.offers.search(words.strip(), task=task, chapter=chapter, count=MOST)
        _draw_list(held, [offer for offer, _ in found], len(found), titles, lang)
        return
    within = held.studio.gateway.offers.places(task=task, chapter=chapter)[::-1]
    shown = within[: page_end("studio-shelf", PAGE)]
    _draw_list(held, held.studio.gateway.offers.at(shown), len(within), titles, lang)
    draw_more("studio-shelf", PAGE, len(within), lang)


def _draw_list(held: OpenStudio, offers: Sequence[Offer], total: int, titles: dict[TaskId, str], lang: Lang) -> None:
    draw(muted(t("studio.shelf_count", lang, count=total)), key="studio-shelf-count")
    current = desk.current(held)
    for offer in offers:
        with st.container(border=True, gap="small", key=f"studio-shelf-{offer.id}"):
            where = row_of(
                chip(titles.get(offer.task, offer.task)),
                aside(t("studio.shelf_answer", lang, turn=offer.turn)),
                aside(t("studio.shelf_of_chapter", lang, chapter=offer.chapter)) if offer.chapter else None,
            )
            card = box("div", "", where, option_box(offer.number, offer.option, lang))
            draw(card, key=f"studio-shelf-words-{offer.id}")
            more = st.expander(t("studio.scores", lang), key=f"studio-shelf-scores-{offer.id}", on_change="rerun")
            if more.open:
                with more:
                    draw(scores_box(offer.option, lang), key=f"studio-shelf-scores-words-{offer.id}")
            button(
                t("studio.shelf_take", lang),
                f"studio-shelf-take-{offer.id}",
                partial(_take, held, offer),
                icon="undo",
                disabled=current is None or desk.working() is not None,
                help_text=t("studio.shelf_take_none", lang) if current is None else None,
            )


def _take(held: OpenStudio, offer: Offer) -> None:
    """Into the current task, as an answer of its own."""
    task = desk.current(held)
    if task is None:
        return

    def then(reply: object) -> None:
        del reply
        STUDIO_VIEW.set("discuss")

    desk.begin("offer", lambda: held.studio.gateway.offer_again(task.id, [offer]), then)
