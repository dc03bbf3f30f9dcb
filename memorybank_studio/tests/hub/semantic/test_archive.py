from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import InputError
from memorybank_studio.hub.archive import Archive, version_of
from memorybank_studio.hub.chroma import Chroma, ChromaSettings
from memorybank_studio.tests.hub.semantic.made import HOSTILE, Counting, chapter
from memorybank_studio.types import Chunk

LIN, SU, BLADE = "林远", "苏青", "飞剑"


@pytest.fixture
def filled(archive: Archive) -> Archive:
    archive.put(
        [
            *chapter(1, ["林远上山。", "苏青等他。", "林远见苏青在雨里。"], [[LIN], [SU], [LIN, SU]]),
            *chapter(2, ["飞剑断了。", "苏青拾起飞剑。"], [[BLADE], [SU, BLADE]]),
            *chapter(5, ["林远与苏青比剑，用的是飞剑。", "夜深了。"], [[LIN, SU, BLADE], []]),
        ]
    )
    return archive


def places(chunks: Sequence[Chunk]) -> list[tuple[int, int]]:
    return [(chunk.chapter_id, chunk.place) for chunk in chunks]


def test_who_was_settled_after_the_import_is_found_by_the_text(archive: Archive) -> None:
    """The names of a chunk are those that were known when its chapter came in."""
    archive.put(
        [
            *chapter(
                1, ["Mara kept the Iron Key.", "Keys rust. Marabel laughed.", "The Iron Key broke."], [["Mara"], [], []]
            ),
            *chapter(2, ["顾影见青铜镜。", "青铜镜碎了。", "顾影公主来了。"], [["顾影"], [], ["顾影公主"]]),
        ]
    )
    assert places(archive.with_all(["Iron Key", "Mara"])) == [(1, 0)]
    assert places(archive.with_all(["Iron Key"])) == [(1, 0), (1, 2)]
    assert places(archive.with_all(["Mara"])) == [(1, 0)], "no part of another word"
    assert places(archive.with_all(["青铜镜"])) == [(2, 0), (2, 1)]
    assert places(archive.with_all(["顾影"])) == [(2, 0)], "no part of a longer name that was known"
    assert places(archive.with_all(["青铜镜", "顾影"], before=2)) == []
    assert archive.with_all(["镜"]) == archive.with_all(["Ke"]) == ()
    found = archive.search("what broke?", entities=["Iron Key"], count=9)
    assert sorted((one.item.chapter_id, one.item.place) for one in found if isinstance(one.item, Chunk)) == [
        (1, 0),
        (1, 2),
    ]
    archive.put(chapter(3, ["Rain fell on the Iron Key."], [["Iron Key"]]))
    assert places(archive.with_all(["Iron Key"])) == [(3, 0), (1, 0), (1, 2)], "known in part, still found"


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_no_pattern_of_the_text(archive: Archive, name: str) -> None:
    archive.put(chapter(1, ["Nothing is said here.", f"It was {name} again."], [[], []]))
    assert (1, 0) not in places(archive.with_all([name]))


def test_chunks_with_all_of_some_entities_newest_chapter_first(filled: Archive) -> None:
    assert places(filled.with_all([LIN, SU])) == [(5, 0), (1, 2)]
    assert places(filled.with_all([SU])) == [(5, 0), (2, 1), (1, 1), (1, 2)]
    assert places(filled.with_all([SU], before=5)) == [(2, 1), (1, 1), (1, 2)]
    assert places(filled.with_all([SU], count=2)) == [(5, 0), (2, 1)]
    assert filled.with_all([LIN, "林"]) == ()


def test_names_are_compared_as_keys_are(archive: Archive) -> None:
    archive.put(chapter(1, ["Ann left."], [["Ann  Reed"]]))
    assert archive.with_all(["ann reed"])[0].entity_list == ("Ann  Reed",)
    assert archive.with_all(["ＡＮＮ REED"])
    assert archive.with_all(["Ann"]) == ()


def test_the_chapters_just_before_one(filled: Archive) -> None:
    assert places(filled.before(6, chapters=1)) == [(5, 0), (5, 1)]
    assert places(filled.before(5, chapters=1)) == [(2, 0), (2, 1)], "numbers may have gaps"
    assert places(filled.before(6)) == places(filled.all())
    assert filled.before(1) == filled.before(3, chapters=0) == ()


