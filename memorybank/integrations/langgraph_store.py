"""LangGraph's `BaseStore` over the bank: what is put is filed and compared like any text, and searched by its recall.

    with BankTools.at("runs/memory") as bank:
        graph = builder.compile(store=BankStore(bank))

An item lives until it is deleted or put anew; what it said stays in the bank's raw record. `index` names the fields
that are filed: False for none, every text and number of the value unless it is given. Items have no time to live.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from memorybank.integrations import missing
from memorybank.integrations.bank_tools import BankTools
from memorybank.integrations.kept_items import Kept, KeptItems
from memorybank.tools.base import arguments_json

try:
    from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, Op, PutOp, Result, SearchItem, SearchOp
    from langgraph.store.base.embed import get_text_at_path, tokenize_path
    from langgraph.store.memory import InMemoryStore
except ModuleNotFoundError as error:
    raise missing("langgraph", error) from None

ALL = 10**9


class BankStore(BaseStore):
    def __init__(self, bank: BankTools) -> None:
        self.bank = bank
        self._kept = KeptItems(bank.folder)
        self._plain = InMemoryStore()
        """Holds the same items: which of them a prefix, a filter or a list of namespaces means, LangGraph says."""
        for namespace, key, kept in self._kept:
            self._plain.put(namespace, key, kept.value)

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """See BaseStore: what is read is as it was before the batch; of two puts under one name the last holds."""
        asked = list(ops)
        results = [self._read(op) for op in asked]
        puts = {(*op.namespace, op.key): op for op in asked if isinstance(op, PutOp)}
        for name, put in puts.items():
            arguments_json("/".join(name), put.value)
        for name, put in puts.items():
            text = "" if put.value is None or put.index is False else _text(put.value, put.index)
            entry = self.bank.ingest(text, "/".join(name)).entry_id if text else ""
            with self._kept.changing:
                self._kept.put(put.namespace, put.key, put.value, entry=entry)
                self._plain.batch([put])
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            if (kept := self._kept.get(op.namespace, op.key)) is None:
                return None
            value, created, updated = _parts(kept)
            return Item(value=value, key=op.key, namespace=op.namespace, created_at=created, updated_at=updated)
        if isinstance(op, SearchOp):
            return cast(Result, self._search(op))
        return self._plain.batch([op])[0] if isinstance(op, ListNamespacesOp) else None

    def _search(self, op: SearchOp) -> list[SearchItem]:
        everything = op._replace(query=None, limit=ALL, offset=0, namespace_prefix=tuple(op.namespace_prefix))
        (chosen,) = cast(list[list[SearchItem]], self._plain.batch([everything]))
        if not op.query:
            return [self._found(item, None) for item in chosen[op.offset :][: op.limit]]
        entries = [self._kept_of(item).entry for item in chosen]
        scores = self.bank.nearest_entries(op.query, entries)
        ranked = sorted(
            ((scores.get(entry), item) for entry, item in zip(entries, chosen, strict=True)),
            key=lambda pair: (pair[0] is None, -(pair[0] or 0.0)),
        )
        return [self._found(item, score) for score, item in ranked[op.offset :][: op.limit]]

    def _kept_of(self, item: Item) -> Kept:
        kept = self._kept.get(item.namespace, item.key)
        assert kept is not None, "the plain store holds the same items"
        return kept

    def _found(self, item: Item, score: float | None) -> SearchItem:
        return SearchItem(item.namespace, item.key, *_parts(self._kept_of(item)), score)


def _parts(kept: Kept) -> tuple[dict[str, Any], datetime, datetime]:
    return dict(kept.value), datetime.fromtimestamp(kept.created, UTC), datetime.fromtimestamp(kept.updated, UTC)


def _text(value: Mapping[str, Any], index: Sequence[str] | None) -> str:
    """Return what is filed of a value: the named fields, or all its texts and numbers, each by its place."""
    if index is None:
        leaves = list(_leaves(value, ""))
        return leaves[0][1] if len(leaves) == 1 else "\n".join(f"{place}: {text}" for place, text in leaves)
    return "\n".join(text for path in index for text in get_text_at_path(value, tokenize_path(path)))


def _leaves(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, f"{place}.{name}" if place else str(name))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner, place)
    elif value is not None and str(value).strip():
        yield place, str(value)
