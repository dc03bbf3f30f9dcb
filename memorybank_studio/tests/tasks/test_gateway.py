"""The gateway: every turn lands in the task it was addressed to, and nothing the author wrote is lost."""

from __future__ import annotations

import json
import random
import threading
from pathlib import Path

import pytest

from memorybank.errors import InputError, JournalError
from memorybank_lab import __main__ as command_line
from memorybank_studio.creativity.options import Criterion, Draft, Option, Score
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.context import BuiltContext, TurnKind
from memorybank_studio.tasks.gateway import Gateway
from memorybank_studio.tasks.replies import Creation, checked_argument
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tests.tasks.studio import FixedClock, LineExtract, Studio, as_remark, chunk, give, open_studio
from memorybank_studio.types import Command, TaskId, TaskState
from tests.hostile import LONE_SURROGATE
from tests.tables import tables

TABLES = tables(__file__)

DAY = 86_400.0

# -- purity -----------------------------------------------------------------------------------------------------------


def test_ten_tasks_and_hundreds_of_interleaved_turns_of_two_tabs(tmp_path: Path, stores: Stores) -> None:
    studio = open_studio(tmp_path / "s", stores, settings=TaskSettings(summary_tokens=60))
    tasks = [studio.open_task(f"Task {number}") for number in range(10)]
    shuffled = [(task, f"{task} says {number}") for task in tasks for number in range(20)]
    random.Random(7).shuffle(shuffled)  # 200 of the author, 200 of the assistant
    parts = [shuffled[at::2] for at in range(2)]

    def talk(turns: list[tuple[TaskId, str]]) -> None:
        for task, text in turns:
            studio.gateway.handle(text, task=task)

    tabs = [threading.Thread(target=talk, args=(turns,)) for turns in parts]
    [one.start() for one in tabs]
    [one.join() for one in tabs]  # each talked to all ten tasks; what one tab says keeps its order
    said = {task: studio.said(task) for task in tasks}
    for task in tasks:
        assert sorted(said[task]) == sorted(text for of, text in shuffled if of == task)
        for part in parts:
            own = [text for of, text in part if of == task]
            assert [text for text in said[task] if text in set(own)] == own
    for context in studio.creative.contexts:
        foreign = [f"{task} says" for task in tasks if task != context.task.id]
        assert not any(f"{words} " in context.prompt() for words in foreign), "no other task's words in a prompt"
    for task, texts in said.items():
        assert studio.said(task, "assistant") == [f"echo: {text}" for text in texts]
        assert [turn.number for turn in studio.gateway.history(task)] == list(range(1, 2 * len(texts) + 1))
        studio.settle(task)
        seen = [turn.text for of, block in studio.extract.seen if of == task for turn in block]
        assert seen == [line for text in texts for line in (text, f"echo: {text}")], "a settlement reads its own turns"
    assert {of for of, _ in studio.extract.seen} == set(said)
    studio.gateway.close()

    reopened = open_studio(tmp_path / "s", stores)
    assert {task: reopened.said(task) for task in tasks} == said
    assert set(reopened.states()) == {TaskState.CLOSED}
    reopened.gateway.close()


# -- commands ---------------------------------------------------------------------------------------------------------


def test_the_life_of_a_task(studio: Studio) -> None:
    assert studio.gateway.tasks() == ()
    reply = give(studio.gateway, "/新建 玉佩的秘密\n谁偷了它？", task=None)
    task = reply.task.id
    assert (reply.command, reply.text, reply.task.turns) == (Command.NEW, "echo: 谁偷了它？", 2)
    assert give(studio.gateway, f"/switch {task}", task=None).task is not None
    studio.settle(task)
    with pytest.raises(InputError, match="is settled: restart it"):
        studio.gateway.handle("and?", task=task)
    restarted = give(studio.gateway, f"/restart {task}\n再说", task=None)
    assert restarted.context.command is Command.RESTART
    assert give(studio.gateway, "/discard", task=task).task is None
    with pytest.raises(InputError, match="was discarded"):
        studio.gateway.history(task)
    with pytest.raises(InputError, match="was discarded"):
        give(studio.gateway, f"/restart {task}", task=None)
    assert studio.states() == [TaskState.DISCARDED]


