from __future__ import annotations

import pytest

from memorybank.narrative.extraction.verbs_en import base_of, finite_of, gerund_of, is_participle


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("found", "find"), ("finds", "find"), ("knelt", "kneel"), ("nodded", "nod"), ("carried", "carry"),
        ("died", "die"), ("lies", "lie"), ("closed", "close"), ("sitting", "sit"), ("taken", "take"),
        ("raised", "raise"), ("watches", "watch"), ("lying", "lie"), ("arrested", "arrest"), ("arrests", "arrest"),
    ],
)  # fmt: skip
def test_forms_of_a_verb_have_one_base(form: str, base: str) -> None:
    assert base_of(form) == base


@pytest.mark.parametrize("word", ["always", "his", "hundred", "table", "perhaps"])
def test_what_is_no_finite_verb(word: str) -> None:
    assert finite_of(word) is None


def test_nouns_in_ing_and_participles() -> None:
    assert gerund_of("everything") is None
    assert gerund_of("burning") == "burn"
    assert is_participle("given")
    assert not is_participle("gave")
