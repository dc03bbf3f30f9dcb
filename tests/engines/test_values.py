"""Which numbers, dates and names of a text another one does not state."""

from __future__ import annotations

import pytest

from memorybank.engines.values import new_values

EN = "Eilidh Moar of Skerra Tidal Ltd says that on 2 June 2023 the array of 18 MW reached the grid."
ZH = "鹿纹铜镜1986年出土，同年入藏，从未离开过云溪市博物馆，直径21.3厘米。"


@pytest.mark.parametrize(
    ("text", "source", "new"),
    [
        ("On 2023-06-02 the 18-megawatt array of Skerra Tidal reached the grid.", EN, ()),
        ("Moar says so.", EN, ()),
        ("The array has 24 MW since 2 June 2023.", EN, ("24 MW",)),
        ("On 14 March 2023 the Skerra array was connected at Norwick.", EN, ("14 March 2023", "norwick")),
        ("1986年同年入藏云溪市博物馆的鹿纹铜镜，直径21.3厘米", ZH, ()),
        ("2015年江北博物院展出了它", ZH, ("2015年",)),
        ("《云溪晚报》说直径23.1厘米", ZH, ("23.1厘米", "《云溪晚报》")),
        ("It stood still.", EN, ()),
    ],
)
def test_new_values(text: str, source: str, new: tuple[str, ...]) -> None:
    assert {value.strip("《》") for value in new_values(text, source)} == {value.strip("《》") for value in new}
