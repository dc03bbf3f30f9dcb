"""A dispute in lists: one line for all conflicts on one matter, and the way to each of them."""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.contradiction.disputes import Dispute, describe
from memorybank.memory.types import ConflictId, Lang
from memorybank.views.box import Box, box
from memorybank.views.boxes.conflicts import status_chip
from memorybank.views.i18n import t
from memorybank.views.link import link


def dispute_line(dispute: Dispute, lang: Lang) -> Box:
    """A list item that holds a button, and below it the single conflicts where there are several."""
    first = dispute.conflict_ids[0]
    words = box("span", "text", describe(dispute, lang))
    line = box("div", "dispute-line", status_chip(dispute.status, lang), words, choose=link("conflict", first))
    return box("li", "", line, members_row(dispute, lang))


def members_row(dispute: Dispute, lang: Lang, current: ConflictId | None = None) -> Box | None:
    """The conflicts of a dispute, each a link; None where it is the only one."""
    if len(dispute.conflict_ids) < 2:
        return None
    links = [_member(conflict_id, conflict_id == current) for conflict_id in dispute.conflict_ids]
    pairs = t("conflicts.in_pairs", lang, count=len(links))
    return box("div", "leads-row small", box("span", "muted", pairs), *links)


def _member(conflict_id: ConflictId, current: bool) -> Box:
    if current:
        return box("span", "strong mono", conflict_id)
    return box("span", "leads mono", conflict_id, choose=link("conflict", conflict_id))


def disputes_with(conflict_id: ConflictId, disputes: Iterable[Dispute]) -> list[Dispute]:
    """The disputes that a conflict is part of: one for each matter that it is on."""
    return [dispute for dispute in disputes if conflict_id in dispute.conflict_ids]
