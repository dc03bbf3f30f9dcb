"""Where a name begins and ends that is written as one; names that Chinese writes without a mark are the parser's."""

from __future__ import annotations

import pytest

from memorybank.engines.offline.salience import mentions


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("POWER6是IBM于2007年推出的", ["POWER6", "IBM"]),  # no space parts a Latin name
        ("该公司为KAT-TUN出道成立品牌，用iPhone拍摄", ["KAT-TUN", "iPhone"]),
        ("《自然》刊登了“悬铃木”的论文", ["《自然》", "“悬铃木”"]),
        ("The Aria Museum hired Ann O'Neill.", ["Aria Museum", "Ann O'Neill"]),
    ],
)
def test_names(text: str, names: list[str]) -> None:
    assert [text[one.start : one.end] for one in mentions(text) if one.kind == "name"] == names
