"""The episodic archive: the chapters as they stand, in chunks with `chapter_id`, `chapter_title`, `entity_list`.

Filters are exact, search is by meaning within them (specification, 3.1.3). A chapter is replaced by overwriting its
chunks, whose ids are made of chapter and place, and then removing what the new text no longer reaches. Every chunk
carries its chapter's version, a digest of all its chunks; one of another version than the chapter's first chunk is what
a killed writer left, and goes before anything is read.
"""

from __future__ import annotations

import re
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

import numpy as np

from memorybank.embedding.base import Embedder, Matrix
from memorybank.embedding.pieces import pool
from memorybank.errors import InputError
from memorybank.language.text import is_han, sentences
from memorybank_studio.counting import words_in
from memorybank_studio.hub.chroma import Chroma
from memorybank_studio.hub.collection import Collection, Row, Where, all_of
from memorybank_studio.types import Chunk, SearchHit, digest, normal

_MOST_NUMBER = 10**9
"""Chapter numbers and places are below it: an id has nine digits for each."""


class Archive:
    """The chapters in Chroma. Thread-safe; two writers of one chapter at a time are not."""

    def __init__(self, chroma: Chroma) -> None:
        self._chunks = Collection(chroma, "archive")
        self._sweeping = threading.Lock()
        self._swept = False
        self._chapter_names = ChapterNames(lambda: self._whole().rows())

    def put(self, chunks: Sequence[Chunk]) -> None:
        """Store whole chapters: older chunks of those chapters go. A chapter that stands there as given costs nothing;
        a chunk whose text stands there already is not embedded again.

        Raises InputError for chunks that make no whole chapter: places from 0 without a gap, each once.
        """
        chapters = _by_chapter(chunks)
        versions = self.versions({"chapter_id": {"$in": list(chapters)}}) if chapters else {}
        for number, whole in chapters.items():
            version = version_of(whole)
            if versions.get(number) == version:
                continue
            self._swept = False  # until the chapter is whole; a failure in between leaves it to the next reader
            self._chapter_names.forget()
            self._replace(number, whole, version)
            self._chapter_names.forget()
            self._swept = True

    def remove(self, chapters: Sequence[int]) -> None:
        """Take chapters out; settled facts stay. What a killed writer left of one is gone at the next reading."""
        for number in chapters:
            self._swept = False
            self._chapter_names.forget()
            self._chunks.remove({"$and": [{"chapter_id": number}, {"place": 0}]})  # the rest is left over without it
            self._chunks.remove({"chapter_id": number})
            self._chapter_names.forget()
            self._swept = True

    def _replace(self, number: int, chunks: Sequence[Chunk], version: str) -> None:
        rows = [_row(chunk, version, len(chunks)) for chunk in chunks]
        self._chunks.put(rows, self._embedded(number, [row.text for row in rows]))
        self._chunks.remove({"$and": [{"chapter_id": number}, {"version": {"$ne": version}}]})

    def _embedded(self, number: int, texts: Sequence[str]) -> Matrix:
        vectors = self._chunks.vectors({"chapter_id": number})
        new = list(dict.fromkeys(text for text in texts if text not in vectors))
        if new:
            vectors.update(zip(new, documents(self._chunks.embedder, new), strict=True))
        return np.stack([np.asarray(vectors[text], dtype=np.float32) for text in texts])

    def _whole(self) -> Collection:
        """Return the chunks, without what a killed writer left."""
        with self._sweeping:
            if not self._swept:
                rows = [(row.id, row.metadata) for row in self._chunks.rows(texts=False)]
                current = {held["chapter_id"]: held["version"] for _, held in rows if held["place"] == 0}
                left = [id_ for id_, held in rows if held["version"] != current.get(held["chapter_id"])]
                self._chunks.remove_ids(left)
                self._swept = True
        return self._chunks

    def with_all(self, entities: Sequence[str], *, before: int | None = None, count: int = 20) -> tuple[Chunk, ...]:
        """Return chunks in which all of these are present, newest chapter first, each chapter in reading order."""
        ids = self._present(entities, before) or self._whole().ids(_where(entities, before))
        ids.sort(key=lambda row_id: (-int(row_id[:9]), row_id))
        chosen = ids[: max(0, count)]
        chunks = {row.id: _chunk(row) for row in self._chunks.rows(ids=chosen)}
        return tuple(chunks[row_id] for row_id in chosen if row_id in chunks)

    def _present(self, entities: Sequence[str], before: int | None, chapter: int | None = None) -> list[str]:
        """Return ids of the chunks in which all of these are; none where the text tells no more than the lists do."""
        chunks, names = self._whole(), tuple(dict.fromkeys(entities))
        more = {name: self._chapter_names.untagged(name) for name in names}
        if not any(more.values()):
            return []
        within = set(chunks.ids(_where((), before, chapter)))
        for name in names:
            within &= more[name] | set(chunks.ids(_where((name,), before, chapter)))
        return list(within)

    def before(self, chapter: int, *, chapters: int = 5) -> tuple[Chunk, ...]:
        """Return all chunks of the chapters just before this one, in order."""
        if chapters < 1:
            return ()
        near = self._whole().rows(
            {"$and": [{"chapter_id": {"$gte": chapter - chapters}}, {"chapter_id": {"$lt": chapter}}]}
        )
        if len({row.metadata["chapter_id"] for row in near}) < chapters:  # numbers with gaps, or the book's beginning
            earlier = [number for number, _ in self.chapters() if number < chapter][-chapters:]
            near = self._chunks.rows({"chapter_id": {"$in": earlier}}) if earlier else []
        return _in_order(near)

    def chapter(self, chapter: int) -> tuple[Chunk, ...]:
        return _in_order(self._whole().rows({"chapter_id": chapter}))

    def search(
        self,
        text: str,
        *,
        count: int = 5,
        entities: Sequence[str] = (),
        before: int | None = None,
        chapter: int | None = None,
    ) -> tuple[SearchHit, ...]:
        """Search by meaning, within the filters. `chapter`: only in that one."""
        present = self._present(entities, before, chapter)
        where = None if present else _where(entities, before, chapter)
        nearest = self._whole().nearest(text, count=count, where=where, ids=present or None)
        return tuple(SearchHit(item=_chunk(row), score=score) for row, score in nearest)

    def chapters(self) -> tuple[tuple[int, str], ...]:
        """Return the chapters' numbers and titles, ascending."""
        firsts = self._whole().rows({"place": 0}, texts=False)
        return tuple(sorted((_int(row, "chapter_id"), str(row.metadata["chapter_title"])) for row in firsts))

    def lengths(self) -> Mapping[int, int]:
        """Return words (of Chinese: characters) of each chapter."""
        return self._chapter_names.lengths()

    def naming(self, names: Iterable[str]) -> Mapping[str, frozenset[int]]:
        """Return the chapters in which each name stands, or was known to be meant when the chapter came in."""
        return {name: self._chapter_names.chapters(name) for name in dict.fromkeys(names)}

    def versions(self, where: Where | None = None) -> Mapping[int, str]:
        """Return the version of each chapter that stands there whole; `version_of` tells that of chunks in hand."""
        held: dict[int, list[Row]] = defaultdict(list)
        for row in self._whole().rows(where, texts=False):
            held[_int(row, "chapter_id")].append(row)
        return {
            number: str(rows[0].metadata["version"])
            for number, rows in held.items()
            if len(rows) == _int(rows[0], "chunks")
        }

    def all(self) -> tuple[Chunk, ...]:
        """Return every chunk, in order."""
        return _in_order(self._whole().rows())


