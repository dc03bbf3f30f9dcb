"""Two buildings that bear the name of one place are two things; one of them with two dates is a conflict."""

from __future__ import annotations

import pytest

from tests.contradiction.readers import raised

OBSERVATORY = "The Kestrel Point observatory was opened in 1923."
ACADEMY = "望江书院建于1755年。"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (OBSERVATORY, "The footbridge below Kestrel Point was opened in 1951."),
        (OBSERVATORY, "The museum at Kestrel Point was opened in 1951."),
        (OBSERVATORY, "The Kestrel Point museum was opened in 1951."),
        (OBSERVATORY, "The Kestrel Point Museum was opened in 1951."),
        (OBSERVATORY, "The road from Marn to Kestrel Point was opened in 1951."),
        (OBSERVATORY, "The Kestrel Point observatory's library was opened in 1951."),
        ("The observatory of Kestrel Point was opened in 1923.", "The chapel at Kestrel Point was opened in 1951."),
        ("The mill of Orla was built in 1871.", "The bridge near the mill of Orla was built in 1902."),
        (ACADEMY, "望江书院的藏书楼建于1790年。"),
        (ACADEMY, "望江书院前的石桥建于1790年。"),
        ("白石闸建成于1958年，闸门共七孔。", "白石闸的管理房建成于1964年。"),
        ("《水利志》载：白石闸建成于1958年，闸门共七孔。", "白石闸的管理房建成于1964年。"),
        ("白石桥建成于1958年。", "白石桥的桥头堡建成于1964年。"),
        ("青溪渡槽于1971年建成，全长312米。", "渡槽旁的水电站于1979年建成。"),
        ("白石闸的管理房建成于1958年。", "白石闸的值班室建成于1964年。"),
        ("青岚寺建于1611年。", "青岚寺塔建于1702年。"),
    ],
)
def test_another_building_of_the_place_is_no_contradiction(left: str, right: str) -> None:
    assert raised(left, right) == []


@pytest.mark.parametrize(
    ("left", "right", "values"),
    [
        ("白石闸的管理房建成于1958年。", "白石闸的管理房建成于1964年。", ("1958年", "1964年")),
        ("《水利志》载：白石闸建成于1958年。", "一篇游记写道，白石闸建成于1964年。", ("1958年", "1964年")),
        (OBSERVATORY, "The Kestrel Point observatory was opened in 1932.", ("1923", "1932")),
        (OBSERVATORY, "The observatory at Kestrel Point was opened in 1932.", ("1923", "1932")),
        ("The Orla mill was built in 1871.", "The mill at Orla was built in 1904.", ("1871", "1904")),
        ("The Condor chip was released in 2021.", "The Condor processor was released in 2022.", ("2021", "2022")),
        (ACADEMY, "望江书院建于1788年。", ("1755年", "1788年")),
        ("青岚隧道于2019年通车。", "青岚隧道于2021年通车。", ("2019年", "2021年")),
    ],
)
def test_the_same_one_with_two_values_is(left: str, right: str, values: tuple[str, str]) -> None:
    assert values in raised(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The east tower of the Calder Dam is 71 metres high.", "The Calder Dam is 64 metres high."),
        ("The Calder Dam is old. It is 64 metres high.", "The Calder Dam is old. Its tower is 71 metres high."),
        ("The Calder Dam is 64 metres high.", "In 1929 the Calder Dam was 20 metres high."),
        ("The Galata Tower is 62 metres high.", "The Galata Tower's spire is 7 metres high."),
        (
            "The Keller refractor has an aperture of 62 cm.",
            "The finder of the Keller refractor has an aperture of 12 cm.",
        ),
        ("The mount of the Keller refractor weighs 3 tonnes.", "The Keller refractor weighs 4 tonnes."),
        ("The Tamar Bridge was opened in 1961.", "The toll house of the Tamar Bridge was opened in 1972."),
        ("永宁石桥全长86米。", "永宁石桥主跨18米。"),
        ("石梁渠全长37公里。", "石梁渠的东支渠长11公里，于1976年接通。"),
    ],
)
def test_a_part_or_an_earlier_state_has_a_value_of_its_own(left: str, right: str) -> None:
    assert raised(left, right) == []


@pytest.mark.parametrize(
    ("left", "right", "values"),
    [
        ("The Tamar Bridge is 335 metres long.", "The length of the Tamar Bridge is 114 metres.", ("335 m", "114 m")),
        ("The Tamar Bridge was opened in 1961.", "The opening of the Tamar Bridge was in 1962.", ("1961", "1962")),
        (
            "The Tamar Bridge cost 3 million pounds.",
            "The construction of the Tamar Bridge cost 5 million pounds.",
            ("3 million", "5 million"),
        ),
        (
            "The Ferrand company has 400 employees.",
            "The number of employees of the Ferrand company is 500.",
            ("400", "500"),
        ),
    ],
)
def test_its_measure_and_what_is_done_to_it_are_no_parts(left: str, right: str, values: tuple[str, str]) -> None:
    ((one, other),) = raised(left, right)
    assert (one.startswith(values[0]), other.startswith(values[1])) == (True, True)


def test_the_same_part_and_the_same_time_do_not() -> None:
    assert raised("永宁石桥主跨86米。", "永宁石桥的主跨为18米。") == [("86米", "18米")]
    assert raised("The Calder Dam was 64 metres high in 1929.", "In 1929 the Calder Dam was 20 metres high.")
    assert raised("The tower of the Calder Dam is 71 metres high.", "The Calder Dam's tower is 64 metres high.")
