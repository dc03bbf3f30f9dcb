"""Where a text states a value: word for word, in other words, in another form of the number, or not at all."""

from __future__ import annotations

import pytest

from memorybank.views.text.stating import Statement, excerpt, statement_at, statements_of, where_stated

TEXT = (
    "# Willow\n\nThe chip “Willow” has 105 qubits. It was shown on 9 December 2024 in Santa Barbara.\n"
    "Osprey has 433 qubits."
)


@pytest.mark.parametrize(
    ("sentence", "value", "stated", "marked", "exact"),
    [
        ("The chip Willow has 105 qubits.", "105", "The chip “Willow” has 105 qubits.", ["105"], True),
        (
            "Willow was shown on 2024-12-09.",
            "2024-12-09",
            "It was shown on 9 December 2024 in",
            ["9 December 2024"],
            False,
        ),
        ("Willow, a chip of one hundred and five qubits", "105", "The chip “Willow” has", ["105"], False),
        ("The laboratory is in Santa Barbara.", "Santa  Barbara", "It was shown", ["Santa Barbara"], False),
        ("The chip Willow has ninety-eight qubits.", "98", "", [], False),
        ("The chip Osprey, with its qubits, has 433", "", "Osprey has 433 qubits.", [], False),
        ("Nothing of the kind is here", "", "", [], False),
    ],
)
def test_a_value_is_where_it_is_stated(sentence: str, value: str, stated: str, marked: list[str], exact: bool) -> None:
    place = where_stated(Statement(sentence, value), TEXT)
    if not stated:
        assert place is None
        return
    assert place is not None
    assert TEXT[place.start : place.end].startswith(stated)
    assert [TEXT[start:end] for start, end in place.marks] == marked
    assert place.exact is exact
    shown = excerpt(TEXT, place)
    assert [piece.text for piece in shown.pieces if piece.differs] == [" ".join(word.split()) for word in marked]
    assert "\n" not in shown.before + "".join(piece.text for piece in shown.pieces) + shown.after


def test_a_memory_is_cut_into_what_can_be_followed() -> None:
    listed = [(TEXT[start:end], [TEXT[a:b] for a, b in values]) for start, end, values in statements_of(TEXT)]
    assert listed[0] == ("# Willow", [])
    assert "105" in listed[1][1]
    assert {"9 December 2024", "Santa Barbara"} <= set(listed[2][1])
    at = TEXT.index("433")
    assert statement_at(TEXT, at, at + 3) == Statement("Osprey has 433 qubits.", "433")
    assert statement_at(TEXT, 0, 8) == Statement("# Willow")
    assert statement_at(TEXT, 3, 3) is statement_at(TEXT, 5, 40) is statement_at(TEXT, 900, 903) is None
