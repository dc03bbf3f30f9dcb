"""A conflict in short, as a card with a link to the whole."""

from __future__ import annotations

from collections.abc import Iterable

from memorybank.contradiction.disputes import Dispute, describe
from memorybank.language.text import fold_space
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import Conflict, ConflictStatus, Lang, NodeId
from memorybank.views.box import Box, box, label, note, row_of
from memorybank.views.boxes.conflicts import LOOKS, ClaimSide, decided_by, sides_of, status_chip, status_help
from memorybank.views.boxes.dispute_lines import members_row
from memorybank.views.i18n import t
from memorybank.views.link import link


def conflict_card(conflict: Conflict, bank: MemoryBank, lang: Lang, dispute: Dispute | None = None) -> Box:
    """In short: the first contradiction and what came of it; of which dispute it is a part."""
    first, *others = sides_of(conflict, bank)
    return box(
        "div",
        f"card {LOOKS[conflict.status]}",
        row_of(
            status_chip(conflict.status, lang),
            box("span", "strong text", describe(dispute, lang) if dispute is not None else conflict.description),
        ),
        note(status_help(conflict, lang)),
        _sides(conflict, first, bank, lang),
        box("p", "muted small gap", t("conflicts.more_contradictions", lang, count=len(others))) if others else None,
        *_verdict(conflict, lang),
        members_row(dispute, lang, conflict.id) if dispute is not None else None,
        box(
            "div",
            "leads-row gap",
            box("span", "leads", t("conflicts.open", lang), choose=link("conflict", conflict.id)),
        ),
    )


def _sides(conflict: Conflict, sides: tuple[ClaimSide, ClaimSide], bank: MemoryBank, lang: Lang) -> Box:
    winner = conflict.ruling_on(0).winner
    columns = zip(("left", "right"), ("older", "newer"), sides, conflict.node_ids, strict=True)
    return box(
        "div",
        "sides conflict",
        *(
            box(
                "div",
                "side holds" if winner == name else "side",
                label(t(f"conflict.{age}", lang)),
                box("p", "text", *side.pieces),
                _sources(node_id, side.text, bank),
            )
            for name, age, side, node_id in columns
        ),
    )


def _sources(node_id: NodeId, claim: str, bank: MemoryBank) -> Box | None:
    """Where a claim stands. A validation adds what it read to the node, so only what holds the claim is named."""
    entries = [bank.tree.entries[entry_id] for entry_id in bank.tree.entries_of(node_id)]
    sources = [entry for entry in entries if entry.kind != "transcript"]
    holding = [entry for entry in sources if fold_space(claim) in fold_space(entry.text)]
    names = dict.fromkeys(entry.source for entry in holding or sources[:1])
    return box("p", "muted small text", " · ".join(names)) if names else None


def _verdict(conflict: Conflict, lang: Lang) -> Iterable[Box]:
    if conflict.status is ConflictStatus.OPEN:
        if conflict.attempts:
            yield box("p", "muted small gap", t("conflict.attempts", lang, count=conflict.attempts))
        return
    yield box(
        "div",
        "gap",
        label(t("conflict.verdict", lang)),
        box("p", "text strong", f"{t('conflict.holds', lang)}{t('punctuation.colon', lang)}{conflict.value}")
        if conflict.value and conflict.status.decides
        else None,
        box("p", "text", reason) if (reason := conflict.closing.in_language(lang)) else None,
        note(decided_by(conflict, lang)) if conflict.closed_by else None,
    )
