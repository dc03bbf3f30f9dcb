from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from subprocess import run
from sys import executable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.language.tokens import LONGEST_WORD, QUERY_LIMIT, query_tokens, tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        pytest.param(
            "Connected connections connect!", ["connect", "connect", "connect"], id="English words are stemmed"
        ),
        pytest.param("IBM's chip, the company’s", ["ibm", "chip", "the", "compani"], id="possessives"),
        pytest.param("1,121 qubits cost 3.14", ["1121", "qubit", "cost", "3.14"], id="thousands and decimals"),
        pytest.param("$10,000,000.50 or 2,5", ["10000000.50", "or", "2", "5"], id="no thousands in a list"),
        pytest.param("2023-12-04 2023/12/4", ["2023-12-04", "2023-12-04"], id="dates"),
        pytest.param("at 12:30, v1.2.3", ["at", "12:30", "v1.2.3"], id="times and versions"),
        pytest.param("2019-2023", ["2019", "2023"], id="a range is two numbers"),
        pytest.param("105-qubit 100km 5G 3rd", ["105", "qubit", "100", "km", "5g", "3rd"], id="numbers with words"),
        pytest.param("GPT-4 x86_64", ["gpt-4", "gpt", "x86_64", "x86"], id="codes and their parts"),
        pytest.param("C++, C# and C", ["c++", "c#", "and", "c"], id="languages"),
        pytest.param("the U.S. and the US", ["the", "us", "and", "the", "us"], id="initials"),
        pytest.param("Schrödinger Schrodinger", ["schroding", "schroding"], id="accents"),
        pytest.param("state-of-the-art", ["state", "of", "the", "art"], id="hyphens join no words"),
        pytest.param("量子计算", ["量子", "子计", "计算"], id="Chinese bigrams"),
        pytest.param("好。是，不", ["好", "是", "不"], id="a character alone"),
        pytest.param("谷歌的Willow有105个", ["谷歌", "歌的", "willow", "有", "105", "个"], id="mixed text"),
        pytest.param("ＩＢＭ　１，１２１", ["ibm", "1121"], id="full width"),
        pytest.param("增加到12，345人", ["增加", "加到", "12", "345", "人"], id="a Chinese comma parts numbers"),
        pytest.param("量子コンピュ", ["量子", "子コ", "コン", "ンピ", "ピュ"], id="kana"),
        pytest.param("Col\u200bmere, turn\u00adaround, ﬁle", ["colmer", "turnaround", "file"], id="what is not drawn"),
        pytest.param("费⽤⻘", ["费用", "用青"], id="radicals"),
        pytest.param(" \n\t—…", [], id="nothing to read"),
    ],
)
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
