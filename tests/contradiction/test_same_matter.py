"""Two values that differ are no contradiction where something on one side sets them apart; symmetric."""

from __future__ import annotations

import pytest

from tests.contradiction.readers import raised


@pytest.mark.parametrize(
    ("left", "right", "plain"),
    [
        pytest.param(
            "The Halden 2 tent weighs 2.9 kg.",
            "In this configuration, with poles only, the Halden 2 tent weighs 1.3 kg.",
            "The Halden 2 tent weighs 1.3 kg.",
            id="condition",
        ),
        pytest.param(
            "The parish of Orla has 1,286 residents.",
            "The parish of Orla has 2,040 residents, including the hamlets.",
            "The parish of Orla has 2,040 residents.",
            id="counting",
        ),
        pytest.param(
            "The Orla Courier was owned by Tom Reade until 2016.",
            "The Orla Courier has been owned by Ines Calder since 2016.",
            "The Orla Courier was owned by Ines Calder until 2016.",
            id="before and after",
        ),
        pytest.param(
            "Lanternhouse was founded by Mara Ellison.",
            "Lanternhouse North was founded by Peter Vance.",
            "Lanternhouse was founded by Peter Vance.",
            id="variant",
        ),
        pytest.param(
            "在验证集上，织云模型的准确率为92.7%。",
            "在此设定下，织云模型的准确率为78.3%。",
            "在验证集上，织云模型的准确率为78.3%。",
            id="condition zh",
        ),
        pytest.param("青岚隧道重35吨。", "青岚隧道不含设备重28吨。", "青岚隧道重28吨。", id="counting zh"),
    ],
)
def test_what_sets_two_values_apart(left: str, right: str, plain: str) -> None:
    assert raised(left, plain), "without it they contradict each other"
    assert not raised(left, right)
