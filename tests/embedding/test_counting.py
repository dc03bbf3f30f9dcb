from __future__ import annotations

import pytest

from memorybank.embedding.counting import counter
from memorybank.embedding.models import E5_SMALL, HASHED, MINILM, ModelSpec

PARAGRAPH = "The tokenizer splits uncommonly long words only. 分词器会把生僻词拆开，常用词保持完整。\n"


@pytest.mark.parametrize("spec", [MINILM, E5_SMALL, HASHED], ids=lambda spec: spec.name)
def test_counts_add_up_over_white_space_and_have_no_limit(spec: ModelSpec) -> None:
    count = counter(spec)
    one = count(PARAGRAPH)
    assert 20 <= one <= 60
    assert count("") == count("  \n ") == 0
    assert count(PARAGRAPH * 1_500) == 1_500 * one  # over several chunks
    assert count("word") == 1


def test_characters_that_become_many_are_counted_safely() -> None:
    """U+FDFA becomes eighteen code points, more than the C engine makes room for."""
    count = counter(E5_SMALL)
    assert count("\ufdfa" * 5_000) >= 5_000
    assert count("a\0b") > 0
