"""Disputes and merges at a glance: the one that is being dealt with as a card, the others a line each.

All of them, with their lives, stand on the Conflicts & merges page: every line leads there.
"""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.contradiction.disputes import Dispute
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Conflict, ConflictStatus, Lang, MergeEvent
from memorybank.views.box import Box, box, label, muted, note
from memorybank.views.boxes.conflicts import decided_by, merge_chip, status_help
from memorybank.views.boxes.dispute_lines import dispute_line, disputes_with, members_row
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.run.playback import Moment
from memorybank.views.story import dispute_card
from memorybank.views.story.scene import sides_of_dispute

MOST = 12
"""Lines of each kind; the oldest are counted."""


def disputes_box(moment: Moment, lang: Lang) -> Box:
    bank = moment.bank
    conflicts = sorted(bank.conflicts.all.values(), key=lambda conflict: int(conflict.id[1:]), reverse=True)
    disputes = moment.disputes
    merges = sorted(bank.tree.merge_events.values(), key=lambda merge: int(merge.id[1:]), reverse=True)
    if not conflicts and not merges:
        return muted(t("events.none", lang))
    first = current_conflict(conflicts, bank)
    shown = disputes_with(first.id, disputes)[0] if first is not None else None
    others = sorted(
        (dispute for dispute in reversed(disputes) if dispute is not shown),
        key=lambda dispute: dispute.status != "open",
    )
    return box(
        "div",
        "stack disputes",
        _card(first, shown, bank, lang) if first is not None and shown is not None else None,
        _lines([dispute_line(dispute, lang) for dispute in others[:MOST]], len(others), lang),
        _lines([_merge(merge, lang) for merge in merges[:MOST]], len(merges), lang),
    )


def current_conflict(conflicts: list[Conflict], bank: MemoryState) -> Conflict | None:
    """The one that the current task checks; else the newest open one; else the newest. `conflicts`: newest first."""
    task = bank.doc.current_task
    checked = task.conflict_ids if task is not None else ()
    for wanted in (
        lambda conflict: conflict.id in checked,
        lambda conflict: conflict.status is ConflictStatus.OPEN,
        lambda conflict: True,
    ):
        conflict = next(filter(wanted, conflicts), None)
        if conflict is not None:
            return conflict
    return None


def _card(conflict: Conflict, dispute: Dispute, bank: MemoryState, lang: Lang) -> Box:
    """The dispute whole, and what came of the conflict that it was chosen for."""
    return dispute_card(
        dispute,
        sides_of_dispute(dispute, bank),
        dispute.status,
        lang,
        note(status_help(dispute, conflict, lang)),
        *_verdict(conflict, lang),
        members_row(dispute, lang, conflict.id),
        box(
            "div",
            "leads-row gap",
            box("span", "leads", t("conflicts.open", lang), choose=link("conflict", conflict.id)),
        ),
    )


def _verdict(conflict: Conflict, lang: Lang) -> Iterable[Box]:
    if conflict.status is ConflictStatus.OPEN:
        if conflict.attempts:
            yield note(t("conflict.attempts", lang, count=conflict.attempts))
        return
    if reason := conflict.closing.in_language(lang):
        yield box("div", "gap", label(t("conflict.verdict", lang)), box("p", "text", reason))
    if conflict.closed_by:
        yield note(decided_by(conflict, lang))


def _lines(lines: list[Box], total: int, lang: Lang) -> Box | None:
    if not lines:
        return None
    rest = total - len(lines)
    more = box("li", "muted small", t("session.disputes.more", lang, count=rest)) if rest > 0 else None
    return box("ul", "dispute-lines", *lines, more)


def _merge(merge: MergeEvent, lang: Lang) -> Box:
    """A list item that holds a button: an item that is one would be no item for a screen reader."""
    words = box("span", "text", merge.description)
    line = box("div", "dispute-line", merge_chip(merge, lang), words, choose=link("merge", merge.id))
    return box("li", "", line)
