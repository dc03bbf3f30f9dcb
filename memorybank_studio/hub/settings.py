"""The setting base: authoritative entries, one a key, exact by key and else by meaning (specification, 3.1.3)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import TypeAdapter

from memorybank.errors import InputError
from memorybank.retrieval.chroma import Chroma
from memorybank_studio.hub.collection import Collection, Row, score
from memorybank_studio.types import Origin, SearchHit, Setting, digest, normal

_ORIGIN = TypeAdapter(Origin)


class Settings:
    """A `SettingBase` in Chroma."""

    def __init__(self, chroma: Chroma) -> None:
        self._collection = Collection(chroma, "settings")

    def put(self, settings: Sequence[Setting]) -> None:
        """The same key (`normal`) again replaces the entry. Raises InputError for an empty key or text."""
        last = {_id(setting.key): setting for setting in settings}
        for setting in last.values():
            if not normal(setting.key) or not setting.text.strip():
                raise InputError("hub.bad_setting", key=setting.key[:40])
        known = {row.id: row for row in self._collection.rows(ids=list(last))} if last else {}
        rows = [row for row in map(_row, last.values()) if known.get(row.id) != row]
        if rows:
            embedded = [f"{row.metadata['key']}\n{row.text}" for row in rows]
            self._collection.put(rows, self._collection.embedder.documents(embedded))

    def remove(self, keys: Sequence[str]) -> None:
        """Take entries out; one that is not there is none."""
        self._collection.remove_ids([_id(key) for key in keys])

    def exact(self, key: str) -> Setting | None:
        rows = self._collection.rows(ids=[_id(key)])
        return _setting(rows[0]) if rows else None

    def search(self, text: str, *, count: int = 5) -> tuple[SearchHit, ...]:
        """By meaning; the entry whose key the text is comes first, with score 1."""
        exact = self.exact(text) if count > 0 else None
        hits = [] if exact is None else [SearchHit(item=exact, score=1.0)]
        for near in self._collection.nearest(text, count=count):
            if exact is None or near.row.id != _id(exact.key):
                hits.append(SearchHit(item=_setting(near.row), score=score(self._collection.embedder, near.cosine)))
        return tuple(hits[: max(0, count)])

    def all(self) -> tuple[Setting, ...]:
        """By key."""
        return tuple(sorted(map(_setting, self._collection.rows()), key=lambda setting: normal(setting.key)))


def _id(key: str) -> str:
    return "s-" + digest(normal(key))


def _row(setting: Setting) -> Row:
    origin = json.dumps(_ORIGIN.dump_python(setting.origin, mode="json"), ensure_ascii=False)
    return Row(
        id=_id(setting.key),
        text=setting.text,
        metadata={"key": setting.key, "category": setting.category, "origin": origin},
    )


def _setting(row: Row) -> Setting:
    return Setting(
        key=str(row.metadata["key"]),
        text=row.text,
        category=str(row.metadata["category"]),
        origin=_ORIGIN.validate_json(str(row.metadata["origin"])),
    )