def test_a_button_says_what_is_meant_and_text_stays_text(studio: Studio) -> None:
    reply = studio.gateway.handle("/settle", task=None, command=Command.NEW, argument="A title")
    assert studio.said(reply.task.id) == ["/settle"]
    assert studio.states() == [TaskState.OPEN]


@pytest.mark.parametrize(("typed", "says"), TABLES["what_cannot_be_done_is_refused_and_kept"])
def test_what_cannot_be_done_is_refused_and_kept(studio: Studio, typed: str, says: str) -> None:
    task, _, _ = (studio.open_task(title) for title in ("One", "Two", "Two"))
    with pytest.raises(InputError) as refused:
        give(studio.gateway, typed, task=task)
    assert says in str(refused.value)
    typed = typed.partition("\n")[2] if typed.startswith("/") else typed
    assert studio.gateway.refused(task).input == typed, "nothing of what was typed is lost"
    assert studio.gateway.history(task) == ()
    again = studio.reopened()
    assert again.gateway.refused(task).input == typed
    again.gateway.handle("better", task=task)
    assert again.gateway.refused(task) is None
    again.gateway.close()


def test_without_a_task_the_author_is_told_to_open_one(studio: Studio) -> None:
    for typed in ("hello", "/settle", "/discard"):
        with pytest.raises(InputError, match="open a task"):
            give(studio.gateway, typed, task=None)
    with pytest.raises(InputError, match="there is no task"):
        studio.gateway.handle("hello", task=TaskId("t9"))


def test_an_error_after_the_words_were_taken_does_not_offer_them_again(studio: Studio) -> None:
    def refusing(*_: object) -> Creation:
        raise InputError("the engine's settings are wrong: correct them")

    studio.gateway._creative = refusing
    for typed, task in (("/new One\nhello", None), ("hello again", TaskId("t1"))):
        with pytest.raises(InputError, match="settings are wrong"):
            give(studio.gateway, typed, task=task)
        assert studio.gateway.refused(task) is None, "they are in the history"
    assert studio.said(TaskId("t1")) == ["hello", "hello again"]


# -- the engine fails -------------------------------------------------------------------------------------------------


def test_a_turn_without_an_answer_is_answered_later(studio: Studio) -> None:
    task = studio.open_task("One", "first")
    studio.fail("second", task)
    assert [turn.text for turn in studio.gateway.history(task)] == ["first", "echo: first", "second"]
    assert studio.gateway.resume(task).text == "echo: second"
    assert studio.gateway.history(task)[-1].text == "echo: second"
    with pytest.raises(InputError, match="its last turn is answered"):
        studio.gateway.resume(task)


# -- expiry -----------------------------------------------------------------------------------------------------------


def test_a_settled_history_is_kept_for_a_day_and_then_gone(tmp_path: Path, stores: Stores) -> None:
    clock = FixedClock()
    studio = open_studio(tmp_path / "s", stores, clock=clock)
    task = studio.open_task("Lin Shuang", "Her sword is called Zhaoye.")
    studio.settle(task)
    clock.now += DAY - 1
    give(studio.gateway, f"/restart {task}", task=None)
    studio.settle(task)
    clock.now += DAY - 1
    assert studio.states() == [TaskState.CLOSED], "a day from the last closing"
    clock.now += 1
    assert studio.states() == [TaskState.EXPIRED]
    with pytest.raises(InputError, match=r"task t1 \('Lin Shuang'\) is gone.*24 hours.*open a new task"):
        give(studio.gateway, "/restart t1", task=None)
    studio.gateway.close()


# -- hostile input ----------------------------------------------------------------------------------------------------


def test_half_a_character_becomes_a_question_mark(studio: Studio) -> None:
    task = studio.open_task("One", LONE_SURROGATE)
    assert studio.said(task) == ["owned ? end"]


# -- labelled data ----------------------------------------------------------------------------------------------------


