from concurrent.futures import ThreadPoolExecutor
from subprocess import run
from sys import executable

from memorybank.language.tokens import LONGEST_WORD, stem


def test_forms_of_a_word_have_one_stem() -> None:
    assert stem("bridges") == stem("bridge") == stem("bridged")
    assert stem("running") == "run"


def test_a_run_that_is_no_word_has_no_stem() -> None:
    run_of_letters = "hashings" * LONGEST_WORD
    assert stem(run_of_letters) == run_of_letters


def test_threads_that_stem_at_once_get_their_own_words() -> None:
    words = [f"{'x' * (number % 7)}word{chr(97 + number % 26)}ings" for number in range(2_000)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(stem, words)) == [stem(word) for word in words]


def test_a_search_for_chinese_loads_no_stemmer() -> None:
    code = (
        "import sys; from memorybank.language.tokens import tokenize; tokenize('长江大桥'); "
        "print('snowballstemmer' in sys.modules)"
    )
    assert run([executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "False"
