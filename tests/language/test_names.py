"""Names as texts write them, whether two phrases name one thing, and where a quotation stands."""

from __future__ import annotations

import pytest

from memorybank.language.names import is_named_in, names_in, same_name
from memorybank.language.quotation import place
from tests.tables import tables

TABLES = tables(__file__)


@pytest.mark.parametrize(("text", "names"), TABLES["names_are_found_without_their_owners_and_the_words_that_ask"])
def test_names_are_found_without_their_owners_and_the_words_that_ask(text: str, names: tuple[str, ...]) -> None:
    assert names_in(text) == tuple(names)


@pytest.mark.parametrize(("left", "right", "same"), TABLES["same"])
def test_small_words_may_be_added_but_not_exchanged_and_names_not_even_added(left: str, right: str, same: bool) -> None:
    assert same_name(left, right) is same
    assert same_name(right, left) is same


@pytest.mark.parametrize(("text", "name", "named"), TABLES["another_thing_of_a_longer_name_is_not_named"])
def test_another_thing_of_a_longer_name_is_not_named(text: str, name: str, named: bool) -> None:
    assert is_named_in(text, [name]) is named


# -- a quotation is found word for word, but for what copying changes; a number is not found in a longer one -----------


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
