"""The running state stands on quotes: what holds after some pieces, and what a change of the text takes away."""

from __future__ import annotations

from dataclasses import replace

from memorybank_studio.chapters.context import running_state, unfounded
from memorybank_studio.chapters.manuscript import Piece, StateKind, StateLine, stands_in


def line(id_: str, kind: StateKind, who: str, what: str, quote: str) -> StateLine:
    return StateLine(id=id_, kind=kind, who=who, what=what, quote=quote)


FIRST = Piece(
    number=1,
    text="Lin sat in the mill. “The jade is mine,” she said.",
    state=(
        line("1.1", StateKind.PLACE, "Lin", "the mill", "Lin sat in the mill."),
        line("1.2", StateKind.POSSESSION, "Lin", "the jade", 'The jade is mine," she'),
        line("1.3", StateKind.KNOWLEDGE, "Lin", "who burned the mill", "Lin knew it all along."),
    ),
)
SECOND = Piece(
    number=2,
    text="She went to the ford and gave Rao the jade. He knew now.",
    state=(
        line("2.1", StateKind.PLACE, "LIN", "the ford", "She went to the ford"),
        line("2.2", StateKind.POSSESSION, "Rao", "the jade", "gave Rao  the\njade"),
        line("2.3", StateKind.KNOWLEDGE, "Rao", "the jade is Lin's", "He knew now."),
    ),
)


def ids(*pieces: Piece) -> list[str]:
    return [held.id for held in running_state(pieces)]


def test_a_later_place_and_holder_take_the_place_of_the_earlier() -> None:
    assert ids(FIRST) == ["1.1", "1.2"], "a quote that is not in the text carries nothing"
    assert [held.id for held in unfounded([FIRST])] == ["1.3"]
    assert ids(FIRST, SECOND) == ["2.1", "2.2", "2.3"]


def test_what_ended_is_gone_and_what_was_taken_out_of_the_text_with_it() -> None:
    assert ids(FIRST, replace(SECOND, state=(), ended=("1.2", "9.9"))) == ["1.1"]
    rewritten = replace(SECOND, text="She stayed. He knew now.")
    assert ids(FIRST, rewritten) == ["1.1", "1.2", "2.3"], "what the passage had changed holds again"


def test_a_quote_is_words_and_not_their_spacing_or_their_marks() -> None:
    assert stands_in("「玉是我的」", "她说：“玉是我的”。")
    assert not stands_in(" ", "anything")
