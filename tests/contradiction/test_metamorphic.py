"""What must not change a verdict (another way to write a value), and what must (another value in a copy)."""

from __future__ import annotations

import pytest

from memorybank.contradiction import contradictions
from tests.contradiction.readers import raised

SAME = (
    ("The Orla tunnel is 5 km long.", "The Orla tunnel is 5,000 m long."),
    ("The Orla tunnel was opened on 4 December 2023.", "The Orla tunnel was opened on 2023-12-04."),
    ("The Orla tunnel was opened in December 2023.", "The Orla tunnel was opened on December 4, 2023."),
    ("The Orla archive holds 1,121 maps.", "The Orla archive holds 1121 maps."),
    ("The Orla archive holds twelve maps.", "The Orla archive holds 12 maps."),
    ("The Orla pump weighs 2.5 tonnes.", "The Orla pump weighs 2,500 kg."),
    ("The crossing to Orla takes two and a half hours.", "The crossing to Orla takes 150 minutes."),
    ("The Orla cable carries 3 kA.", "The Orla cable carries 3,000 A."),
    ("It was in December 2023 that the Orla tunnel was opened.", "The Orla tunnel was opened on 4 December 2023."),
    ("青岚漂流全程需要两个半小时。", "青岚漂流全程需要150分钟。"),
    ("青岚隧道历时两年半建成。", "青岚隧道历时30个月建成。"),
    ("第十九届青岚节吸引了300名歌手。", "第19届青岚节吸引了300名歌手。"),
    ("青岚隧道长5公里。", "青岚隧道长5000米。"),
    ("青岚隧道于2023年12月4日开通。", "青岚隧道于2023-12-04开通。"),
    ("青岚隧道于2023年12月开通。", "青岚隧道于二〇二三年十二月开通。"),
    ("青岚档案馆收藏1121幅地图。", "青岚档案馆收藏一千一百二十一幅地图。"),
    ("青岚档案馆收藏12000幅地图。", "青岚档案馆收藏1.2万幅地图。"),
)
COPIES = (
    ("The Orla tunnel, opened in 1998 after nine years of work, is 5.2 km long.", "5.2", "7.4"),
    ("The Orla tunnel, opened in 1998 after nine years of work, is 5.2 km long.", "1998", "2001"),
    ("The festival of Orla draws 24,000 guests each summer.", "24,000", "31,000"),
    ("Orla's clinic, which was founded by Anna Roth, treats 800 patients a year.", "Anna Roth", "Paul Stein"),
    ("Orla's clinic, which was founded by Anna Roth, treats 800 patients a year.", "800", "950"),
    ("The Orla pump was invented in Leeds by two brothers.", "Leeds", "Cardiff"),
    ("青岚隧道历时九年建成，全长5.2公里，1998年通车。", "5.2", "7.4"),
    ("青岚隧道历时九年建成，全长5.2公里，1998年通车。", "1998", "2001"),
    ("青岚诊所由罗安娜创办，每年接待800名病人。", "800", "950"),
    ("青岚诊所由罗安娜创办，每年接待800名病人。", "罗安娜", "沈若棠"),
)


@pytest.mark.parametrize(("left", "right"), SAME)
def test_another_form_of_the_same_value_is_no_conflict(left: str, right: str) -> None:
    assert not raised(left, right)


@pytest.mark.parametrize(("text", "value", "other"), COPIES)
def test_another_value_in_a_copy_is_found(text: str, value: str, other: str) -> None:
    found = contradictions(text, text.replace(value, other))
    assert [one for one in found if value in one.left.value and other in one.right.value]
