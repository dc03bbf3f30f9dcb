"""All that was ever offered, read from the journal by offset: more than is at hand, whatever became of its task."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memorybank.errors import JournalError
from memorybank_studio.creativity.options import Draft, Option
from memorybank_studio.journal import state
from memorybank_studio.journal.desk import JOURNAL, Desk, studio_id
from memorybank_studio.journal.events import STUDIO, CommandContext, CommandGiven, TaskDiscarded
from memorybank_studio.types import Command, Task, TaskId

ANSWERS = state.MOST_OFFERS + 7


def option(text: str) -> Option:
    return Option(draft=Draft(brief="quiet", text=text, made_by="m"), scores=())


def open_task(desk: Desk, title: str) -> Task:
    given = CommandContext(task=None, turns=0, open=())
    event = lambda task: CommandGiven(  # noqa: E731
        input="", context=given, command=Command.NEW, task=task, by="button", at=0.0
    )
    return desk.open_task(title, event)


def offer(desk: Desk, task: TaskId, *texts: str) -> None:
    desk.add_turn(task, "author", 'What next? "options": [{ "type": "TurnAdded"')
    desk.add_turn(task, "assistant", "These.", options=tuple(map(option, texts)))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    opened = Desk(tmp_path)
    yield opened
    opened.close()


def test_none_is_lost_though_only_the_latest_are_at_hand(desk: Desk, tmp_path: Path) -> None:
    task = open_task(desk, "Gate").id
    for number in range(ANSWERS):
        offer(desk, task, f"one {number}", f"two {number}")
    assert len(desk.state.options) == state.MOST_OFFERS
    assert [item.draft.text for item in desk.options(task, 2)] == ["one 0", "two 0"], "from the disk"
    assert desk.options(task, 1) == (), "an author's turn offers nothing"
    offers = desk.offers.of_task(task)
    assert len(offers) == 2 * ANSWERS
    assert [item.option.draft.text for item in offers[:3]] == ["one 0", "two 0", "one 1"]
    assert (offers[-1].turn, offers[-1].number) == (2 * ANSWERS, 2)
    desk.close()
    again = Desk(tmp_path)
    assert again.offers.of_task(task) == offers
    assert again.options(task, 2)[1].draft.text == "two 0"
    again.close()


def test_what_a_discarded_task_was_offered_stays_and_new_answers_follow(desk: Desk) -> None:
    first, second = open_task(desk, "Gate").id, open_task(desk, "Mill").id
    offer(desk, first, "a", "b")
    desk.append(TaskDiscarded(task=first, at=0.0))
    assert len(desk.offers.of_task(first)) == 2
    offer(desk, second, "c", " c ", "a")
    assert [item.option.draft.text for item in desk.offers.of_task(second)] == ["c", "a"], "a text stands there once"


def test_numbers_mean_the_latest_answer_that_has_them_all(desk: Desk) -> None:
    task = open_task(desk, "Gate").id
    offer(desk, task, "a", "b", "c")
    offer(desk, task, "mixed")
    assert [item.option.draft.text for item in desk.offers.numbered(task, (1, 3))] == ["a", "c"]
    assert [item.id for item in desk.offers.numbered(task, (1,))] == [f"{task}-4-1"]
    assert desk.offers.numbered(task, (4,)) == ()
    assert desk.offers.numbered(TaskId("t9"), (1,)) == ()


def test_a_new_studio_gets_an_id_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    one, two = studio_id(tmp_path / "one"), studio_id(tmp_path / "two")
    assert one != two
    assert studio_id(tmp_path / "one") == one
    desk = Desk(tmp_path / "one")
    try:
        assert desk.state.studio == one
        assert studio_id(tmp_path / "one") == one, "while another has it open"
    finally:
        desk.close()


@pytest.mark.parametrize("torn", [b"", STUDIO.header()[:9], STUDIO.header(), STUDIO.header() + b'{"seq": 1, "at": 1'])
def test_a_journal_torn_in_its_first_write_is_begun_anew(tmp_path: Path, torn: bytes) -> None:
    (tmp_path / JOURNAL).write_bytes(torn)
    assert studio_id(tmp_path) == studio_id(tmp_path) != ""


def test_a_file_that_is_no_journal_is_refused_as_the_desk_refuses_it(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text('{"journal": "another", "schema": 1}\n{"seq": 1}\n')
    with pytest.raises(JournalError, match="another kind"):
        studio_id(tmp_path)


@pytest.mark.parametrize("at", ["1e300", "-1", "1e18", "NaN", "253402214400"])
def test_a_moment_that_no_calendar_has_is_refused_where_it_is_read(tmp_path: Path, at: str) -> None:
    event = f'{{"type": "TaskOpened", "task": "t1", "title": "Night", "at": {at}}}'
    first = '{"type": "StudioOpened", "studio": "a", "at": 1.0}'
    lines = "".join(f'{{"seq": {n}, "at": 1.0, "event": {body}}}\n' for n, body in enumerate((first, event), start=1))
    (tmp_path / JOURNAL).write_bytes(STUDIO.header() + lines.encode())
    with pytest.raises(JournalError):
        Desk(tmp_path)
