"""One of Chroma's collections: texts with vectors and metadata.

Chroma 1.5 keeps lists of strings as metadata and filters them exactly (`$contains`); a filter on the list's values, not
on keys made of them, is what lets any name be asked for, whatever characters it has.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import TypeAdapter

from memorybank.embedding.base import Embedder, Matrix
from memorybank.errors import InputError
from memorybank.language.tokens import query_tokens, tokenize
from memorybank_studio.hub.chroma import Chroma
from memorybank_studio.types import BEFORE_THE_STORY, Origin, SearchHit, Setting, digest, normal

Where = Mapping[str, Any]
"""A filter in Chroma's own terms. Values from outside are only ever compared with, never keys or operators."""
Metadata = Mapping[str, str | int | Sequence[str]]

SHARE: Final = 0.6
"""The share of the words of a name that a text which speaks of what it names has."""
BEARS_ON: Final = 0.4
"""Score from which an entry bears on a text that does not name it."""
NEAREST: Final = 3
"""The most entries that a text touches by its meaning."""
_BATCH = 1_000
"""Records written in one request, if Chroma takes as many: as JSON about 8 MB."""
_PAGE = 5_000
"""Records read in one request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The text and metadata stored under an id. The text is kept as it is, to the last character."""

    id: str
    text: str
    metadata: Metadata


class Collection:
    """Texts with vectors and metadata. Every method raises as `Chroma` says."""

    def __init__(self, chroma: Chroma, name: str) -> None:
        self._chroma = chroma
        self._name = name

    def put(self, rows: Sequence[Row], vectors: Matrix) -> None:
        """Insert or replace by id, in batches, in the order given. One batch is written whole or not at all."""
        for row in rows:
            values = [row.id, row.text]
            for value in row.metadata.values():
                values += [value] if isinstance(value, str) else [] if isinstance(value, int) else list(value)
            for value in values:
                try:
                    value.encode("utf-8")
                except UnicodeEncodeError as error:
                    raise InputError(
                        "hub.lone_surrogate", character=ord(value[error.start]), place=error.start
                    ) from error

        def write(collection: Any) -> None:
            most = self._chroma.batch(_BATCH)
            for at in range(0, len(rows), most):
                part = rows[at : at + most]
                collection.upsert(
                    ids=[row.id for row in part],
                    embeddings=vectors[at : at + most],
                    documents=[row.text for row in part],
                    metadatas=[_stored(row.metadata) for row in part],
                )

        if rows:
            self._chroma.call(self._name, write)

    def ids(self, where: Where | None = None) -> list[str]:
        """Return the ids of all rows that fit, in no order. It is far cheaper than reading the rows."""
        return list(self._chroma.call(self._name, lambda collection: collection.get(where=where, include=[]))["ids"])

    def rows(self, where: Where | None = None, *, ids: Sequence[str] | None = None, texts: bool = True) -> list[Row]:
        """Return all rows that fit, in no order; without their texts when only the metadata are wanted."""
        if ids is not None and not ids:
            return []
        include = ["metadatas", "documents"] if texts else ["metadatas"]

        def read(collection: Any) -> list[Row]:
            rows: list[Row] = []
            while True:
                page = collection.get(
                    ids=None if ids is None else list(ids), where=where, include=include, limit=_PAGE, offset=len(rows)
                )
                rows += _rows(page["ids"], page["documents"] if texts else None, page["metadatas"])
                if len(page["ids"]) < _PAGE:
                    return rows

        return self._chroma.call(self._name, read)

    def vectors(self, where: Where) -> dict[str, Any]:
        """Return the vector of each text among the rows that fit."""
        page = self._chroma.call(
            self._name, lambda collection: collection.get(where=where, include=["documents", "embeddings"])
        )
        return dict(zip(page["documents"], page["embeddings"], strict=True))

    def nearest(
        self, text: str, *, count: int, where: Where | None = None, ids: Sequence[str] | None = None
    ) -> list[tuple[Row, float]]:
        """Return rows by meaning, the nearest first, each with its score in [0, 1]; `ids`: among these alone."""
        if count < 1 or not text.strip():
            return []
        vector = self._chroma.embedder.queries([text])
        page = self._chroma.call(
            self._name,
            lambda collection: collection.query(
                query_embeddings=vector,
                n_results=count,
                ids=None if ids is None else list(ids),
                where=where,
                include=["documents", "metadatas", "distances"],
            ),
        )
        rows = _rows(page["ids"][0], page["documents"][0], page["metadatas"][0])
        stretched = self.embedder.scale.stretched
        return [
            (row, float(stretched(1.0 - float(away)))) for row, away in zip(rows, page["distances"][0], strict=True)
        ]

    def remove(self, where: Where) -> None:
        self._chroma.call(self._name, lambda collection: collection.delete(where=where))

    def remove_ids(self, ids: Sequence[str]) -> None:
        if ids:
            self._chroma.call(self._name, lambda collection: collection.delete(ids=list(ids)))

    @property
    def embedder(self) -> Embedder:
        return self._chroma.embedder


