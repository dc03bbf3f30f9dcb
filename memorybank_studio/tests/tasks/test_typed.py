"""What is being typed outlives the process, another tab's text is not written over, and a disk that is full is said."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memorybank.errors import InputError
from memorybank_studio.tasks.by_hand import FILE, LONGEST, MOST, TypedTexts
from memorybank_studio.tests.tasks.studio import FixedClock, Studio


def test_a_text_is_on_the_disk_as_it_was_typed_last_until_it_is_handed_over(studio: Studio) -> None:
    typed = studio.gateway.typed
    first = typed.put("draft", "The water")
    assert first is not None
    second = typed.put("draft", "The water rose. 水涨了。\ud83d", seen=first.at)
    assert second is not None
    assert second.at > first.at
    reopened = studio.reopened().gateway
    assert reopened.typed.get("draft") == second
    assert second.text.endswith("水涨了。?"), "half a sign is none"
    reopened.typed.drop("draft")
    assert TypedTexts(studio.folder, studio.clock).get("draft") is None
    reopened.close()


def test_another_tabs_text_is_not_written_over(tmp_path: Path) -> None:
    typed = TypedTexts(tmp_path, FixedClock())
    mine = typed.put("draft", "mine")
    assert mine is not None
    with pytest.raises(InputError, match="another tab has saved"):
        typed.put("draft", "theirs", seen=0.0)
    assert typed.put("draft", "mine", seen=0.0) == mine, "the same words are no other text"
    assert typed.get("draft") == mine
    later = typed.put("draft", "mine too", seen=mine.at)
    assert later is not None
    with pytest.raises(InputError, match="another tab has saved"):
        typed.put("draft", "", seen=mine.at)
    assert typed.put("draft", "", seen=later.at) is None
    assert typed.put("draft", "theirs", seen=later.at) is not None, "what was let go is in nobody's way"


def test_what_cannot_be_kept_is_said_and_what_was_kept_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = TypedTexts(tmp_path, FixedClock())
    kept = typed.put("draft", "mine")
    assert kept is not None
    with pytest.raises(InputError, match="more than can be kept"):
        typed.put("draft", "a" * (LONGEST + 1), seen=kept.at)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            typed.put("draft", "more", seen=kept.at)
    assert typed.get("draft") == kept == TypedTexts(tmp_path, FixedClock()).get("draft")
    assert typed.put("draft", "more", seen=kept.at) is not None


def test_a_file_that_is_none_stays_beside_and_old_texts_go_at_last(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{not json", "utf-8")
    typed = TypedTexts(tmp_path, FixedClock())
    assert [path.name for path in tmp_path.iterdir()] == ["typed.broken.json"]
    for number in range(MOST + 1):
        typed.put(f"field {number}", "words")
    assert (typed.get("field 0"), typed.get("field 1") is not None) == (None, True)
