from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memorybank.engines.offline.segmentation import (
    MOST_UNITS,
    SURELY_WHOLE,
    Cohesion,
    by_company,
    clusters,
    segments,
    unit_rows,
)
from memorybank.engines.offline.units import Before, Unit, looks_like_dialogue, units


def row_of(*texts: str, before: Before = Before.SENTENCE) -> list[Unit]:
    ends = np.cumsum([len(text) for text in texts])
    return [
        Unit(start=int(end) - len(text), end=int(end), before=before, words=text)
        for text, end in zip(texts, ends, strict=True)
    ]


def row_with(*kinds: Before, size: int = 20) -> list[Unit]:
    return [replace(unit, before=what) for unit, what in zip(row_of(*["x" * size] * len(kinds)), kinds, strict=True)]


def cohesion_of(topics: str, floor: float = 0.0, closeness: float = 0.6) -> Cohesion:
    """One unit a letter; units of one letter have cosine `closeness` above the floor, others the floor."""
    rng = np.random.default_rng(7)
    basis = {letter: row for row, letter in enumerate(dict.fromkeys(topics))}
    size = len(basis) + 1 + len(topics)
    vectors = np.zeros((len(topics), size), dtype=np.float32)
    for place, letter in enumerate(topics):
        vectors[place, 0] = np.sqrt(floor)
        vectors[place, 1 + basis[letter]] = np.sqrt((1 - floor) * closeness)
        vectors[place, 1 + len(basis) + place] = np.sqrt((1 - floor) * (1 - closeness))
    rotation = np.linalg.qr(rng.standard_normal((size, size)))[0].astype(np.float32)
    weights = np.ones(len(topics), dtype=np.float32)
    return Cohesion(vectors=unit_rows(vectors @ rotation), weights=weights, floor=floor, border=1.3)


@pytest.mark.parametrize("floor", [0.0, 0.8], ids=["cosines from 0", "cosines from .8"])
@pytest.mark.parametrize("expected", ["aaaa", "aaaa|bbbb", "aaaaaa|bbb|cccccc", "aaaa|bbbb|aaaa", "a"])
def test_borders_stand_where_the_topic_changes(expected: str, floor: float) -> None:
    topics = expected.replace("|", "")
    row = row_of(*[f"Sentence number {place} says something." for place in range(len(topics))])
    parts = segments(row, cohesion_of(topics, floor))
    assert "|".join(topics[start:end] for start, end in parts) == expected


def test_distant_segments_of_a_topic_are_joined_and_neighbours_are_not() -> None:
    topics = "aaaabbbbaaaacccc"
    cohesion = cohesion_of(topics)
    row = row_of(*["x" * 40] * len(topics))
    groups = clusters(row, segments(row, cohesion), cohesion)
    assert groups == [[(0, 4), (8, 12)], [(4, 8)], [(12, 16)]]


def test_what_the_text_shows_weighs() -> None:
    topics = "aaabbb"
    cohesion = cohesion_of(topics, closeness=0.15)
    row = row_of(*["x" * 40] * 6)
    assert segments(row, cohesion) == [(0, 6)], "too little difference for a border in running text"
    headed = [*row[:3], Unit(start=120, end=160, before=Before.SECTION, words="x" * 40, heading="B"), *row[4:]]
    assert segments(headed, cohesion) == [(0, 3), (3, 6)], "enough for one before a heading"
    led = [*row[:3], Unit(start=120, end=160, before=Before.ATTACHED, words="x" * 40), *row[4:]]
    assert segments(led, cohesion_of(topics)) != [(0, 3), (3, 6)], "a lead-in is not parted from what it leads to"


def test_a_long_topic_is_cut_by_its_size() -> None:
    row = row_of(*["x" * 200] * 60)
    found = segments(row, cohesion_of("a" * 60, closeness=0.2))
    assert len(found) >= 3
    assert max(end - start for start, end in found) <= MOST_UNITS


