"""A dispute in a list is one item: its matter, each value with its sources, its state; the many are counted."""

from __future__ import annotations

import pytest

from memorybank.contradiction.disputes.dispute import Dispute, Said, StatedValue, title
from memorybank.memory.types import ConflictId, ConflictStatus, Lang
from memorybank.views.boxes.dispute_lines import MOST_VALUES, dispute_line
from memorybank.views.i18n import t
from tests.hostile import OWNED


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_dispute_of_many_values_and_sources_stays_one_line_of_few_words(lang: Lang) -> None:
    values = tuple(
        StatedValue(
            text=f"{number} qubits {OWNED}" + " and more" * 60,
            said=tuple(Said(source=f"{n}.md", quote=f"It has {number} qubits.") for n in range(40)),
        )
        for number in range(9)
    )
    dispute = Dispute(
        id="c1", entity="Willow", attribute="qubits", values=values, status=ConflictStatus.RESOLVED,
        conflict_ids=(ConflictId("c1"), ConflictId("c2")), description="d",
    )  # fmt: skip
    line = dispute_line(dispute, lang)
    said = " ".join(str(line.data()).split())
    assert said.count("conflict:c1") == 2, "the whole line leads there, and so does the first of its conflicts"
    assert t("conflict.status.resolved", lang) in said
    assert said.count(t("conflicts.holds_chip", lang)) == 1
    assert said.count("'0.md'") == MOST_VALUES
    assert said.count(t("conflicts.in_words", lang, source="0.md", quote="It has 0 qubits.")) == 1, "with its words"
    assert "+37" in said
    assert t("conflicts.more_values", lang, count=9 - MOST_VALUES) in said
    assert len(said) < 4_000


def test_a_dispute_without_values_is_told_by_its_description() -> None:
    dispute = Dispute(
        id="c1", entity="", attribute="", values=(), status=ConflictStatus.OPEN,
        conflict_ids=(ConflictId("c1"),), description="They disagree.",
    )  # fmt: skip
    assert title(dispute, "en") == "They disagree."
    assert "They disagree." in str(dispute_line(dispute, "en").data())
