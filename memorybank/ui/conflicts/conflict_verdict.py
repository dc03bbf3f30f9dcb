"""Decide a conflict oneself: left, right, another value, a false alarm, or that it cannot be told; with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Conflict, ConflictStatus, Lang
from memorybank.session.phase import Phase
from memorybank.session.session import Session
from memorybank.ui.components.problems import draw_problem
from memorybank.ui.components.rich import draw
from memorybank.ui.conflicts.merges import order_button
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import verdict_field
from memorybank.views.box import box, note
from memorybank.views.i18n import t

Choice = Literal["left", "right", "other", "false_alarm", "unknown"]
CHOICES: tuple[Choice, ...] = ("left", "right", "other", "false_alarm", "unknown")
LONGEST_VALUE, LONGEST_REASON = 300, 2_000


def draw_verdict_form(worker: Run, conflict: Conflict, bank: MemoryState, lang: Lang) -> None:
    """Only for a conflict that is open, at the newest moment, in the tab's own run."""
    key = f"decide-{conflict.id}"
    st.subheader(t("conflicts.decide", lang), anchor=False)
    draw(note(t("conflicts.decide_help", lang, count=len(conflict.contradictions))), key=f"{key}-help")
    if is_taken_in(bank):
        draw(box("p", "notice", t("conflicts.decide_wait", lang)), key=f"{key}-wait")
        return
    choice = st.radio(
        t("conflicts.decide_what", lang),
        CHOICES,
        index=None,
        format_func=lambda name: t(f"conflicts.choice.{name}", lang),
        key=verdict_field(conflict.id, "choice").key,
    )
    if choice == "other":
        st.text_input(
            t("conflicts.decide_value", lang), key=verdict_field(conflict.id, "value").key, max_chars=LONGEST_VALUE
        )
    _draw_reason(conflict, lang)
    st.button(
        t("conflicts.decide_now", lang),
        key=f"{key}-now",
        type="primary",
        icon=":material/gavel:",
        disabled=worker.busy or worker.phase is Phase.FAILED,
        on_click=_decide,
        args=(worker, conflict),
    )
    tab = this_tab()
    problem, tab.verdict_problem = tab.verdict_problem, ""
    if problem:
        draw_problem(t(problem, lang), lang, key="decide-problem")


def _draw_reason(conflict: Conflict, lang: Lang) -> None:
    st.text_area(
        t("conflicts.decide_reason", lang),
        key=verdict_field(conflict.id, "reason").key,
        max_chars=LONGEST_REASON,
        height=90,
        help=t("conflicts.decide_reason_help", lang),
    )


def _reason(conflict: Conflict) -> str:
    return (verdict_field(conflict.id, "reason").held() or "").strip()


def draw_told_apart(worker: Run, conflict: Conflict, bank: MemoryState, lang: Lang) -> None:
    """Draw what a person may say of a closed conflict: that the two are about different things, or take that back."""
    if is_taken_in(bank):
        return
    if conflict.id in bank.conflicts.told:
        words = t("conflicts.take_back", lang)
        order_button(words, f"take-back-{conflict.id}", worker, lambda it: it.take_back(conflict.id))
    elif conflict.status is not ConflictStatus.FALSE_ALARM:
        words, icon = t("conflicts.tell_apart", lang), ":material/call_split:"
        with st.popover(words, icon=icon, key=f"popover-tell-apart-{conflict.id}"):
            draw(note(t("conflicts.tell_apart_help", lang)), key="tell-apart-help")
            _draw_reason(conflict, lang)
            st.button(
                words,
                key=f"tell-apart-{conflict.id}",
                icon=icon,
                disabled=worker.phase is Phase.FAILED,
                on_click=_tell_apart,
                args=(worker, conflict),
            )


def _tell_apart(worker: Run, conflict: Conflict) -> None:
    reason = _reason(conflict)
    worker.obey(lambda session: session.tell_apart(conflict.id, reason))


def is_taken_in(bank: MemoryState) -> bool:
    """A round's outcome is being taken in: a verdict stated now would be refused (session.resolve)."""
    return bank.progress.need in ("intercept", "resolve") or bank.progress.executed is not None


def _decide(worker: Run, conflict: Conflict) -> None:
    choice: Choice | None = verdict_field(conflict.id, "choice").held()
    value = (verdict_field(conflict.id, "value").held() or "").strip()
    if choice is None or (choice == "other" and not value):
        this_tab().verdict_problem = (
            "conflicts.decide_choice_missing" if choice is None else "conflicts.decide_value_missing"
        )
        return
    stated = verdict_of(conflict, choice, value, _reason(conflict))

    def order(session: Session) -> None:
        """State it, and go on just as far as it takes to bring it into memory."""
        session.resolve(stated)
        if session.next_stage == "resolve":
            session.unpause()
            session.step()

    worker.obey(order)


def verdict_of(conflict: Conflict, choice: Choice, value: str, reason: str) -> StatedVerdict:
    """The verdict in the library's words. What holds is named where all claims of the side agree on it."""
    status = {
        "left": ConflictStatus.RESOLVED,
        "right": ConflictStatus.RESOLVED,
        "other": ConflictStatus.BOTH_WRONG,
        "false_alarm": ConflictStatus.FALSE_ALARM,
        "unknown": ConflictStatus.INCONCLUSIVE,
    }[choice]
    if choice in ("left", "right"):
        value = _only({(pair.left if choice == "left" else pair.right).value for pair in conflict.contradictions})
    return StatedVerdict(
        conflict=conflict.id,
        status=status,
        winner=choice if choice in ("left", "right") else "",
        value=value if status.merges else "",
        reasoning=reason,
    )


def _only(values: set[str]) -> str:
    ordered: Sequence[str] = sorted(values)
    return ordered[0] if len(ordered) == 1 else ""
