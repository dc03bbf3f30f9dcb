"""Who does it and to whom, where the sentence is told from the other end."""

from __future__ import annotations

import pytest

from memorybank.types import Lang
from tests.narrative.extraction.told import EN, ZH, Row, table

CARDS = {"en": EN, "zh": ZH}


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        (
            "en",
            "Odo was killed by Lady Brisa in chapter 3.",
            {("Lady Brisa", "KILLED", "Odo", 3), ("Odo", "HAS_STATUS", "dead", 3)},
        ),
        (
            "en",
            "In chapter 3 Fenn was brutally murdered by Odo.",
            {("Odo", "KILLED", "Fenn", 3), ("Fenn", "HAS_STATUS", "dead", 3)},
        ),
        (
            "en",
            "Fenn was strangled in the cellar by Odo.",
            {("Odo", "KILLED", "Fenn", 0), ("Fenn", "HAS_STATUS", "dead", 0)},
        ),
        ("en", "Fenn was shot beside Odo.", set()),
        ("en", "Odo was given the Copper Horn by Fenn.", {("Odo", "OWNS", "Copper Horn", 0)}),
        ("en", "The Copper Horn was stolen from Odo by Fenn.", {("Fenn", "OWNS", "Copper Horn", 0)}),
        ("en", "Odo was hated by Fenn.", {("Fenn", "HATES", "Odo", 0)}),
        ("en", "Odo was loved by Lady Brisa.", {("Lady Brisa", "LOVES", "Odo", 0)}),
        ("zh", "冯远被人杀死在韩柏门前。", {("冯远", "HAS_STATUS", "死", 0)}),
        ("zh", "冯远为韩柏所杀。", {("韩柏", "KILLED", "冯远", 0), ("冯远", "HAS_STATUS", "死", 0)}),
        ("zh", "冯远遭韩柏毒死。", {("韩柏", "KILLED", "冯远", 0), ("冯远", "HAS_STATUS", "死", 0)}),
        ("zh", "韩柏被苏芷憎恨。", {("苏芷", "HATES", "韩柏", 0)}),
        ("zh", "韩柏被迫杀死了冯远。", {("韩柏", "KILLED", "冯远", 0), ("冯远", "HAS_STATUS", "死", 0)}),
    ],
)
def test_who_is_acted_upon_does_not_act(lang: Lang, text: str, expected: set[Row]) -> None:
    assert table(CARDS[lang], text, lang=lang).ticked == expected


def test_what_somebody_hired_by_another_suffers_is_not_that_one_s_deed() -> None:
    assert ("Fenn", "KILLED", "Odo", 0) not in table(EN, "Odo killed the guard hired by Fenn.").ticked
