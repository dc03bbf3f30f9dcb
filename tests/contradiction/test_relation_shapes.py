"""Shapes of loose prose that fill a slot, and look-alikes that do not."""

from __future__ import annotations

import pytest

from memorybank.contradiction.readers.relations import read
from tests.contradiction.readers import filled


def values(text: str, relation: str) -> list[str]:
    return [one.value for one in read(text) if one.relation == relation]


@pytest.mark.parametrize(
    ("text", "relation", "value"),
    [
        # the subject behind what it did
        ("Having hosted the Harbour Games in 2014, Lindholm will stage the regatta next.", "host", "Lindholm"),
        (
            "Jun 3, 2019 ... Having directed Night Ferry, Mara Ellison is now at work on a play.",
            "direct",
            "Mara Ellison",
        ),
        # the day between, and a name that only its part is told of
        ("The 2014 regatta was held on Sunday, May 4, 2014, at Reade Park in Lindholm.", "host", "Lindholm"),
        ("We met in the office of Ana B. Kovac, CEO of the Nordwind Group.", "chief", "Ana B. Kovac"),
        # a headline with a capital on every word
        ("Nordwind CEO Ana Kovac Appointed To The Board Of Lakeside Museum.", "chief", "Ana Kovac"),
        # names with characters that cut other names
        ("第五届灯塔展览会将于2031年6月3日在成都举行。", "host", "成都"),
        ("主办城市：中国四川省成都，参展者三百人。", "host", "成都"),
        ("阿兰达（英语：Aranda），是尼日利亚首都与第二大城市。", "capital", "阿兰达"),
        ("第五届灯塔展览会将于2031年6月3日在英国纽约举行。", "host", "纽约"),
        # whatever the surname, where the words around it show who did it
        ("《夜航》是佐佐木海执导的剧情片。", "direct", "佐佐木海"),
        ("《夜航》由佐佐木海导演、编剧，于2018年上映。", "write", "佐佐木海"),
        ("昨晚放映了导演佐佐木海的作品《夜航》。", "direct", "佐佐木海"),
        ("昨天，佐佐木海导演的《夜航》获得好评。", "direct", "佐佐木海"),
        # a verb or a direction ends a name
        ("代表团抵达诺里亚首都阿兰达举行会谈。", "capital", "阿兰达"),
        ("救援人员赶到诺里亚首都阿兰达西北郊。", "capital", "阿兰达"),
        # foreign names with initials, behind 的, before a stop
        ("《夜航》的作者J.K.加西亚·马丁斯（J.K. Martins）出席。", "write", "J.K.加西亚·马丁斯"),
        ("编剧兼导演的弗兰克·德拉维对此期待。", "direct", "弗兰克·德拉维"),
        ("弗兰克·德拉维 导演.", "direct", "弗兰克·德拉维"),
        # behind words that open the clause
        ("那么阿兰达夺冠之后会怎样，没有人知道。", "win", "阿兰达"),
    ],
)
def test_the_value_is_found(text: str, relation: str, value: str) -> None:
    assert value in values(text, relation)


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        # one of several, of another time
        ("Seven people were president of the club, including Ines Calder.", "president"),
        # not the one, but what was said
        ("Nordwind's New CEO Says Advisers Should Wait.", "chief"),
        # the place in it is told, too
        ("Bergen, Norway, 2014. In 2014 the Harbour Games were held in Norway for the first time.", "host"),
        # no name but a kind of place
        ("该城市位于中部的联邦首都直辖区，人口很少。", "capital"),
        # who had it before
        ("Defending champion Ana Kovac arrived at the 2019 Lakeside Open on Monday.", "win"),
        ("Nordwind's former CEO Ana Kovac opened the fair.", "chief"),
        ("卫冕冠军阿兰达将于2031年6月出场。", "win"),
        # how it was done, and a verb
        ("全场比赛结束，又一次轻松击败对手。", "win"),
        ("那一年他们一鼓作气夺冠。", "win"),
        ("她笑了，获得奥运会银牌并不容易。", "host"),
        # a noun, and whoever stands before it did something else
        ("《夜航》是安藤晴与导演的第一次合作。", "direct"),
        # the end of something longer
        ("昨天来自各国的三十六位登山攀岩运动选手夺冠。", "win"),
        # a verb, no name
        ("比赛中成功完成击败对手的计划。", "win"),
    ],
)
def test_what_only_looks_like_a_value_is_not(text: str, relation: str) -> None:
    assert not values(text, relation)


def test_one_thing_is_known_in_other_words() -> None:
    assert filled("《夜·航》的作者是郑知遥。", "《夜航》的作者是顾砚秋。")


def test_what_stands_behind_a_name_tells_of_it_unless_another_name_follows() -> None:
    assert values("Ines Calder, director of Harbour Lights, spoke first.", "direct") == ["Ines Calder"]
    assert "Ines Calder" not in values("Next to Ines Calder, director Mara Ellison spoke of Harbour Lights.", "direct")


def test_what_two_things_were_founded_by_is_told_of_each() -> None:
    left = "白鲸研究所由唐晚晴创办。它的无人机负责测量积雪，每年三月出海。"
    right = "长夜研究所由潘守拙创办。它的无人机负责测量积雪，每年十月出海。"
    assert not filled(left, right)
    assert filled(left, right.replace("长夜", "白鲸"))


def test_adverbs_behind_a_name_are_no_part_of_it() -> None:
    assert values("阿兰达分别击败诺里亚和贝卡尔。", "win") == ["阿兰达"]


def test_a_place_behind_another_clause_is_not_within_it() -> None:
    told = "Under the lead of Tom Reade, Lindholm was elected as the host city for the 2014 Harbour Games."
    assert values(told, "host") == ["Lindholm"]


def test_places_of_one_country_are_told_apart() -> None:
    left = "2031年灯塔展览会将于6月3日在中国成都举行。"
    right = "2031年灯塔展览会将于6月3日在中国长沙举行。"
    (found, *_) = filled(left, right)
    assert (found.left.value, found.right.value) == ("成都", "长沙")
    assert not filled(left, left.replace("中国", "四川省"))
