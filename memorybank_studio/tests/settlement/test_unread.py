"""Sentences of the author's that gave no row are listed with the table, each with why and with whom it names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memorybank.memory.types import Lang
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.events import SettlementTable
from memorybank_studio.settlement.by_rules import RuleExtract
from memorybank_studio.tasks.gateway import Gateway
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tests.tasks.studio import Echo, as_remark, give
from tests.tables import tables

TABLES = tables(__file__)

TOLD: dict[Lang, str] = TABLES["told"]


@pytest.fixture
def lang() -> Lang:
    return "en"


@pytest.fixture
def gateway(tmp_path: Path, stores: Stores, lang: Lang) -> Iterator[Gateway]:
    rules = RuleExtract(stores.facts, stores.plans, lang)
    settings = TaskSettings(lang=lang)
    with Gateway(
        tmp_path / "studio", SharedHub(stores), decide=as_remark, creative=Echo(), extract=rules, settings=settings
    ) as opened:
        yield opened


def settled(gateway: Gateway, *said: str) -> SettlementTable:
    task = give(gateway, "/new Notes", task=None).task
    for one in said:
        gateway.handle(one, task=task.id)
    table = give(gateway, "/settle", task=task.id).table
    assert table is not None
    assert gateway.table(task.id) == table, "the same when the page asks for it again"
    return table


@pytest.mark.parametrize(("lang", "line", "why"), TABLES["a_sentence_without_a_row_is_listed_with_why"])
def test_a_sentence_without_a_row_is_listed_with_why(gateway: Gateway, lang: Lang, line: str, why: str) -> None:
    (left,) = settled(gateway, TOLD[lang] + line).unread
    assert (left.turn, left.line) == (1, line)
    assert why in left.why


@pytest.mark.parametrize("line", TABLES["a_line_with_a_row_or_a_question_is_not"])
def test_a_line_with_a_row_or_a_question_is_not(gateway: Gateway, line: str) -> None:
    assert not settled(gateway, TOLD["en"] + line).unread


def test_a_line_that_a_later_turn_says_again_is_read(gateway: Gateway) -> None:
    table = settled(
        gateway, TOLD["en"] + "Settled: Odo owns the Copper Horn.", "Settled: The Copper Horn belongs to Odo."
    )
    assert not table.unread


def test_prose_is_listed_sentence_by_sentence_with_the_names_and_the_chapter_of_each(gateway: Gateway) -> None:
    prose = "It rained for days. Odo hummed beside Mara Vale in chapter 3. Odo died. What next?"
    left = settled(gateway, TOLD["en"] + "Item: Copper Horn", prose).unread
    assert [(one.turn, one.line, one.names, one.chapter) for one in left] == [
        (3, "It rained for days.", (), None),
        (3, "Odo hummed beside Mara Vale in chapter 3.", ("Odo", "Mara Vale"), 3),
        (3, "Odo died.", ("Odo",), None),
    ]


def test_of_several_settled_sentences_those_without_a_row_are_listed(gateway: Gateway) -> None:
    left = settled(gateway, TOLD["en"] + "Settled: Odo owns the Copper Horn. Odo hummed.").unread
    assert [one.line for one in left] == ["Odo hummed."]


PLANS: str = TABLES["plans"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Step completed: Mara sings", "no outline or step on record is called “Mara sings”"),
        ("Done: Mara rests", "2 plans are called “Mara rests”"),
    ],
)
def test_a_status_of_no_plan_or_of_several(gateway: Gateway, line: str, why: str) -> None:
    confirmed(gateway, settled(gateway, PLANS))
    (left,) = settled(gateway, line).unread
    assert why in left.why


def test_a_status_that_is_read_is_no_unread_line_and_names_its_outline(gateway: Gateway) -> None:
    confirmed(gateway, settled(gateway, PLANS))
    table = settled(gateway, "Step completed: Mara leaves")
    assert not table.unread
    assert [row.shown for row in table.proposals] == ["Road › Mara leaves: status becomes completed"]


def test_a_step_that_is_told_elsewhere_says_from_where_to_where(gateway: Gateway) -> None:
    confirmed(gateway, settled(gateway, PLANS))
    rows = settled(gateway, "Short outline: Road\nStep: Mara rests\nStep: Mara leaves").proposals
    told = {row.shown: row.against for row in rows if row.ticked}
    assert list(told) == ["Road › Mara leaves [pending]"]
    assert told["Road › Mara leaves [pending]"][-1] == "it would stand behind “Mara rests”; it stands first"


def confirmed(gateway: Gateway, table: SettlementTable) -> None:
    assert gateway.confirm(table.task, table.proposals).applied
