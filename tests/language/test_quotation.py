"""A quotation is found word for word, but for what copying changes; a number is not found in a longer one."""

from __future__ import annotations

import pytest

from memorybank.language.quotation import place

TEXT = (
    "Connection energised:  14 March\n2023. “First metered” export was on **2 June 2023**, May. It has 18.0 MW.\n\n"
    "它\n重 735 克，经‘检测’含铜71%。"
)


@pytest.mark.parametrize(
    ("raw", "quote", "stands"),
    [
        (TEXT, "connection energised: 14 March 2023", "Connection energised:  14 March\n2023"),
        (TEXT, '"First metered" export was on 2 June 2023.', "First metered” export was on **2 June 2023"),
        (TEXT, "First metered … [...] 18.0 MW.", "First metered” export was on **2 June 2023**, May. It has 18.0 MW."),
        (TEXT, "它重735克，经“检测”含铜71%", "它\n重 735 克，经‘检测’含铜71%"),
        (TEXT, "18 MW", None),
        (TEXT, "8.0 MW", None),
        (TEXT, "含铜7", None),
        (TEXT, "18.0 MW … First metered", None),
        (TEXT, "First metered export was on 3 June 2023", None),
        (TEXT, "…", None),
        (TEXT, "", None),
        ("首先，⻘岚塔的费⽤为3万元。", "青岚塔的费用为3万元", "⻘岚塔的费⽤为3万元"),
        ("青岚塔的费用", "⻘岚塔的费⽤", "青岚塔的费用"),
        ("The Lud\u00adwen quay was re\u00adbuilt.", "Ludwen quay was rebuilt", "Lud\u00adwen quay was re\u00adbuilt"),
        ("\ufeffBran\u200bnoc Works.\u200b", "Brannoc Works", "Bran\u200bnoc Works"),
        ("The ﬁrst of 18\u00a0MW", "first of 18 MW", "ﬁrst of 18\u00a0MW"),
        ("It has 1\u200b18 pumps.", "18 pumps", None),
    ],
)
def test_a_quotation_stands_at_its_place_in_the_raw_text(raw: str, quote: str, stands: str | None) -> None:
    at = place(raw, quote)
    assert (at and raw[at[0] : at[1]]) == stands
