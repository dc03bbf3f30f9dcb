"""All that a task was offered, and the journal's first lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memorybank.errors import JournalError
from memorybank_studio.creativity.options import Draft, Option
from memorybank_studio.journal.desk import JOURNAL, Desk
from memorybank_studio.journal.events import STUDIO, CommandContext, CommandGiven
from memorybank_studio.types import Command, Task, TaskId


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


def test_all_that_a_task_was_offered_is_at_hand_each_text_once(desk: Desk, tmp_path: Path) -> None:
    first, second = open_task(desk, "Gate").id, open_task(desk, "Mill").id
    offer(desk, first, "a", "b")
    offer(desk, second, "c", " c ", "a")
    offer(desk, first, "b", "d")
    assert [item.draft.text for item in desk.state.options[first, 2]] == ["a", "b"]
    assert (first, 1) not in desk.state.options, "an author's turn offers nothing"
    offers = desk.offers(first)
    told = [(item.turn, item.number, item.option.draft.text) for item in offers]
    assert told == [(2, 1, "a"), (2, 2, "b"), (4, 2, "d")]
    assert [item.option.draft.text for item in desk.offers(second)] == ["c", "a"]
    desk.close()
    again = Desk(tmp_path)
    assert again.offers(first) == offers
    again.close()


def test_numbers_mean_the_latest_answer_that_has_them_all(desk: Desk) -> None:
    task = open_task(desk, "Gate").id
    offer(desk, task, "a", "b", "c")
    offer(desk, task, "mixed")
    assert [item.option.draft.text for item in desk.numbered(task, (1, 3))] == ["a", "c"]
    assert [item.id for item in desk.numbered(task, (1,))] == [f"{task}-4-1"]
    assert desk.numbered(task, (4,)) == ()
    assert desk.numbered(TaskId("t9"), (1,)) == ()


def opened(folder: Path) -> str:
    """The id of the studio whose journal is there."""
    desk = Desk(folder)
    desk.close()
    return desk.state.studio


def test_a_new_studio_gets_an_id_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    one, two = opened(tmp_path / "one"), opened(tmp_path / "two")
    assert one != two
    assert opened(tmp_path / "one") == one


@pytest.mark.parametrize("torn", [b"", STUDIO.header()[:9], STUDIO.header(), STUDIO.header() + b'{"seq": 1, "at": 1'])
def test_a_journal_torn_in_its_first_write_is_begun_anew(tmp_path: Path, torn: bytes) -> None:
    (tmp_path / JOURNAL).write_bytes(torn)
    assert opened(tmp_path) == opened(tmp_path) != ""


@pytest.mark.parametrize("at", ["1e300", "-1", "1e18", "NaN", "253402214400"])
def test_a_moment_that_no_calendar_has_is_refused_where_it_is_read(tmp_path: Path, at: str) -> None:
    event = f'{{"type": "TaskOpened", "task": "t1", "title": "Night", "at": {at}}}'
    first = '{"type": "StudioOpened", "studio": "a", "at": 1.0}'
    lines = "".join(f'{{"seq": {n}, "at": 1.0, "event": {body}}}\n' for n, body in enumerate((first, event), start=1))
    (tmp_path / JOURNAL).write_bytes(STUDIO.header() + lines.encode())
    with pytest.raises(JournalError):
        Desk(tmp_path)
