"""A draft of a chapter and its continuity check; what it marks is drawn by `draft_marks`."""

from __future__ import annotations

from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.views.box import box, chip, stack_of
from memorybank.views.i18n import t
from memorybank_studio.hub.stores import next_chapter
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import begin, draw_saved, save
from memorybank_studio.page.draft_marks import draw_let_stand, draw_marks, how_read
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import Checked, studio_tab
from memorybank_studio.page.widgets import DRAFT_CHAPTER, DRAFT_TEXT


def draw_draft(held: OpenStudio, lang: Lang) -> None:
    left, right = st.columns([3, 2], gap="large")
    begin(held, DRAFT_TEXT.key)
    with left:
        text = st.text_area(
            t("studio.draft", lang),
            key=DRAFT_TEXT.key,
            height=320,
            placeholder=t("studio.draft_placeholder", lang),
            persist_state="session",
            on_change=_hold,
            args=(held,),
        )
        draw_saved(held, DRAFT_TEXT.key, lang)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _follow(next_chapter(held.studio.stores))
            chapter = st.number_input(
                t("studio.draft_chapter", lang), 0, 999_999, key=DRAFT_CHAPTER.key, width=180, persist_state="session"
            )
            if held.studio.gateway.by_hand.can_check:
                button(
                    t("studio.check", lang),
                    "studio-check",
                    partial(check, held, text or "", int(chapter)),
                    icon="fact_check",
                    look="primary",
                    disabled=not (text or "").strip() or desk.working() is not None,
                )
        job = desk.working()
        if job is not None:
            draw(box("p", "", chip(t("studio.checking", lang), "task live")), key="studio-checking")
    checked = studio_tab().desk.checked
    with right:
        _draw_findings(checked, text or "", held.studio.gateway.by_hand.can_check, lang)
    if checked is not None and checked.report.findings:
        draw_marks(held, checked, lang)
    if checked is not None:
        draw_let_stand(held, checked, lang)


def _hold(held: OpenStudio) -> None:
    save(held, DRAFT_TEXT.key, DRAFT_TEXT.value("") or "")


def _follow(coming: int) -> None:
    """The chapter of the draft is the coming one, also when that moves on, until the author names another."""
    if DRAFT_CHAPTER.held() in (None, studio_tab().desk.draft_chapter):
        DRAFT_CHAPTER.set(coming)
    studio_tab().desk.draft_chapter = coming


def check(held: OpenStudio, text: str, chapter: int | None = None) -> None:
    """Have a draft checked, reasons in the story's language; `chapter` None: the coming one (`next_chapter`). For
    callbacks."""

    def work() -> Checked:
        number = next_chapter(held.studio.stores) if chapter is None else chapter
        return Checked(text, number, held.studio.gateway.by_hand.check(text, number, held.card.lang))

    desk.begin("check", work, _keep)


def _keep(checked: Checked) -> None:
    studio_tab().desk.checked = checked


def _draw_findings(checked: Checked | None, text: str, can_check: bool, lang: Lang) -> None:
    st.subheader(t("studio.findings", lang), anchor=False)
    if checked is None:
        lead = "studio.findings_lead" if can_check else "studio.findings_no_model"
        draw(box("p", "muted text", t(lead, lang)), key="studio-findings-lead")
        return
    report = checked.report
    count = t("studio.findings_count", lang, count=len(report.findings), chapter=checked.chapter)
    pieces = [
        box("p", "notice disputed text", t("studio.findings_old", lang)) if checked.text != text else None,
        box("p", "strong text", count),
        box("p", "muted small text", t("studio.findings_clear", lang)) if report.read and not report.findings else None,
        how_read(report, lang),
    ]
    draw(stack_of(*pieces), key="studio-findings")
