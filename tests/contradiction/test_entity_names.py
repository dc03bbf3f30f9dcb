"""Names as questions and texts write them, and whether two of them are one thing's."""

from __future__ import annotations

import pytest

from memorybank.contradiction.entity_names import is_named_in, is_title_of, names_in, same_name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("What did Google's Willow chip achieve", ("Willow",)),
        ("How many qubits do IBM's Condor, Heron and Osprey have", ("Condor", "Heron", "Osprey")),
        ("When was the Sorrel mill built", ("Sorrel mill",)),
        ("Which of the 33 nations joined in 2019?", ()),
        ("Who commanded STS-93", ("STS-93",)),
        ("“本源悟空”和“祖冲之”系列、谷歌Willow相比怎么样", ("本源悟空", "祖冲之", "Willow")),
    ],
)
def test_names_are_found_without_their_owners_and_the_words_that_ask(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text) == names


SAME = [
    ("Willow", "the Willow processor", True),
    ("its Willow chip", "Google's Willow", True),
    ("James Webb Space Telescope", "Webb", True),
    ("James Webb Space Telescope", "Hubble Space Telescope", False),
    ("Sorrel mill", "the Sorrel barn", False),
    ("Alder Academy", "the bridge beside the Alder Academy", False),
    ("Heron", "Heron r2", False),
    ("九章", "光量子计算原型机“九章”", True),
    ("九章", "九章二号", False),
    ("云顶塔", "云顶大桥桥塔", False),
    ("韦布望远镜", "韦布空间望远镜", True),
    ("韦布望远镜", "哈勃望远镜", False),
    ("The lighthouse at Skerry Rock", "Tern Point lighthouse", False),
    ("the reservoir of Aldou", "the Bena reservoir", False),
    ("The lighthouse at Tern Point", "Tern Point lighthouse", True),
    ("the lighthouse", "Tern Point lighthouse", True),
    ("NGC104", "the cluster NGC1049", False),
    ("Kessel1 viaduct", "Kessel12 viaduct", False),
]


@pytest.mark.parametrize(("one", "other", "same"), SAME)
def test_a_name_may_have_more_words_but_no_others(one: str, other: str, same: bool) -> None:
    assert same_name(one, other) is same
    assert same_name(other, one) is same


@pytest.mark.parametrize(
    ("title", "name", "is_its"),
    [
        ("Corran Light", "Corran Light", True),
        ("The Kepler telescope", "Kepler", True),
        ("James Webb Space Telescope", "Webb", True),
        ("Green (band)", "Green", True),
        ("青禾号科考船", "青禾号", True),
        ("The Tessary bakery", "Tessary", False),
        ("Walks on Tessary", "Tessary", False),
    ],
)
def test_a_heading_is_a_things_own_or_names_it_in_passing(title: str, name: str, is_its: bool) -> None:
    assert is_title_of(title, [name]) is is_its


@pytest.mark.parametrize(
    ("text", "name", "named"),
    [
        ("“九章”探测到76个光子。", "九章", True),
        ("“九章二号”探测到113个光子。", "九章", False),
        ("Heron r2 has 156 qubits.", "Heron", False),
        ("The smaller Heron has 133.", "Heron", True),
        ("詹姆斯·韦布空间望远镜有18块主镜。", "韦布望远镜", True),
        ("长江的水位又涨了。", "长江大桥", False),
    ],
)
def test_a_successor_is_not_named(text: str, name: str, named: bool) -> None:
    assert is_named_in(text, [name]) is named
