"""A confirmed set reaches the stores whole, whatever store is down, and no reader sees half of it."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError, ModelUnavailableError, StoreUnavailableError
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.types import (
    TaskState,
)
from tests.narrative.settlement.settling import Failing, again, propose, settled
from tests.narrative.tasks.studio import FixedClock, Studio, open_studio
from tests.waiting import wait_until

# -- stores that are down ---------------------------------------------------------------------------------------------


LINES = ("fact: Lin OWNS Frost Sword @3", "plan: The siege", "setting: Jade = cold")


def written(stores: Stores) -> tuple[bool, bool, bool]:
    return bool(stores.facts.count()[1]), bool(stores.plans.all()), bool(stores.settings.all())


def test_an_embedding_model_that_dies_in_the_middle_leaves_the_set_to_be_finished(
    cut: Studio, stores: Stores, tmp_path: Path
) -> None:
    """The settings are written last, with vectors: facts and plans are in by then, and nobody reads half of a set."""
    task, table = propose(cut, *LINES)
    failing: Any = cut.stores.settings
    failing.error, failing.dies_in = ModelUnavailableError, "put"
    confirmed = cut.gateway.confirm(task, table.proposals)
    assert not confirmed.applied
    assert "start it" in confirmed.reason
    with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"), cut.hub.reading():
        pass
    cut.gateway.close()
    again = open_studio(tmp_path / "s", cut.stores)  # while it is down still: the studio opens all the same
    assert again.gateway.waiting() == (task,)
    failing.down, failing.dies_in = False, ""
    again.clock.now += 10
    with again.hub.reading() as read:
        assert written(read) == (True, True, True)
    assert again.gateway.waiting() == ()


@pytest.mark.parametrize("which", ["facts", "plans", "settings"])
def test_a_store_that_is_down_at_confirm_gets_it_when_it_is_back(cut: Studio, stores: Stores, which: str) -> None:
    task, table = propose(cut, *LINES)
    store = getattr(cut.stores, which)
    store.down = True
    confirmed = cut.gateway.confirm(task, table.proposals)
    assert not confirmed.applied
    assert "start it" in confirmed.reason
    assert written(stores) == (False, False, False), "nothing was begun that could not be ended"
    assert cut.gateway.waiting() == (task,)
    with pytest.raises(InputError, match="settled and waits for a store"):
        cut.gateway.handle("more", task=task)
    store.down = False
    cut.clock.now += 10
    with cut.hub.reading() as read:
        assert written(read) == (True, True, True)
    assert cut.gateway.waiting() == ()
    assert cut.gateway.tasks()[0].state is TaskState.CLOSED


@pytest.mark.parametrize(("which", "call"), [("facts", "apply"), ("plans", "apply"), ("settings", "put")])
@pytest.mark.parametrize("restarted", [False, True], ids=["same program", "program restarted"])
def test_a_store_lost_in_the_middle_keeps_readers_out_until_all_is_written(
    cut: Studio, stores: Stores, which: str, call: str, restarted: bool
) -> None:
    task, table = propose(cut, *LINES)
    store = getattr(cut.stores, which)
    store.dies_in = call
    assert not cut.gateway.confirm(task, table.proposals).applied
    if restarted:
        cut.gateway.close()
        cut = open_studio(cut.folder, cut.stores)
    for _ in range(2):
        with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"), cut.hub.reading():
            pytest.fail("a reader got in")
        with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"):
            cut.hub.stores.settings.all()
        with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"):
            cut.hub.step_by_step().plans.apply([], [], "board")
        with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"), cut.hub.changing():
            pytest.fail("a change by hand got in")
    store.dies_in, store.down = "", False
    cut.clock.now += 10
    assert written(cut.hub.stores) == (True, True, True)
    assert cut.gateway.tasks()[0].state is TaskState.CLOSED
    cut.gateway.close()


def test_a_store_that_is_down_is_not_asked_at_every_reading(cut: Studio) -> None:
    task, table = propose(cut, *LINES)
    cut.stores.settings.down = True  # type: ignore[attr-defined]
    cut.gateway.confirm(task, table.proposals)
    asked = []
    cut.stores.settings._store = type("Counting", (), {"exact": lambda *_: asked.append(1)})()  # type: ignore[attr-defined]
    calls = []
    original = cut.stores.plans.plan
    cut.stores.plans.plan = lambda key: calls.append(key) or original(key)  # type: ignore[method-assign,func-returns-value]
    cut.clock.now += 10
    for _ in range(20):
        with cut.hub.reading():
            pass
    assert len(calls) == 1, "one try in three seconds"
    cut.clock.now += 10
    with cut.hub.reading():
        pass
    assert len(calls) == 2


def test_two_confirmed_sets_are_written_in_their_order(cut: Studio, stores: Stores) -> None:
    first, table = propose(cut, "setting: Jade = first")
    second, other = propose(cut, "setting: Jade = second", title="Two")
    cut.stores.settings.down = True  # type: ignore[attr-defined]
    assert not cut.gateway.confirm(first, table.proposals).applied
    assert not cut.gateway.confirm(second, other.proposals).applied
    assert cut.gateway.waiting() == (first, second)
    cut.gateway.close()
    cut.stores.settings.down = False  # type: ignore[attr-defined]
    reopened = open_studio(cut.folder, cut.stores)
    setting = stores.settings.exact("Jade")
    assert setting.text == "second"
    assert reopened.gateway.waiting() == ()
    reopened.gateway.close()


def test_a_set_that_was_confirmed_unchecked_and_cannot_be_written_opens_its_task_again(
    cut: Studio, stores: Stores
) -> None:
    task, table = propose(cut, "status: Nowhere = Completed")
    cut.stores.plans.down = True  # type: ignore[attr-defined]
    assert not cut.gateway.confirm(task, [replace(one, ticked=True) for one in table.proposals]).applied
    cut.stores.plans.down = False  # type: ignore[attr-defined]
    cut.clock.now += 10
    with cut.hub.reading() as read:
        assert written(read) == (False, False, False)
    assert cut.gateway.waiting() == ()
    assert cut.gateway.tasks()[0].state is TaskState.OPEN
    assert "names no plan" in cut.gateway.failure(task), "and the author can be told"
    cut.gateway.handle("let us see", task=task)
    again(cut, task)
    assert cut.gateway.failure(task) == ""


def test_a_set_that_is_refused_does_not_hold_up_the_next(cut: Studio, stores: Stores) -> None:
    wrong, table = propose(cut, "status: Nowhere = Completed")
    right, other = propose(cut, "plan: The siege", title="Two")
    cut.stores.plans.down = True  # type: ignore[attr-defined]
    cut.gateway.confirm(wrong, [replace(one, ticked=True) for one in table.proposals])
    assert not cut.gateway.confirm(right, other.proposals).applied
    cut.stores.plans.down = False  # type: ignore[attr-defined]
    third, last = propose(cut, "plan: The march", title="Three")
    assert cut.gateway.confirm(third, last.proposals).applied, "another task's fault is not this one's"
    assert {plan.title for plan in stores.plans.all()} == {"The siege", "The march"}
    assert [one.state for one in cut.gateway.tasks()] == [TaskState.OPEN, TaskState.CLOSED, TaskState.CLOSED]
    assert "names no plan" in cut.gateway.failure(wrong)


class Refusing(Failing):
    """A real store that refuses what it would write: another program has changed it since the set was checked."""

    def __getattr__(self, name: str) -> Any:
        if name == self.dies_in:
            raise InputError("the store has changed: look at it again")
        return super().__getattr__(name)


@pytest.mark.parametrize("restarted", [False, True], ids=["same program", "program restarted"])
@pytest.mark.parametrize(("which", "call"), [("facts", "apply"), ("settings", "put")])
def test_what_is_refused_when_a_part_is_written_lets_no_reader_in(
    tmp_path: Path, stores: Stores, which: str, call: str, restarted: bool
) -> None:
    refusing = Refusing(getattr(stores, which))
    studio = open_studio(tmp_path / "s", replace(stores, **{which: refusing}))
    task, table = propose(studio, *LINES)
    refusing.dies_in = call
    confirmed = studio.gateway.confirm(task, table.proposals)
    assert not confirmed.applied
    assert "a part of the settlement is in the hub" in confirmed.reason
    assert stores.plans.all(), "a part is written"
    if restarted:
        studio.gateway.close()
        studio = open_studio(studio.folder, studio.stores)
    for _ in range(3):
        studio.clock.now += 10
        with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"), studio.hub.reading():
            pytest.fail("a reader got in")
        with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"):
            studio.hub.stores.plans.all()
    assert studio.gateway.waiting() == (task,)
    refusing.dies_in = ""
    studio.clock.now += 10
    with studio.hub.reading() as read:
        assert written(read) == (True, True, True)
    assert studio.gateway.waiting() == ()
    assert studio.gateway.tasks()[0].state is TaskState.CLOSED
    studio.gateway.close()


def test_what_the_first_store_refuses_is_given_back_and_readers_go_on(tmp_path: Path, stores: Stores) -> None:
    refusing = Refusing(stores.plans)
    studio = open_studio(tmp_path / "s", replace(stores, plans=refusing))  # type: ignore[arg-type]
    task, table = propose(studio, *LINES)
    refusing.dies_in = "apply"
    with pytest.raises(InputError, match="the store has changed"):
        studio.gateway.confirm(task, table.proposals)
    refusing.dies_in = ""
    assert written(studio.hub.stores) == (False, False, False)
    assert studio.gateway.confirm(task, again(studio, task).proposals).applied
    studio.gateway.close()


# -- all or nothing for every reader ----------------------------------------------------------------------------------


class Slow:
    """A real store that takes its time to write."""

    def __init__(self, store: Any, pause: threading.Event) -> None:
        self._store = store
        self._pause = pause

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        def call(*arguments: Any, **named: Any) -> Any:
            if name in ("apply", "put"):
                self._pause.wait(0.02)
            return method(*arguments, **named)

        return call


def test_readers_in_other_threads_see_all_of_a_settlement_or_nothing(tmp_path: Path, stores: Stores) -> None:
    never = threading.Event()
    slow = Stores(
        facts=Slow(stores.facts, never),  # type: ignore[arg-type]
        plans=Slow(stores.plans, never),  # type: ignore[arg-type]
        settings=Slow(stores.settings, never),  # type: ignore[arg-type]
        archive=stores.archive,
    )
    studio = open_studio(tmp_path / "s", slow, clock=FixedClock())
    seen: set[tuple[int, int, int]] = set()
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            with studio.hub.reading() as hub:
                facts = hub.facts.count()[1]
                never.wait(0.01)
                plans = len(hub.plans.all())
                never.wait(0.01)
                settings = len(hub.settings.all())
            seen.add((facts, plans, settings))

    readers = [threading.Thread(target=read) for _ in range(3)]
    [one.start() for one in readers]
    for number in range(1, 9):
        settled(
            studio,
            f"fact: Person{number} OWNS Frost{number} Sword @3",
            f"plan: Plan {number}",
            f"setting: Key {number} = text",
            title=f"Task {number}",
        )
        wait_until(lambda number=number: (number, number, number) in seen, 10, lambda: seen)
    ended.set()
    [one.join() for one in readers]
    assert seen <= {(number, number, number) for number in range(9)}
    assert len(seen) >= 8
    studio.gateway.close()


def test_a_reader_may_read_within_its_reading_and_the_lock_lets_writers_through(studio: Studio) -> None:
    with studio.hub.reading() as hub:
        assert studio.hub.stores.facts.count() == hub.facts.count()
        with studio.hub.reading(), pytest.raises(RuntimeError, match="would wait for itself"), studio.hub.changing():
            pytest.fail("a reader became a writer")
    with studio.hub.changing(), studio.hub.reading():
        pass
    order: list[str] = []
    reading, release = threading.Event(), threading.Event()

    def first() -> None:
        with studio.hub.reading():
            reading.set()
            release.wait(10)
            order.append("reader")

    def writer() -> None:
        with studio.hub.changing():
            order.append("writer")

    def second() -> None:
        with studio.hub.reading():
            order.append("late reader")

    threads = [threading.Thread(target=first)]
    threads[0].start()
    assert reading.wait(10)
    threads.append(threading.Thread(target=writer))
    threads[1].start()
    wait_until(lambda: studio.hub._lock._waiting == 1, 10)
    threads.append(threading.Thread(target=second))
    threads[2].start()
    release.set()
    [one.join() for one in threads]
    assert order == ["reader", "writer", "late reader"], "a writer that waits goes before readers that come later"
