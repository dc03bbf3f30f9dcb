from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.evaluation import narration

_TALK = "林霜向顾青道：“今日天晴。”顾青向林霜道：“是。”林霜道：“走罢。”顾青道：“好。”"
_KILLED, _WANTED = "林霜杀了顾青。", "林霜打算杀了顾青。"
_ITEMS = (
    (1, _KILLED, "happened", False),
    (2, _WANTED, "intended", True),
    (2, "众人散去。", "happened", True),
)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book in which one kills another in the first chapter, and only means to in the second."""
    chapters = [f"第一回 上\n\n{_TALK * 20}{_KILLED}众人散去。\n\n", f"第二回 下\n\n{_TALK * 20}{_WANTED}众人散去。"]
    book = "".join(chapters)
    (tmp_path / "zh_novel").mkdir()
    (tmp_path / "zh_novel" / "书.txt").write_text(book, "utf-8")
    items = [
        {
            "book": "书",
            "chapter": chapter,
            "start": chapters[chapter - 1].index(sentence),
            "end": chapters[chapter - 1].index(sentence) + len(sentence),
            "label": label,
            "held_out": held_out,
        }
        for chapter, sentence, label, held_out in _ITEMS
    ]
    table = {"sources": {"书": {"sha256": hashlib.sha256(book.encode()).hexdigest()}}, "items": items}
    (tmp_path / "narration.json").write_text(json.dumps(table), "utf-8")
    monkeypatch.setattr(narration.resources, "files", lambda _: tmp_path)
    return tmp_path


def test_a_row_is_ticked_for_what_happened_and_not_for_what_was_meant(data: Path) -> None:
    items = list(narration.labelled(data))
    rows = narration.settlement_rows(data, items)
    assert set(rows) == {("书", 1), ("书", 2)}
    assert all(rows.values()), "both chapters tell of a killing"
    assert [narration.gives_ticked(item, rows[item.place]) for item in items] == [True, False, False]


def test_the_share_of_ticked_rows_is_told_beside_that_of_what_happened(data: Path) -> None:
    report = narration.run(data, HashedNgrams(), full=False, progress=lambda _: None)
    shares = {(one.data, one.measure): one for one in report.scores if one.measure.endswith("in a ticked row")}
    assert shares["first 100", "happened in a ticked row"].value == 1.0
    assert shares["held out", "happened in a ticked row"].value == 0.0
    judged = shares["held out", "intended in a ticked row"]
    assert (judged.value, judged.goal, judged.holds) == (0.0, 0.0, True)
    assert [one for one in shares.values() if one.goal is not None] == [judged]
    assert "ticked beforehand" in report.notes[0]
