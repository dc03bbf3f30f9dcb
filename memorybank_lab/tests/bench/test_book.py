"""A book measured on a real studio: a row every few chapters, gone on with when it was stopped, a table of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import InputError
from memorybank_lab import __main__ as command_line
from memorybank_lab.bench.book import as_json, as_table, run, shortened
from memorybank_studio.books.files import book_from_bytes
from memorybank_studio.tests.books.test_importing import text_of

BOOK = book_from_bytes("山中书.txt", text_of(5).encode())


class StoppedError(Exception):
    """The one who measures has enough of it."""


def test_a_book_is_measured_by_chapters_and_gone_on_with_where_it_was_stopped(tmp_path: Path) -> None:
    def stop(line: str) -> None:
        raise StoppedError(line)

    with pytest.raises(StoppedError, match="import, chapter"):
        run(BOOK, tmp_path / "s", HashedNgrams(), every=2, progress=stop)
    told: list[str] = []
    rows = run(BOOK, tmp_path / "s", HashedNgrams(), every=2, progress=told.append)
    assert [(row.stage, row.chapters, row.resumed) for row in rows] == [
        ("import", 2, False),
        ("import", 4, True),
        ("import", len(BOOK.chapters), False),
    ]
    assert len(told) == len(rows) - 1, "what was measured before is not measured again"
    whole = [row for row in rows if row.chapters == len(BOOK.chapters)]
    assert {row.characters for row in whole} == {BOOK.characters}
    assert rows[0].chunks < rows[2].chunks
    assert rows[2].entities == 0, "an import writes chapters and nothing else"
    seconds = [row.seconds for row in rows]
    assert seconds == sorted(seconds)
    assert seconds[0] > 0
    assert all(row.journal and row.graph and row.archive for row in rows)
    assert run(BOOK, tmp_path / "s", HashedNgrams(), every=2) == rows, "done: nothing is done again"
    assert len(as_table(rows).splitlines()) == len(rows) + 1
    assert [row["stage"] for row in json.loads(as_json(rows))] == [row.stage for row in rows]
    with pytest.raises(InputError, match="begun with another book"):
        run(book_from_bytes("b.txt", text_of(5, changed=1).encode()), tmp_path / "s", HashedNgrams())


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "novel.txt").write_text("mine", "utf-8")
    with pytest.raises(InputError, match="holds something else"):
        run(BOOK, tmp_path, HashedNgrams())
    assert [path.name for path in tmp_path.iterdir()] == ["novel.txt"]


def test_the_first_chapters_alone() -> None:
    assert [one.number for one in shortened(BOOK, 2).chapters] == [one.number for one in BOOK.chapters[:2]]
    assert shortened(BOOK, None) is BOOK


@pytest.mark.parametrize(
    ("given", "says"), [([], "give it with --file"), (["--file", "no.txt", "--every", "0"], "--every is 0")]
)
def test_what_is_missing_or_wrong_is_said(capsys: pytest.CaptureFixture[str], given: list[str], says: str) -> None:
    assert command_line.main(["bench", "book", *given]) != 0
    assert says in capsys.readouterr().err
