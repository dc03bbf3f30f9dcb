from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank_studio.books.chapters import Book, chapters
from memorybank_studio.books.files import book_from_bytes
from memorybank_studio.books.importing import import_book, short_names, surplus_chapters
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.collection import Collection
from memorybank_studio.names import cast_from
from memorybank_studio.tests.hub.in_memory import FactsInMemory
from memorybank_studio.tests.hub.semantic.made import Counting
from memorybank_studio.tests.tasks.studio import character
from tests.tables import tables
from tests.waiting import wait_until

TABLES = tables(__file__)

HAN = "零一二三四五六七八九"
CAST = cast_from(["林远", "苏青"])


def text_of(count: int, *, changed: int = 0) -> str:
    parts = ["\ufeff《山中书》\r\n\r\n"]
    for number in range(1, count + 1):
        body = "林远上山，苏青下山。" if number % 2 else "夜里下了雨，没有人来。"
        parts.append(f"第{HAN[number]}回　山中\r\n\r\n" + f"　　{body * 30}\r\n" * 3)
        if number == changed:
            parts.append("又添了一句。\r\n")
    return "".join(parts)


def book_of(text: str) -> Book:
    return book_from_bytes("山中书.txt", text.encode())


@pytest.fixture
def embedder() -> Counting:
    return Counting()


@pytest.fixture
def chroma(tmp_path: Path, embedder: Counting) -> Iterator[Chroma]:
    with Chroma(ChromaSettings(folder=tmp_path / "studio"), embedder) as opened:
        yield opened


@pytest.fixture
def archive(chroma: Chroma) -> Archive:
    return Archive(chroma)


@pytest.mark.parametrize(("people", "text", "short"), TABLES["short_names"])
def test_short_names_that_a_book_uses_are_told_with_whose_they_are(
    people: list[str], text: str, short: dict[str, str]
) -> None:
    facts = FactsInMemory()
    facts.apply([character(name) for name in people], [])
    found = short_names(Book(title="b", chapters=tuple(chapters(text))), facts)
    assert {name: entity.name for name, entity in found.items()} == short


def test_a_shorter_book_takes_out_what_it_has_no_more_only_when_told(archive: Archive) -> None:
    five = book_of(text_of(5))
    run(five, archive)
    part = Book(title="part", chapters=tuple(one for one in five.chapters if one.number in (3, 5)))
    assert [number for number, _ in surplus_chapters(part, archive)] == [4], "what comes before a part is left alone"
    shorter = book_of(text_of(3))
    assert [number for number, _ in surplus_chapters(shorter, archive)] == [4, 5], "told before it happens"
    run(shorter, archive)
    assert [number for number, _ in archive.chapters()] == [0, 1, 2, 3, 4, 5], "kept unless told"
    assert len(list(islice(import_book(shorter, archive, CAST, remove=[4, 5]), 3))) == 3
    assert len(archive.chapters()) == 6, "stopped before its end, it takes nothing out"
    list(import_book(shorter, archive, CAST, remove=[4, 5]))
    assert whole(archive) == text_of(3).removeprefix("\ufeff")
    assert archive.chapter(5) == ()


def whole(archive: Archive) -> str:
    return "".join(chunk.text for chunk in archive.all())


def run(book: Book, archive: Archive) -> None:
    assert list(import_book(book, archive, CAST))


def test_a_chapter_of_which_a_killed_writer_took_a_part_out_is_gone(archive: Archive, chroma: Chroma) -> None:
    run(book_of(text_of(4)), archive)
    Collection(chroma, "archive").remove({"$and": [{"chapter_id": 4}, {"place": 0}]})
    again = Archive(chroma)
    assert [number for number, _ in again.chapters()] == [0, 1, 2, 3]
    assert again.chapter(4) == ()


def test_import_tells_how_far_it_is(archive: Archive) -> None:
    ticks = iter(range(100))
    book = book_of(text_of(4))
    told = list(import_book(book, archive, CAST, clock=lambda: next(ticks)))
    assert [value.number for value in told] == [0, 1, 2, 3, 4]
    assert [value.chapters for value in told] == [1, 2, 3, 4, 5]
    assert told[-1].characters == book.characters
    assert [value.seconds for value in told] == [1, 2, 3, 4, 5]
    assert not any(value.unchanged for value in told)
    assert archive.chapters()[1] == (1, "第一回 山中")
    assert {chunk.chapter_id for chunk in archive.with_all(["林远", "苏青"])} == {1, 3}


def test_only_a_changed_chapter_is_written_again(archive: Archive, embedder: Counting) -> None:
    list(import_book(book_of(text_of(5)), archive, CAST))
    before = embedder.embedded
    told = list(import_book(book_of(text_of(5, changed=3)), archive, CAST))
    assert [value.number for value in told if not value.unchanged] == [3]
    assert 0 < embedder.embedded - before <= 2, "nor are its unchanged passages embedded again"


def test_killed_in_the_middle_it_goes_on(tmp_path: Path) -> None:
    """The writer is a process of its own, killed with SIGKILL while it is in a chapter."""
    path = tmp_path / "山中书.txt"
    path.write_bytes(text_of(9).encode())
    program = (
        "import sys; from pathlib import Path; from memorybank_studio.tests.books.test_importing import *\n"
        "book = book_of(Path(sys.argv[1]).read_bytes().decode())\n"
        "with Chroma(ChromaSettings(folder=Path(sys.argv[2])), HashedNgrams()) as chroma:\n"
        "    for value in import_book(book, Archive(chroma), CAST): print(value.number, flush=True)\n"
    )
    log = tmp_path / "log"
    with log.open("wb") as output:
        writer = subprocess.Popen([sys.executable, "-c", program, path, tmp_path / "studio"], stdout=output)
    wait_until(lambda: log.read_bytes().count(b"\n") >= 4, 300)  # a loaded machine takes long to import Chroma
    writer.kill()
    writer.wait(10)
    done = log.read_bytes().count(b"\n")
    with Chroma(ChromaSettings(folder=tmp_path / "studio"), HashedNgrams()) as chroma:
        archive = Archive(chroma)
        told = list(import_book(book_of(text_of(9)), archive, CAST))
        assert [value.unchanged for value in told][:done] == [True] * done
        assert whole(archive) == text_of(9).removeprefix("\ufeff")
