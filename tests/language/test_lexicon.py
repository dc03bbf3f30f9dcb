"""The word lists: each is read once, is made of text alone, and lists nothing twice where order would decide."""

from __future__ import annotations

from importlib.resources import files

import pytest
import yaml

from memorybank.contradiction import words_en, words_zh
from memorybank.language import lexicon
from memorybank.language.inflection import IRREGULAR
from memorybank.language.lexicon import entries_of
from memorybank.language.lexicon import lexicon as read_lexicon

NAMES = ("en", "zh", "denials", "kin.en", "kin.zh", "relations", "same_matter")


@pytest.mark.parametrize("name", NAMES)
def test_a_list_is_text_and_no_yaml_word_became_a_value(name: str) -> None:
    for label, listed in read_lexicon(name).lists.items():
        nested = listed.values() if isinstance(listed, dict) else [listed]
        entries = [entry for part in nested for entry in entries_of(part)]
        assert entries, label
        assert all(isinstance(entry, str) for entry in entries), label
        if isinstance(listed, dict):
            assert all(isinstance(key, str) for key in listed), label


@pytest.mark.parametrize("name", NAMES)
def test_no_list_is_written_twice(name: str) -> None:
    text = (files(lexicon) / f"{name}.yaml").read_text(encoding="utf-8")
    labels = [line.partition(":")[0] for line in text.splitlines() if line[:1].isalpha() and ":" in line]
    assert len(labels) == len(set(labels)) == len(yaml.safe_load(text))


def test_lists_are_read_once() -> None:
    assert read_lexicon("en") is read_lexicon("en")
    with pytest.raises(KeyError):
        read_lexicon("en").words("no such list")


def test_classes_roles_and_forms() -> None:
    assert IRREGULAR["built"] == "build"
    assert words_en.VERB_CLASS["co-found"] == words_en.VERB_CLASS["establish"] == "found"
    assert words_en.PHRASAL["set", "up"] == "found"
    assert words_en.ROLE_VERBS["architect"] == "design"
    assert ("open", "closed") in words_en.OPPOSITES
    assert {"south africa", "guangdong"} <= words_en.REGIONS
    assert words_zh.VERB_CLASS["创立于"] == "found"
    assert words_zh.PREPOSITIONS["由"] == "by"
    assert {"赵", "欧"} <= words_zh.SURNAMES