def test_search_finds_what_looking_at_everything_finds(archive: Archive) -> None:
    """The filtered graph search beside brute force, on chunks that differ in a word each."""
    words = [f"word{number}" for number in range(400)]
    archive.put(
        [
            chunk
            for number in range(20)
            for chunk in chapter(
                number,
                [f"{word} stands near the river {word}" for word in words[number * 20 : number * 20 + 20]],
                [["odd" if place % 2 else "even"] for place in range(20)],
            )
        ]
    )
    embedder = HashedNgrams()
    chunks = archive.all()
    rows = embedder.documents([chunk.text for chunk in chunks])
    wrong = 0
    for asked in words[::8]:
        cosines = rows @ embedder.queries([asked])[0]
        odd = [at for at, chunk in enumerate(chunks) if chunk.entity_list == ("odd",)]
        best = max(odd, key=lambda at: cosines[at])
        found = archive.search(asked, count=5, entities=["odd"])
        assert len(found) == 5
        assert all(isinstance(hit.item, Chunk) and hit.item.entity_list == ("odd",) for hit in found)
        nearest = found[0].item
        assert isinstance(nearest, Chunk)
        wrong += cosines[chunks.index(nearest)] < cosines[best] - 1e-5
    assert wrong <= 1


def test_a_chapter_put_again_replaces_its_chunks(filled: Archive) -> None:
    shorter = chapter(1, ["林远下山。"], [[LIN]])
    filled.put(shorter)
    assert filled.chapter(1) == tuple(shorter)
    assert places(filled.with_all([SU], before=2)) == []
    assert len(filled.all()) == 5


def test_only_new_texts_are_embedded(tmp_path: Path) -> None:
    embedder = Counting()
    with Chroma(ChromaSettings(folder=tmp_path), embedder) as chroma:
        archive = Archive(chroma)
        archive.put(chapter(1, ["甲在山上。", "乙在水边。", "甲在山上。"]))
        assert embedder.embedded == 2, "the same text twice is embedded once"
        archive.put(chapter(1, ["甲在山上。", "乙在水边。", "甲在山上。"]))
        assert embedder.embedded == 2, "an unchanged chapter costs nothing"
        archive.put(chapter(1, ["乙在水边。", "丙来了。"], [["乙"], ["丙"]]))
        assert embedder.embedded == 3
        assert [chunk.entity_list for chunk in archive.chapter(1)] == [("乙",), ("丙",)]
        found = archive.search("丙来了", count=1)
        assert found[0].item == archive.chapter(1)[1]


def test_versions_tell_whole_chapters(filled: Archive) -> None:
    versions = filled.versions()
    assert set(versions) == {1, 2, 5}
    assert versions[2] == version_of(filled.chapter(2))
    assert version_of(chapter(2, ["飞剑断了。"])) != version_of(chapter(2, ["飞剑断了。"], [[BLADE]]))


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda text: repr(text[:12]))
def test_hostile_names_and_texts_are_data(archive: Archive, hostile: str) -> None:
    chunk = chapter(1, [hostile], [[hostile, "旁人"]])
    archive.put([*chunk, *chapter(2, ["别的"], [["旁人"]])])
    assert archive.chapter(1) == tuple(chunk)
    assert archive.with_all([hostile]) == tuple(chunk)
    assert len(archive.with_all(["旁人"])) == 2
    assert archive.search(hostile, entities=[hostile])[0].item == chunk[0]


def test_texts_of_white_space_or_nothing_keep_their_place(archive: Archive) -> None:
    chunks = chapter(1, ["\r\n \u3000", "", "字"])
    archive.put(chunks)
    assert archive.chapter(1) == tuple(chunks)


@pytest.mark.parametrize(
    ("chunks", "told"),
    [
        (chapter(1, ["a", "b"])[1:], "whole chapter"),
        (chapter(1, ["a"]) * 2, "whole chapter"),
        (chapter(-1, ["a"]), "chapter -1"),
        (chapter(1, ["half \ud800"]), "U\\+D800"),
        (chapter(1, ["a"], [["\udfff"]]), "U\\+DFFF"),
    ],
    ids=["a place missing", "a place twice", "a negative number", "half a character", "half a character in a name"],
)
def test_what_makes_no_chapter_is_refused(filled: Archive, chunks: list[Chunk], told: str) -> None:
    before = filled.all()
    with pytest.raises(InputError, match=told):
        filled.put(chunks)
    assert filled.all() == before
