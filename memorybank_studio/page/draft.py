"""A draft of a chapter, its continuity check, and what that marks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.ui.shell.kept import problems_kept
from memorybank.ui.shell.tab import Widget
from memorybank.views.box import Box, Piece, aside, box, chip, note, row_of, stack_of
from memorybank.views.i18n import t
from memorybank.views.problems import as_sentence
from memorybank_studio.chapters.manuscript import PieceMark
from memorybank_studio.continuity.findings import Finding, Report
from memorybank_studio.hub.stores import next_chapter
from memorybank_studio.hub.verbalisation import tell
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import begin, draw_saved, handed_over, save
from memorybank_studio.page.highlight import draw_names
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import DRAFT_CHAPTER, DRAFT_TEXT, Checked, studio_tab
from memorybank_studio.tasks.chapter_writing import LONGEST_TITLE

DRAFT_TITLE: Final = "studio-draft-title"


def draw_draft(held: OpenStudio, lang: Lang) -> None:
    st.subheader(t("chapter.own", lang), anchor=False)
    left, right = st.columns([3, 2], gap="large")
    begin(held, DRAFT_TEXT.key)
    with left:
        text = st.text_area(
            t("studio.draft", lang),
            key=DRAFT_TEXT.key,
            height=480,
            placeholder=t("studio.draft_placeholder", lang),
            persist_state="session",
            on_change=lambda: save(held, DRAFT_TEXT.key, DRAFT_TEXT.value("") or ""),
        )
        draw_names(held, DRAFT_TEXT.key)
        draw_saved(held, DRAFT_TEXT.key, lang)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            _follow(next_chapter(held.studio.stores))
            st.number_input(
                t("studio.draft_chapter", lang), 0, 999_999, key=DRAFT_CHAPTER.key, width=180, persist_state="session"
            )
            st.text_input(t("chapter.title", lang), key=DRAFT_TITLE, max_chars=LONGEST_TITLE, persist_state="session")
            button(
                t("chapter.own_keep", lang),
                "studio-draft-keep",
                partial(_become_chapter, held),
                icon="note_add",
                look="secondary" if held.studio.gateway.by_hand.can_check else "primary",
                disabled=desk.is_writing(held),
            )
            if held.studio.gateway.by_hand.can_check:
                button(
                    t("studio.check", lang),
                    "studio-check",
                    partial(_check, held),
                    icon="fact_check",
                    look="primary",
                    disabled=desk.working() is not None,
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


def _follow(coming: int) -> None:
    """The chapter of the draft is the coming one, also when that moves on, until the author names another."""
    if DRAFT_CHAPTER.held() in (None, studio_tab().desk.draft_chapter):
        DRAFT_CHAPTER.set(coming)
    studio_tab().desk.draft_chapter = coming


def _become_chapter(held: OpenStudio) -> None:
    """The draft, as it stands when the button is pressed, is a chapter in writing from now on, and the field is free
    for the next one. For callbacks."""
    chapters, title = held.studio.gateway.chapters, Widget[str](DRAFT_TITLE)
    with problems_kept():
        id_ = chapters.begin_with(DRAFT_TEXT.value(""), int(DRAFT_CHAPTER.value(0)), title.value("")).id
        studio_tab().desk.chapter = handed_over(held, DRAFT_TEXT.key, id_)
        DRAFT_TEXT.set("")
        title.set("")
        if chapters.can_write:
            desk.write_chapter(held, id_, lambda stopped: chapters.check(id_, stopped=stopped))


def _check(held: OpenStudio) -> None:
    if text := DRAFT_TEXT.value(""):
        check(held, text, int(DRAFT_CHAPTER.value(0)))


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


# -- marks in a draft --------------------------------------------------------------------------------------------------


_PARAGRAPH_RE: Final = re.compile(r"\n\s*")


@dataclass(frozen=True, slots=True)
class Part:
    """`text[start:end]` of a draft: one paragraph with marks, or all between two such."""

    start: int
    end: int
    numbers: tuple[int, ...]
    """Of its findings, from 1."""


def draw_marks(held: OpenStudio, checked: Checked, lang: Lang) -> None:
    """The whole draft; beside each passage with marks its cards."""
    findings = checked.report.findings
    st.subheader(t("studio.marked", lang), anchor=False)
    for part in parts_of(checked.text, findings):
        end = part.start + len(checked.text[part.start : part.end].rstrip())
        text = box("div", "raw wr-draft", *marked_text(checked.text, findings, part.start, end))
        if not part.numbers:
            draw(text, key=f"studio-marked-{part.start}")
            continue
        left, right = st.columns([3, 2], gap="large")
        with left:
            draw(text, key=f"studio-marked-{part.start}")
        with right:
            for number in part.numbers:
                _draw_mark(held, checked, number, lang)


def draw_let_stand(held: OpenStudio, checked: Checked, lang: Lang) -> None:
    """What the author lets stand, each with a way back; nothing without any."""
    intended = checked.report.intended
    if not intended:
        return
    with st.expander(t("studio.let_stand_count", lang, count=len(intended)), key="studio-let-stand"):
        for place, finding in enumerate(intended):
            draw(_card(held, checked, finding, lang), key=f"studio-let-stand-{place}")
            back = partial(_let_stand, held, checked, finding, stands=False)
            button(t("studio.mark_again", lang), f"studio-mark-again-{place}", back, icon="undo", look="tertiary")


def how_read(report: Report, lang: Lang) -> Box:
    """That the model has read the draft, or why it has not read all of it."""
    if report.failure is not None:
        why = as_sentence(report.failure.in_language(lang))
        words = t("studio.check_failed", lang, read=report.read, passages=report.passages, why=why)
        return box("p", "notice disputed text", words)
    return note(t("studio.check_by_model", lang, count=report.passages))


def parts_of(text: str, findings: Sequence[Finding]) -> tuple[Part, ...]:
    """The text in its order, nothing left out but the white space between parts."""
    borders = [0, *(match.end() for match in _PARAGRAPH_RE.finditer(text)), len(text)]
    parts: list[Part] = []
    for start, end in pairwise(borders):
        numbers = tuple(number for number, one in enumerate(findings, start=1) if start <= one.start < end)
        if parts and not numbers and not parts[-1].numbers:
            parts[-1] = replace(parts[-1], end=end)
        elif text[start:end].strip():
            parts.append(Part(start, end, numbers))
    return tuple(parts)


def marked_text(text: str, findings: Sequence[Finding | PieceMark], start: int, end: int) -> tuple[Piece, ...]:
    """`text[start:end]`; each sentence that a finding speaks of is marked, with the findings' numbers before it."""
    inside = [(number, one) for number, one in enumerate(findings, start=1) if start < one.end and one.start < end]
    edges = {start, end, *(min(max(edge, start), end) for _, one in inside for edge in (one.start, one.end))}
    return tuple(piece for left, right in pairwise(sorted(edges)) for piece in _pieces(text, inside, left, right))


