from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from subprocess import run
from sys import executable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.language.tokens import LONGEST_WORD, QUERY_LIMIT, query_tokens, tokenize
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(("text", "tokens"), TABLES["tokenize"].values(), ids=TABLES["tokenize"])
def test_tokenize(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


def test_a_query_keeps_what_tells_something() -> None:
    assert query_tokens("What is the capital of France?") == ("capit", "franc")
    assert query_tokens("Who leads the WHO in the US?") == ("lead", "who", "us")
    assert query_tokens("什么是量子纠错？") == ("是量", "量子", "子纠", "纠错")
    assert query_tokens("to be or not to be") == ("to", "be", "or", "not")
    assert query_tokens("error rates", ["error correction", "IBM"]) == ("error", "correct", "ibm", "rate")
    assert query_tokens("", []) == ()


def test_a_query_is_cut_after_the_keywords() -> None:
    words = [f"{letter}{letter}x" for letter in "abcdfghjklmnpqrstvwz"]
    tokens = query_tokens(" ".join(words), ["quantum", "processor", "quantum"])
    assert len(tokens) == QUERY_LIMIT
    assert tokens[:3] == ("quantum", "processor", "aax")


@given(st.text())
def test_tokens_are_what_a_query_asks_for(text: str) -> None:
    tokens = tokenize(text)
    assert all(token and not token.isspace() and token == token.lower() for token in tokens)
    asked = query_tokens(text)
    assert len(asked) == len(set(asked)) <= QUERY_LIMIT
    assert set(asked) <= set(tokens)
    assert bool(asked) == bool(tokens)


def test_threads_stem_the_same_words_the_same_way() -> None:
    words = [
        f"{stem}{ending}" for stem in ("measur", "connect", "entangl", "correct") for ending in ("ed", "ing", "ment")
    ]
    texts = [f"{prefix}{word}" for prefix in "abcdefghijklmnopqrstuvwxyz" for word in words]
    with ThreadPoolExecutor(8) as pool:
        threaded = list(pool.map(tokenize, texts * 4))
    assert threaded == [tokenize(text) for text in texts] * 4


def test_forms_of_a_word_have_one_stem_and_a_run_that_is_no_word_has_none() -> None:
    assert tokenize("bridges bridge bridged") == ["bridg"] * 3
    run_of_letters = "hashings" * LONGEST_WORD
    assert tokenize(f"running {run_of_letters}") == ["run", run_of_letters]


def test_a_search_for_chinese_loads_no_stemmer() -> None:
    code = (
        "import sys; from memorybank.language.tokens import tokenize; tokenize('长江大桥'); "
        "print('snowballstemmer' in sys.modules)"
    )
    assert run([executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "False"