def version_of(chunks: Iterable[Chunk]) -> str:
    """Return a digest of a chapter: equal for equal chunks, cut and named alike."""
    parts: list[str] = []
    for chunk in chunks:
        parts += [chunk.chapter_title, f"{chunk.chapter_id} {chunk.place} {chunk.start} {chunk.end}", chunk.text]
        parts += [str(len(chunk.entity_list)), *chunk.entity_list]
    return digest(*parts)


def _by_chapter(chunks: Sequence[Chunk]) -> dict[int, list[Chunk]]:
    chapters: dict[int, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        chapters[chunk.chapter_id].append(chunk)
    for number, whole in chapters.items():
        whole.sort(key=lambda chunk: chunk.place)
        if not 0 <= number < _MOST_NUMBER:
            raise InputError("archive.chapter_number", chapter=number, most=_MOST_NUMBER - 1)
        if [chunk.place for chunk in whole] != list(range(len(whole))):
            raise InputError("archive.chapter_not_whole", chapter=number)
    return chapters


def _row(chunk: Chunk, version: str, chunks: int) -> Row:
    return Row(
        id=f"{chunk.chapter_id:09d}-{chunk.place:09d}",
        text=chunk.text,
        metadata={
            "chapter_id": chunk.chapter_id,
            "chapter_title": chunk.chapter_title,
            "place": chunk.place,
            "start": chunk.start,
            "end": chunk.end,
            "entity_list": chunk.entity_list,
            "entity_keys": tuple(dict.fromkeys(map(normal, chunk.entity_list))),
            "version": version,
            "chunks": chunks,
        },
    )


def _chunk(row: Row) -> Chunk:
    names = cast("Sequence[str]", row.metadata.get("entity_list", ()))
    return Chunk(
        chapter_id=_int(row, "chapter_id"),
        chapter_title=str(row.metadata["chapter_title"]),
        place=_int(row, "place"),
        start=_int(row, "start"),
        end=_int(row, "end"),
        text=row.text,
        entity_list=tuple(names),
    )


def _int(row: Row, key: str) -> int:
    value = row.metadata[key]
    assert isinstance(value, int)
    return value


def _in_order(rows: Iterable[Row]) -> tuple[Chunk, ...]:
    return tuple(_chunk(row) for row in sorted(rows, key=lambda row: row.id))


def _where(entities: Sequence[str], before: int | None, chapter: int | None = None) -> Where | None:
    conditions: list[Where] = [{"entity_keys": {"$contains": key}} for key in dict.fromkeys(map(normal, entities))]
    if before is not None:
        conditions.append({"chapter_id": {"$lt": before}})
    if chapter is not None:
        conditions.append({"chapter_id": chapter})
    return all_of(conditions)


_SHORTEST = 3
"""Letters of a name that is looked for; a shorter one is a part of too many words. Of Chinese characters two."""


class ChapterNames:
    """Thread-safe. `read`: all chunks as they are now."""

    def __init__(self, read: Callable[[], Iterable[Row]]) -> None:
        self._read = read
        self._lock = threading.RLock()
        self.forget()

    def forget(self) -> None:
        """Forget what was found, as the chapters have changed."""
        with self._lock:
            self._rows: tuple[Row, ...] | None = None
            self._found: dict[str, frozenset[str]] = {}
            self._chapters: dict[str, frozenset[int]] = {}
            self._lengths: dict[int, int] | None = None

    def untagged(self, name: str) -> frozenset[str]:
        """Return ids of the chunks in which a name stands that is not in their `entity_list`, nor in a name there."""
        with self._lock:
            if name not in self._found:
                self._found[name] = frozenset(_untagged(name.strip(), self._held()))
            return self._found[name]

    def chapters(self, name: str) -> frozenset[int]:
        """Return chapters in which the name stands, or is in an `entity_list`."""
        with self._lock:
            if name not in self._chapters:
                key, more = normal(name), self.untagged(name)
                self._chapters[name] = frozenset(
                    _int(row, "chapter_id") for row in self._held() if row.id in more or key in _keys(row)
                )
            return self._chapters[name]

    def lengths(self) -> Mapping[int, int]:
        """Return words (of Chinese: characters) by chapter."""
        with self._lock:
            if self._lengths is None:
                counted: Counter[int] = Counter()
                for row in self._held():
                    counted[_int(row, "chapter_id")] += words_in(row.text)
                self._lengths = dict(sorted(counted.items()))
            return self._lengths

    def _held(self) -> tuple[Row, ...]:
        if self._rows is None:
            self._rows = tuple(self._read())
        return self._rows


def _untagged(name: str, rows: Sequence[Row]) -> Iterable[str]:
    if len(name) < (2 if is_han(name) else _SHORTEST):
        return
    stands = _stands(name)
    key = normal(name)
    for row in rows:
        if name in row.text and stands(row.text) and not any(key in entity_key for entity_key in _keys(row)):
            yield row.id


def _keys(row: Row) -> Sequence[str]:
    return cast("Sequence[str]", row.metadata.get("entity_keys", ()))


def _stands(name: str) -> Callable[[str], object]:
    """Whether a name that is in a text is a word of it, where words are parted."""
    if is_han(name) or not (name[0].isalnum() and name[-1].isalnum()):
        return lambda text: True
    return re.compile(rf"\b{re.escape(name)}\b").search


_WHOLE = 200
"""Characters up to which a text is embedded whole."""


def documents(embedder: Embedder, texts: Sequence[str]) -> Matrix:
    """Embed texts as `Embedder.documents` does; the rows of long texts are pooled from their halves."""
    cuts = [halves(text) for text in texts]
    rows = embedder.documents([part for parts in cuts for part in parts])
    pooled = rows[: len(texts)].copy()
    start = 0
    for at, parts in enumerate(cuts):
        pooled[at] = pool(list(rows[start : start + len(parts)]), [max(1, len(part)) for part in parts], embedder.dim)
        start += len(parts)
    return pooled


def halves(text: str) -> list[str]:
    """Cut the text at the end of the sentence that reaches its middle; leave it whole if short or one sentence."""
    if len(text) > _WHOLE:
        end = next(piece.end for piece in sentences(text) if 2 * piece.end >= len(text))
        if end < len(text):
            return [text[:end], text[end:]]
    return [text]