def all_of(conditions: Iterable[Where]) -> Where | None:
    """Return a filter for rows that fit every condition; None when there is none."""
    parts = list(conditions)
    return {"$and": parts} if len(parts) > 1 else parts[0] if parts else None


def _stored(metadata: Metadata) -> dict[str, Any]:
    """Return metadata as Chroma takes it: an empty list is no value there, so it is left out."""
    return {
        key: value if isinstance(value, str | int) else list(value)
        for key, value in metadata.items()
        if isinstance(value, str | int) or value
    }


def _rows(ids: Sequence[str], texts: Sequence[str] | None, metadatas: Sequence[Mapping[str, Any]]) -> list[Row]:
    return [
        Row(id=row_id, text=text or "", metadata=metadata)
        for row_id, text, metadata in zip(ids, texts or [""] * len(ids), metadatas, strict=True)
    ]


_ORIGIN = TypeAdapter(Origin)
_STATES = TypeAdapter(tuple[Setting, ...])
_OPEN: Final = -1
"""Metadata cannot say that a text has no end."""


class Settings:
    """Authoritative entries in Chroma: exact by key, else by meaning."""

    def __init__(self, chroma: Chroma) -> None:
        self._collection = Collection(chroma, "settings")

    def put(self, settings: Sequence[Setting]) -> None:
        """Store an entry; the same key (`normal`) again replaces it. Raises InputError for an empty key or text."""
        last = {_id(setting.key): setting for setting in settings}
        for setting in last.values():
            if not normal(setting.key) or not setting.text.strip():
                raise InputError("hub.bad_setting", key=setting.key[:40])
        known = {row.id: row for row in self._collection.rows(ids=list(last))} if last else {}
        rows = [row for row in map(_row, last.values()) if known.get(row.id) != row]
        if rows:
            embedded = ["\n".join((entry.key, *_texts(entry))) for entry in map(_setting, rows)]
            self._collection.put(rows, self._collection.embedder.documents(embedded))

    def remove(self, keys: Sequence[str]) -> None:
        """Take entries out; one that is not there is none."""
        self._collection.remove_ids([_id(key) for key in keys])

    def exact(self, key: str) -> Setting | None:
        rows = self._collection.rows(ids=[_id(key)])
        return _setting(rows[0]) if rows else None

    def search(self, text: str, *, count: int = 5) -> tuple[SearchHit, ...]:
        """Search by meaning; the entry whose key the text is comes first, with score 1."""
        exact = self.exact(text) if count > 0 else None
        hits = [] if exact is None else [SearchHit(item=exact, score=1.0)]
        for row, score in self._collection.nearest(text, count=count):
            if exact is None or row.id != _id(exact.key):
                hits.append(SearchHit(item=_setting(row), score=score))
        return tuple(hits[: max(0, count)])

    def touched(self, text: str) -> tuple[Setting, ...]:
        """Return entries that a text touches: it says their key, be it in other forms of its words ("called the salt"
        for “Calling the salt”), or is near to them by meaning."""
        words = frozenset(tokenize(text))
        keys = ((entry, frozenset(query_tokens(entry.key))) for entry in self.all())
        said = [entry for entry, own in keys if own and len(own & words) >= SHARE * len(own)]
        near = [hit.item for hit in self.search(text, count=NEAREST) if hit.score >= BEARS_ON]
        return tuple({entry.key: entry for entry in (*said, *near) if isinstance(entry, Setting)}.values())

    def all(self) -> tuple[Setting, ...]:
        """Return all entries, sorted by key."""
        return tuple(sorted(map(_setting, self._collection.rows()), key=lambda setting: normal(setting.key)))


def _id(key: str) -> str:
    return "s-" + digest(normal(key))


def _texts(setting: Setting) -> Iterable[str]:
    """Return the newest text and those before it: what it was in a chapter is found as well."""
    return (state.text for state in reversed(setting.states))


def _row(setting: Setting) -> Row:
    origin = json.dumps(_ORIGIN.dump_python(setting.origin, mode="json"), ensure_ascii=False)
    return Row(
        id=_id(setting.key),
        text=setting.text,
        metadata={
            "key": setting.key,
            "category": setting.category,
            "origin": origin,
            "since": setting.since,
            "until": _OPEN if setting.until is None else setting.until,
            "earlier": json.dumps(_STATES.dump_python(setting.earlier, mode="json"), ensure_ascii=False),
        },
    )


def _setting(row: Row) -> Setting:
    """Return an entry; one that was written before entries had chapters says nothing of them."""
    until = row.metadata.get("until", _OPEN)
    return Setting(
        key=str(row.metadata["key"]),
        text=row.text,
        category=str(row.metadata["category"]),
        origin=_ORIGIN.validate_json(str(row.metadata["origin"])),
        since=int(str(row.metadata.get("since", BEFORE_THE_STORY))),
        until=None if until == _OPEN else int(str(until)),
        earlier=_STATES.validate_json(str(row.metadata.get("earlier", "[]"))),
    )
