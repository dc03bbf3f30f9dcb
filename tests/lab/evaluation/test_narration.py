from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.lab.evaluation import narration

_TALK = "林霜向顾青道：“今日天晴。”顾青向林霜道：“是。”林霜道：“走罢。”顾青道：“好。”"
_KILLED, _WANTED = "林霜杀了顾青。", "林霜打算杀了顾青。"
_ITEMS = ((1, _KILLED, "happened", False), (2, _WANTED, "intended", True), (2, "众人散去。", "happened", True))


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
    monkeypatch.setattr(narration.reading, "scored", lambda: ([], [], []))
    monkeypatch.setattr(narration, "with_earlier", lambda _, scores: scores)
    monkeypatch.setattr(narration, "earlier_notes", lambda _: ())
    return tmp_path


def test_what_was_meant_is_counted_where_it_is_taken_as_happened(data: Path) -> None:
    report = narration.run(data, HashedNgrams(), full=False, progress=lambda _: None)
    (judged,) = [
        one
        for one in report.scores
        if (one.data, one.measure, one.system) == ("held out", "intended as happened", "engine")
    ]
    assert (judged.value, judged.goal, judged.holds) == (0.0, 0.0, True)
