"""A draft of a chapter and its continuity check: what does not fit, why, to which fact; marked in the text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.narrative.continuity.findings import Finding
from memorybank.narrative.hub.stores import next_chapter
from memorybank.narrative.hub.verbalisation import tell
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.ui.shell.tab import Checked, this_tab
from memorybank.ui.shell.widgets import DRAFT_CHAPTER, DRAFT_TEXT
from memorybank.ui.studio import desk
from memorybank.ui.studio.shelf import OpenStudio
from memorybank.views.box import Box, Piece, aside, box, chip, row_of, stack_of
from memorybank.views.i18n import t


def draw_draft(held: OpenStudio, lang: Lang) -> None:
    left, right = st.columns([3, 2], gap="large")
    DRAFT_TEXT.begin_with(held.draft)
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
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _follow(next_chapter(held.studio.stores))
            chapter = st.number_input(
                t("studio.draft_chapter", lang), 0, 999_999, key=DRAFT_CHAPTER.key, width=180, persist_state="session"
            )
            button(
                t("studio.check", lang),
                "studio-check",
                partial(check, held, text or "", lang, int(chapter)),
                icon="fact_check",
                look="primary",
                disabled=not (text or "").strip() or desk.working() is not None,
            )
        job = desk.working()
        if job is not None:
            draw(box("p", "", chip(t("studio.checking", lang), "task live")), key="studio-checking")
    checked = this_tab().studio.checked
    with right:
        _draw_findings(held, checked, text or "", lang)
    if checked is not None and checked.report.findings:
        st.subheader(t("studio.marked", lang), anchor=False)
        draw(box("div", "raw wr-draft", *marked_text(checked.text, checked.report.findings)), key="studio-marked")


def _hold(held: OpenStudio) -> None:
    """What was typed last, in whichever tab, is there when a tab is loaded anew."""
    held.draft = DRAFT_TEXT.value("")


def _follow(coming: int) -> None:
    """The chapter of the draft is the coming one, also when that moves on, until the author names another."""
    if DRAFT_CHAPTER.held() in (None, this_tab().studio.draft_chapter):
        DRAFT_CHAPTER.set(coming)
    this_tab().studio.draft_chapter = coming


def check(held: OpenStudio, text: str, lang: Lang, chapter: int | None = None) -> None:
    """Have a draft checked; `chapter` None: the coming one (`next_chapter`). For callbacks."""

    def work() -> Checked:
        number = next_chapter(held.studio.stores) if chapter is None else chapter
        return Checked(text, number, held.studio.gateway.by_hand.check(text, number, lang))

    desk.begin("check", work, _keep)


def _keep(checked: Checked) -> None:
    this_tab().studio.checked = checked


def _draw_findings(held: OpenStudio, checked: Checked | None, text: str, lang: Lang) -> None:
    st.subheader(t("studio.findings", lang), anchor=False)
    if checked is None:
        draw(box("p", "muted text", t("studio.findings_lead", lang)), key="studio-findings-lead")
        return
    pieces: list[Box] = []
    if checked.text != text:
        pieces.append(box("p", "notice disputed text", t("studio.findings_old", lang)))
    count = t("studio.findings_count", lang, count=len(checked.report.findings), chapter=checked.chapter)
    pieces.append(box("p", "strong text", count))
    if not checked.report.findings:
        pieces.append(box("p", "muted small text", t("studio.findings_clear", lang)))
    pieces += [
        _finding(number, finding, checked, held, lang)
        for number, finding in enumerate(checked.report.findings, start=1)
    ]
    draw(stack_of(*pieces), key="studio-findings")


def _finding(number: int, finding: Finding, checked: Checked, held: OpenStudio, lang: Lang) -> Box:
    sentence = tell(finding.against, held.studio.stores.facts.entity, held.card.lang)
    where = t("studio.finding_chapter", lang, chapter=finding.chapter) if finding.chapter is not None else ""
    return box(
        "div",
        "card conflict",
        row_of(
            box("span", "strong", str(number)),
            chip(t(f"studio.finding.{finding.kind}", lang), "conflict"),
            aside(where) if where else None,
        ),
        box("p", "text wr-quote", checked.text[finding.start : finding.end].strip()),
        box("p", "text gap", finding.reason),
        box("p", "wr-against small text", sentence),
    )


def marked_text(text: str, findings: Sequence[Finding]) -> tuple[Piece, ...]:
    """The text in pieces; each sentence that a finding speaks of is marked, with the findings' numbers before it."""
    edges = sorted({0, len(text), *(edge for finding in findings for edge in (finding.start, finding.end))})
    pieces: list[Piece] = []
    for start, end in pairwise(edges):
        numbers = [
            number for number, finding in enumerate(findings, start=1) if finding.start <= start and end <= finding.end
        ]
        if not numbers:
            pieces.append(text[start:end])
            continue
        if any(findings[number - 1].start == start for number in numbers):
            pieces.append(box("span", "cite", ", ".join(map(str, numbers))))
        pieces.append(box("mark", "conflict", text[start:end]))
    return tuple(pieces)
