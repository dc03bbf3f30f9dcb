"""The oracle is `rank_bm25` over the live documents, in the order of their rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi, BM25Plus

from memorybank.language.tokens import tokenize
from memorybank.retrieval.keyword import KeywordIndex

VOCABULARY = ["quantum", "qubit", "error", "ibm", "1121", "gpt-4", "量子", "子比", "比特", "纠错"]
DOCUMENTS = st.lists(st.sampled_from(VOCABULARY), max_size=12)
QUERIES = st.lists(st.sampled_from([*VOCABULARY, "unknown"]), max_size=8)
CHANGES = st.lists(
    st.tuples(st.sampled_from(["add", "add", "add", "update", "remove", "compact"]), DOCUMENTS, st.integers(0, 10_000)),
    max_size=40,
)


def check(index: KeywordIndex, live: dict[int, list[str]], query: list[str], *, positive: bool = False) -> None:
    scores = index.scores(query)
    rows = sorted(live)
    removed = np.setdiff1d(np.arange(index.rows), rows)
    assert scores.shape == (index.rows,)
    assert len(index) == len(live)
    assert not scores[removed].any()
    if any(live.values()):
        documents = [live[row] for row in rows]
        oracle = BM25Plus(documents, delta=0) if positive else BM25Okapi(documents)
        expected = oracle.get_scores(query)
        np.testing.assert_allclose(scores[rows], expected, rtol=0, atol=1e-9)
    else:  # rank_bm25 divides by zero here
        assert not scores.any()


def change(
    index: KeywordIndex, live: dict[int, list[str]], op: str, document: list[str], pick: int
) -> dict[int, list[str]]:
    if op == "compact":
        kept = index.compact()
        assert kept.tolist() == sorted(live)
        return {row: live[old] for row, old in enumerate(kept.tolist())}
    if op != "add" and live:
        row = sorted(live)[pick % len(live)]
        index.remove(row)
        del live[row]
    if op != "remove":
        live[index.append(document)] = document
    return live


@settings(max_examples=150, deadline=None)
@given(CHANGES, st.lists(QUERIES, min_size=1, max_size=3))
def test_equals_rank_bm25_after_any_changes(
    changes: list[tuple[str, list[str], int]], queries: list[list[str]]
) -> None:
    index, live = KeywordIndex(), dict[int, list[str]]()
    for at, (op, document, pick) in enumerate(changes):
        live = change(index, live, op, document, pick)
        check(index, live, queries[at % len(queries)])
    for query in queries:
        check(index, live, query)


@pytest.mark.parametrize("positive", [False, True])
def test_equals_rank_bm25_on_texts_of_two_languages(positive: bool) -> None:
    texts = [
        "IBM's Condor has 1,121 qubits. Condor was announced on 2023-12-04.",
        "IBM 的 Condor 处理器有 1121 个量子比特。",
        "谷歌的 Willow 处理器有 105 个量子比特，量子纠错取得突破。",
        "Google's Willow has 105 qubits; error correction improved with more qubits.",
        "",
        "Error correction needs many physical qubits a logical qubit.",
    ]
    index, live = KeywordIndex(positive_idf=positive), dict[int, list[str]]()
    for text in texts:
        live[index.append(tokenize(text))] = tokenize(text)
    for query in (
        "how many qubits has Condor",
        "量子比特有多少",
        "Willow 量子纠错 qubits qubits",
        "something else entirely",
    ):
        check(index, live, tokenize(query), positive=positive)
    index.remove(3)
    del live[3]
    check(index, live, tokenize("Willow qubits 105"), positive=positive)


def test_empty() -> None:
    index = KeywordIndex()
    assert index.scores(["a"]).shape == (0,)
    assert index.compact().tolist() == []
    row = index.append(["a"])
    index.remove(row)
    assert index.scores(["a"]).tolist() == [0]
    for wrong in (row, 7, -1):
        with pytest.raises(IndexError, match=f"no document in row {wrong}"):
            index.remove(wrong)
