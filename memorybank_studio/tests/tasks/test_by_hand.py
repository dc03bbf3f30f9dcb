"""The plan board, an import and what is let stand: through the gateway, and in the journal."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank.memory.types import Lang
from memorybank.runs.journal import read
from memorybank_studio.books.files import book_from_bytes
from memorybank_studio.chapters.manuscript import intention, parted
from memorybank_studio.continuity.findings import Finding, FindingKind, Report, distinct
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal import events
from memorybank_studio.journal.desk import JOURNAL
from memorybank_studio.tasks.by_hand import FILE, LONGEST, MOST, TypedTexts
from memorybank_studio.tests.tasks.studio import FixedClock, Studio, character, fact, open_studio
from memorybank_studio.types import HAS_STATUS, EntityKind, Fact

BOOK = "第一回　山中\n\n林远上山。\n\n第二回　山下\n\n苏青下山。\n".encode()


def logged(studio: Studio, *kinds: type) -> list[Any]:
    """What of these kinds is on the disk."""
    return [
        record.event for record in read(studio.folder / JOURNAL, events.STUDIO)[0] if isinstance(record.event, kinds)
    ]


@pytest.mark.parametrize(
    ("store", "write"),
    [("facts", "apply"), ("plans", "apply"), ("settings", "put"), ("archive", "put"), ("archive", "remove")],
)
def test_whoever_reads_the_hub_cannot_write_into_it(studio: Studio, store: str, write: str) -> None:
    with pytest.raises(RuntimeError, match="open for reading: settle a task"):
        getattr(getattr(studio.hub.stores, store), write)([])
    assert studio.hub.stores.plans.all() == ()


class FindsTheDead:
    """Reads a draft as a model does that marks every sentence with one of these."""

    def __init__(self, dead: dict[str, Fact]) -> None:
        self._dead = dead

    def read(self, text: str, chapter: int, lang: Lang, so_far: Sequence[str]) -> Report:
        marked = [
            Finding(kind=FindingKind.DEAD_RETURNS, start=start, end=end, against=fact, reason="dead")
            for name, fact in self._dead.items()
            for start, end in (match.span() for match in re.finditer(rf"{name}[^.]*\.", text))
        ]
        return Report(findings=distinct(marked))


def test_what_the_author_lets_stand_is_not_marked_again_for_the_same_words_and_fact(
    studio: Studio, stores: Stores
) -> None:
    dead, wen, lin = character("dead", kind=EntityKind.STATUS), character("Wen"), character("Lin")
    facts = [fact(one, HAS_STATUS, dead, 2) for one in (wen, lin)]
    stores.facts.apply([wen, lin, dead], facts)
    draft = "Wen walked into the hall.  Lin walked into the hall. Wen sat down."
    studio.gateway.close()
    reader = FindsTheDead(dict(zip(("Wen", "Lin"), facts, strict=True)))
    studio = open_studio(studio.folder, stores, reader=reader)
    made = studio.gateway.chapters.begin_with(draft, 5, "The hall").id
    (piece,) = studio.gateway.chapters.check(made).pieces
    first, *_ = piece.marks
    studio.gateway.by_hand.intend(intention(piece, first))
    studio.gateway.close()
    again = open_studio(studio.folder, stores, reader=reader)
    changed = f"A new first line.\n{draft}"
    (piece,) = again.gateway.chapters.edit(made, 1, changed).pieces
    open_, let = parted(piece, again.gateway.by_hand.intended)
    assert [mark.start for mark in open_] == [changed.index(words) for words in ("Lin walked", "Wen sat")]
    assert [(mark.key, mark.kind) for mark in let] == [(facts[0].key, FindingKind.DEAD_RETURNS)]
    again.gateway.by_hand.intend(intention(piece, let[0]), stands=False)
    assert len(parted(piece, again.gateway.by_hand.intended)[0]) == 3
    assert [one.stands for one in logged(again, events.FindingIntended)] == [True, False]
    again.gateway.close()


def test_an_import_is_logged_chapter_by_chapter_and_goes_on_where_it_was(studio: Studio) -> None:
    book = book_from_bytes("book.txt", BOOK)
    running = studio.gateway.by_hand.import_book(book)
    assert next(running).chapters == 1
    running.close()
    assert [one.number for one in logged(studio, events.ChapterImported)] == [1]
    assert [progress.unchanged for progress in studio.gateway.by_hand.import_book(book)] == [True, False]
    assert [number for number, _ in studio.stores.archive.chapters()] == [1, 2]
    first, again = logged(studio, events.ImportBegun)
    assert (first.title, first.chapters, first.characters) == ("book", 2, book.characters)
    assert again.chapters == 2
    assert [one.number for one in logged(studio, events.ChapterImported)] == [1, 2], "each once"
    assert studio.gateway.tasks() == (), "and it belongs to no task"


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
    typed.put("draft", "of another tab")
    assert set(typed.all().values()) == {"more", "of another tab"}


def test_a_file_that_is_none_stays_beside_and_old_texts_go_at_last(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{not json", "utf-8")
    typed = TypedTexts(tmp_path, FixedClock())
    assert [path.name for path in tmp_path.iterdir()] == ["typed.broken.json"]
    for number in range(MOST + 1):
        typed.put(f"field {number}", "words")
    assert (typed.get("field 0"), typed.get("field 1") is not None) == (None, True)
