"""Where a name begins and ends that touches other Chinese words."""

from __future__ import annotations

import pytest

from memorybank.engines.offline.salience import mentions


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("POWER6是IBM于2007年推出的", ["POWER6", "IBM"]),  # no space parts a Latin name
        ("该公司为KAT-TUN出道成立品牌，用iPhone拍摄", ["KAT-TUN", "iPhone"]),
        ("曾任国家图书馆副馆长，担任国立中央图书馆编辑", ["国家图书馆", "国立中央图书馆"]),  # a verb is no part of it
        ("收购莎莉公司后支持复国运动", ["莎莉公司", "复国运动"]),
        ("其中中国科学院院士三人", ["中国科学院"]),
        ("四川大学在中国江苏省扬州市有校友", ["四川大学", "江苏省", "扬州市"]),
        ("人民出版社和华北电力设计研究院", ["人民出版社", "华北电力设计研究院"]),  # nor is a verb in it cut
        ("The Aria Museum hired Ann O'Neill.", ["Aria Museum", "Ann O'Neill"]),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert [text[one.start : one.end] for one in mentions(text) if one.kind == "name"] == names
