"""What is drawn is kept once, and comes back as it was."""

from __future__ import annotations

from memorybank.views.box import box, chip
from memorybank.views.html_export.pool import Pool
from tests.hostile import PAYLOADS
from tests.views.html_export.reading import drawn


def test_boxes_come_back_and_what_is_equal_is_kept_once() -> None:
    pool = Pool()
    card = box("div", "card", box("p", "text", "It has 105 qubits."), chip("new", "new"), choose="node:n1", title="n1")
    again = box("div", "card", box("p", "text", "It has 105 qubits."), chip("new", "new"))
    first, second = pool.put(card), pool.put(again)
    kept = pool.as_json()
    assert drawn(first, kept) == card.data()
    assert drawn(second, kept) == again.data()
    assert first != second
    assert pool.put(card) == first
    assert len(kept) == 6  # two texts, their two boxes, the two cards
    assert kept.count("It has 105 qubits.") == 1


def test_hostile_text_is_as_rich_draws_it() -> None:
    pool = Pool()
    for text in PAYLOADS.values():
        whole = box("p", "text", text, box("mark", "", text), title=text, choose=text)
        assert drawn(pool.put(whole), pool.as_json()) == whole.data()
    assert not any("\u202e" in item or "\x00" in item for item in pool.as_json() if isinstance(item, str))
