"""A track's value at any moment is what was told last before it."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memorybank.views.html_export.pool import Tracks
from tests.views.html_export.reading import values_at

STATES = st.lists(st.dictionaries(st.sampled_from("abc"), st.integers(0, 3)), max_size=8)


@given(STATES, st.integers(1, 5))
def test_each_moment_is_as_it_was_told_and_only_changes_are_kept(states: list[dict[str, int]], step: int) -> None:
    tracks = Tracks()
    for place, state in enumerate(states):
        tracks.set_all(place * step, state)
    kept = tracks.as_json()
    for place, state in enumerate(states):
        for k in (place * step, place * step + step - 1):
            assert values_at(kept, k) == tracks.at(k) == state
    changes = sum(
        before.get(name) != after.get(name)
        for before, after in zip([{}, *states], states, strict=False)
        for name in before.keys() | after.keys()
    )
    assert sum(len(track) // 2 for track in kept.values()) == changes


def test_two_words_on_one_moment_leave_the_last() -> None:
    tracks = Tracks()
    values: list[Any] = ["one", "two", None]
    for value in values:
        tracks.set("name", 4, value)
    assert tracks.at(3) == tracks.at(4) == {}
    tracks.set("name", 5, [1, [2]])
    assert tracks.at(9) == {"name": [1, [2]]}
