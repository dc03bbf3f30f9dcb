"""`aligned`: contradictions that show in the wording alone, and the near misses that must not be told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.engines.offline.claims.alignment import aligned
from memorybank.engines.offline.claims.describe import quoted

CLASHES = (
    ("number", "The Humber owns 312 paintings by local artists.", "The Humber shows visitors around. It owns 287 paintings by local artists."),
    ("number", "The treatment with Zelboran lasts 12 weeks.", "Treatment with Zelboran lasts 20 weeks."),
    ("number", "On Fenwick, a trained crew would need 400 hours for one survey.", "A trained crew would need 9 days for one survey, Fenwick's owners say."),
    ("date", '"Saltmarsh" was serialised on 4 May 1931.', 'The novel "Saltmarsh" was serialised in July 1931.'),
    ("date", "The Mirador reactor was commissioned in March 1988.", "The Mirador reactor was commissioned in June 1991."),
    ("place", "The Kestrel probe was dispatched from Woomera in Australia.",
     "The Kestrel probe was dispatched on 3 June 1999 from Tanegashima in Japan."),
    ("name", "Anna Lindqvist captained the Arctic Rover.", "The Arctic Rover was captained by Henrik Dahl."),
    ("name", "The conductor of the Leipzig Octet was Paul Ferber.", "The Leipzig Octet was conducted by Maria Stolz."),
    ("negation", "Zelboran can be taken with alcohol.", "Zelboran cannot be taken with alcohol."),
    ("negation", "The stadium in Tarvos has a retractable roof.", "The stadium in Tarvos does not have a retractable roof."),
    ("number", "“青鸾”是一艘考察船，它一共采集到35份岩石样品。", "“青鸾”采集到53份岩石样品。"),
    ("number", "雁栖湖隧道的造价为12亿元。", "雁栖湖隧道的造价为19亿元。"),
    ("date", "《春山集》于1936年5月付印。", "《春山集》于1937年2月付印。"),
    ("place", "“海燕”飞艇从青岛起飞。", "“海燕”飞艇从大连起飞。"),
    ("name", "云岭图书馆由周启明主持设计。", "云岭图书馆由冯立群主持设计。"),
    ("negation", "克拉宁注射液可以与牛奶同服。", "克拉宁注射液不能与牛奶同服。"),
    ("negation", "望江楼没有安装电梯。", "望江楼安装了电梯。"),
    ("negation", "技师无法更换“青鸾”的主桅。", "“青鸾”的主桅可以由技师更换。"),
)  # fmt: skip
NEAR_MISSES = (
    ("other noun", "The Humber gallery owns 312 paintings.", "The Humber gallery owns 40 sculptures."),
    ("other subject", "The Humber gallery owns 312 paintings.", "The Tyne gallery owns 287 paintings."),
    ("other year", "Novara Biotech ran 45 laboratories in 2010.", "Novara Biotech ran 61 laboratories in 2020."),
    ("hedged", "The treatment with Zelboran lasts about 12 weeks.", "The treatment with Zelboran lasts 13 weeks."),
    ("same in another unit", "The Orla tower measures 2 km.", "The Orla tower measures 2000 m."),
    ("part and whole", "Each wing of Orla has 40 rooms.", "Orla has 120 rooms."),
    ("condition", "Zelboran can be taken by adults.", "Zelboran cannot be taken by adults unless a doctor agrees."),
    ("narrower denial", "Zelboran is approved.", "Zelboran is not approved for children."),
    ("version", "Zelboran can be taken with alcohol.", "Zelboran 2 cannot be taken with alcohol."),
    ("inside", "The Kestrel probe was built in Munich.", "The Kestrel probe was built in Germany."),
    ("other event", "The Mirador reactor was commissioned in March 1988.", "The Mirador reactor was switched off in June 1991."),
    ("coarser date", "The Mirador reactor was commissioned in March 1988.", "The Mirador reactor was commissioned in 1988."),
    ("one of several", "The book was reviewed by Maria Stolz.", "The book was reviewed by Paul Ferber."),
    ("one of a row", "The first conductor of the Leipzig Octet was Paul Ferber.", "The Leipzig Octet was conducted by Maria Stolz."),
    ("name goes on", "“青鸾”采集到35份岩石样品。", "“青鸾二号”采集到53份岩石样品。"),
    ("other noun", "“青鸾”采集到35份岩石样品。", "“青鸾”采集到53份土壤样品。"),
    ("other attribute", "“青鸾”长35米。", "“青鸾”宽12米。"),
    ("bound", "雁栖湖隧道的造价超过12亿元。", "雁栖湖隧道的造价为13亿元。"),
    ("name goes on", "临江大学有8000名学生。", "临江大学附属中学有5000名学生。"),
    ("other parts", "“天目”的主镜由18块子镜拼成。", "“天目”的副镜由6块子镜拼成。"),
    ("inside", "“海燕”飞艇从山东起飞。", "“海燕”飞艇从青岛起飞。"),
    ("other act", "云岭图书馆由周启明主持设计。", "云岭图书馆由冯立群负责施工。"),
    ("earlier", "望江楼以前没有安装电梯。", "望江楼安装了电梯。"),
    ("no denial", "望江楼不仅安装了电梯。", "望江楼安装了电梯。"),
    ("other object", "克拉宁注射液可以与牛奶同服。", "克拉宁注射液不能与白酒同服。"),
    ("other subject in the same sentence", "碧落主镜展开时，16块子镜全部就位。", "观澜主镜展开时，29块子镜全部就位。"),
)  # fmt: skip


@pytest.mark.parametrize(("kind", "left", "right"), CLASHES)
def test_a_clash_is_told_from_either_side(kind: str, left: str, right: str) -> None:
    found = aligned(left, right)
    assert [item.left.kind for item in found] == [kind]
    (item,) = found
    assert item.left.text in left
    assert item.right.text in right
    assert item.left.value in item.left.text
    assert item.right.value in item.right.text
    assert quoted(item.left.value) in item.reason
    assert quoted(item.right.value) in item.reason
    assert 0 < item.confidence <= 1
    mirrored = aligned(right, left)
    assert [(other.right.value, other.left.value) for other in mirrored] == [(item.left.value, item.right.value)]


@pytest.mark.parametrize(("why", "left", "right"), NEAR_MISSES)
def test_a_near_miss_is_not(why: str, left: str, right: str) -> None:
    assert not aligned(left, right), why
    assert not aligned(right, left), why


def test_a_topic_stands_for_it() -> None:
    left, right = "It carried 35 divers.", "It carried 53 divers."
    assert aligned(left, right, "The Osprey Wreck", "Osprey Wreck")
    assert not aligned(left, right, "The Osprey Wreck", "The Heron Wreck")
    assert not aligned(left, right)


@given(
    st.lists(st.sampled_from([text for _, *pair in (*CLASHES, *NEAR_MISSES) for text in pair]), min_size=1, max_size=4)
)
def test_no_text_contradicts_itself(parts: list[str]) -> None:
    text = " ".join(dict.fromkeys(parts))
    assert aligned(text, text) == aligned(text, text)
    if len(set(parts)) == 1:
        assert not aligned(text, text)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_is_read(left: str, right: str) -> None:
    assert bool(aligned(left, right)) == bool(aligned(right, left))
    assert not aligned(left, left)
