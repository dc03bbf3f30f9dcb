from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memorybank.embedding.batches import BATCH, BatchQueue, Item, Memo, Row, key_of
from memorybank.embedding.encoders import Kind


def _items(name: str, number: int, kind: Kind = "document") -> list[Item]:
    return [
        Item(key=key_of(f"{name}{at}", kind), text=f"{name}{at}", kind=kind, tokens=(at * 7) % 50)
        for at in range(number)
    ]


def test_a_short_request_waits_for_one_batch_of_a_long_one() -> None:
    queue = BatchQueue()
    queue.put(_items("long", 1_000))
    queue.put(_items("short", 2))
    first, second = queue.take(), queue.take()
    assert len(first) == BATCH
    assert {item.text for item in first} <= {f"long{at}" for at in range(1_000)}
    assert [item.text for item in second[:2]] == ["short0", "short1"]
    assert len(second) == BATCH  # filled up from the long one
    lengths = [item.tokens for item in first]
    assert lengths == sorted(lengths)


def test_a_batch_of_long_texts_holds_fewer() -> None:
    queue = BatchQueue()
    queue.put(Item(key=key_of(str(at), "document"), text=str(at), kind="document", tokens=254) for at in range(20))
    queue.put(_items("short", 2))
    assert len(queue.take()) == 9  # the one that reaches 2,048 tokens is in it
    assert [item.text for item in queue.take()[:2]] == ["short0", "short1"]


@given(st.lists(st.tuples(st.integers(0, 90), st.sampled_from(["document", "query"])), max_size=8))
def test_everything_is_taken_once_in_batches_of_one_kind(requests: list[tuple[int, Kind]]) -> None:
    queue = BatchQueue()
    put: list[Item] = []
    for at, (number, kind) in enumerate(requests):
        items = _items(f"request {at} ", number, kind)
        queue.put(items)
        put += items
    taken: list[Item] = []
    while queue:
        batch = queue.take()
        assert 0 < len(batch) <= BATCH
        assert len({item.kind for item in batch}) == 1
        taken += batch
    assert len(taken) == len(put)
    assert {id(item) for item in taken} == {id(item) for item in put}


def test_the_memo_forgets_the_least_recently_used_and_tells_kinds_apart() -> None:
    memo = Memo[Row](size=2)
    keys = [key_of(text, "document") for text in ("a", "b", "c")]
    for key in keys[:2]:
        memo.put(key, np.ones(3, dtype=np.float32))
    assert memo.get(keys[0]) is not None
    memo.put(keys[2], np.ones(3, dtype=np.float32))
    assert [memo.get(key) is not None for key in keys] == [True, False, True]
    assert key_of("a", "query") not in (keys[0], key_of("b", "query"))
