"""An outline that is taken is a step with a title, by the button and in the author's own words, and none is lost."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from memorybank.narrative.creativity.accepted import BY_PATTERN, outline_taken, title_of, with_outlines
from memorybank.narrative.creativity.offline import patterns
from memorybank.narrative.creativity.options import Draft, Option
from memorybank.narrative.reading.acceptance import author_texts
from memorybank.narrative.types import Turn
from memorybank.ui.studio.options import taken_words


def option(text: str, made_by: str = f"{BY_PATTERN}the price") -> Option:
    return Option(draft=Draft(brief="quiet", text=text, made_by=made_by), scores=())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_pattern_has_a_first_clause_for_a_title(lang: Lang) -> None:
    for pattern in patterns(lang):
        title = title_of(outline_taken(pattern.text))
        assert "{" in title, "it names somebody or something of the story"
        assert not title[0].isdigit()
        assert "二、" not in outline_taken(pattern.text)
        assert " 2. " not in outline_taken(pattern.text)


def test_a_number_that_counts_nothing_stays() -> None:
    assert outline_taken("1. Mara waits. 2. It is 7. The bell rings.") == "Mara waits. It is 7. The bell rings."
    assert outline_taken("一、林霜等着。二、她数到三、四十。") == "林霜等着。她数到三、四十。"


@pytest.mark.parametrize(
    ("lang", "text"),
    [("en", "1. Mara waits for Ilse. 2. It rains."), ("zh", "一、林霜等饶青。二、下起了雨。")],
)
def test_a_second_step_of_the_same_title_gets_another_one(lang: Lang, text: str) -> None:
    first = title_of(outline_taken(text))
    second = title_of(outline_taken(text, [first]))
    assert second == f"{first} (2)"
    assert title_of(outline_taken(text, [first, second])) == f"{first} (3)"
    assert taken_words(text, option(text), lang, [first]).endswith(outline_taken(text, [first]))
    long = title_of(
        outline_taken("Mara " + "walks and " * 30 + "stops. It rains.", [("Mara " + "walks and " * 30)[:60]])
    )
    assert long.endswith("(2)")
    assert len(long) <= 60


@pytest.mark.parametrize(
    ("lang", "first", "second", "said"),
    [
        ("en", "1. Mara waits. 2. It rains.", "1. Mara leaves. 2. It snows.", "Let's go with option 2."),
        ("zh", "一、林霜等着。二、下雨。", "一、林霜走了。二、下雪。", "就用方案二。"),
    ],
)
def test_an_option_that_is_named_is_taken_as_the_button_takes_it(
    lang: Lang, first: str, second: str, said: str
) -> None:
    offered = (option(first), option(second))
    turns = (
        Turn(number=1, role="author", text="What next?", at=0.0),
        Turn(number=2, role="assistant", text=f"1. (0.70) {first}\n\n2. (0.60) {second}", at=0.0),
        Turn(number=3, role="author", text=said, at=0.0),
    )
    told = with_outlines(turns, lambda number: offered if number == 2 else (), (), lang)
    (chosen,) = [one for one in author_texts(told) if one.chosen]
    assert chosen.text.strip() == taken_words(second, offered[1], lang)
    assert chosen.turns == (2, 3)
    assert (told[0], told[2]) == (turns[0], turns[2])


def test_what_a_model_wrote_stands_as_it_is() -> None:
    turn = Turn(number=2, role="assistant", text="1. (0.70) Mara waits.", at=0.0)
    assert with_outlines([turn], lambda number: (option("Mara waits.", "a model"),), (), "en") == (turn,)