def test_every_input_context_and_command_can_be_exported(studio: Studio, capsys: pytest.CaptureFixture[str]) -> None:
    task = studio.open_task("玉佩")
    studio.gateway.handle("谁偷了它？\u2028还有", task=task)
    other = give(studio.gateway, "/new Siege\nWho holds the gate?", task=task).task.id
    studio.gateway.handle("", task=other, command=Command.SETTLE)
    with pytest.raises(InputError):
        studio.gateway.handle("  ", task=task)
    give(studio.gateway, "/discard", task=other)
    examples = studio.examples()
    assert [(one["command"], one["by"]) for one in examples] == [
        *(("new", "button"), ("continue", "default"), ("new", "button"), ("settle", "button"), ("discard", "button"))
    ], "a refused input is no example"
    first, second, third = examples[:3]
    assert first["context"] == {"task": None, "turns": [], "open": []}
    assert (first["input"], first["argument"]) == ("", "玉佩")
    assert second["input"] == "谁偷了它？\u2028还有"
    assert second["target"] == {"id": task, "title": "玉佩"}
    assert third["input"] == "Who holds the gate?"
    turns = [turn["text"] for turn in third["context"]["turns"]]
    assert turns == ["谁偷了它？\u2028还有", "echo: 谁偷了它？\u2028还有"]
    assert examples[4]["context"]["open"] == [{"id": task, "title": "玉佩"}, {"id": other, "title": "Siege"}]
    studio.gateway.close()
    studio.folder.rename(studio.folder.parent / "tasks")
    assert command_line.main(["labelled", str(studio.folder.parent)]) == 0
    assert list(map(json.loads, capsys.readouterr().out.split("\n")[:-1])) == examples


def test_what_the_engine_was_told_is_logged_whole_and_outlives_the_program(tmp_path: Path, stores: Stores) -> None:
    studio = open_studio(tmp_path / "s", stores, settings=TaskSettings(window=4, summary_tokens=60))
    replies = [give(studio.gateway, "/new The gate\nWho holds the gate?", task=None)]
    task = TaskId("t1")
    replies += [studio.gateway.handle(f"And then {number}? " + "word " * 40, task=task) for number in range(6)]
    studio.settle(task)
    replies.append(give(studio.gateway, f"/restart {task}\nGo on", task=None))
    built = [reply.context for reply in replies]
    assert {part.kind for part in built[4].parts} == {"turn"}, "without a model older turns stand whole"
    examples = studio.examples()

    again = studio.reopened()
    assert again.examples() == examples
    assert [one["told"]["prompt"] for one in examples if one["command"] != "settle"] == [
        context.prompt() for context in built
    ]
    (settled,) = [one["told"] for one in examples if one["command"] == "settle"]
    assert len(settled["parts"]) == 14, "of a settlement the whole history"
    assert all(f"And then {number}? " in settled["prompt"] for number in range(6))
    again.gateway.close()


def test_an_engine_that_fails_is_logged_and_its_later_answer_is_that_of_the_words_it_answers(studio: Studio) -> None:
    task = studio.open_task("One")
    studio.fail("Who holds the gate?", task)
    assert "Who holds the gate?" in studio.examples()[-1]["told"]["prompt"]
    give(studio.gateway, f"/switch {task}", task=None)
    studio.stores.archive.put([chunk(6, 0, "Snow.")])
    studio.gateway.resume(task)
    told = [(one["command"], one["told"] and one["told"]["chapter"]) for one in studio.examples()]
    assert told == [("new", None), ("continue", 7), ("switch", None)]


# -- the journal ------------------------------------------------------------------------------------------------------


def test_a_torn_end_is_dropped_and_the_rest_goes_on(studio: Studio) -> None:
    task = studio.open_task("One", "first")
    studio.gateway.close()
    journal = studio.folder / "journal.jsonl"
    whole = journal.read_bytes()
    for cut in range(1, 400, 37):
        journal.write_bytes(whole[:-cut])
        again = open_studio(studio.folder, studio.stores)
        history = again.gateway.history(task)
        assert [turn.text for turn in history] == ["first", "echo: first"][: len(history)]
        again.gateway.handle("on", task=task)
        again.gateway.close()