@given(st.text(alphabet="abc", min_size=1, max_size=60), st.sampled_from([0.0, 0.5, 0.8]))
def test_segments_and_clusters_are_a_partition(topics: str, floor: float) -> None:
    cohesion = cohesion_of(topics, floor)
    row = row_of(*["words of a unit "] * len(topics))
    found = segments(row, cohesion)
    assert [place for start, end in found for place in range(start, end)] == list(range(len(topics)))
    groups = clusters(row, found, cohesion)
    assert sorted(segment for group in groups for segment in group) == found
    assert all(group == sorted(group) for group in groups)


@given(
    st.text(alphabet="abc", min_size=1, max_size=SURELY_WHOLE),
    st.sampled_from([kind for kind in Before if kind is not Before.SECTION]),
    st.sampled_from([0.0, 0.5, 0.8]),
    st.sampled_from([0.3, 0.6]),
)
@example("aabb", Before.ATTACHED, 0.0, 0.6)
def test_what_cannot_part_is_never_parted_whatever_it_says(
    topics: str, before: Before, floor: float, closeness: float
) -> None:
    row = row_with(Before.SECTION, *[before] * (len(topics) - 1))
    assert segments(row, cohesion_of(topics, floor, closeness)) == [(0, len(topics))]


COOKING = "The dough needs flour, yeast and warm water. Knead the dough well. Let the yeast work. Bake the bread hot."
SAILING = "The boat left the harbour early. Wind filled the sail. The crew set the sail again. The harbour was far."


def test_words_that_keep_company_show_the_topic() -> None:
    texts = [f"{sentence}." for text in (COOKING, SAILING) * 4 for sentence in text.split(".") if sentence.strip()]
    cohesion = by_company(texts)
    assert cohesion.vectors.shape[0] == len(texts)
    cosines = unit_rows(cohesion.vectors) @ unit_rows(cohesion.vectors).T
    cooking = np.arange(len(texts)) % 8 < 4
    assert cosines[cooking][:, cooking].mean() > 2 * cosines[cooking][:, ~cooking].mean()
    again = by_company(texts)
    assert np.array_equal(cohesion.vectors, again.vectors)
    assert not by_company(["only", "single", "words"]).vectors.any()


def test_units_keep_headings_tables_and_turns_together() -> None:
    text = "# Ships\n\nThe boat is old. What does it cost? Nothing.\n\n| a | b |\n|---|---|\n\nThese are:\n- one\n"
    found = units(text)
    assert "".join(text[unit.start : unit.end] for unit in found) == text
    kinds = [unit.before.value for unit in found]
    assert kinds == ["section", "sentence", "attached", "paragraph", "paragraph", "attached"]
    assert found[0].heading == "Ships"
    assert found[3].whole
    turns = "Ann: Are you there?\nBob (9:15): Yes.\nand waiting\nAnn: Good.\n"
    spoken = units(turns, dialogue=True)
    assert [unit.words for unit in spoken] == ["Are you there?", "Yes. and waiting", "Good."]
    assert spoken[1].before is Before.QUESTION
    assert looks_like_dialogue(turns.replace("and waiting\n", ""))
    assert not looks_like_dialogue(text)


def test_neither_a_long_sentence_nor_a_word_or_number_is_cut() -> None:
    sentence = "The lock, " + "which the miller kept in order, " * 40 + "has two gates. "
    twice = sentence * 2
    assert [twice[unit.start : unit.end] for unit in units(twice)] == [sentence, sentence]
    amounts = "1,234,567 " * 1000
    assert {word for unit in units(amounts) for word in amounts[unit.start : unit.end].split()} == {"1,234,567"}
    numbers = ("9" * 3000 + " ") * 20
    assert {word for unit in units(numbers) for word in numbers[unit.start : unit.end].split()} == {"9" * 3000}


def test_units_bound_what_has_no_borders() -> None:
    line = "word " * 2000
    assert max(unit.end - unit.start for unit in units(line)) <= 2000
    assert all(line[unit.start : unit.end].startswith("word") for unit in units(line))
    solid = "a" * 50_000
    assert max(unit.end - unit.start for unit in units(solid)) <= 8000
    table = "| a | b |\n" * 3000
    parts = units(table)
    assert len(parts) > 1
    assert all(table[unit.start : unit.end].startswith("| a") and unit.end - unit.start <= 8000 for unit in parts)
