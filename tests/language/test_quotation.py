"""A quotation is found word for word, but for what copying changes; a number is not found in a longer one."""

from __future__ import annotations

import pytest

from memorybank.language.quotation import place

TEXT = (
    "Connection energised:  14 March\n2023. “First metered” export was on **2 June 2023**, May. It has 18.0 MW.\n\n"
    "它\n重 735 克，经‘检测’含铜71%。"
)


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("connection energised: 14 March 2023", "Connection energised:  14 March\n2023"),
        ('"First metered" export was on 2 June 2023.', "First metered” export was on **2 June 2023"),
        ("First metered export … [...] 18.0 MW.", "First metered” export was on **2 June 2023**, May. It has 18.0 MW."),
        ("它重735克，经“检测”含铜71%", "它\n重 735 克，经‘检测’含铜71%"),
        ("18 MW", None),
        ("8.0 MW", None),
        ("含铜7", None),
        ("18.0 MW … First metered", None),
        ("First metered export was on 3 June 2023", None),
        ("…", None),
        ("", None),
    ],
)  # fmt: skip
def test_where_a_quotation_stands(quote: str, stands: str | None) -> None:
    at = place(TEXT, quote)
    assert (at and TEXT[at[0] : at[1]]) == stands
