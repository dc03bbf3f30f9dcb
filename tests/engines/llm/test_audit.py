"""Summaries a good model writes of real documents: what the audit says of them, and what it does not."""

from __future__ import annotations

import pytest

from memorybank.engines.llm.audit import Findings, audit

OVERVIEW = """# Skerra Sound Tidal Array: about the project

Twelve seabed turbines of 1.5 megawatts each stand in two rows at a depth of 34 metres, which gives the array an \
installed capacity of 18 megawatts. The last turbine was set down in November 2022. The array first exported \
electricity to the grid on 14 March 2023. In the year to 30 September 2024 it produced 51 gigawatt-hours, about as \
much as 13,000 households use. The project cost 96 million pounds, of which 31 million was a government grant."""
LOG = """Vessel: MV Brisling, 26 m, 40-tonne crane.

19 Feb 2024. Weather fair, wind NW 3. On site at slack water, 05:40. Recovered nacelle T1 to deck.

20 Feb to 28 Feb. Recovered nacelles T2 to T12; no work on 23 and 24 Feb, wind SE 8. Crew of five.

22 Mar 2024. Last connector tested 11:15. Export breaker closed at 14:50. Fuel used 41 m3."""
MIRROR = """鹿纹铜镜1986年4月出土于青岩村西汉墓群三号墓。\
铜镜直径21.3厘米，重735克，钮外环列八只奔鹿。镜体含铜71%、锡23%、铅5%。镜面至今仍能照人，馆方每年只公开展出六周，其余时间存放于恒温库房，温度控制在20摄氏度上下。保险估价一千二百万元。"""


@pytest.mark.parametrize(
    ("summary", "text"),
    [
        ("The array first exported electricity on 2023-03-14; it has 18 megawatts from 12 turbines of 1.5 MW, at a "
         "depth of 34 m, the last of them set down in 11/2022; 51 GWh a year.", OVERVIEW),
        ("The array cost £96 million, £31 million of it a grant; it made 51 GWh in the year to 30/9/2024 (0.051 TWh), "
         "about 13 thousand households' use, with 18,000 kW since March 2023 and 1.5 MW turbines 34 m down.", OVERVIEW),
        ("From 19 to 28 February 2024 MV Brisling (26 m, 40 t crane) recovered all 12 nacelles; no work on 23 February "
         "and 24 February. On 22 March 2024 the breaker was closed at 14:50.", LOG),
        ("鹿纹铜镜于1986年4月出土于青岩村3号墓，直径213毫米，重735克，环列8只奔鹿，含铜百分之七十一、锡23%、铅5%。"
         "每年展出6周，温度20℃上下，估价1200万元。", MIRROR),
        ("The mirror (21.3 cm, 735 g; 71% copper, 23% tin, 5% lead) came from tomb 3 in April 1986; eight deer. It is "
         "shown six weeks a year, kept at about 20 °C and valued at 12 million yuan.", MIRROR),
    ],
    ids=["dates and number words", "units and multiples", "a log", "zh", "zh in English"],
)  # fmt: skip
def test_a_true_summary_has_no_findings(summary: str, text: str) -> None:
    assert audit(summary, text) == Findings(unknown=(), lost=())


@pytest.mark.parametrize(
    ("wrong", "unknown"),
    [
        ("It has 18 gigawatts.", ("18 gigawatts",)),
        ("It exported first on 14 November 2022.", ("14 November 2022",)),
        ("It has thirteen turbines in three rows.", ("thirteen", "three")),
        ("Grants paid 13 million pounds.", ("13 million pounds",)),
    ],
)
def test_values_that_the_text_does_not_have_are_named_with_their_statement(
    wrong: str, unknown: tuple[str, ...]
) -> None:
    (doubt,) = audit(f"The array stands in Skerra Sound. {wrong}", OVERVIEW).unknown
    assert (doubt.statement, doubt.figures) == (wrong, unknown)


def test_dates_and_units_are_lost_only_where_they_are_many() -> None:
    most = "18 megawatts, 1.5 megawatts, 34 metres, November 2022, 14 March 2023, 51 gigawatt-hours, 96 million pounds"
    assert audit(most, OVERVIEW).lost == ()
    assert audit("The array has 18 MW since 14 March 2023.", OVERVIEW).lost == (
        "1.5 megawatts",
        "34 metres",
        "November 2022",
        "30 September 2024",
        "51 gigawatt-hours",
        "96 million pounds",
    )


def test_tables_beside_a_summary_keep_their_values_and_a_topic_may_be_quoted() -> None:
    text = "The bridge opened on 1 July 2000 and cost 2.6 billion euros.\n\n[[0]]"
    table = ("| opened | 1 July 2000 |\n| cost | 2.6 billion euros |",)
    assert not audit("The bridge, E20.", text, shown=("The bridge of road E20",), kept=table)
    assert audit("The bridge, E20.", text).lost == ("1 July 2000", "2.6 billion euros")
