"""Conflicts & merges: the list, the chosen conflict whole, and the merges on the page's other half."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

import streamlit as st

from memorybank.contradiction.disputes.dispute import STATES, Dispute, title
from memorybank.errors import MergeUndoError
from memorybank.hosting.run import Run
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Conflict, ConflictId, ConflictStatus, Lang
from memorybank.session.phase import Phase
from memorybank.session.session import Session
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.problems import draw_error, draw_problem, guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.conflicts.conflict_rows import Row, draw_rows
from memorybank.ui.conflicts.merges import draw_merges, named_merges, order_button
from memorybank.ui.shell import links, state
from memorybank.ui.shell.switch import button, draw_search, draw_switch
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import CONFLICTS_STATUS, CONFLICTS_VIEW, verdict_field
from memorybank.views.box import Box, box, muted, note, row_of, section, stack_of
from memorybank.views.boxes.conflict_claims import PAGE, claims, timeline
from memorybank.views.boxes.conflict_evidence import evidence, verdict
from memorybank.views.boxes.conflicts import (
    LOOKS,
    disputes_with,
    in_order,
    members_row,
    status_chip,
    status_help,
    value_lines,
)
from memorybank.views.i18n import t
from memorybank.views.memory.conflict_life import LifeStep, lives, settled_by
from memorybank.views.memory.lineage import merge_stories
from memorybank.views.run.origin import origin_chip
from memorybank.views.run.playback import Moment
from memorybank.views.text.display import clip

Choice = Literal["left", "right", "other", "false_alarm", "unknown"]
CHOICES: tuple[Choice, ...] = ("left", "right", "other", "false_alarm", "unknown")
LONGEST_VALUE, LONGEST_REASON = 300, 2_000


def draw_verdict_form(worker: Run, conflict: Conflict, bank: MemoryState, lang: Lang) -> None:
    """Draw the form for a verdict. It fits an open conflict only, at the newest moment, in the tab's own run."""
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
    button(
        t("conflicts.decide_now", lang),
        f"{key}-now",
        partial(_decide, worker, conflict),
        icon="gavel",
        look="primary",
        disabled=worker.busy or worker.phase is Phase.FAILED,
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
    """Say whether a round's outcome is being taken in: a verdict stated now would be refused (session.resolve)."""
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
        """State the verdict, and go on just as far as it takes to bring it into memory."""
        session.resolve(stated)
        if session.next_stage == "resolve":
            session.unpause()
            session.step()

    worker.obey(order)


def verdict_of(conflict: Conflict, choice: Choice, value: str, reason: str) -> StatedVerdict:
    """Return the verdict in the library's words. What holds is named where all claims of the side agree on it."""
    status = {
        "left": ConflictStatus.RESOLVED,
        "right": ConflictStatus.RESOLVED,
        "other": ConflictStatus.BOTH_WRONG,
        "false_alarm": ConflictStatus.FALSE_ALARM,
        "unknown": ConflictStatus.INCONCLUSIVE,
    }[choice]
    if choice in ("left", "right"):
        values = {(pair.left if choice == "left" else pair.right).value for pair in conflict.contradictions}
        value = values.pop() if len(values) == 1 else ""
    return StatedVerdict(
        conflict=conflict.id,
        status=status,
        winner=choice if choice in ("left", "right") else "",
        value=value if status.merges else "",
        reasoning=reason,
    )


POLL = 1.0
"""Seconds between two looks at a run that goes on."""
TITLE = 130
"""The most columns of a conflict's line in the list."""
SEARCHABLE = 20
"""The number of conflicts from which on a search is offered."""
HEADS = 3
"""The most matters of a conflict that stand at its head; all of them stand among its claims."""
SEARCH = "conflicts-search"


def draw_conflicts(worker: Run, lang: Lang) -> None:
    """Draw the conflicts, and poll while the run goes on, so that what is found and decided appears."""
    state.moment(worker)  # a journal that contradicts itself is told here, where the page can say so
    busy = worker.busy
    st.fragment(_draw, run_every=POLL if busy else None)(worker, lang, busy)


@guarded
def _draw(worker: Run, lang: Lang, was_busy: bool) -> None:
    busy = worker.busy  # before the records are read: what comes after is seen at the next look
    worker.see()
    moment = state.moment(worker)
    records = worker.records
    life_steps = moment.read(records, lives)
    stories = moment.read(records, merge_stories)
    _turn_to_what_was_asked()
    if (error := worker.error) is not None and not was_busy:
        draw_error(error, lang, key="conflicts-problem")
        named = named_merges(error, stories, lang) if isinstance(error, MergeUndoError) else []
        if named:
            draw(box("div", "leads-row", *named), key="conflicts-problem-links")
    disputes = moment.disputes
    counts = {"conflicts": len(disputes), "merges": len(stories)}
    view = draw_switch(
        t("conflicts.view", lang),
        list(counts),
        lambda view: t(f"conflicts.view_{view}", lang, number=f"{counts[view]:,}"),
        key=CONFLICTS_VIEW.key,
    )
    if view == "merges":
        draw_merges(worker, moment, stories, settled_by(life_steps), links.focus("merge"), lang)
    else:
        _draw_list_and_whole(worker, moment, disputes, life_steps, lang)
    if busy != was_busy:
        st.rerun()


def _turn_to_what_was_asked() -> None:
    """Turn to what a link asked for: a link to a merge opens the merges, one to a conflict the conflicts."""
    kind, _ = links.take_followed("conflict", "merge")
    if kind:
        CONFLICTS_VIEW.set(f"{kind}s")


# -- conflicts --------------------------------------------------------------------------------------------------------


def _draw_list_and_whole(
    worker: Run,
    moment: Moment,
    disputes: Sequence[Dispute],
    life_steps: Mapping[ConflictId, Sequence[LifeStep]],
    lang: Lang,
) -> None:
    bank, wanted = moment.bank, links.focus("conflict")
    if not bank.conflicts.all:
        words = t("conflicts.none", lang)
        draw(stack_of(box("p", "strong", t("conflict.none", lang)), muted(words)), key="conflicts-none")
        if wanted:
            _draw_unknown(wanted, lang)
        return
    ordered = in_order(disputes)
    listed = _filtered(ordered, bank, lang)
    first = (listed or ordered)[0].conflict_ids[0]
    chosen = bank.conflicts.all.get(ConflictId(wanted or first))
    parts_of = disputes_with(chosen.id, disputes) if chosen else []
    by_id = {dispute.id: dispute for dispute in listed}
    beside, whole = st.columns([2, 5], gap="large")
    with beside:
        draw_rows(
            list(by_id),
            lambda dispute_id: _row(by_id[dispute_id], life_steps.get(by_id[dispute_id].conflict_ids[0], ()), lang),
            "conflict",
            next((dispute.id for dispute in parts_of if dispute.id in by_id), ""),
            lang,
            key="conflict-rows",
        )
    with whole:
        if chosen is None:
            _draw_unknown(wanted, lang)
        else:
            _draw_whole(worker, moment, chosen, life_steps.get(chosen.id, ()), lang, parts_of)


def _draw_unknown(wanted: str, lang: Lang) -> None:
    draw(box("p", "notice text", t("conflicts.unknown", lang, id=clip(wanted, 40))), key="conflict-unknown")


def _filtered(disputes: Sequence[Dispute], bank: MemoryState, lang: Lang) -> list[Dispute]:
    counts = {status: sum(dispute.status is status for dispute in disputes) for status in STATES}
    wanted = CONFLICTS_STATUS.held()
    offered = [str(status) for status in STATES if counts[status] or status == wanted]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        status = st.pills(
            t("conflicts.filter", lang, count=len(disputes)),
            offered,
            format_func=lambda value: f"{t(f'conflict.status.{value}', lang)} {counts[ConflictStatus(value)]}",
            key=CONFLICTS_STATUS.key,
            label_visibility="collapsed",
            persist_state="session",
        )
        words = ""
        if len(disputes) > SEARCHABLE:
            words = draw_search(t("conflicts.search", lang), SEARCH)
    folded = words.casefold().strip()
    return [
        dispute
        for dispute in disputes
        if (status is None or dispute.status == status)
        and (not folded or any(folded in _searched(bank.conflicts.all[each]) for each in dispute.conflict_ids))
    ]


def _searched(conflict: Conflict) -> str:
    claims_ = (text for pair in conflict.contradictions for text in (pair.left.text, pair.right.text))
    return " ".join((conflict.id, *conflict.node_ids, conflict.description, *claims_)).casefold()


def _row(dispute: Dispute, steps: Sequence[LifeStep], lang: Lang) -> Row:
    place = steps[0].place if steps else None
    known = [t("conflicts.round", lang, round=place.round)] if place and place.round else []
    if place:
        known.append(t("conflicts.event", lang, seq=place.seq))
    return Row(
        id=dispute.id,
        target=dispute.conflict_ids[0],
        title=clip(title(dispute, lang), TITLE),
        lines=tuple(value_lines(dispute, lang)),
        chips=(status_chip(dispute.status, lang),),
        note=" · ".join(known),
    )


def _draw_whole(
    worker: Run, moment: Moment, conflict: Conflict, steps: Sequence[LifeStep], lang: Lang, disputes: Sequence[Dispute]
) -> None:
    bank, key = moment.bank, f"conflict-{conflict.id}"
    more = len(disputes) - HEADS
    most = page_end(key, PAGE)
    is_open = conflict.status is ConflictStatus.OPEN
    draw(
        box(
            "div",
            f"card spaced {LOOKS[disputes[0].status]}",
            *(piece for dispute in disputes[:HEADS] for piece in _matter(dispute, conflict, lang)),
            note(t("conflicts.more_contradictions", lang, count=more)) if more > 0 else None,
        ),
        section(t("conflicts.life", lang), timeline(conflict, steps, bank, lang)),
        section(t("conflicts.claims", lang, count=len(conflict.contradictions)), *claims(conflict, bank, most, lang)),
        section(
            t("conflict.evidence", lang),
            box("p", "part-lead", t("conflicts.evidence_help", lang)) if conflict.evidence else None,
            *evidence(conflict, bank, most, lang),
        ),
        section(
            t("conflicts.where_it_stands" if is_open else "conflict.verdict", lang),
            *verdict(conflict, steps, bank, _made_by(worker, conflict, steps, lang), lang),
        ),
        key=key,
    )
    draw_more(key, PAGE, max(len(conflict.contradictions), len(conflict.evidence)), lang)
    if is_open:
        if not worker.takes_orders:
            draw(note(t("conflicts.decide_read_only", lang)), key="decide-not")
        elif state.at_event() is not None:
            draw(note(t("conflicts.decide_past", lang)), key="decide-not")
            button(t("conflicts.to_newest", lang), "conflicts-newest", partial(state.look_at, None), icon="last_page")
        else:
            with st.container(border=True, key="decide"):
                draw_verdict_form(worker, conflict, moment.bank, lang)
    elif worker.takes_orders and state.at_event() is None:
        draw_told_apart(worker, conflict, bank, lang)


def _matter(dispute: Dispute, conflict: Conflict, lang: Lang) -> list[Box | None]:
    """Return a dispute as the list has it, with how it stands; `conflict` is the pair of it that is shown."""
    return [
        row_of(status_chip(dispute.status, lang), box("span", "muted mono", conflict.id)),
        box("p", "head-line text", title(dispute, lang)),
        *value_lines(dispute, lang),
        note(status_help(dispute, conflict, lang)),
        members_row(dispute, lang, conflict.id),
    ]


def _made_by(worker: Run, conflict: Conflict, steps: Sequence[LifeStep], lang: Lang) -> Box | None:
    closed = next((step for step in reversed(steps) if step.kind == "closed"), None)
    if closed is None or not conflict.closed_by:
        return None
    before = worker.records[: closed.place.seq]
    return origin_chip(before, lang, by=conflict.closed_by, replay=state.is_replay(worker))