def _pieces(text: str, inside: Sequence[tuple[int, Finding | PieceMark]], start: int, end: int) -> Iterator[Piece]:
    over = [(number, one) for number, one in inside if one.start <= start and end <= one.end]
    if not over:
        yield text[start:end]
        return
    if any(one.start == start for _, one in over):
        yield box("span", "cite", ", ".join(str(number) for number, _ in over))
    yield box("mark", "conflict", text[start:end])


def _draw_mark(held: OpenStudio, checked: Checked, number: int, lang: Lang) -> None:
    finding = checked.report.findings[number - 1]
    with st.container(key=f"studio-mark-{number}", gap="small"):
        draw(_card(held, checked, finding, lang, number), key=f"studio-finding-{number}")
        button(
            t("studio.let_stand", lang),
            f"studio-let-stand-do-{number}",
            partial(_let_stand, held, checked, finding, stands=True),
            icon="check",
            look="tertiary",
            help_text=t("studio.let_stand_help", lang),
        )


def _card(held: OpenStudio, checked: Checked, finding: Finding, lang: Lang, number: int | None = None) -> Box:
    """A mark: its kind, the words, why, and the fact with its chapter and source."""
    against = finding.against
    told = tell(against, held.studio.stores.facts.entity, held.card.lang)
    where = t("studio.finding_chapter", lang, chapter=finding.chapter) if finding.chapter else ""
    source = against.origin.source.strip()
    return box(
        "div",
        "card conflict",
        row_of(
            box("span", "strong", str(number)) if number is not None else None,
            chip(t(f"studio.finding.{finding.kind}", lang), "conflict"),
            aside(where) if where else None,
        ),
        box("p", "text wr-quote", checked.text[finding.start : finding.end]) if number is None else None,
        box("p", "text gap", finding.reason),
        box("p", "wr-against small text", told),
        note(t("studio.finding_source", lang, source=source)) if source else None,
    )


def _let_stand(held: OpenStudio, checked: Checked, finding: Finding, *, stands: bool) -> None:
    """Remember that the sentence is meant so, or is not any more. For callbacks."""
    by_hand = held.studio.gateway.by_hand
    by_hand.intend(checked.text, finding, stands=stands)
    studio_tab().desk.checked = replace(checked, report=checked.report.parted(checked.text, by_hand.intended))