def test_a_journal_that_contradicts_itself_is_refused(studio: Studio) -> None:
    studio.open_task("One", "first")
    studio.gateway.close()
    journal = studio.folder / "journal.jsonl"
    text = journal.read_text("utf-8")
    changes = {
        "contradicts itself": text.replace('"number": 2', '"number": 5'),
        "is empty": "the author's notes, without a line end",
        "another kind": text.replace("memorybank-studio", "memorybank"),
        "no event this version knows": text.replace('"type": "TurnAdded"', '"type": "TurnStolen"'),
        "path": text.replace('"role": "author"', '"role": "author", "path": "/etc/passwd"'),
    }
    for says, changed in changes.items():
        assert changed != text
        journal.write_text(changed, "utf-8")
        with pytest.raises(JournalError, match=says):
            open_studio(studio.folder, studio.stores)
    journal.write_text(text, "utf-8")
    open_studio(studio.folder, studio.stores).gateway.close()


# -- options ----------------------------------------------------------------------------------------------------------


def offering(context: BuiltContext, asked: str, *_: object) -> Creation:
    """Two drafts with every answer; of a model's half character, what has no UTF-8 form."""
    words = asked.replace("half", LONE_SURROGATE)
    drafts = [Draft(brief="quiet", text=f"{words} {place}", made_by="a test") for place in (1, 2)]
    score = Score(criterion=Criterion.STYLE, value=0.5, reasons=("as short as asked",))
    return Creation(text=words, options=tuple(Option(draft=draft, scores=(score,)) for draft in drafts))


def test_options_of_past_answers_outlive_the_program(tmp_path: Path, stores: Stores) -> None:
    def opened() -> Gateway:
        return Gateway(tmp_path / "s", SharedHub(stores), decide=as_remark, creative=offering, extract=LineExtract())

    with opened() as gateway:
        reply = give(gateway, "/new One\na storm", task=None)
        task = reply.task.id
        gateway.handle("a calm", task=task)
        gateway.handle("half", task=task)
    with opened() as gateway:
        assert gateway.options(task, 2) == reply.options
        assert [one.draft.text for one in gateway.options(task, 4)] == ["a calm 1", "a calm 2"]
        assert [one.draft.text for one in gateway.options(task, 6)] == ["owned ? end 1", "owned ? end 2"]
        assert gateway.options(task, 1) == gateway.options(TaskId("t9"), 2) == ()
    journal = tmp_path / "s" / "journal.jsonl"
    before = journal.read_text("utf-8").replace('"schema": 5', '"schema": 1')
    nearest = '"nearest": {"number": 2, "similarity": 0.5, "same_step": false}'
    before = before.replace('"scores": [', f'{nearest}, "scores": [').replace('"parts": [', '"routes": [], "parts": [')
    before = before.replace('"kind": "remark"', '"kind": "command", "command": "settle", "argument": ""')
    goals = {"type": "GoalsSet", "goals": {"story": 9, "chapter": 0, "day": 0}, "at": 0.0}
    moved = {"type": "PlanMoved", "plan": "p-1", "status": "Completed", "at": 0.0}
    last = json.loads(before.splitlines()[-1])
    more = ({**last, "seq": last["seq"] + place, "event": event} for place, event in enumerate((goals, moved), start=1))
    journal.write_text(before + "".join(json.dumps(line) + "\n" for line in more), "utf-8")
    with opened() as gateway:
        assert gateway.options(task, 2) == reply.options, "of a journal of before, too"
        assert gateway.taken(task, 1).kind is TurnKind.REMARK


# -- what a button's command needs ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "given", "says"), TABLES["what_is_missing_or_too_much_is_said"])
def test_what_is_missing_or_too_much_is_said(command: str, given: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        checked_argument(Command(command), **{"argument": "", "text": "", **given})


@pytest.mark.parametrize(("typed", "title"), TABLES["what_cannot_be_seen_is_taken_out_of_a_title"])
def test_what_cannot_be_seen_is_taken_out_of_a_title(typed: str, title: str) -> None:
    assert checked_argument(Command.NEW, typed, "") == title


@pytest.mark.parametrize("typed", TABLES["a_title_without_anything_to_see_is_none"])
def test_a_title_without_anything_to_see_is_none(typed: str) -> None:
    with pytest.raises(InputError, match="needs a title"):
        checked_argument(Command.NEW, typed, "")
