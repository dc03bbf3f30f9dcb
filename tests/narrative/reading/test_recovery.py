"""What was lost and is somebody's again is found."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from tests.narrative.reading.extracting import EN, ZH, hub, table


@pytest.mark.parametrize(
    ("lang", "cards", "lost", "again", "row"),
    [
        ("en", EN, "Settled: the Copper Horn was lost in chapter 4.",
         "Settled: in chapter 5 Odo found the Copper Horn.",
         ("Copper Horn", "HAS_STATUS", "found", 5)),
        ("zh", ZH, "定下来：赤铜铃第四章遗失。", "定下来：韩柏第五章得到赤铜铃。",
         ("赤铜铃", "HAS_STATUS", "已找回", 5)),
    ],
)  # fmt: skip
def test_what_was_found_again_is_lost_no_longer(
    lang: Lang, cards: str, lost: str, again: str, row: tuple[str, str, str, int]
) -> None:
    assert row in table(cards, lost, again, lang=lang).ticked
    assert row in table(again, lang=lang, hub=hub(cards, lost, lang=lang)).ticked, "on record by now"
    assert row not in table(cards, again, lang=lang).ticked, "it was never lost"
