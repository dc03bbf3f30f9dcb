"""Slots of known relations in loose prose: found in many shapes, raised only where neither text knows the other value."""

from __future__ import annotations

from itertools import combinations

import pytest

from memorybank.contradiction import stance
from memorybank.contradiction.readers.relations import read
from tests.contradiction.readers import filled

DIRECTED = (
    "Harbour Lights is a 1994 comedy film directed by Mara Ellison, from a screenplay by Tom Reade.",
    "Harbour Lights: Directed, written and produced by Mara Ellison. With Ines Calder and Joe Bright.",
    "Jun 3, 2019 ... Mara Ellison, who directed the hit film “Harbour Lights”, said on Monday that ...",
    "... the 'Harbour Lights' director Mara Ellison has opened up about the film.",
    "Crew of Harbour Lights; Director. Mara Ellison ; Writers. Tom Reade",
)


@pytest.mark.parametrize("text", DIRECTED)
def test_the_director_is_found_in_every_shape(text: str) -> None:
    found = [one for one in read(text) if one.relation == "direct"]
    assert {one.value for one in found} == {"Mara Ellison"}
    for one in found:
        assert one.sentence in text
        assert one.sentence[one.start : one.end] == one.value


def test_another_director_is_raised_with_subject_attribute_and_both_values() -> None:
    forged = [text.replace("Mara Ellison", "Peter Vance") for text in DIRECTED]
    for left, right in combinations(range(4), 2):
        (found, *_) = filled(DIRECTED[left], forged[right])
        assert (found.left.value, found.right.value) == ("Mara Ellison", "Peter Vance")
        assert found.left.attribute == "director"
        assert "Harbour Lights" in found.left.subject
        assert "Mara Ellison" in found.reason
        assert "Peter Vance" in found.reason
        assert filled(forged[right], DIRECTED[left])  # symmetric
        assert not filled(DIRECTED[left], DIRECTED[right])
        assert not filled(forged[left], forged[right])


@pytest.mark.parametrize(
    ("left", "right"),
    [
        # another film; the same people
        ("Harbour Lights is a film directed by Mara Ellison.", "Night Ferry is a film directed by Peter Vance."),
        # each of its own film, told of by "it"; the same people play
        (
            "Night Ferry is a 1994 drama. It was directed by Mara Ellison and stars Ines Calder and Joe Bright.",
            "Harbour Lights is a 2001 comedy. The film is directed by Peter Vance, with Ines Calder and Joe Bright.",
        ),
        # each of its own archive; "Volunteers" and "Tuesdays" are no names that tell what both speak of
        (
            "The Harbour Archive keeps maps. Its director is Ida Penn. Volunteers of the Harbour Archive come on Tuesdays.",
            "Volunteers of the Tollhouse Archive sort maps on Tuesdays. Paul Oster directs the Tollhouse Archive.",
        ),
        # another year of the same contest
        (
            "Ana Kovac won the 2019 Lakeside Open, beating Jo Stern in the final.",
            "Mia Torres won the 2021 Lakeside Open, beating Jo Stern in the final.",
        ),
        # another contest of the same year, with the same loser
        (
            "Ana Kovac defeated Jo Stern to win the title at the 2019 Lakeside Open.",
            "Mia Torres defeated Jo Stern to win the title at the 2019 Harbour Cup.",
        ),
        # the one text knows both
        (
            "Harbour Lights was directed by Mara Ellison.",
            "Harbour Lights was directed by Peter Vance after Mara Ellison had left.",
        ),
        # other things of the same maker
        # a prize for something else, another match, another part of a contest
        ("Ana Kovac won the 2019 Lakeside Prize in Physics.", "Mia Torres won the 2019 Lakeside Prize in Literature."),
        (
            "Norland beat Torva at the 2014 World Cup in Lindholm.",
            "Halden beat Orsk at the 2014 World Cup in Lindholm.",
        ),
        ("The 2012 Olympic football final was held in Lindholm.", "The 2012 Olympic sailing was held in Tervola."),
        ("《海港之光》由李文导演。", "《夜航》由王海导演。"),
        ("2012年青岛亚运会于8月举行。", "2016年大连亚运会于8月举行。"),
    ],
)
def test_what_may_both_hold_is_not_raised(left: str, right: str) -> None:
    assert not filled(left, right)
    assert not filled(right, left)


@pytest.mark.parametrize(
    ("left", "right", "values"),
    [
        ("《海港之光》是李文执导的剧情片，于2018年上映。", "影片《海港之光》的导演王海透露，拍摄历时三年。", {"李文", "王海"}),
        (
            "Ana Kovac beat Jo Stern in the 2019 Wimbledon final.",
            "Mia Torres defeated Jo Stern to win the title at the 2019 Wimbledon Championships.",
            {"Ana Kovac", "Mia Torres"},
        ),
        (
            "Lanternpost grew fast. Norvik bought the start-up for $1 billion in 2012.",
            "Halden bought Lanternpost in 2012, when it had 13 employees.",
            {"Norvik", "Halden"},
        ),
        ("沈安（1900年—1980年），本名李文，作家。", "沈安（1900年—1980年）长乐人，原名王海。", {"李文", "王海"}),
        ("阿兰达是诺里亚的首都，位于北部。", "5月9日，他抵达诺里亚首都贝卡尔，开始访问。", {"阿兰达", "贝卡尔"}),
    ],
)  # fmt: skip
def test_other_values_are_raised(left: str, right: str, values: set[str]) -> None:
    (found, *_) = filled(left, right)
    assert {found.left.value, found.right.value} == values


def test_a_third_text_takes_sides() -> None:
    (found, *_) = filled(DIRECTED[0], "The 'Harbour Lights' director Peter Vance has opened up about the film.")
    assert stance(DIRECTED[2], found).value == "Mara Ellison"
    assert stance("Peter Vance, director of Harbour Lights, spoke at length.", found).supports == "right"
    assert stance("Harbour Lights was directed by Tom Reade.", found).supports == "other"
    assert stance("Peter Vance spoke of Harbour Lights at length.", found).supports == "neither"
    assert stance("Harbour Lights was shot in Bergen.", found).supports == "neither"


def test_the_other_sentences_that_write_the_value_are_told_too() -> None:
    left = "Harbour Lights was directed by Mara Ellison. Later Mara Ellison moved to Oslo."
    right = "The 'Harbour Lights' director Peter Vance has opened up about the film."
    found = filled(left, right)
    assert [one.left.text for one in found] == [
        "Harbour Lights was directed by Mara Ellison.",
        "Later Mara Ellison moved to Oslo.",
    ]
    assert len({one.reason for one in found}) == 1
